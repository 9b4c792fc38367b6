#pragma once

#include "core/cost/collective/transfer.h"
#include "core/question/question.h"

namespace meshslice {

/// What the fields of transfer_question() ask. Refuses a source that is the target.
[[nodiscard]] Result<TransferAsked> transfer_asked(const Asked& asked);

} // namespace meshslice
