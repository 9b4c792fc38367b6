#pragma once

#include "core/base/result.h"
#include "core/step/training_step.h"

#include <ostream>
#include <span>

namespace meshslice {

/// A larger trace (some 10 GB of text) no viewer opens and no spreadsheet reads.
inline constexpr std::size_t most_exported_intervals = 50'000'000;
/// Whether the steps' timelines are small enough to be written out, interval by interval.
[[nodiscard]] Result<void> exportable(std::span<const TrainingStep> steps);
[[nodiscard]] inline Result<void> exportable(const TrainingStep& step) {
    return exportable(std::span(&step, 1));
}
/// How large the trace of these steps will be, to about a tenth.
[[nodiscard]] Bytes about_trace_size(std::span<const TrainingStep> steps);

/// Writes the step's timeline as Chrome trace event JSON (loads in Perfetto and chrome://tracing): one
/// process per chip, one thread per core and per link, named by metadata events; complete ("X") events with
/// `ts` and `dur` in microseconds from 0, fractions for nanoseconds; events of one thread never overlap.
void write_chrome_trace(const TrainingStep& step, std::ostream& out);
/// The same of several steps, each from 0: the chips of one after those of the other, named by their
/// algorithm too.
void write_chrome_trace(std::span<const TrainingStep> steps, std::ostream& out);

/// The timeline as a table would be too long to look at, but programs want it: one line per busy interval,
/// with chip, resource, kind, start_ps, end_ps, bytes, slice, layer, pass.
void write_timeline_csv(const TrainingStep& step, std::ostream& out);

} // namespace meshslice
