#include "core/plan/evaluate/scenario_memory.h"

#include "core/work/optimizer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace meshslice {

void count_as_asked(const Scenario& scenario, TrainingRun& run) {
    const Planning& planning = scenario.planning;
    run.ends = planning.ends.value_or(scenario.model.vocabulary > 0);
    run.optimizer_step = planning.optimizer_step;
    run.keeps = {planning.gradients,   planning.moments,
                 planning.logits,      planning.logit_gradients,
                 planning.loss_chunks, planning.reserve.value_or(usual_reserve(scenario.hardware))};
    run.uneven_stages = planning.uneven_stages;
    run.exchange = planning.exchange;
}

std::optional<PlannedRun> group_of_plan(const Scenario& scenario) {
    if (!scenario.plan.loaded || !scenario.planning.batch || scenario.gemm || scenario.mesh.size() != 2) {
        return std::nullopt;
    }
    Plan plan = *scenario.plan.loaded;
    plan.tensor1 = scenario.mesh[1];
    plan.tensor2 = scenario.mesh[0];
    plan.micro_batch = scenario.batch;
    if (plan.chips() != scenario.chips()) { // a plan or a mesh of something else
        return std::nullopt;
    }
    // Memory does not depend on where the groups stand.
    plan.placement = {};
    Result<TrainingRun> run = training_run(scenario.model, scenario.sequence, *scenario.planning.batch);
    if (run) {
        count_as_asked(scenario, *run);
    }
    const std::vector<std::int64_t> any_domain = {std::numeric_limits<std::int32_t>::max()};
    if (!run || scenario.hardware.network.torus_axes() == 0 ||
        !check_plan(*run, plan, any_domain, ModelRules::exact)) {
        return std::nullopt;
    }
    return PlannedRun{*run, plan, static_cast<double>(plan.micro_batch)};
}

PlannedRun run_on_mesh(const Scenario& scenario, const Algorithm& algorithm, const Torus& torus) {
    PlannedRun made;
    Plan& plan = made.plan;
    plan.zero = 0;
    for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
        const std::int64_t chips = torus.axes()[axis].size;
        switch (axis < algorithm.plan_axes.size() ? algorithm.plan_axes[axis] : PlanAxis::copies) {
        case PlanAxis::tensor1: plan.tensor1 = chips; break;
        case PlanAxis::tensor2: plan.tensor2 = chips; break;
        case PlanAxis::data: plan.data = chips; break;
        case PlanAxis::sharded_data:
            plan.data = chips;
            plan.zero = 3;
            made.programs_gather = true;
            break;
        case PlanAxis::copies: break;
        }
    }
    if (algorithm.plan_axes.size() > 1) {
        plan.strategy = TensorStrategy::of_algorithm;
        plan.algorithm = &algorithm;
    }
    made.samples = static_cast<double>(scenario.batch) / static_cast<double>(plan.data);
    plan.micro_batch = std::max<std::int64_t>(1, scenario.batch / plan.data);
    made.run.model = scenario.model;
    made.run.sequence = scenario.sequence;
    made.run.batch = plan.micro_batch * plan.data;
    made.run.causal = scenario.model.causal;
    count_as_asked(scenario, made.run);
    if (!made.run.ends) {
        made.run.keeps.logits.reset();
    }
    made.run.ends = scenario.model.vocabulary > 0;
    return made;
}

PlannedRun one_block(PlannedRun of) {
    of.run.model = one_block(of.run.model);
    of.run.ends = false;
    of.run.keeps.reserve = 0;
    of.plan.pipeline = 1;
    of.plan.schedule = {};
    of.run.batch = of.plan.micro_batch * of.plan.data;
    return of;
}

MemoryUse memory_use(const PlannedRun& of, std::string_view algorithm, double gemm_buffers, double element) {
    const std::vector<KindTasks> kinds = block_tasks(of.run, of.samples);
    std::vector<ChipTasks> shared;
    for (const KindTasks& one : kinds) {
        shared.push_back(share(one.tasks, of.plan, ModelRules::exact));
    }
    ChipTasks block = mean_block(kinds, shared);
    BlockPasses passes; // without times
    passes.forward.resize(block.operations.size());
    passes.backward.resize(block.operations.size());
    // A 1D block has what its own algorithm gathers; of another one next to it its GEMMs say what they need.
    if (of.plan.algorithm != nullptr || algorithm != one_d_algorithm) {
        block.gathered = 0;
        passes.buffers = gemm_buffers;
    }
    const LayerCost layer = PlanModel::layer_cost(block, passes, of.plan.recompute);
    MemoryUse made = memory_use(of.run, of.plan, layer, of.programs_gather ? 0 : gathered_layers);
    const double wider = element / weight_bytes;
    made.weights *= wider;
    made.embeddings *= wider;
    made.activations *= wider;
    made.logits *= of.samples / static_cast<double>(of.plan.micro_batch);
    return made;
}

} // namespace meshslice
