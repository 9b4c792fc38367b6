#pragma once

#include "core/figure/role.h"
#include "core/plan/evaluate/evaluate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace meshslice {

/// A part of a step's time as tables, bars and sentences show it.
struct StepPart {
    const char* name; ///< to be said()
    Role role;
    double PlanTime::*time;
};

/// All parts, which add up to the step. Communication has the colours of the ways it goes: within the group,
/// from stage to stage, between copies.
inline constexpr std::array<StepPart, 10> step_parts = {
    {{"compute", Role::compute, &PlanTime::compute},
     {"memory traffic beyond compute", Role::slicing, &PlanTime::memory_exposed},
     {"tensor-parallel communication", Role::transferHorizontal, &PlanTime::tensor},
     {"data-parallel communication", Role::transferThird, &PlanTime::data},
     {"transfers between stages", Role::transferVertical, &PlanTime::pipeline},
     {"pipeline bubble", Role::sync, &PlanTime::bubble},
     {"embedding, head and loss", Role::launch, &PlanTime::ends},
     {"optimizer step", Role::quietText, &PlanTime::optimizer},
     {"expert dispatch and combine", Role::waits, &PlanTime::experts},
     {"copies of activations to the host", Role::slicing, &PlanTime::host}}};
/// Those that every run counts come first.
inline constexpr std::size_t parts_of_every_run = 6;

[[nodiscard]] constexpr const StepPart& part_of(double PlanTime::*time) {
    return *std::ranges::find(step_parts, time, &StepPart::time);
}

/// The name of a part of this plan: what a 2D plan exchanges of its weights, it exchanges among
/// context-parallel chips too, or among them alone.
[[nodiscard]] std::string part_name(const StepPart& part, const Plan& plan);

} // namespace meshslice
