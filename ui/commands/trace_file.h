#pragma once

#include "core/base/result.h"
#include "core/report/traced_step.h"
#include "core/scenario/file/project.h"
#include "ui/session/results.h"

#include <QString>

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice::ui {

/// The steps that a trace of the results holds: of both algorithms, where both were simulated.
[[nodiscard]] std::span<const TrainingStep> tracedSteps(const Results& results);

/// The same with their scenarios and the chips that are chosen.
[[nodiscard]] Result<std::vector<TracedRun>> tracedRuns(const Results& results, const TraceChips& chips);

/// The marks and notes of a project that are on the runs of a trace.
struct TraceMarks {
    std::vector<TimeMark> marks;
    std::vector<std::string> runs; ///< by which notes name the runs
};

/// Writes the Chrome trace of these to a file, whole or not at all; not at all when it is stopped. Touches no
/// widget, so it may run on any thread.
[[nodiscard]] Result<void> saveTrace(const ResultsPtr& results, const QString& path,
                                     const TraceChips& chips = {}, const std::stop_token& stop = {},
                                     const TraceMarks& marks = {});

} // namespace meshslice::ui
