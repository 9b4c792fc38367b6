#pragma once

#include "core/base/result.h"
#include "core/run/run.h"

#include <cstddef>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace meshslice {

/// A note of the user's: on a lane, or on all of a moment where it names none.
struct RunNote {
    std::string words;
    Time at;
    std::size_t run = 0; ///< among those that are written
    std::string place{}; ///< "chip 3,5"
    std::string lane{};  ///< "east link"
};

/// Refuses runs that are too large together to be written out, interval by interval.
[[nodiscard]] Result<void> exportable(std::span<const RunPtr> runs);

/// Writes runs as Chrome trace event JSON (loads in Perfetto and chrome://tracing), each from 0, one after
/// the other's places:
/// - a process for each place of a run (a chip, a stage), with a thread for each of its lanes, named by
///   metadata events, with the title of the run where there are several;
/// - complete ("X") events with `ts` and `dur` in microseconds from 0, fractions for nanoseconds; events of
///   one thread never overlap. `args` say what the bar knows of itself;
/// - flows ("s" and "f") for what arrives, where both ends are in the run; how many are not is
///   "flows_left_out" in "otherData";
/// - counters ("C") of bytes that are held, or of percent;
/// - instants ("i") for notes, in their lane; over all lanes where they name none that is written.
/// When stopped, the file is sound but lacks events.
void write_chrome_trace(std::span<const RunPtr> runs, std::ostream& out, const std::stop_token& stop = {},
                        std::span<const RunNote> notes = {});

} // namespace meshslice
