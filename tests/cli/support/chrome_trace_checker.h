#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice::test {

struct CheckedTrace {
    std::vector<std::string> findings; ///< what is wrong with it, a sentence each; empty for a sound trace
    std::int64_t complete_events = 0;  ///< its "X" events, except waits
    std::int64_t waits = 0;            ///< those of the category "wait"
    std::int64_t flows = 0;
    std::int64_t counts = 0; ///< its "C" events
    std::int64_t end_ps = 0; ///< the largest ts + dur, in picoseconds
};

/// Checks a Chrome trace event file more strictly than viewers do, which silently drop what they cannot
/// place: JSON with `traceEvents`; "M", "X", "s", "f" and "C" events only; each X with a name, numeric ts and
/// dur >= 0 in microseconds, whole numbers pid and tid; the events of one thread apart from each other; every
/// thread named by one `thread_name` and every process by one `process_name`; each flow with one start and
/// one end, each within an X event of its thread, and the end's bar not ending before the start's; each count
/// a number; the first event at 0; and, where it is given, the last one ending at `expected_end_s` seconds,
/// to the picosecond.
[[nodiscard]] CheckedTrace check_chrome_trace(std::string_view json,
                                              std::optional<double> expected_end_s = {});

} // namespace meshslice::test
