#pragma once

#include "core/program/fed_chunk.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

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
    /// Of one run on one chip, by piece in the order in which the ring sends them, whatever the order in
    /// which they are made. Those of a chunk follow one another in time.
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
