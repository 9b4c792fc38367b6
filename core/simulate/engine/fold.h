#pragma once

#include "core/simulate/machine/plan.h"
#include "core/simulate/record/chip_classes.h"

#include <functional>

namespace meshslice {

/// Whether the caller wants no answer any more.
using Stopped = std::function<bool()>;

/// The chips that a run cannot tell apart: the coarsest equitable partition (colour refinement) in which the
/// members of a class do the same in every ring, at the same speed, and have neighbours of the same classes
/// all round. On closed rings whose chips all do the same that is one class for the whole torus. No class at
/// all where `stopped` says so: it is asked once for every way of an operation, every round of the refinement
/// and every few thousand chips.
[[nodiscard]] ChipClasses fold(const Program& program, const Plans& plans, const Conditions& conditions = {},
                               const Stopped& stopped = {});

} // namespace meshslice
