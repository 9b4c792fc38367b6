#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// How a memory controller serves the two streams of a GEMM that feeds a ring, its own and communication's
/// (T3, ASPLOS 2024, section 4.5).
enum class MemoryPolicy : std::uint8_t {
    ideal,               ///< no stream holds up the other; updates cost what writes do
    round_robin,         ///< the GEMM stands still while communication is served
    communication_aware, ///< max-min fair: the GEMM slows down only where its bytes do not fit
    compute_first,       ///< communication gets what the GEMM leaves, which is nothing while it writes
};
inline constexpr std::array all_memory_policies = {MemoryPolicy::ideal, MemoryPolicy::round_robin,
                                                   MemoryPolicy::communication_aware,
                                                   MemoryPolicy::compute_first};
/// "ideal", "round-robin", "communication-aware", "compute-first"
[[nodiscard]] std::string_view name(MemoryPolicy policy);

} // namespace meshslice
