#pragma once

#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/plan/plan_question.h"
#include "core/plan/plan_scaling.h"

#include <optional>
#include <string>

namespace meshslice {

/// The answer in one sentence: the best plan, its time, utilisation, memory and largest part; or that nothing
/// fits, and what would make it fit.
[[nodiscard]] std::string plan_finding(const PlanAnswer& answer);
/// "1D: dp 32 x pp 64 x tp 8x1, micro-batch 1"
[[nodiscard]] std::string plan_name(const Plan& plan);

/// The ranked plans as bars of time by part; those that do not fit stand apart, hatched. Its items are places
/// in PlanAnswer::plans(), as those of the other chart are.
[[nodiscard]] Chart plan_bars(const PlanAnswer& answer);
/// Time against memory: the same plans, the frontier of those that fit, and the capacity of a chip.
[[nodiscard]] Chart plan_frontier_chart(const PlanAnswer& answer);

/// Time of a step against the number of chips, the best plan's split written on each mark; dashed, what twice
/// the chips in half the time would be, from the fewest that fit on.
[[nodiscard]] Chart plan_scaling_chart(const PlanScaling& scaling);
/// The same as a table: a number of chips a row.
[[nodiscard]] Table plan_scaling_table(const PlanScaling& scaling);

/// The same plans in words for a window, one a row. plan_table() is for programs.
[[nodiscard]] Table shown_plan_table(const PlanAnswer& answer);
/// What one plan takes its time and its memory for, a part a row.
[[nodiscard]] Table plan_parts_table(const RankedPlan& plan);

} // namespace meshslice
