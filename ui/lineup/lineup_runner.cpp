#include "ui/lineup/lineup_runner.h"

#include "ui/document/words.h"

namespace meshslice::ui {

LineupRunner::LineupRunner(QObject* parent) : QObject(parent) {}

LatestJob::Work LineupRunner::work(const LineupRequest& request) {
    return [this, request, number = ++number_](const RunControl& control) -> LatestJob::Tell {
        const Result<LineupPtr> outcome =
            withoutExceptions([&] { return computeLineup(request, number, control); });
        return [this, outcome] {
            if (outcome) {
                emit finished(*outcome);
            } else {
                emit failed(words(outcome.error().sentence));
            }
        };
    };
}

void LineupRunner::request(const LineupRequest& request) {
    job_.start(work(request));
}

void LineupRunner::answerNow(const LineupRequest& request) {
    job_.runNow(work(request));
}

void LineupRunner::cancel() {
    job_.cancel();
}

} // namespace meshslice::ui
