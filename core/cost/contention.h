#pragma once

#include "core/cost/operation_cost.h"
#include "core/hardware/hardware.h"
#include "core/program/program.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// How much longer each operation of the loop takes because the core and the links of a chip share its
/// memory. All communication of an iteration is assumed to run at the same time as its multiplications and to
/// get its max-min fair part: first the copies of slices, with only the core as a rival, then the transfers
/// of all axes together, until the last is done. The result, `costs` and `times` are by operation; `times`
/// says how many in a row an operation stands for, 1 each if empty. Empty where chips work at a constant
/// rate.
[[nodiscard]] std::vector<Time> contention(const Program& program, const std::vector<OperationCost>& costs,
                                           const std::vector<std::int64_t>& times, const Hardware& hardware);

} // namespace meshslice
