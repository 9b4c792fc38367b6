#pragma once

#include "core/base/json/tree.h"
#include "core/explain/why.h"

namespace meshslice {

/// The parts of a critical path as JSON objects, phase by phase, resource by resource, in seconds; what took
/// no time is left out.
[[nodiscard]] Tree times_json(const PhaseTimes& times, const Torus& torus);
/// "bound_by" as the sentence says it: the slow or dead part, "faults" where several do it together, else
/// "compute", "memory", ..., or "nothing_overlaps" with the links that are waited for longest as
/// "largest_wait"; null where no part would save anything.
void add_bound(Tree& json, const Bound& bound, const Torus& torus);
/// By part: the share of the time that it would save if it were twice as fast.
[[nodiscard]] Tree saves_json(const Bottleneck& bottleneck, const Torus& torus);

/// Of one GEMM: sentence, bound, critical path, exposed time, slack, what would help.
[[nodiscard]] Tree why_json(const GemmResult& result, const ProductWhy& why, const Faults& faults,
                            const Torus& torus);
/// Of the step: its sentence, bound, critical path and exposed time.
[[nodiscard]] Tree why_json(const TrainingStep& step, const StepWhy& why);

} // namespace meshslice
