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

/// In how many turns of the loop streams are followed, so that they cross about 2^15 links, panel by panel: a
/// tenth of a millisecond's work. Further turns take as long as the later half of these.
[[nodiscard]] std::int64_t turns_of_streams_followed(const CondensedProgram& condensed);
/// Whether a program streams along both axes, where streams wait for each other in waves, and over few enough
/// links to be followed chip by chip.
[[nodiscard]] bool follows_streams(const CondensedProgram& condensed);

} // namespace meshslice
