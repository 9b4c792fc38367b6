#pragma once

#include "core/base/result.h"
#include "core/cost/traffic/memory_policy.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/machine/machine.h"

#include <cstdint>

namespace meshslice {

/// Closed forms of a GEMM with its all-reduce on a ring of GPUs, in seconds. With N chips, chunks of c bytes,
/// links of B and an HBM of M bytes/s, and a flight time of L:
///   GEMM           compute + output / M
///   step           max(c / B, c's accesses / M) + L
///   scatter        (N - 1) steps, then a last sum of two copies: 3 c / (M x reduction share)
///   near memory    (N - 1) steps
///   gather         (N - 1) steps
struct AllReduceTimes {
    double compute = 0; ///< of the GEMM, without memory
    double gemm = 0;
    double stage = 0; ///< the GEMM over its number of stages
    double scatter = 0;
    double scatter_near_memory = 0;
    double gather = 0;

    [[nodiscard]] double sequential() const { return gemm + scatter + gather; }
    /// GEMM and reduce-scatter side by side, nothing in each other's way.
    [[nodiscard]] double overlapped() const;
    [[nodiscard]] double overlapped_near_memory() const;

    bool operator==(const AllReduceTimes&) const = default;
};

/// Refused where the hardware makes no ring of GPUs and where there are fewer than two chips.
[[nodiscard]] Result<AllReduceTimes> all_reduce_times(const AllReducedGemm& gemm, const Machine& hardware);

/// The end of a GEMM that feeds its reduce-scatter, tile by tile, plus the all-gather, in seconds. For what
/// all_reduce_times() takes.
///   ideal: chunk by chunk, tile by tile, as made, sent and arrived on one chip that stands for all;
///   round robin: compute and all bytes of both streams one after the other, or the ring and one stage;
///   compute first: compute, then the writes, in which communication stands still, and the ring's rest;
///   communication-aware: compute, then the writes by what the ring leaves, found by iteration. It takes the
///   ring to be as busy while the GEMM writes as at other times, so it is above a simulation: on 8 to 32
///   chips by up to 6%, and by more on longer rings, 7% on 128 chips, 13% on 256 and 22% on 512.
/// In unstaggered order all of them end later by as much as the ideal one does (unstaggered_end()). Next to
/// simulations on 8 to 256 chips the ideal one is within 1%, 3% on 512, and within 5% where a chunk is one or
/// two tiles. The others are within 4% on 8 to 64 chips and, on longer rings, as far above as in staggered
/// order and no more than 6% further: 10% on 128 chips, 17% on 256, 14% on 512. GEMMs so small that a chunk
/// is four tiles or fewer are up to 25% off in either order.
[[nodiscard]] Result<double> fused_time(const AllReducedGemm& gemm, const Machine& hardware,
                                        MemoryPolicy policy);
/// The GEMM's part of it: until its last tile is made, while the ring uses its memory.
[[nodiscard]] Result<double> feeding_gemm_time(const AllReducedGemm& gemm, const Machine& hardware,
                                               MemoryPolicy policy);

} // namespace meshslice
