#pragma once

#include "core/plan/evaluate.h"
#include "core/scenario/scenario.h"

#include <optional>

namespace meshslice {

/// The plan of which a scenario is one tensor-parallel group (tensor_group_scenario()), with the mesh and the
/// micro-batch that the scenario has by now; none where it is no group, or the plan cannot be run so.
[[nodiscard]] std::optional<Plan> plan_of_group(const Scenario& scenario);

/// What a chip of that group holds, counted as the planner counts it; `gemm_buffers`: bytes of the GEMM that
/// needs most. `plan` is of plan_of_group().
[[nodiscard]] PlanMemory group_memory(const Scenario& scenario, const Plan& plan, double gemm_buffers);

} // namespace meshslice
