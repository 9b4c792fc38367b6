#pragma once

#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"
#include "tests/core/plan/published.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {

inline PlanSpace space_of(std::int64_t chips, std::vector<TensorStrategy> strategies) {
    PlanSpace space;
    space.chips = chips;
    space.strategies = std::move(strategies);
    return space;
}

inline PlanModel model_of(const char* model, const char* on, std::int64_t batch, ModelRules rules) {
    return PlanModel::of(run_of(model, batch), *machine_preset(on), rules).value();
}

/// "1d 4 2 8x1": what plans share of which a ranking has the best one alone.
inline std::string split_of(const Plan& plan) {
    return std::string(strategy_name(plan)) + " " + std::to_string(plan.data) + " " +
           std::to_string(plan.pipeline) + " " + grid_text(plan);
}

/// Every plan of a space, each read by itself.
inline std::vector<RankedPlan> all_plans(const PlanModel& model, const PlanSpace& space) {
    std::vector<RankedPlan> all;
    SpaceCounts counts{};
    for (const TensorStrategy strategy : space.strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
            const bool as_one_d = strategy == TensorStrategy::two_d   ? grid.tensor2 == 1
                                  : strategy == TensorStrategy::summa ? grid.tensor1 * grid.tensor2 == 1
                                                                      : false;
            if (as_one_d && std::ranges::count(space.strategies, TensorStrategy::one_d) > 0) {
                continue; // which has it
            }
            Plan first;
            first.strategy = strategy;
            first.tensor1 = grid.tensor1;
            first.tensor2 = grid.tensor2;
            for_each_placed(model, space, first, counts, [&](Plan plan, const std::vector<Placed>& placed) {
                for (const Placed& one : placed) {
                    one.put(plan);
                    for (const PipelineSchedule& schedule : schedules_of(space.choices, model.run(), plan)) {
                        plan.schedule = schedule;
                        for (const Recompute recompute : space.choices.recomputes) {
                            plan.recompute = recompute;
                            for (const int zero : zero_levels_of(space.choices, plan)) {
                                plan.zero = zero;
                                all.push_back({plan, model.reading(plan, model.layer(plan))});
                            }
                        }
                    }
                }
                return true;
            });
        }
    }
    return all;
}

/// Of plans in the order of plan_before() the one that comes first: of those within 1% of the fastest one of
/// the simplest; of these, from the fastest on, one that needs less memory as long as that takes up to 0.1%
/// more time.
inline RankedPlan first_of(const std::vector<RankedPlan>& all) {
    const double longest = 1.01 * all.front().reading.time.total;
    const auto simple = [](const RankedPlan& one) { return static_cast<int>(one.plan.strategy); };
    const RankedPlan* first = &all.front();
    for (const RankedPlan& one : all) {
        if (one.reading.fits && one.reading.time.total <= longest && simple(one) < simple(*first)) {
            first = &one;
        }
    }
    for (const RankedPlan* before = nullptr; before != first;) {
        before = first;
        for (const RankedPlan& one : all) {
            const double most = std::min(longest, 1.001 * before->reading.time.total);
            if (one.reading.fits && simple(one) == simple(*before) && one.reading.time.total <= most &&
                one.reading.memory.total() < first->reading.memory.total()) {
                first = &one;
            }
        }
    }
    return *first;
}

} // namespace meshslice::test
