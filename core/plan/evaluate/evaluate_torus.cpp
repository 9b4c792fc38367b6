// What plans on a torus read from the engine, and how their groups lie there.

#include "core/base/say.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/torus_placement.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace meshslice {

LayerPass PlanModel::pass_of_programs(const ChipTask& operation, const std::vector<TunedLayer>& tuned,
                                      bool forward) const {
    const TunedLayer& its = tuned[static_cast<std::size_t>(operation.layer)];
    const auto copies = static_cast<double>(its.layer.copies);
    LayerPass made;
    for (std::size_t k = forward ? 0 : 1; k < (forward ? 1 : its.gemms.size()); ++k) {
        const Estimate& estimate = its.gemms[k].estimate;
        made.compute += in_seconds(estimate.compute) * copies;
        made.tensor += in_seconds(estimate.total - estimate.compute) * copies;
    }
    made.flop = (forward ? operation.forward : operation.backward).matrix_flop;
    return made;
}

Result<std::vector<TunedLayer>> PlanModel::tuned(const Plan& plan) const {
    assert(plan.algorithm != nullptr);
    if (plan.tensor1 * plan.tensor2 > Torus::most_chips) {
        return refuse(say("The mesh {}x{} has {} chips; expected a tensor-parallel group of at most {}.",
                          plan.tensor2, plan.tensor1, plan.tensor1 * plan.tensor2, Torus::most_chips));
    }
    const GridRings rings = grid_rings(plan, hardware_->pod);
    const TorusAxis rows{static_cast<std::int32_t>(plan.tensor2), rings.tensor2};
    const TorusAxis columns{static_cast<std::int32_t>(plan.tensor1), rings.tensor1};
    const Result<Torus> mesh = Torus::create(std::vector<TorusAxis>{rows, columns});
    if (!mesh) {
        return refuse(mesh.error());
    }
    if (!is_uniform(run_.model)) {
        return refuse(say("The programs of an algorithm run blocks that are alike, of attention and a "
                          "feed-forward network; {} has blocks of {} kinds or with further GEMMs. The "
                          "strategy 1d takes any.",
                          run_.model.title, block_kinds(run_.model).size()));
    }
    const auto layers = fully_connected_layers(run_.model, plan.micro_batch * run_.sequence, run_.sequence);
    if (!layers) {
        return refuse(layers.error());
    }
    std::vector<Gemm> gemms;
    for (const FullyConnectedLayer& layer : *layers) {
        std::ranges::move(training_gemms(layer, largest_matrix_stays(layer)), std::back_inserter(gemms));
    }
    const Result<std::vector<TunedGemm>> found = groups_->tuned(hardware_, *plan.algorithm, *mesh, gemms);
    if (!found) {
        return refuse(found.error());
    }
    std::vector<TunedLayer> made;
    auto next = found->begin();
    for (const FullyConnectedLayer& layer : *layers) {
        TunedLayer& its = made.emplace_back(TunedLayer{layer, {}});
        assert(found->end() - next >= std::ssize(its.gemms));
        std::copy_n(next, its.gemms.size(), its.gemms.begin());
        next += std::ssize(its.gemms);
    }
    return made;
}

Result<void> PlanModel::check(const Plan& plan) const {
    if (const Result<void> sound = check_plan(run_, plan, units_, rules_); !sound) {
        return sound;
    }
    if (torus() != (plan.strategy == TensorStrategy::of_algorithm) &&
        plan.strategy != TensorStrategy::one_d) {
        return refuse(say("The strategy {} is not one of {}.", strategy_name(plan), hardware_->title));
    }
    if (plan.offload > 0 && hardware_->pcie.value.value() <= 0) {
        return refuse(no_way_to_host(*hardware_));
    }
    if (torus()) {
        if (plan.experts > 1) {
            return refuse(no_experts_on_torus());
        }
        if (plan.shard > 0) {
            return refuse(no_shard_on_torus());
        }
        if (const Result<void> there = check_torus(plan, *hardware_); !there) {
            return there;
        }
    }
    if (plan.algorithm == nullptr) {
        return {};
    }
    if (run_.recipe != NumberRecipe::bf16) {
        return refuse(say("The programs of {} multiply in bf16; the strategy 1d takes {}.",
                          strategy_title(plan), name(run_.recipe)));
    }
    const Result<std::vector<TunedLayer>> runs = tuned(plan);
    return runs ? Result<void>() : refuse(runs.error());
}

ChipGroup PlanModel::tensor_group(const Plan& plan, int side) const {
    if (torus()) {
        return tensor_group_on_torus(plan, hardware_->pod, side);
    }
    const auto of_side = side == 0 ? &Placement::tensor1 : &Placement::tensor2;
    ChipGroup group{side == 0 ? plan.tensor1 : plan.tensor2};
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        group.within[level] = plan.placed(level).*of_side;
    }
    return group;
}

ChipGroup PlanModel::data_group(const Plan& plan) const {
    return torus() ? data_group_on_torus(plan, hardware_->pod) : meshslice::data_group(plan);
}

TensorPart PlanModel::tensor_part(const Plan& plan) const {
    if (torus()) {
        const GridRings rings = grid_rings(plan, hardware_->pod);
        return {rings.tensor1 ? 1 : 0, rings.tensor2 ? 1 : 0};
    }
    TensorPart part{};
    for (std::size_t level = 0; level + 1 < StageLevels::most; ++level) {
        part[2 * level] = plan.placed(level).tensor1;
        part[2 * level + 1] = plan.placed(level).tensor2;
    }
    if (plan.experts > 1) {
        const ChipGroup experts = expert_group(plan);
        std::copy_n(experts.within.begin(), StageLevels::most - 1, part.end() - (StageLevels::most - 1));
    }
    return part;
}

LevelSeconds PlanModel::stage_transfers(const Plan& plan, double bytes) const {
    LevelSeconds made{};
    if (torus()) {
        made[0] = laws_.seconds_over(bytes, hops_between_stages(plan));
        return made;
    }
    for (std::size_t level = 0; level < laws_.levels(); ++level) {
        made[level] = laws_.seconds_to_one(bytes, level);
    }
    return made;
}

} // namespace meshslice
