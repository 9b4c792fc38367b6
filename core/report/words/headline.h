#pragma once

#include "core/step/training_step.h"

#include <cstdint>
#include <string>

namespace meshslice {

/// Whether the step's own bottleneck holds: not of a step that was simulated with faults, which the closed
/// form does not know. What bounds that one is found by simulation, see bound_by(step, why).
[[nodiscard]] bool knows_its_bound(const TrainingStep& step);
/// "bound by compute", "bound by the vertical links", "bound by memory", "bound by latency", or "nothing
/// overlaps, most of it is compute": the step's bottleneck. Empty where it does not know
/// it.
[[nodiscard]] std::string bound_by(const TrainingStep& step);

/// "S = 16", "S = 6 to 16"; empty where the algorithm does not slice.
[[nodiscard]] std::string slices_text(const TrainingStep& step);

/// How it is made: "MeshSlice on 32x8, output stationary (OS), S = 16, simulated". The dataflows of several
/// GEMMs in the order in which they come first.
[[nodiscard]] std::string way_words(const TrainingStep& step);

/// The result as one line: "MeshSlice 32x8, S = 16: one block 14.2 ms, 71% of peak; 24.1 of 32.0 GB; 84% of
/// communication hidden; bound by compute". What does not fit says so first, before the time: "... S = 16:
/// does not fit: 41.0 of 32.0 GB per chip; one block 14.2 ms, ...". Where a GEMM feeds a
/// reduce-scatter, how memory serves both follows the mesh; where memory is left out, that. Edits of the
/// hardware follow, unless they are said nearby. `bound`: what bounds it, where that is known better than the
/// step itself knows (see bound_by()).
enum class SaidEdits : std::uint8_t { here, nearby };
[[nodiscard]] std::string headline(const TrainingStep& step, SaidEdits edits = SaidEdits::here,
                                   const std::string& bound = {});

} // namespace meshslice
