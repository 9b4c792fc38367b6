#pragma once

#include "core/program/address_map.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The chunks of a chip in the order in which it makes them, its own last.
struct FedProgress {
    std::uint32_t iteration = 0; ///< of the program's loop: the run that the chip began last
    std::vector<FedChunk> chunks;

    bool operator==(const FedProgress&) const = default;
};

/// One recorded run of a GEMM and the reduce-scatter that it feeds, on all of its chips.
class FedRun {
  public:
    /// None where the run recorded no memory or belongs to another program. Keeps no reference. Tiles are
    /// those that the run recorded: where there are too many, a piece of several counts as one.
    [[nodiscard]] static std::optional<FedRun> create(const Program& program, const Timeline& timeline,
                                                      const Fusion& fusion);

    /// At a moment from the start.
    [[nodiscard]] FedProgress at(Chip chip, Time moment) const;
    /// When all tiles of some chip's chunk have been made, completed or sent, in order and each moment once:
    /// the steps of Figure 7.
    [[nodiscard]] std::vector<Time> steps() const;

    [[nodiscard]] Axis axis() const { return axis_; }
    [[nodiscard]] OperationId collective() const { return collective_; }
    /// Which chunk piece `number` of all that the chip sends belongs to, by the position of its owner.
    [[nodiscard]] std::int32_t chunk_of(Chip chip, std::int64_t number) const;

  private:
    /// Of one run on one chip, by piece in order.
    struct PieceTimes {
        Time begins;               ///< the GEMM
        std::vector<Time> made;    ///< of all chunks
        std::vector<Time> arrived; ///< of all but the first
        std::vector<Time> sent;    ///< of all but the own, which is the last
    };
    [[nodiscard]] static PieceTimes times_of(const Program& program, const Timeline& timeline,
                                             const Fusion& fusion, Chip chip, std::uint32_t run);
    /// As at position 0, whose map is that of every position, turned on by it.
    [[nodiscard]] MappedChunk turned(std::size_t slot, Chip chip) const;

    Torus torus_;
    Axis axis_ = Axis::vertical;
    OperationId collective_ = 0;
    std::int64_t pieces_ = 1;      ///< of a chunk
    std::vector<MappedChunk> map_; ///< of position 0
    ChipClasses classes_;
    std::vector<std::vector<PieceTimes>> times_; ///< by class of chips, then by run
};

} // namespace meshslice
