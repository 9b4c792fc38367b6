#pragma once

#include "core/machine/data_type.h"
#include "core/model/gemm.h"
#include "core/program/chunk_order.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace meshslice {

/// A GEMM of one chip whose output, a partial sum of the whole, the chips of a ring then sum up and share:
/// a ring reduce-scatter of `chips` chunks and a ring all-gather (T3, ASPLOS 2024, sections 2.3 and 2.4).
struct AllReducedGemm {
    GemmShape shape; ///< of one chip: k is its part of the summed dimension
    std::int64_t chips = 2;
    DataType type = DataType::bf16;
    /// Where it feeds the reduce-scatter.
    ChunkOrder order = ChunkOrder::staggered;

    /// Of the output, all of it.
    [[nodiscard]] double output_bytes() const {
        return static_cast<double>(shape.m) * static_cast<double>(shape.n) *
               static_cast<double>(element_bytes(type));
    }
    /// Of what a step of the ring sends.
    [[nodiscard]] double chunk_bytes() const { return output_bytes() / static_cast<double>(chips); }

    bool operator==(const AllReducedGemm&) const = default;
};

/// Who sums up the parts that a ring reduce-scatter brings together.
enum class Reduction : std::uint8_t {
    by_units,    ///< compute units read two copies and write one
    near_memory, ///< DRAM adds what arrives (T3, section 4.3); the GEMM has ended before
    fused,       ///< the same, fed by the stores of the GEMM while it runs (section 4.1)
};

/// What DRAM is accessed for.
enum class DramSource : std::uint8_t {
    gemm_write,
    scatter_read,
    scatter_write,
    gather_read,
    gather_write,
};
inline constexpr std::size_t dram_sources = 5;

/// Bytes of one chip's DRAM by DramSource, updates counted as writes. What the GEMM reads is apart
/// (gemm_reads()), because it hangs on a cache.
struct DramTraffic {
    std::array<double, dram_sources> bytes{};

    [[nodiscard]] double of(DramSource source) const { return bytes[static_cast<std::size_t>(source)]; }
    [[nodiscard]] double total() const;

    bool operator==(const DramTraffic&) const = default;
};

/// T3, sections 2.3, 3.2.2 and 4.3, and Figures 3 and 10, for at least two chips. In chunks, of N chips: a
/// reduction by units writes N, then reads 1 in its first step, 2 in each other and 2 in the last, local sum,
/// 2N-1, and writes N. Near memory every step reads 1 and updates 1, N-1 each. Fused, the first chunk goes
/// out by the GEMM's own stores: N-1 written and updated, N-2 read. The all-gather is the same in all.
[[nodiscard]] DramTraffic dram_traffic(const AllReducedGemm& gemm, Reduction reduction);

} // namespace meshslice
