#pragma once

#include "core/base/result.h"
#include "core/plan/pipeline/pipeline_run.h"

#include <ostream>
#include <stop_token>

namespace meshslice {

/// Refused where the trace would be too large to be opened, as a step's is (chrome_trace.h).
[[nodiscard]] Result<void> exportable(const PipelineRun& run);

/// Writes the run as Chrome trace event JSON (loads in Perfetto and chrome://tracing), from 0:
/// - a process per stage, with a thread for its core, one for each of its networks, and one for why it waits
///   (category "wait"); networks that carry nothing in the whole run are left out;
/// - complete ("X") events with `ts` and `dur` in microseconds, fractions for nanoseconds; events of one
///   thread never overlap; `args` say micro-batch, chunk and layer where there are any;
/// - a counter ("C") of the bytes that the stage holds.
/// When stopped, the file is sound but lacks events.
void write_chrome_trace(const PipelineRun& run, std::ostream& out, const std::stop_token& stop = {});

} // namespace meshslice
