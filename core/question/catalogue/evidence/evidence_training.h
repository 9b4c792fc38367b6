#pragma once

#include "core/question/question.h"

namespace meshslice {

/// What training runs were measured, next to what we say of them; and what their chips held.
[[nodiscard]] Result<Answer> training_evidence(const Asked& asked, const RunControl& control);
[[nodiscard]] Result<Answer> memory_evidence(const Asked& asked, const RunControl& control);

} // namespace meshslice
