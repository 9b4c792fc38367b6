#pragma once

#include "core/base/run_control.h"
#include "core/plan/space.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A plan that was read.
struct RankedPlan {
    Plan plan;
    PlanReading reading;

    bool operator==(const RankedPlan&) const = default;
};

/// Whether `a` comes before `b`: what fits before what does not; then the faster, or of those that do not fit
/// the smaller; of equal ones smaller tensor-parallel groups, then shorter pipelines, and so on by every
/// number.
[[nodiscard]] bool plan_before(const RankedPlan& a, const RankedPlan& b);

struct PlanSearch {
    std::int64_t candidates = 0;
    std::int64_t feasible = 0;      ///< of which fit into the memory
    std::vector<RankedPlan> ranked; ///< the first so many, in their order
    /// Of those that fit, each with less memory than all that are faster; the fastest first.
    std::vector<RankedPlan> frontier;
    /// The one that needs least memory, whether it fits or not; of the last resort where none does.
    RankedPlan smallest;
};

/// Reads every plan of the space and keeps the `top` best. Refuses an empty space with the rule that leaves
/// it so. The same answer as reading each plan by itself, bit for bit.
[[nodiscard]] Result<PlanSearch> search_plans(const PlanModel& model, const PlanSpace& space, std::size_t top,
                                              const RunControl& control = {});

/// Where a plan loses time against the best one: "0.412 s more in the pipeline's bubble"; "needs 12.3 GB more
/// than a chip has".
[[nodiscard]] std::string why_behind(const RankedPlan& best, const RankedPlan& plan, double capacity);

/// What would make the smallest plan fit, tried one change at a time: "full recomputation (31.0 GB)". Empty
/// where no single one would.
[[nodiscard]] std::vector<std::string> what_would_fit(const PlanModel& model, const PlanSpace& space);

} // namespace meshslice
