#pragma once

#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// A program by itself, a GEMM's or an exchange's, as a step of one GEMM with all readings of it. `title`:
/// what the step is called next to others.
///
/// Refuses runs that last too long and, with Depth::simulate, what simulate() refuses: more than `most` busy
/// intervals, for one.
[[nodiscard]] Result<TrainingStep> program_step(const Program& program, const std::string& title,
                                                const Schedule& schedule, const Hardware& hardware,
                                                Depth depth, const RunControl& control = {},
                                                std::int64_t most = most_intervals);

} // namespace meshslice
