#include "core/plan/search/strategy_grids.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Grids on which a strategy does what 1D does: 2D with a whole sequence, any on one chip.
bool as_one_d(TensorStrategy strategy, TensorGrid grid) {
    return (strategy == TensorStrategy::two_d && grid.tensor2 == 1) ||
           (strategy != TensorStrategy::one_d && grid.tensor1 == 1 && grid.tensor2 == 1);
}

} // namespace

std::vector<StrategyGrid> strategy_grids(const PlanModel& model, const PlanSpace& space) {
    // The published rules count both, and add biases differently.
    const bool with_one_d = !model.rules().has(Slip::whole_biases) &&
                            std::ranges::count(space.strategies, TensorStrategy::one_d) > 0;
    std::vector<StrategyGrid> grids;
    const auto add = [&](TensorStrategy strategy, const Algorithm* algorithm) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
            if (!with_one_d || !as_one_d(strategy, grid)) {
                for (const ContextExchange context : contexts_of(model.run(), space, grid, strategy)) {
                    for (const std::int64_t experts : expert_sizes(model.run(), space, strategy)) {
                        grids.push_back({strategy, algorithm, grid, experts, context});
                    }
                }
            }
        }
    };
    for (const TensorStrategy strategy : space.strategies) {
        add(strategy, nullptr);
    }
    for (const Algorithm* algorithm : space.algorithms) {
        add(TensorStrategy::of_algorithm, algorithm);
    }
    return grids;
}

Plan plan_on(const StrategyGrid& its, const PlanSpace& space) {
    Plan plan;
    plan.tensor_overlap = space.tensor_overlap;
    plan.data_overlap = space.data_overlap;
    plan.strategy = its.strategy;
    plan.algorithm = its.algorithm;
    plan.tensor1 = its.grid.tensor1;
    plan.tensor2 = its.grid.tensor2;
    plan.experts = its.experts;
    plan.context = its.context;
    plan.shard = space.fixed.shard;
    plan.sums_each_backward = space.fixed.sums_each_backward;
    plan.offload = space.fixed.offload;
    return plan;
}

bool any_shares_links(const PlanModel& model, Plan plan, const std::vector<Placed>& placed) {
    return plan.strategy == TensorStrategy::summa && std::ranges::any_of(placed, [&](const Placed& one) {
               one.put(plan);
               return model.shares_links(plan);
           });
}

} // namespace meshslice
