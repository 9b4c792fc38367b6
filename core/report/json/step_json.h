#pragma once

#include "core/base/json/tree.h"
#include "core/explain/why.h"
#include "core/step/training_step.h"

#include <string>

namespace meshslice {

/// The step for programs: totals of one block (`time_s`, `estimated_s`, `flop_utilization`, ...), of the
/// model (`layers`, `model_time_s`; not for a GEMM on its own), the memory of a chip (`memory_bytes` for the
/// whole model, `block_memory_bytes` for one block, `fits`), where numbers of the hardware were edited those
/// (`hardware_edits`), and `gemms`, one object per GEMM with the columns
/// of gemm_table() and what one chip counts; with `why`, the step and each GEMM say why they take as long as
/// they do. Times within a GEMM's `why` are of one copy. With `compared`, the totals of a second algorithm.
[[nodiscard]] Tree step_values(const TrainingStep& step, const StepWhy* why = nullptr,
                               const TrainingStep* compared = nullptr);

} // namespace meshslice
