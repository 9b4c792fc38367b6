#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/machine/machine.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// How the groups of a plan lie on a torus of chips, or on several that a network around them joins (pod
/// slices and the data-centre network), which share the data-parallel group alone, as the scaling book
/// advises (chapter 5): weights and activations stay within one. A torus is a part of the pod; along each of
/// its axes stand, from the inside out, chips of one side of the tensor-parallel grid, stages of the pipeline
/// and chips of the data-parallel group. Each side of the grid lies along one axis, the two along different
/// ones; the pipeline lies along one; data-parallel chips may lie along all. An axis is a ring, or a line, as
/// the pod has it (see closes()); a group that is not alone on its axis is a line, except the outermost,
/// whose rings pass the chips of the others and share their links.

/// Chips along an axis.
[[nodiscard]] std::int64_t chips_along(const Placement& axis);

/// Refuses a plan whose axes do not hold its groups, or that the pod does not have.
[[nodiscard]] Result<void> check_torus(const Plan& plan, const Machine& hardware);

/// Whether a network joins several tori of the machine.
[[nodiscard]] bool joins_tori(const Machine& machine);

/// Every way to lay the plan's groups on a torus that the pod has, those that only name the axes differently
/// counted once; on as few of them as hold the plan where one does not and a network joins them. Empty where
/// there is none.
[[nodiscard]] std::vector<TorusAxes> torus_placements(const Plan& plan, const Machine& hardware);

/// Whether the sides of the tensor-parallel grid are rings.
struct GridRings {
    bool tensor1 = true, tensor2 = true;

    bool operator==(const GridRings&) const = default;
};
[[nodiscard]] GridRings grid_rings(const Plan& plan, const Pod& pod);

/// The chips of a side of the grid (0 or 1) and of the data-parallel group, as a network asks for them.
[[nodiscard]] ChipGroup tensor_group_on_torus(const Plan& plan, const Pod& pod, int side);
[[nodiscard]] ChipGroup data_group_on_torus(const Plan& plan, const Pod& pod);
/// Links between two stages that follow each other.
[[nodiscard]] std::int64_t hops_between_stages(const Plan& plan);
/// Whether data-parallel rings use links of the tensor-parallel group.
[[nodiscard]] bool data_passes_tensor_links(const Plan& plan);

} // namespace meshslice
