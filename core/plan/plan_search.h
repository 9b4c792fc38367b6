#pragma once

#include "core/base/run_control.h"
#include "core/plan/space.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// A plan that was read.
struct RankedPlan {
    Plan plan;
    PlanReading reading;

    bool operator==(const RankedPlan&) const = default;
};

/// Whether `a` comes before `b`: what fits before what does not, and of what does not the smaller; then the
/// faster; of equal ones smaller tensor-parallel groups, then shorter pipelines, and so on by every number.
[[nodiscard]] bool plan_before(const RankedPlan& a, const RankedPlan& b);

struct PlanSearch {
    std::int64_t candidates = 0;
    std::int64_t feasible = 0; ///< of which fit into the memory
    /// The first so many, in their order. Of plans that differ in their placement alone the best one; under
    /// the published rules all.
    std::vector<RankedPlan> ranked;
    /// Of those that fit, each with less memory than all that are faster; the fastest first.
    std::vector<RankedPlan> frontier;
    /// The one that needs least memory, the fastest of several, whether it fits or not.
    RankedPlan smallest;
};

/// Reads every plan of the space and keeps the `top` best. Refuses an empty space with the rule that leaves
/// it so. The same answer as reading each plan by itself, bit for bit.
[[nodiscard]] Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                              const RunControl& control = {});

/// The plan with the panels and the placement that were left open, so that it is the fastest. Refused where
/// check_plan() does.
struct OpenParts {
    bool panels = false, placement = false;
};
[[nodiscard]] Result<RankedPlan> fastest_plan(const PlanModel& model, const Plan& given, OpenParts open);

/// Where a plan loses time against the best one: "0.412 s more in the pipeline's bubble"; "needs 12.3 GB more
/// than a chip has".
[[nodiscard]] std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity);

/// What would make a plan fit, tried one change at a time: "ZeRO 3 (31.0 GB)"; or, where none of these does,
/// the smallest number of chips up to 64 times as many, and up to most_planned_chips. Empty where there is
/// nothing or it is stopped.
[[nodiscard]] std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space,
                                                      const std::stop_token& stop = {});

} // namespace meshslice
