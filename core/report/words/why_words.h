#pragma once

#include "core/explain/why.h"

#include <string>

namespace meshslice {

/// The sentence for people: what bounds the GEMM, how much of it is exposed and by what, and what the
/// closed form says would help. "Bound by the vertical links in the steady state; links 12% faster or S = 8
/// would hide the transfers of the steady state."
[[nodiscard]] std::string why_sentence(const GemmResult& result, const ProductWhy& why, const Faults& faults);
/// The same of the step, whose GEMMs have such sentences of their own: "Bound by compute, 84% of the
/// critical path; ...".
[[nodiscard]] std::string why_sentence(const TrainingStep& step, const StepWhy& why);
/// What bounds the step, as the headline ends: "bound by compute", "bound by chip 1,0 east link".
[[nodiscard]] std::string bound_by(const TrainingStep& step, const StepWhy& why);

} // namespace meshslice
