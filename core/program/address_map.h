#pragma once

#include "core/base/result.h"
#include "core/program/chunk_order.h"
#include "core/program/ring_schedule.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// What becomes of the stores to a chunk of a GEMM's output when a ring reduce-scatter, or a ring all-gather,
/// follows the GEMM tile by tile: T3 (ASPLOS 2024), sections 4.1 to 4.4 and 7.1, Figures 7, 11 and 12.
struct MappedChunk {
    enum class Way : std::uint8_t {
        remote, ///< stored straight into the receiver's memory; of a reduce-scatter neither kept nor counted
        dma,    ///< written here; a tile is sent on once all its updates have been made
        local,  ///< written here; complete with the last update, and sent nowhere
    };
    std::int32_t chunk = 0; ///< by the position that it belongs to, or of an all-gather comes from
    Way way = Way::local;
    std::int32_t receiver = 0; ///< a position; of a local chunk the own one
    /// Of each element in this chip's memory: its own, and what arrives. A reduce-scatter adds them up; of an
    /// all-gather there is one, which is stored.
    std::int32_t updates = 0;

    bool operator==(const MappedChunk&) const = default;
};

/// The chunks of the chip at `position` in the order in which the ring sends them, then that which stays. Of
/// a reduce-scatter the chip should make them in this order, its own last; of an all-gather it makes the
/// first, and the others arrive. It says that a chunk's steps begin as its parts are finished, never when.
/// All of it follows from the schedule: a chunk that is sent and that nothing arrives for is remote, one that
/// is sent and arrives for is dma, one that is not sent is local. Refused for rings that do not go one way
/// round: they have no single order; and for what is neither.
[[nodiscard]] Result<std::vector<MappedChunk>> address_map(const RingSchedule& ring, std::int32_t position);

/// Of the `chunks` x `pieces` that the chip at `position` makes for a reduce-scatter, the one that it makes
/// after `k` others: by its number in the order in which the ring sends them, the own chunk last. The same
/// function says after how many others the piece of a number is made.
[[nodiscard]] std::int64_t made_and_sent(ChunkOrder order, std::int64_t chunks, std::int64_t pieces,
                                         std::int32_t position, std::int64_t k);

} // namespace meshslice
