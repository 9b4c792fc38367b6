#pragma once

#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/advice/plan_scaling.h"
#include "core/report/plan/plan_findings.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice {

/// The ranked plans, and the loaded one where it is none of them, as bars of time by part; those that do not
/// fit stand apart, hatched. Its items are places in PlanAnswer::plans(), as those of the other chart are.
/// With A, whose plan stands above them, they are B's. In the order of their places in `order`, which has
/// those that fit first, or in their own. With what is `expected` of each of PlanAnswer::plans(), where plans
/// are ranked by that, bars are the parts of expected steps, whiskers hold eight of ten, and the thin bar
/// next to each is its ideal time.
[[nodiscard]] Chart plan_bars(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a = std::nullopt,
                              const std::vector<std::size_t>& order = {},
                              const std::vector<ExpectedStep>& expected = {});
/// Time against memory: the same plans, the frontier of those that fit, that of A, and the capacity of a
/// chip. Plans that take several times as long as the best are left out, which a note says.
[[nodiscard]] Chart plan_frontier_chart(const PlanAnswer& answer,
                                        const std::optional<PlansOfA>& of_a = std::nullopt);

/// What a plan takes its time and its memory for, a bar for each part, and in notes what bounds it.
[[nodiscard]] Chart plan_limits_chart(const PlanLimits& limits);

/// Time of a step against the number of chips, the best plan's split written on each mark; dashed, what twice
/// the chips in half the time would be, from the fewest that fit on.
[[nodiscard]] Chart plan_scaling_chart(const PlanScaling& scaling);
/// The same as a table: a number of chips a row.
[[nodiscard]] Table plan_scaling_table(const PlanScaling& scaling);

} // namespace meshslice
