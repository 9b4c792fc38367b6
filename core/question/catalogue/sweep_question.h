#pragma once

#include "core/question/question.h"
#include "core/question/sweep_workers.h"

namespace meshslice {

/// sweep_question() with its points answered in another way, such as by several processes.
[[nodiscard]] Question sweep_question_by(const RunSweep& run);

} // namespace meshslice
