#include "core/plan/evaluate/evaluate.h"

#include "core/base/say.h"
#include "core/work/optimizer.h"
#include "core/work/training.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace meshslice {

bool second_side_shares_weights(const Plan& plan) {
    return plan.strategy == TensorStrategy::two_d;
}

ChipGroup data_group(const Plan& plan) {
    const bool context = second_side_shares_weights(plan);
    ChipGroup group{data_chips(plan)};
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] = plan.placed(level).data * (context ? plan.placed(level).tensor2 : 1);
    }
    return group;
}

ChipGroup shard_group(const Plan& plan, const ChipGroup& same) {
    if (plan.shard == 0) {
        return same;
    }
    ChipGroup group = same;
    group.chips = plan.shard / (data_chips(plan) / same.chips); // of experts, that fewer hold alike
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] = std::gcd(group.chips, same.within[level]);
    }
    return group;
}

ChipGroup replica_group(const Plan& plan, const ChipGroup& same) {
    const ChipGroup shared = shard_group(plan, same);
    ChipGroup group = same;
    group.chips /= shared.chips;
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] /= shared.within[level];
    }
    return group;
}

ChipGroup expert_group(const Plan& plan) {
    ChipGroup group{plan.experts};
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] = std::gcd(plan.experts, plan.placed(level).data);
    }
    return group;
}

ChipGroup expert_data_group(const Plan& plan) {
    const ChipGroup experts = expert_group(plan);
    ChipGroup group = data_group(plan);
    group.chips /= experts.chips;
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] /= experts.within[level];
    }
    return group;
}

LayerPass& LayerPass::operator+=(const LayerPass& other) {
    compute += other.compute;
    memory += other.memory;
    tensor += other.tensor;
    flop += other.flop;
    experts += other.experts;
    shared += other.shared;
    weights += other.weights;
    host += other.host;
    return *this;
}

namespace {

constexpr std::int64_t most_torus_chips = std::int64_t{1} << 24; ///< where the size of a pod is not known

/// Refuses networks that no plan is made for: chips and what stands around them have to be alike, as many as
/// are asked for.
Result<void> check_network(const Machine& machine) {
    const std::vector<Level>& levels = machine.network.levels;
    const bool tori =
        machine.network.torus_axes() > 0 &&
        (levels.size() == 1 || (levels.size() == 2 && outer_network(machine.network) != nullptr));
    const bool switches =
        std::ranges::all_of(levels, [](const Level& level) { return level.kind == LevelKind::switched; });
    if (!tori && (!switches || outer_network(machine.network) == nullptr)) {
        return refuse(
            say("{} is not a cluster that plans can be made for: it needs fast domains within an outer "
                "network, as b200-nvs8 has, or a torus, as tpu-v5p has.",
                machine.title));
    }
    if (levels.size() > StageLevels::most) {
        return refuse(say("The network of {} has {} levels; plans are made for up to {}.", machine.title,
                          levels.size(), StageLevels::most));
    }
    return {};
}

} // namespace

