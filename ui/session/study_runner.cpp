#include "ui/session/study_runner.h"

#include "ui/look/words.h"

namespace meshslice::ui {

StudyRunner::StudyRunner(QObject* parent) : QObject(parent) {}

LatestJob::Work StudyRunner::work(const Study& study) {
    return [this, study, number = ++number_](const RunControl& control) -> LatestJob::Tell {
        const Result<Deliver> outcome = withoutExceptions([&] { return study(number, control); });
        return [this, outcome] {
            if (outcome) {
                (*outcome)();
            } else {
                emit failed(words(outcome.error().sentence));
            }
        };
    };
}

void StudyRunner::request(const Study& study) {
    job_.start(work(study));
}

void StudyRunner::answerNow(const Study& study) {
    job_.runNow(work(study));
}

} // namespace meshslice::ui
