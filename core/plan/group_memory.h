#pragma once

#include "core/plan/evaluate.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string_view>

namespace meshslice {

/// A scenario that is one tensor-parallel group of a plan (tensor_group_scenario()).
struct GroupOfPlan {
    Plan plan; ///< with the mesh and the micro-batch that the scenario has by now
    PlanModel model;

    /// What a chip of the group holds where an algorithm (an id) runs its GEMMs, counted as the planner
    /// counts it; `gemm_buffers`: bytes of the GEMM that needs most.
    [[nodiscard]] PlanMemory memory(std::string_view algorithm, double gemm_buffers) const;
};

/// None where the scenario is no group, or the plan cannot be run so.
[[nodiscard]] std::optional<GroupOfPlan> group_of_plan(const Scenario& scenario);

} // namespace meshslice
