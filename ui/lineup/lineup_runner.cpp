#include "ui/lineup/lineup_runner.h"

#include "ui/document/words.h"

#include <exception>
#include <new>

namespace meshslice::ui {

void LineupRunner::request(const LineupRequest& request) {
    job_.request([this, request, number = ++number_](const std::stop_token& stop) -> NewestJob::Answer {
        return [this, outcome = compute(request, number, stop)] { tell(outcome); };
    });
}

void LineupRunner::answerNow(const LineupRequest& request) {
    cancel();
    tell(compute(request, ++number_, {}));
}

void LineupRunner::tell(const Outcome& outcome) {
    if (outcome) {
        emit finished(*outcome);
    } else {
        emit failed(words(outcome.error().sentence));
    }
}

// No exception may leave: in a pool thread it would arrive as an unknown one, or end the program.
LineupRunner::Outcome LineupRunner::compute(const LineupRequest& request, std::uint64_t number,
                                            const std::stop_token& stop) {
    try {
        return computeLineup(request, number, RunControl{stop, nullptr});
    } catch (const std::bad_alloc&) {
        return refuse(tr("All algorithms at once need more memory than there is; fewer chips or fewer slices "
                         "need less.")
                          .toStdString());
    } catch (const std::exception& mistake) {
        return refuse(tr("The run ended by a mistake of the program, not yours: %1.")
                          .arg(QString::fromUtf8(mistake.what()))
                          .toStdString());
    }
}

} // namespace meshslice::ui
