#pragma once

#include "core/base/quantity.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/program/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The two streams of a chip's memory controller (T3, ASPLOS 2024, section 4.5), and what is in neither.
enum class MemoryStream : std::uint8_t {
    compute,       ///< what a GEMM reads and writes
    communication, ///< what DMA reads, and updates that arrive: one after the other
    collectives,   ///< what the links of collectives that no GEMM feeds read and write, all together
};
inline constexpr std::array memory_streams = {MemoryStream::compute, MemoryStream::communication,
                                              MemoryStream::collectives};

/// What memory is accessed for.
struct MemoryAccess {
    OperationId operation = 0;   ///< index into the program's operations
    std::uint32_t iteration = 0; ///< of the program's loop; 0 outside
    /// Of a GEMM 2s + 1, as in the core's row, where stage s writes; of a collective the piece, of all that
    /// the chip sends, or of all that arrive.
    std::uint16_t step = 0;
    DramSource source = DramSource::gemm_write;
    bool both = false; ///< in addition to writing what arrives what is sent is read, at the same time

    bool operator==(const MemoryAccess&) const = default;
};

/// A stretch of time in which a memory serves one write of a stage, or one piece, or the links, at one rate.
struct MemoryStretch {
    Time start;
    Time end;
    double share = 0; ///< of the memory's bandwidth, 0 to 1
    double bytes = 0; ///< read, written or updated; an update takes longer by what it costs near memory
    MemoryAccess use;

    bool operator==(const MemoryStretch&) const = default;
};

/// What the streams of one memory were served, by MemoryStream, each in time order and without overlap. Where
/// a stream waits for the other there is no stretch.
using ServedStreams = std::array<std::vector<MemoryStretch>, memory_streams.size()>;

/// "memory: GEMM", "memory: communication", "memory: collectives"
[[nodiscard]] std::string stream_name(MemoryStream stream);
/// "write", "read", "update": what follows the operation's name in a table or a trace.
[[nodiscard]] std::string_view access_name(DramSource source);
/// ... or "read and write".
[[nodiscard]] std::string_view access_name(const MemoryAccess& use);

/// How long the whole memory would have taken for stretches: their lengths times their shares.
[[nodiscard]] Time memory_time(std::span<const MemoryStretch> stretches);

} // namespace meshslice
