#pragma once

#include "core/question/answer.h"
#include "core/question/catalogue/evidence/predicted_step.h"

#include <string>

namespace meshslice {

/// What devices held while the step ran, next to what the plan predicts and what its machine has, where there
/// is one: adds values, a table and a chart to the answer. The sentences; empty where the trace says nothing
/// of memory.
[[nodiscard]] std::string add_memory(const ProfiledStep& read, const PredictedStep* predicted,
                                     Answer& answer);

} // namespace meshslice