Result<PlanModel> PlanModel::of(const TrainingRun& run, const Machine& cluster, ModelRules rules,
                                std::shared_ptr<TunedGroups> groups, std::shared_ptr<ChipBlocks> blocks) {
    if (const Result<void> network = check_network(cluster); !network) {
        return refuse(network.error());
    }
    const Result<LevelLaws> laws = LevelLaws::of(cluster, rules);
    if (!laws) {
        return refuse(laws.error());
    }
    if (cluster.peak_rate(DataType::bf16).value() <= 0 || cluster.vector_rate.value.value() <= 0) {
        return refuse(
            cluster.peak_rate(DataType::bf16).value() <= 0
                ? say("The rate of bf16 GEMMs on {} is not known, and a plan needs it.", cluster.title)
                : say("The rate of vector operations on {} is not known, and a plan needs it; a file of "
                      "the chip can say it as vector_rate_in_flop_per_s.",
                      cluster.title));
    }
    if (run.exchange.overlap == ExpertOverlap::shared && common_experts(run.model) > 0 &&
        std::ranges::none_of(block_kinds(run.model),
                             [](const KindCount& one) { return one.kind.feed_forward.shared_width > 0; })) {
        return refuse(say("{} has no shared expert that could hide dispatch and combine; another micro-batch "
                          "or none works.",
                          run.model.title.empty() ? run.model.name : run.model.title));
    }
    if (const Result<void> numbers = check_recipe(run.recipe, cluster); !numbers) {
        return refuse(numbers.error());
    }
    PlanModel model;
    model.run_ = run;
    model.cluster_name_ = cluster.name;
    model.groups_ = groups ? std::move(groups) : std::make_shared<TunedGroups>();
    model.blocks_ = std::move(blocks);
    model.hardware_ = model.groups_->known(cluster);
    model.rules_ = rules;
    model.laws_ = *laws;
    const std::int64_t pod = cluster.pod.chips.value;
    model.units_ =
        model.torus() ? std::vector{pod > 0 ? pod : most_torus_chips} : unit_chips(cluster.network);
    model.peak_ = cluster.peak_rate(DataType::bf16).value();
    model.matrix_rate_ = cluster.effective_rate(DataType::bf16).value();
    model.attention_rate_ = cluster.attention_rate(DataType::bf16).value();
    model.recipe_rate_ = cluster.effective_rate(multiplied(run.recipe)).value();
    model.gathered_ = gathered_bytes(run.recipe) / static_cast<double>(weight_bytes);
    model.vector_rate_ = cluster.vector_rate.value.value() * cluster.effective_fraction.value;
    model.launch_ = in_seconds(cluster.launch.multiply.value);
    model.hbm_rate_ = cluster.hbm_bandwidth.value.value();
    model.capacity_ = static_cast<double>(cluster.hbm.value.value());
    return model;
}

CollectiveTime PlanModel::collectives(const Plan& plan, const ChipTask& operation,
                                      const PassWork& work) const {
    const ChipGroup groups[] = {tensor_group(plan, 0), tensor_group(plan, 1)};
    const double panels = operation.panelled ? static_cast<double>(plan.panels) : 1;
    CollectiveTime made;
    for (const TaskExchange& one : work.exchanges) {
        if (one.axis == experts_axis) {
            made.experts += expert_seconds(plan, one);
            continue;
        }
        const ChipGroup group = groups[one.axis];
        const double time = laws_.seconds(one.what, one.bytes / panels, group);
        if (one.rings) {
            made.rings += time;
            made.last += one.what == Collective::reduce_scatter && group.chips > 1
                             ? time / static_cast<double>(group.chips - 1)
                             : 0;
            continue;
        }
        made.all += time;
        made.steps += time / static_cast<double>(group.chips);
    }
    return made;
}

CopiesAcross PlanModel::expert_bytes(const Plan& plan, const TaskExchange& exchange) const {
    const ChipGroup group = expert_group(plan);
    const auto chips = static_cast<double>(group.chips);
    ExpertRouting routing = expert_routing(run_.model);
    routing.experts = exchange.experts;
    routing.per_token = exchange.routed;
    const double domains = chips / static_cast<double>(laws_.levels() > 1 ? group.within[0] : group.chips);
    CopiesAcross made =
        copies_across(limited(routing, run_.exchange, domains), run_.exchange, group, laws_.levels());
    // Of one copy of all tokens that a chip has.
    const double numbers = exchange.bytes / chips / exchange.routed / static_cast<double>(weight_bytes);
    const double each = exchange.combines ? static_cast<double>(weight_bytes) : dispatch_bytes(run_.exchange);
    for (double& copies : made) {
        copies *= numbers * each;
    }
    return made;
}

double PlanModel::expert_seconds(const Plan& plan, const TaskExchange& exchange) const {
    return laws_.seconds_at_once(expert_bytes(plan, exchange), expert_group(plan));
}

LayerPass PlanModel::body(const Plan& plan, const ChipTask& operation, const PassWork& work) const {
    const bool every = operation.panelled && !rules_.has(Slip::free_panels); // each panel is a GEMM
    const double launches = every ? static_cast<double>(plan.panels) : 1;
    const bool fused = work.matrix_flop > 0 && work.vector_flop > 0;
    LayerPass made;
    const double matrix_rate = operation.in_recipe                ? recipe_rate_
                               : operation.name == attention_task ? attention_rate_
                                                                  : matrix_rate_;
    made.compute = launches * launch_ + work.matrix_flop / matrix_rate + work.vector_flop / vector_rate_;
    made.memory = std::max(work.bytes / hbm_rate_ - made.compute, 0.0) + work.cast / hbm_rate_;
    // The published count has a vector operation within attention as so many matrix operations as it costs.
    const double counts = fused && rules_.has(Slip::vectors_as_matrices) ? matrix_rate_ / vector_rate_ : 1;
    made.flop = work.matrix_flop + counts * work.vector_flop;
    made.weights = work.of_weights / matrix_rate;
    return made;
}

