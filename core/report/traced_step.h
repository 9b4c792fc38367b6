#pragma once

#include "core/base/result.h"
#include "core/report/trace_chips.h"
#include "core/run/run.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <ostream>
#include <span>
#include <stop_token>
#include <vector>

namespace meshslice {

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
/// As runs to be written, each with its title: the cores and links of its chips, the streams of their
/// memories where they were recorded, why each core waits (category "wait", with until what), and how many of
/// all cores multiply and of all links are busy. The steps last as long as the runs.
[[nodiscard]] std::vector<RunPtr> trace_of(const std::vector<TracedRun>& runs,
                                           const std::stop_token& stop = {});
/// All chips of a step, without arrows.
[[nodiscard]] std::vector<RunPtr> trace_of(const TrainingStep& step);
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

/// The timeline as a table would be too long to look at, but programs want it: one line per busy interval,
/// with chip, resource, kind, start_ps, end_ps, bytes, slice, layer, pass; in the rows of a memory also the
/// share of its bandwidth, 0 to 1.
void write_timeline_csv(const TrainingStep& step, std::ostream& out);
/// About how large that is, before it is written.
[[nodiscard]] Bytes about_timeline_csv_size(const TrainingStep& step);

} // namespace meshslice
