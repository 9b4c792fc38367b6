#pragma once

#include "core/study/training_step.h"

#include <string>

namespace meshslice {

/// The step for programs: totals (`time_s`, `estimated_s`, `flop_utilisation`, ...) and `gemms`, one object
/// per product with the columns of gemm_table() and what one chip counts.
[[nodiscard]] std::string step_json(const TrainingStep& step);

} // namespace meshslice
