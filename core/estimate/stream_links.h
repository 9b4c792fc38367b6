#pragma once

#include "core/estimate/condensed.h"
#include "core/program/pipelining.h"
#include "core/program/program.h"
#include "core/program/ring_schedule.h"

#include <cstddef>
#include <cstdint>

namespace meshslice {

/// A panel of those that a stream stands for, from the first of them on.
[[nodiscard]] Operation nth_panel(Operation stream, std::int64_t panel);

/// The links that a stream goes along in one direction: from the chip at a place of the ring on, each after
/// the one before it.
struct StreamLinks {
    std::size_t from = 0;
    std::size_t count = 0;

    bool operator==(const StreamLinks&) const = default;
};
[[nodiscard]] StreamLinks links_of_stream(const Communication& moves, Direction direction);

/// How many links the streams of a run may cross, panel by panel, to be followed chip by chip: about a tenth
/// of a millisecond's work. In longer runs the waves matter less.
inline constexpr std::int64_t most_links_followed = std::int64_t{1} << 14;

/// Whether streams are followed chip by chip: without a buffer to run ahead, those of both axes wait for each
/// other in waves, which no chip can stand for.
[[nodiscard]] bool follows_streams(const CondensedProgram& condensed, Prefetch prefetch);

} // namespace meshslice
