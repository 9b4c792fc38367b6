#include "core/plan/group_memory.h"

#include <cstdint>
#include <limits>
#include <utility>

namespace meshslice {

std::optional<GroupOfPlan> group_of_plan(const Scenario& scenario) {
    if (!scenario.plan || !scenario.planning.batch || scenario.gemm || scenario.mesh.size() != 2) {
        return std::nullopt;
    }
    Plan plan = *scenario.plan;
    plan.tensor1 = scenario.mesh[1];
    plan.tensor2 = scenario.mesh[0];
    plan.micro_batch = scenario.batch;
    if (plan.chips() != scenario.planning.chips) { // a plan or a mesh of something else
        return std::nullopt;
    }
    // Memory does not depend on where the groups stand.
    plan.placement = {};
    Result<PlanModel> model = training_run(scenario.model, scenario.sequence, *scenario.planning.batch)
                                  .and_then([&](const TrainingRun& run) {
                                      return PlanModel::of(run, scenario.hardware, ModelRules::exact);
                                  });
    constexpr std::int64_t any_domain = std::numeric_limits<std::int32_t>::max();
    if (!model || !model->torus() || !check_plan(model->run(), plan, any_domain, ModelRules::exact)) {
        return std::nullopt;
    }
    return GroupOfPlan{plan, *std::move(model)};
}

PlanMemory GroupOfPlan::memory(std::string_view algorithm, double gemm_buffers) const {
    ChipTasks block = model.block(plan);
    BlockPasses passes; // without times
    passes.forward.resize(block.operations.size());
    passes.backward.resize(block.operations.size());
    // A 1D block has what its own algorithm gathers; of another one next to it its GEMMs say what they need.
    if (plan.algorithm != nullptr || algorithm != one_d_algorithm) {
        block.gathered = 0;
        passes.buffers = gemm_buffers;
    }
    return model.memory(plan, PlanModel::layer_cost(block, passes, plan.recompute));
}

} // namespace meshslice
