#pragma once

#include "core/papers/transformers/plan_setup.h"

#include <span>

namespace meshslice {

/// The best plan on each number of chips, by both rules; none where none fits. `blocks` are of this model.
[[nodiscard]] Result<ByRules<PlanMarks>> best_by_chips(const Transformer& model, const Machine& cluster,
                                                       TensorStrategy strategy,
                                                       const std::vector<std::int32_t>& chips,
                                                       const RunControl& control,
                                                       const BlocksByRules& blocks = no_blocks_yet());
/// The plan on so many chips; null where none fits or nobody asked.
[[nodiscard]] const RankedPlan* on_chips(const PlanMarks& marks, std::int64_t chips);
/// Those with a plan.
[[nodiscard]] std::vector<const RankedPlan*> with_plans(const PlanMarks& marks);
/// The marks with their splits in their places: "16384: dp 32, pp 64, tp 8".
[[nodiscard]] ByRules<PlanMarks> with_splits(const ByRules<PlanMarks>& marks);
/// The fewest chips on which a plan fits; 0 for none.
[[nodiscard]] std::int64_t fewest_chips(const PlanMarks& marks);

} // namespace meshslice
