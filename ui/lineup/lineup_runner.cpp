#include "ui/lineup/lineup_runner.h"

namespace meshslice::ui {

LineupRunner::LineupRunner(QObject* parent) : QObject(parent) {
    connect(&runner_, &StudyRunner::failed, this, &LineupRunner::failed);
}

StudyRunner::Study LineupRunner::study(const LineupRequest& request) {
    return [this, request](std::uint64_t number, const RunControl& control) {
        return computeLineup(request, number, control).map([this](const LineupPtr& lineup) {
            return StudyRunner::Deliver([this, lineup] { emit finished(lineup); });
        });
    };
}

} // namespace meshslice::ui
