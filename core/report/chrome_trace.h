#pragma once

#include "core/base/result.h"
#include "core/report/trace/trace_event.h"
#include "core/report/trace_chips.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <ostream>
#include <span>
#include <stop_token>
#include <vector>

namespace meshslice {

/// Whether the steps' timelines are small enough to be written out, interval by interval.
[[nodiscard]] Result<void> exportable(const TrainingStep& step);

/// A step in a trace: what it was simulated from, and the chips whose cores and links are written.
struct TracedRun {
    const TrainingStep* step = nullptr;
    const Scenario* scenario = nullptr; ///< null: nobody knows what waited for what
    std::vector<Chip> chips;            ///< ascending
};
/// Steps, each of its scenario. Refused where one does not have the chips.
[[nodiscard]] Result<std::vector<TracedRun>> traced_runs(std::span<const TrainingStep> steps,
                                                         std::span<const Scenario* const> scenarios,
                                                         const TraceChips& chips = {});
[[nodiscard]] Result<void> exportable(const std::vector<TracedRun>& runs);
/// How large a trace will be, about.
struct TraceSize {
    Bytes text;
    /// Arrows that are left out, because they come from chips that are not in it.
    std::size_t flows_left_out = 0;
};
/// The text to about a tenth; of the arrows at most so many, as nobody waits for some transfers. Reads every
/// interval; nothing of it holds if it is stopped.
[[nodiscard]] TraceSize about_trace_size(const std::vector<TracedRun>& runs,
                                         const std::stop_token& stop = {});

/// Writes timelines as Chrome trace event JSON (loads in Perfetto and chrome://tracing), each from 0, one
/// after the other's chips:
/// - a process per chip, with a thread for the core, one for its waits and one per link, named by metadata
///   events, with the name of the step where there are several;
/// - complete ("X") events with `ts` and `dur` in microseconds from 0, fractions for nanoseconds; events of
///   one thread never overlap. Waits have the category "wait" and say until when they last;
/// - flows ("s" and "f") from each transfer to what waits for it on the chip that gets it, where both are in
///   the trace; how many are not is "flows_left_out" in "otherData";
/// - counters ("C") of how many of all cores multiply and of all links are busy, in percent, in a process of
///   their own.
void write_chrome_trace(const std::vector<TracedRun>& runs, std::ostream& out,
                        const std::stop_token& stop = {});
/// All chips of a step, without flows.
void write_chrome_trace(const TrainingStep& step, std::ostream& out);

/// The timeline as a table would be too long to look at, but programs want it: one line per busy interval,
/// with chip, resource, kind, start_ps, end_ps, bytes, slice, layer, pass; in the rows of a memory also the
/// share of its bandwidth, 0 to 1.
void write_timeline_csv(const TrainingStep& step, std::ostream& out);

} // namespace meshslice
