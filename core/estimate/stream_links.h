#pragma once

#include "core/estimate/condensed.h"
#include "core/program/pipelining.h"
#include "core/program/program.h"
#include "core/program/ring_schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// The links that a stream goes along in one direction: from the chip at a place of the ring on, each after
/// the one before it.
struct StreamLinks {
    std::size_t from = 0;
    std::size_t count = 0;

    bool operator==(const StreamLinks&) const = default;
};
[[nodiscard]] StreamLinks links_of_stream(const Communication& moves, Direction direction);

/// Whether a stream of the operation goes round a closed ring, where it takes equally long from every root.
[[nodiscard]] bool streams_round(const Program& program, const Operation& stream);
/// The place on its ring that a panel of those that an operation stands for comes from, or goes to.
[[nodiscard]] std::int32_t root_of_panel(const Program& program, const Operation& stream, std::int64_t panel,
                                         std::int64_t turn);
/// How far, by axis, the roots of all streams in the loop move from a turn to the one so many turns after it,
/// round closed rings; none where they do not move together, or along a line.
using Move = std::array<std::int32_t, 3>;
[[nodiscard]] std::optional<Move> move_of_roots(const CondensedProgram& condensed, std::int64_t turn,
                                                std::int64_t turns);

/// How the roots of a loop's streams move.
struct MovesOfRoots {
    /// The turns in which they always move by the same, if there are few of them; else 1.
    std::int64_t after = 1;
    /// How many further turns move as that turn did, by turn; empty where there is work outside the loop.
    std::vector<std::int64_t> more = {};
};
[[nodiscard]] MovesOfRoots moves_of_roots(const CondensedProgram& condensed);

/// Where on a torus each chip ends that is moved so many times.
[[nodiscard]] std::vector<std::size_t> moved(const Torus& torus, const Move& move, std::int64_t times);

/// In how many turns of the loop streams are followed, so that they cross about 2^15 links, panel by panel: a
/// tenth of a millisecond's work. Further turns take as long as the later half of these.
[[nodiscard]] std::int64_t turns_of_streams_followed(const CondensedProgram& condensed);
/// Whether a program streams along both axes, where streams wait for each other in waves, and over few enough
/// links to be followed chip by chip.
[[nodiscard]] bool follows_streams(const CondensedProgram& condensed);

} // namespace meshslice
