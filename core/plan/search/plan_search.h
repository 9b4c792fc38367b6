#pragma once

#include "core/base/run_control.h"
#include "core/plan/search/space.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// A plan that was read.
struct RankedPlan {
    Plan plan;
    PlanReading reading;
    /// Seconds of a step that a search ranked it by before its time, infinity where they are not known; 0
    /// where it ranked by time alone, and of a plan that does not fit.
    double expected = 0;

    bool operator==(const RankedPlan&) const = default;
};

/// Seconds that a step of a plan is expected to take; none where nothing is expected of it. Whatever its
/// placement, panels and axes. One search may call it at a time.
using ExpectedSeconds = std::function<std::optional<double>(const Plan&)>;

/// Whether `a` comes before `b`: what fits before what does not, and of what does not the smaller; then what
/// is expected to be faster; then the faster; of equal ones smaller tensor-parallel groups, then shorter
/// pipelines, and so on by every number.
[[nodiscard]] bool plan_before(const RankedPlan& a, const RankedPlan& b);

/// How simple a plan's way to split GEMMs is, the simplest 0: 1D, then 2D, then SUMMA, then the algorithms of
/// a torus, each of which needs software of its own.
[[nodiscard]] std::size_t simplicity(const Plan& plan);
inline constexpr std::size_t kinds_of_simplicity = 4;

struct PlanSearch {
    std::int64_t candidates = 0;
    std::int64_t feasible = 0; ///< of which fit into the memory
    /// The first so many, in their order: of each split (strategy, data x pipeline x tensor-parallel grid)
    /// the best one, whatever its micro-batch, panels, placement, schedule, recomputation and ZeRO level.
    /// Of those that take up to 1% longer than the fastest the simplest come first, the faster first; and
    /// before these, of the equally simple ones, the plan with least memory, as long as less costs up to 0.1%
    /// more time. Under the published rules all, by time alone. By expected time each split once as it is
    /// expected to run best, by plan_before() alone.
    std::vector<RankedPlan> ranked;
    /// Of those that fit, each with less memory than all that are faster; the fastest first.
    std::vector<RankedPlan> frontier;
    /// The one that needs least memory, the fastest of several, whether it fits or not.
    RankedPlan smallest;
    /// By expected time, of each split of which one plan that fits has one: the least expected seconds,
    /// ascending. Else none.
    std::vector<double> expected_splits = {};
};

/// Reads every plan of the space and keeps the `top` best. Refuses an empty space with the rule that leaves
/// it so. The same answer as reading each plan by itself, bit for bit. With `expected` it ranks all that fit
/// by it, and those of which nothing is expected after them.
[[nodiscard]] Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                              const RunControl& control = {},
                                              const ExpectedSeconds& expected = {});

/// What of a plan is left open.
struct OpenParts {
    bool panels = false, placement = false;
    std::optional<PlanChoices> choices =
        {}; ///< schedule, recomputation and ZeRO level, instead of the plan's
};
/// The plan with the open parts so that it comes first: it fits, and is the fastest that does, or as fast and
/// smaller. Refused where
/// check_plan() does.
[[nodiscard]] Result<RankedPlan> fastest_plan(const PlanModel& model, const Plan& given,
                                              const OpenParts& open);

/// Where a plan loses time against the best one: "0.412 s more in the pipeline's bubble"; "needs 12.3 GB more
/// than a chip has".
[[nodiscard]] std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity);

/// What would make a plan fit, tried one change at a time: "ZeRO 3 (31.0 GB)"; or, where none of these does,
/// the smallest number of chips up to 64 times as many, and up to most_planned_chips. Empty where there is
/// nothing or it is stopped.
[[nodiscard]] std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space,
                                                      const std::stop_token& stop = {});

} // namespace meshslice
