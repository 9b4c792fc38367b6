#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// In which order a chip makes the chunks of a GEMM's result that feed a ring (T3, ASPLOS 2024, section 4.4).
enum class ChunkOrder : std::uint8_t {
    staggered,   ///< in the order in which the ring sends them, its own last: another on every chip
    unstaggered, ///< as they lie in memory: the same on all chips
};
inline constexpr std::array all_chunk_orders = {ChunkOrder::staggered, ChunkOrder::unstaggered};
/// "staggered", "unstaggered"
[[nodiscard]] std::string_view name(ChunkOrder order);

} // namespace meshslice
