#pragma once

#include "core/base/result.h"
#include "core/estimate/all_reduced_gemm.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// What the DRAM of one chip is busy with.
enum class DramStream : std::uint8_t { gemm_read, gemm_write, scatter_read, scatter_update };
inline constexpr std::size_t dram_streams = 4;

/// Bytes moved by a time, those of updates as often as they cost.
struct FluidSample {
    double time = 0; ///< seconds
    std::array<double, dram_streams> moved{};
};

struct FusedRun {
    double end = 0; ///< seconds, when GEMM and reduce-scatter are over
    std::array<double, dram_streams> moved{};
    std::vector<FluidSample> samples{}; ///< one about every `every` seconds, where that is above 0
};

/// A GEMM that feeds its ring reduce-scatter, as two fluids that share one chip's DRAM; the chip stands for
/// all, so what it sends a neighbour sends it, a flight time later. Stage by stage the GEMM computes, reading
/// its inputs, then writes in a burst; the first chunk's stores go out instead. The link sends what is made
/// and, after the first chunk, only as far as the sums of the chunk before have arrived. While it sends at
/// rate r, DRAM reads r (not for the first chunk) and updates r, each costing as much as its near-memory
/// updates do. Round robin serves communication in full and lets computation stand still for that part of
/// the time; communication-aware shares max-min fair and slows computation only where its reads do not fit.
/// In steps of at most 50 ns, so the same everywhere. For a ring of GPUs and at least two chips, and one of
/// the two policies that let streams hold each other up. Refuses a GEMM and reduce-scatter of more than 0.2
/// s.
[[nodiscard]] Result<FusedRun> fused_fluid(const AllReducedGemm& gemm, const Machine& hardware,
                                           MemoryPolicy policy, double every = 0);

/// The same of the GEMM alone, as it runs before its collective: all of its output is written, at the cost
/// of a plain write.
[[nodiscard]] Result<FusedRun> gemm_alone(const AllReducedGemm& gemm, const Machine& hardware, double every);

} // namespace meshslice
