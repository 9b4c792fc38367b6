#pragma once

#include "core/base/quantity.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace meshslice {

/// A stretch of a run, from its start.
struct Lasting {
    Time begin;
    Time end;

    bool operator==(const Lasting&) const = default;
};

/// What one piece of a result goes through on the chip that makes it, where a GEMM feeds its reduce-scatter
/// (T3, ASPLOS 2024, section 4): pieces are numbered in the order in which the chip makes them, chunk by
/// chunk, its own chunk last. Times are of one run, from its start.
struct PieceHistory {
    std::int64_t chunk = 0; ///< in that order, from 0
    std::int64_t chunks = 2;
    std::int64_t piece = 0; ///< of the chunk, from 0
    std::int64_t pieces = 1;
    Time made; ///< its stage has been written, or, where that stage writes nothing here, computed
    /// The neighbour's part of it has been added, the second update that the tracker counts. None in the
    /// first chunk, which nobody adds to here.
    std::optional<Time> counted;
    std::optional<Lasting> read; ///< by DMA, out of this chip's memory; none in the first and the own chunk
    std::optional<Lasting> sent; ///< over the link; none in the own chunk, which stays
    std::optional<Time> added;   ///< to what the neighbour has

    /// Made, and counted where it is: from then on it may be read and sent.
    [[nodiscard]] Time triggered() const { return counted ? std::max(made, *counted) : made; }
    /// From then until it is on the link: for memory, being read, and for the link.
    [[nodiscard]] std::optional<Time> waited() const {
        return sent ? std::optional(sent->begin - triggered()) : std::nullopt;
    }

    bool operator==(const PieceHistory&) const = default;
};

/// Of piece `number`, of all that chip `chip` makes in one iteration. None where the collective is not fed by
/// a GEMM or there is no such piece, and where the timeline recorded no memory.
[[nodiscard]] std::optional<PieceHistory> piece_history(const Program& program, const Timeline& timeline,
                                                        OperationId collective, std::uint32_t iteration,
                                                        Chip chip, std::int64_t number);

/// Which piece an interval of a link's or a memory's row is about, and which chip made it: what arrives is
/// the neighbour's. None for others.
struct PieceOfChip {
    OperationId collective = 0;
    Chip chip = 0;
    std::int64_t number = 0;

    bool operator==(const PieceOfChip&) const = default;
};
[[nodiscard]] std::optional<PieceOfChip> piece_of(const Program& program, const Timeline& timeline,
                                                  std::size_t row, const Interval& interval);

} // namespace meshslice
