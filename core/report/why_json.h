#pragma once

#include "core/explain/why.h"

#include <nlohmann/json_fwd.hpp>

namespace meshslice {

/// The parts of a critical path as JSON objects, phase by phase, resource by resource, in seconds; what took
/// no time is left out.
[[nodiscard]] nlohmann::ordered_json times_json(const PhaseTimes& times);
/// Of one GEMM: sentence, bound, critical path, exposed time, slack, what would help.
[[nodiscard]] nlohmann::ordered_json why_json(const GemmResult& result, const ProductWhy& why,
                                              const Faults& faults);
/// Of the step: its sentence, bound, critical path and exposed time.
[[nodiscard]] nlohmann::ordered_json why_json(const TrainingStep& step, const StepWhy& why);

} // namespace meshslice