namespace {

/// One operation's pass in the mean block.
LayerPass in_mean_block(LayerPass made, const ChipTask& operation) {
    made.compute *= operation.blocks;
    made.memory *= operation.blocks;
    made.tensor *= operation.blocks;
    made.experts *= operation.blocks;
    made.shared = operation.of_shared ? made.compute + made.memory : 0;
    made.weights *= operation.blocks;
    made.flop *= operation.blocks;
    return made;
}

} // namespace

LayerPass PlanModel::pass(const Plan& plan, const ChipTask& operation, const PassWork& work) const {
    const double panels = operation.panelled ? static_cast<double>(plan.panels) : 1;
    LayerPass made = body(plan, operation, work);
    const CollectiveTime moved = collectives(plan, operation, work);
    const double sum = moved.all, steps = moved.steps;
    const double busy = made.compute + made.memory;
    if (operation.panelled) {
        const double hidden_panels = rules_.has(Slip::extra_panel) ? panels : panels - 1;
        made.tensor = sum + hidden_panels * std::max(sum - busy / panels, 0.0);
    } else if (plan.tensor_overlap && work.matrix_flop > 0) {
        made.tensor = std::min(sum, steps + std::max(sum - busy, 0.0));
    } else {
        made.tensor = sum;
    }
    made.tensor += moved.rings > 0 ? moved.exposed_rings(busy, plan.tensor2) : 0;
    made.experts = moved.experts;
    return in_mean_block(made, operation);
}

BlockPasses PlanModel::passes_alone(const Plan& plan, const ChipTasks& block) const {
    BlockPasses made;
    for (const ChipTask& operation : block.operations) {
        made.forward.push_back(in_mean_block(body(plan, operation, operation.forward), operation));
        made.backward.push_back(in_mean_block(body(plan, operation, operation.backward), operation));
    }
    return made;
}

std::shared_ptr<const ChipTasks> PlanModel::shared_block(const Plan& plan) const {
    const auto make = [&] { return std::make_shared<const ChipTasks>(block(plan)); };
    return blocks_ ? blocks_->of(plan, make) : make();
}

double PlanModel::panel_launch(const Plan& plan) const {
    if (rules_.has(Slip::free_panels)) {
        return 0;
    }
    const std::shared_ptr<const ChipTasks> its = shared_block(plan);
    return launch_ * static_cast<double>(std::ranges::count_if(its->operations, &ChipTask::panelled));
}

Result<BlockPasses> PlanModel::passes(const Plan& plan, const ChipTasks& block) const {
    BlockPasses made;
    std::vector<TunedLayer> programs;
    if (plan.algorithm != nullptr) {
        Result<std::vector<TunedLayer>> found = tuned(plan);
        if (!found) {
            return refuse(found.error());
        }
        programs = *std::move(found);
    }
    for (const ChipTask& operation : block.operations) {
        const bool by_programs = operation.layer >= 0;
        made.forward.push_back(by_programs ? pass_of_programs(operation, programs, true)
                                           : pass(plan, operation, operation.forward));
        made.backward.push_back(by_programs ? pass_of_programs(operation, programs, false)
                                            : pass(plan, operation, operation.backward));
    }
    for (const TunedLayer& one : programs) {
        for (const TunedGemm& gemm : one.gemms) {
            made.buffers = std::max(made.buffers, static_cast<double>(gemm.memory.buffers.value()));
        }
    }
    return made;
}

