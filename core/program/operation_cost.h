#pragma once

#include "core/program/program.h"
#include "core/program/schedule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// What one run of an operation costs one chip (MeshSlice paper, section 3.2.2): a collective
/// t_launch + (P - 1) (t_sync + bytes / bandwidth), a multiplication launch + FLOP / effective rate;
/// SendRecvs in a row each their own. The simulation spends these parts one by one, the estimate adds them
/// up.
struct OperationCost {
    Time launch;
    Time compute;                 ///< of a multiplication
    Time sync;                    ///< of one step of a ring
    std::array<Time, 2> transfer; ///< of one step, by Direction
    std::int32_t steps = 0;       ///< after one launch
    std::int32_t launches = 1;

    [[nodiscard]] Time all_launch() const { return launch * launches; }
    [[nodiscard]] Time all_sync() const { return sync * steps * launches; }
    /// Of the larger part of a chunk.
    [[nodiscard]] Time all_transfer() const { return std::max(transfer[0], transfer[1]) * steps * launches; }
    [[nodiscard]] Time total() const { return all_launch() + compute + all_sync() + all_transfer(); }

    bool operator==(const OperationCost&) const = default;
};

[[nodiscard]] OperationCost operation_cost(const Program& program, const Operation& operation,
                                           const Hardware& hardware, const Schedule& schedule,
                                           std::int32_t variant = 0);
/// Of the variant that takes longest.
[[nodiscard]] OperationCost longest_cost(const Program& program, const Operation& operation,
                                         const Hardware& hardware, const Schedule& schedule);

} // namespace meshslice
