#pragma once

#include "core/base/result.h"
#include "core/program/ring_schedule.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// What becomes of the stores to a chunk of a GEMM's output when a ring reduce-scatter follows the GEMM tile
/// by tile: T3 (ASPLOS 2024), sections 4.1 to 4.4 and Figures 7, 11 and 12.
struct MappedChunk {
    enum class Way : std::uint8_t {
        remote, ///< stored straight into the receiver's memory, as updates; neither kept nor counted here
        dma,    ///< updates here; a tile is sent on, as updates, once all its own have been made
        local,  ///< updates here; complete with the last, and sent nowhere
    };
    std::int32_t chunk = 0; ///< by the position that it belongs to
    Way way = Way::local;
    std::int32_t receiver = 0; ///< a position; of a local chunk the own one
    std::int32_t updates = 0;  ///< of each element in this chip's memory: its own, and what arrives

    bool operator==(const MappedChunk&) const = default;
};

/// The chunks of the chip at `position` in the order in which it should make them, which is that in which the
/// ring sends them, its own last. It says that a chunk's steps begin as its parts are finished, never when.
/// All of it follows from the schedule: a chunk that is sent and that nothing arrives for is remote, one that
/// is sent and arrives for is dma, one that is not sent is local. Refused for rings that do not go one way
/// round: they have no single order; and for what is no reduce-scatter.
[[nodiscard]] Result<std::vector<MappedChunk>> address_map(const RingSchedule& ring, std::int32_t position);

} // namespace meshslice
