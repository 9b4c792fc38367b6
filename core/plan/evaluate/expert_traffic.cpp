#include "core/plan/evaluate/expert_traffic.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Into which the group falls.
double innermost_units(const ChipGroup& group, std::size_t levels) {
    return static_cast<double>(group.chips) / static_cast<double>(levels > 1 ? group.within[0] : group.chips);
}

/// How often a layer of the fullest stage is passed in a step, each way.
double passes_of_step(const TrainingRun& run, const Plan& plan) {
    return static_cast<double>(run.batch / plan.data / plan.micro_batch) *
           static_cast<double>(most_stage_layers(run, plan));
}

} // namespace

ExpertTraffic expert_traffic(const PlanModel& model, const Plan& plan) {
    ExpertTraffic made;
    if (plan.experts == 1) {
        return made;
    }
    const TrainingRun& run = model.run();
    const std::size_t levels = model.network().levels();
    const ChipGroup group = expert_group(plan);
    const auto chips = static_cast<double>(group.chips);
    const double domains = innermost_units(group, levels);
    const ExpertRouting routing = limited(expert_routing(run.model), run.exchange, domains);
    made.overlap = expert_overlap(run, plan);
    made.domains_of_token = units_of_token(routing, domains);
    made.chips_of_token = units_of_token(routing, chips);
    made.work = fullest_work(routing, run.exchange, chips);
    const double passes = passes_of_step(run, plan);
    std::vector<ExpertLevel> all(levels);
    const auto add = [&](const ChipTask& task, const PassWork& work, double times) {
        for (const TaskExchange& one : work.exchanges) {
            if (one.axis != experts_axis) {
                continue;
            }
            const CopiesAcross bytes = model.expert_bytes(plan, one);
            made.whole += times * task.blocks * model.expert_seconds(plan, one);
            for (std::size_t level = 0; level < levels; ++level) {
                double& its = one.combines ? all[level].combine : all[level].dispatch;
                its += times * task.blocks * bytes[level];
            }
        }
    };
    for (const ChipTask& task : model.block(plan).operations) {
        add(task, task.forward, passes * (computed_again(task, plan.recompute) ? 2 : 1));
        add(task, task.backward, passes);
    }
    for (std::size_t level = 0; level < levels; ++level) {
        all[level].level = level;
        if (all[level].dispatch > 0 || all[level].combine > 0) {
            made.levels.push_back(all[level]);
        }
    }
    made.exposed = model.reading(plan, model.layer(plan)).time.experts;
    return made;
}

} // namespace meshslice
