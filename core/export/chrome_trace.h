#pragma once

#include "core/study/training_step.h"

#include <ostream>

namespace meshslice {

/// Writes the step's timeline as Chrome trace event JSON (loads in Perfetto and chrome://tracing): one
/// process per chip, one thread per core and per link, named by metadata events; complete ("X") events with
/// `ts` and `dur` in microseconds from 0, fractions for nanoseconds; events of one thread never overlap.
void write_chrome_trace(const TrainingStep& step, std::ostream& out);

/// The timeline as a table would be too long to look at, but programs want it: one line per busy interval,
/// with chip, resource, kind, start_ps, end_ps, bytes, slice, layer, pass.
void write_timeline_csv(const TrainingStep& step, std::ostream& out);

} // namespace meshslice
