#include "core/explain/step_slack.h"

#include "core/explain/recorded_run.h"

#include <map>

namespace meshslice {

Result<StepSlack> step_slack(const StepRun& run, const std::stop_token& stop) {
    const StepConditions& made = run.conditions();
    StepSlack found;
    std::map<const Timeline*, std::shared_ptr<const RunSlack>> known;
    for (const GemmResult& gemm : run.step().gemms) {
        if (!gemm.timeline || !gemm.program) {
            found.gemms.push_back(nullptr);
            continue;
        }
        auto& slack = known[gemm.timeline.get()];
        if (!slack) {
            const auto conditions = recorded_conditions(gemm, run.step().algorithm, made);
            if (!conditions) {
                return refuse(conditions.error());
            }
            slack = std::make_shared<const RunSlack>(run_slack(
                *gemm.program, made.machine, made.assume.schedule, *conditions, *gemm.timeline, stop));
        }
        if (stop.stop_requested()) {
            return cancelled();
        }
        found.gemms.push_back(slack);
    }
    return found;
}

} // namespace meshslice