LayerCost PlanModel::layer_cost(const ChipTasks& block, const BlockPasses& passes, Recompute recompute) {
    LayerCost cost;
    LayerPass again;
    double largest = 0, largest_dropped = 0; // of one kind of block
    double of_kind = 0, dropped_of_kind = 0;
    for (std::size_t k = 0; k < block.operations.size(); ++k) {
        const ChipTask& operation = block.operations[k];
        cost.forward += passes.forward[k];
        cost.backward += passes.backward[k];
        if (computed_again(operation, recompute)) {
            LayerPass its = passes.forward[k];
            its.tensor = again_alone(operation, recompute) ? 0 : its.tensor;
            again += its;
        }
        const double kept = recompute == Recompute::full ? operation.kept : kept_of(operation, recompute);
        if (k > 0 && operation.kind != block.operations[k - 1].kind) {
            of_kind = dropped_of_kind = 0;
        }
        of_kind += kept;
        dropped_of_kind += operation.kept - kept;
        largest = std::max(largest, of_kind);
        largest_dropped = std::max(largest_dropped, dropped_of_kind);
        cost.kept += operation.blocks * kept;
        cost.weights += operation.blocks * operation.weights;
        cost.expert_weights += operation.blocks * operation.expert_weights;
        cost.frozen += operation.blocks * operation.frozen;
        cost.expert_frozen += operation.expert_weights > 0 ? operation.blocks * operation.frozen : 0;
        // Frozen weights have gradients of their inputs alone.
        cost.model_flop +=
            operation.blocks * (operation.frozen > 0 && operation.forward.matrix_flop > 0
                                    ? operation.forward.matrix_flop + operation.backward.matrix_flop
                                    : 3 * operation.forward.matrix_flop);
    }
    cost.buffer = largest_dropped;
    cost.model_flop *= block.even;
    cost.backward += again;
    cost.sent = block.sent;
    if (recompute == Recompute::full) {
        cost.buffer = largest;
        cost.kept = block.input;
    }
    cost.buffer += block.gathered;
    cost.buffer += passes.buffers;
    return cost;
}

/// Forward and backward passes of two micro-batches go on together, so that what both compute hides what both
/// exchange; what is left is shared out as it was exchanged.
LayerCost PlanModel::overlapped(const Plan& plan, LayerCost layer) const {
    switch (expert_overlap(run_, plan)) {
    case ExpertOverlap::none: break;
    case ExpertOverlap::shared:
        for (LayerPass* pass : {&layer.forward, &layer.backward}) {
            pass->experts = not_hidden(pass->experts, pass->shared);
        }
        break;
    case ExpertOverlap::micro_batch: {
        const double all = layer.forward.experts + layer.backward.experts;
        const double body =
            layer.forward.compute + layer.forward.memory + layer.backward.compute + layer.backward.memory;
        if (all > 0) {
            const double left = not_hidden(all, body);
            layer.forward.experts *= left / all;
            layer.backward.experts *= left / all;
            layer.alone = all - left;
        }
        break;
    }
    }
    return offloaded(plan, layer);
}

LayerCost PlanModel::offloaded(const Plan& plan, LayerCost layer) const {
    if (plan.offload == 0) {
        return layer;
    }
    constexpr double percent = 100;
    // One layer's are on their way while those of the next are made, or needed.
    constexpr double layers_on_the_way = 2;
    layer.offloaded = layer.kept * static_cast<double>(plan.offload) / percent;
    layer.kept -= layer.offloaded;
    layer.buffer += layers_on_the_way * layer.offloaded;
    const double copy = layer.offloaded / hardware_->pcie.value.value();
    layer.forward.host = std::max(0.0, copy - layer.forward.time());
    layer.backward.host = std::max(0.0, copy - layer.backward.time());
    return layer;
}

Result<LayerCost> PlanModel::layer_or_refusal(const Plan& plan, const ChipTasks& block) const {
    return passes(plan, block).map([&](const BlockPasses& made) {
        return overlapped(plan, layer_cost(block, made, plan.recompute));
    });
}

StageWork PlanModel::stage(const Plan& plan, const LayerCost& layer) const {
    const auto layers = static_cast<double>(most_stage_layers(run_, plan));
    return {layer.forward.time() * layers, layer.backward.time() * layers, stage_transfers(plan, layer.sent),
            layer.kept * layers};
}

Result<PlanReading> evaluate(const TrainingRun& run, const Machine& cluster, const Plan& plan,
                             ModelRules rules) {
    return PlanModel::of(run, cluster, rules).and_then([&](const PlanModel& model) -> Result<PlanReading> {
        if (const Result<void> sound = model.check(plan); !sound) {
            return refuse(sound.error());
        }
        return model.reading(plan, model.layer(plan));
    });
}

} // namespace meshslice
