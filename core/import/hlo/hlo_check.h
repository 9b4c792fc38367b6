#pragma once

#include "core/base/result.h"
#include "core/import/hlo/hlo_operation.h"

namespace meshslice {

/// Refuses an operation whose parts contradict each other, as XLA would: groups of unequal size or that share
/// a device, a device that sends or receives twice, a dot that contracts axes of unequal size, and results
/// of a dot or a collective that do not follow from its operands. What the text leaves out is not looked at.
[[nodiscard]] Result<void> checked_operation(const HloOperation& operation);

} // namespace meshslice
