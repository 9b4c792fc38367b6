#include "tests/ui/lineup/hand_made_lineup.h"

#include "tests/ui/support/hand_made_results.h"

namespace meshslice::ui {

LineupEntry entryOf(const std::string& algorithm, const std::string& title, Time time) {
    LineupEntry entry{algorithm, title, handMadeResults()->steps[0], {}};
    entry.step.algorithm = algorithm;
    entry.step.gemms.resize(1);
    entry.step.gemms[0].time = time;
    entry.step.gemms[0].estimate.prologue = microseconds(40);
    entry.step.gemms[0].estimate.epilogue = time - microseconds(40);
    Program once = *entry.step.gemms[0].program;
    once.iterations = 1;
    entry.step.gemms[0].program = std::make_shared<const Program>(std::move(once));
    entry.step.time = time;
    entry.step.utilization = 0.5;
    return entry;
}

std::vector<LineupEntry> handMadeEntries() {
    return {{"cannon", "Cannon", {}, "The mesh 2x2 is too small."},
            entryOf("summa", "SUMMA", microseconds(150)),
            entryOf("collective", "Collective", microseconds(200)),
            entryOf("meshslice", "MeshSlice", microseconds(100))};
}

LineupPtr handMadeLineup(std::vector<LineupEntry> entries) {
    LineupRequest request;
    request.scenario = handMadeResults()->scenario;
    return makeLineup(request, std::move(entries));
}

} // namespace meshslice::ui
