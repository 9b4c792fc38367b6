#pragma once

#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/plan/search/plan_question.h"
#include "core/plan/search/plan_scaling.h"

#include <optional>
#include <string>

namespace meshslice {

/// The answer in one sentence: the best plan, its time, utilisation, memory and largest part; or that nothing
/// fits, and what would make it fit.
[[nodiscard]] std::string plan_finding(const PlanAnswer& answer);
/// "1D: dp 32 x pp 64 x tp 8x1, micro-batch 1"
[[nodiscard]] std::string plan_name(const Plan& plan);

/// The loaded plan of an answer that has one, and how it compares with the best that was found.
[[nodiscard]] std::string loaded_finding(const PlanAnswer& answer);

/// The plans of another variant, to stand next to them.
struct PlansOfA {
    std::string name; ///< the variant's
    PlanAnswer answer;
};
/// "B takes 12% less time a step than A (3.2 s against 3.6 s)."; where it is longer "A step of B takes 1.13
/// times as long as one of A (3.6 s against 3.2 s).": what B has loaded, or its best plan, against the same
/// of A; by token, where a step has not as many.
[[nodiscard]] std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a);

/// The ranked plans, and the loaded one where it is none of them, as bars of time by part; those that do not
/// fit stand apart, hatched. Its items are places in PlanAnswer::plans(), as those of the other chart are.
/// With A, whose plan stands above them, they are B's.
[[nodiscard]] Chart plan_bars(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a = std::nullopt);
/// Time against memory: the same plans, the frontier of those that fit, that of A, and the capacity of a
/// chip. Plans that take several times as long as the best are left out, which a note says.
[[nodiscard]] Chart plan_frontier_chart(const PlanAnswer& answer,
                                        const std::optional<PlansOfA>& of_a = std::nullopt);

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
