#pragma once

#include "core/hardware/hardware.h"
#include "core/program/operation_cost.h"
#include "core/program/program.h"

#include <vector>

namespace meshslice {

/// By how much one iteration's multiplications take longer where all of its communication runs beside them
/// and wants its part of the memory that the chip's core and links share: first the copies of slices, then
/// the transfers of all axes from the same moment on, each as long as it lasts by itself. `costs` by
/// operation. 0 where chips work at a constant rate.
[[nodiscard]] Time contention(const Program& program, const std::vector<OperationCost>& costs,
                              const Hardware& hardware);

} // namespace meshslice
