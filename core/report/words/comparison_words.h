#pragma once

#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// How the first of two steps of a scenario does next to the other: "MeshSlice takes 27% less time", "Both
/// take the same time"; where the slower one is cut into slices and that is a good part of it, how much:
/// "MeshSlice takes 1.57 times as long; its slices make the GEMMs 531 us slower". `slicing`: what slices cost
/// the slower one (slicing_cost()).
[[nodiscard]] std::string comparison_words(const TrainingStep& own, const TrainingStep& other, Time slicing);

/// " for 2 times the FLOP": what a comparison of times adds where the work is another; else nothing.
[[nodiscard]] std::string work_words(Flop own, Flop other);

} // namespace meshslice
