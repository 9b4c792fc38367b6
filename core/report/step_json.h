#pragma once

#include "core/explain/why.h"
#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// The step for programs: totals (`time_s`, `estimated_s`, `flop_utilisation`, ...) and `gemms`, one object
/// per product with the columns of gemm_table() and what one chip counts; with `why`, the step and each
/// product say why they take as long as they do. Times within a product's `why` are of one copy.
[[nodiscard]] std::string step_json(const TrainingStep& step, const StepWhy* why = nullptr);

} // namespace meshslice
