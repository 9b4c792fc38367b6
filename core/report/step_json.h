#pragma once

#include "core/explain/why.h"
#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// The step for programs: totals of one block (`time_s`, `estimated_s`, `flop_utilisation`, ...), of the
/// model
/// (`layers`, `model_time_s`; not for a GEMM on its own), the memory of a chip (`memory_bytes` for the whole
/// model, `block_memory_bytes` for one block, `fits`) and `gemms`, one object per GEMM with the columns of
/// gemm_table() and what one chip counts; with `why`, the step and each product say why they take as long as
/// they do. Times within a product's `why` are of one copy.
[[nodiscard]] std::string step_json(const TrainingStep& step, const StepWhy* why = nullptr);

} // namespace meshslice
