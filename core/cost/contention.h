#pragma once

#include "core/cost/operation_cost.h"
#include "core/hardware/hardware.h"
#include "core/program/program.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// By how much each operation of the loop takes longer, by operation, where all the communication of an
/// iteration runs at the same time as its multiplications and wants its part of the memory that the chip's
/// core and links share, max-min fair: first the copies of slices, next to the core alone, then the transfers
/// of all axes from the same moment on, until the last is done. `costs` by operation; `times`, too: how many
/// in a row an operation stands for, 1 each if empty. Empty where chips work at a constant rate.
[[nodiscard]] std::vector<Time> contention(const Program& program, const std::vector<OperationCost>& costs,
                                           const std::vector<std::int64_t>& times, const Hardware& hardware);

} // namespace meshslice
