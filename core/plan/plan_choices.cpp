#include "core/plan/plan_choices.h"

#include "core/base/text/listing.h"

#include <algorithm>

namespace meshslice {

std::vector<PipelineSchedule> schedules_of(const PlanChoices& choices, const TrainingRun& run,
                                           const Plan& plan) {
    const std::int64_t layers = interleaved_layers(run, plan.pipeline);
    const bool rounds =
        plan.pipeline > 1 && layers > 0 && run.batch / plan.data / plan.micro_batch % plan.pipeline == 0;
    std::vector<PipelineSchedule> all;
    for (const PipelineSchedule& one : choices.schedules) {
        if (one.kind == PipelineKind::dualpipe && !takes_dualpipe(run, plan)) {
            continue;
        }
        if (one.kind != PipelineKind::interleaved || (rounds && layers % one.chunks == 0)) {
            all.push_back(one);
        }
    }
    if (choices.interleaved && rounds) {
        for (std::int64_t chunks = 2; chunks <= layers; ++chunks) {
            if (layers % chunks == 0) {
                const PipelineSchedule one{PipelineKind::interleaved, chunks};
                if (std::ranges::find(all, one) == all.end()) {
                    all.push_back(one);
                }
            }
        }
    }
    return all;
}

std::vector<int> zero_levels_of(const PlanChoices& choices, const Plan& plan) {
    if (!shares_weights(plan) && !choices.zero_levels.empty()) {
        return {choices.zero_levels.front()};
    }
    std::vector<int> levels = choices.zero_levels;
    if (plan.shard > 0) { // who shares nothing has no groups that do
        std::erase(levels, 0);
    }
    return levels;
}

std::string schedules_text(const PlanChoices& choices) {
    std::vector<std::string> names;
    for (const PipelineSchedule& one : choices.schedules) {
        names.push_back(text(one));
    }
    if (choices.interleaved) {
        names.emplace_back("interleaved");
    }
    return listed(names, "or");
}

} // namespace meshslice
