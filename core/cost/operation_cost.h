#pragma once

#include "core/cost/schedule.h"
#include "core/program/program.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// What one run of an operation costs one chip (MeshSlice paper, section 3.2.2): a collective t_launch + (P -
/// 1) (t_sync + bytes / bandwidth), a multiplication launch + FLOP / effective rate, or hbm_bytes / HBM
/// bandwidth where that is longer and memory is not left out (what was measured, where the hardware has a
/// table of it); each of several SendRecvs in a row costs its own. The simulation spends these parts one by
/// one, the estimate adds them up. Where the chip is modelled tile by tile, everything moves bytes in HBM,
/// too: a multiplication moves its tiles (see tiled_product), a communication copies slices, and every byte
/// that a link carries is read on one side (twice where it is the sum of two) and written on the other.
struct OperationCost {
    Time launch;
    Time compute;                 ///< of a multiplication
    Time sync;                    ///< of one step of a ring
    std::array<Time, 2> transfer; ///< of one step, by Direction
    std::int32_t steps = 0;       ///< after one launch
    std::int32_t launches = 1;

    // None of these where the chip works at a constant rate.
    Bytes memory;                ///< HBM traffic of a multiplication
    std::array<Bytes, 2> copied; ///< HBM traffic of copying slices: before the launch, after the last step
    std::array<Time, 2> copying; ///< with the whole HBM to itself
    std::int64_t reads = 0;      ///< of HBM, for every byte sent; each that arrives is written once
    /// HBM bytes for each that crosses a link: of the chip that moves most, and the mean of all chips.
    double memory_each = 0;
    double memory_mean = 0;
    /// Of a transfer, by Direction: that of its link, or less where the memory, with nothing else to do,
    /// cannot serve both directions at once.
    std::array<Bandwidth, 2> rate;

    [[nodiscard]] Time all_copying() const { return copying[0] + copying[1]; }
    [[nodiscard]] Time all_launch() const { return launch * launches; }
    [[nodiscard]] Time all_sync() const { return sync * steps * launches; }
    /// Of the larger part of a chunk.
    [[nodiscard]] Time all_transfer() const { return std::max(transfer[0], transfer[1]) * steps * launches; }
    /// Of `times` runs in a row; at most `longest`, so that callers see that a time is too long before it
    /// overflows picoseconds.
    [[nodiscard]] Time total(std::int64_t times = 1) const {
        const auto parts = [](Time part) { return static_cast<double>(part.value()); };
        const double in_double =
            (parts(launch) + (parts(sync) + parts(std::max(transfer[0], transfer[1]))) * steps) * launches +
            parts(compute) + parts(copying[0]) + parts(copying[1]);
        if (in_double * static_cast<double>(times) >= static_cast<double>(longest.value())) {
            return longest;
        }
        return (all_launch() + compute + all_sync() + all_transfer() + all_copying()) * times;
    }
    /// 53 days: far longer than anything that is counted or simulated.
    static constexpr Time longest = Time(std::int64_t{1} << 62);

    bool operator==(const OperationCost&) const = default;
};

/// What a multiplication reads from HBM and writes to it if each matrix passes once: both operands and the
/// result, which is also read if the multiplication adds to it.
[[nodiscard]] Bytes hbm_bytes(const Multiply& multiply, DataType type);

/// On an open line of so many chips, steps of a gather in which the chips in the middle send and receive both
/// ways: the first of it, and the last of a scatter. In the others chunks pass a chip one way.
[[nodiscard]] constexpr std::int32_t steps_both_ways(std::int32_t chips) {
    return (chips - 1) / 2;
}

/// Where GEMMs are made in stages: plain accesses of memory for each byte that a collective which no GEMM
/// feeds sends, by the sender, which reads two copies where it sends their sum, and by the receiver; the mean
/// of all steps, for a reduce-scatter reads its own copy alone in the first.
[[nodiscard]] std::array<double, 2> staged_accesses(const Operation& operation, const Communication& moves,
                                                    const Machine& hardware, const Schedule& schedule);

[[nodiscard]] OperationCost operation_cost(const Program& program, const Operation& operation,
                                           const Machine& hardware, const Schedule& schedule,
                                           std::int32_t variant = 0);
/// Of the variant that takes longest. On a folded ring every step waits for the chunk that travels back, hop
/// by hop, over links that it shares with the chunks of the other direction: its synchronizations and, in
/// both directions, up to twice the transfer, or the time at the rate that memory serves where that is
/// longer. SendRecvs that multiplications hide keep all chips in step: then what goes home shares the links
/// only with what is left of the other transfers once it is agreed.
[[nodiscard]] OperationCost longest_cost(const Program& program, const Operation& operation,
                                         const Machine& hardware, const Schedule& schedule);

} // namespace meshslice
