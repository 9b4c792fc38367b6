#include "core/plan/group_memory.h"

#include <cstdint>
#include <limits>

namespace meshslice {
namespace {

Result<PlanModel> model_of(const Scenario& scenario) {
    return training_run(scenario.model, scenario.sequence, scenario.planning.batch.value_or(scenario.batch))
        .and_then(
            [&](const TrainingRun& run) { return PlanModel::of(run, scenario.hardware, ModelRules::exact); });
}

} // namespace

std::optional<Plan> plan_of_group(const Scenario& scenario) {
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
    const Result<PlanModel> model = model_of(scenario);
    constexpr std::int64_t any_domain = std::numeric_limits<std::int32_t>::max();
    if (!model || !model->torus() || !check_plan(model->run(), plan, any_domain, ModelRules::exact)) {
        return std::nullopt;
    }
    return plan;
}

PlanMemory group_memory(const Scenario& scenario, const Plan& plan, double gemm_buffers) {
    const PlanModel model = model_of(scenario).value();
    const Block block = model.block(plan);
    BlockPasses passes; // without times
    passes.forward.resize(block.operations.size());
    passes.backward.resize(block.operations.size());
    // What a 1D group gathers is its block's already.
    passes.buffers = plan.algorithm != nullptr ? gemm_buffers : 0;
    return model.memory(plan, PlanModel::layer_cost(block, passes, plan.recompute));
}

} // namespace meshslice
