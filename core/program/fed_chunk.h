#pragma once

#include "core/program/address_map.h"

#include <array>
#include <cstdint>
#include <vector>

namespace meshslice {

/// What has become of a tile of a GEMM's output on the chip that makes it, where the GEMM feeds its
/// reduce-scatter: T3 (ASPLOS 2024), Figure 7.
enum class TileState : std::uint8_t {
    waiting,  ///< neither made here nor added to by what arrives
    made,     ///< and on its way out: its stores go straight to the next chip, and nothing counts them here
    counted,  ///< one of its two updates: its own, or the neighbour's
    complete, ///< both: of a chunk that is sent on it is triggered, of the own one it is the result
    sent,     ///< it has left the link
};
inline constexpr std::array all_tile_states = {TileState::waiting, TileState::made, TileState::counted,
                                               TileState::complete, TileState::sent};

/// A chunk of what a chip makes. Its tiles are made, added to and sent in order, so that counts say it all.
struct FedChunk {
    MappedChunk map;
    std::int64_t tiles = 0;
    std::int64_t made = 0;    ///< of them
    std::int64_t arrived = 0; ///< the neighbour's part of so many has been added
    std::int64_t sent = 0;

    [[nodiscard]] TileState state(std::int64_t tile) const;
    /// How many are in a state.
    [[nodiscard]] std::int64_t in(TileState state) const;

    bool operator==(const FedChunk&) const = default;
};

/// The chunks of a chip in the order in which the ring sends them, its own last. In staggered order it makes
/// them so, too.
struct FedProgress {
    std::uint32_t iteration = 0; ///< of the program's loop: the run that the chip began last
    std::vector<FedChunk> chunks;

    bool operator==(const FedProgress&) const = default;
};

} // namespace meshslice
