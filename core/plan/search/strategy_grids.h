#pragma once

#include "core/plan/search/space.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// One grid of a strategy.
struct StrategyGrid {
    TensorStrategy strategy;
    const Algorithm* algorithm;
    TensorGrid grid;
    std::int64_t experts = 1; ///< chips that share them
    ContextExchange context = ContextExchange::gather;
};
/// All that a space has, each with what it does once: where exact rules do the same as with 1D, and 1D is in
/// the space, the others are left out.
[[nodiscard]] std::vector<StrategyGrid> strategy_grids(const PlanModel& model, const PlanSpace& space);

/// The plan of a grid that the rest of a search fills in.
[[nodiscard]] Plan plan_on(const StrategyGrid& its, const PlanSpace& space);

/// Whether a placement of a SUMMA plan has data-parallel rings on links of the tensor-parallel group.
[[nodiscard]] bool any_shares_links(const PlanModel& model, Plan plan, const std::vector<Placed>& placed);

} // namespace meshslice
