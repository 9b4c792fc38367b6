#pragma once

#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// A program by itself as a step of one GEMM with all readings of it. One that multiplies nothing, an
/// exchange, has no FLOP and is called by its operations: "RdS_col, AG_col". `title`: what the step is called
/// next to others.
///
/// Refuses runs that last too long and, with Depth::simulate, what simulate() refuses: more than `most` busy
/// intervals, for one.
[[nodiscard]] Result<TrainingStep> program_step(const Program& program, const std::string& title,
                                                const Schedule& schedule, const Machine& hardware,
                                                Depth depth, const RunControl& control = {},
                                                std::int64_t most = most_intervals);

} // namespace meshslice
