#pragma once

#include "core/figure/table.h"
#include "ui/timeline/step_runs.h"

namespace meshslice::ui {

/// More lines than this, shared by the algorithms, are left out: no spreadsheet takes them, and the whole run
/// has its own export. Whoever writes the table says so.
inline constexpr std::size_t most_table_rows = 200'000;

/// How many bars lie in the range; a table of it has a line for each, or `most_table_rows`.
[[nodiscard]] std::size_t barsIn(const StepRuns& runs, TimeRange range);

/// One line per busy interval within the range, algorithm by algorithm, row by row in time order: where,
/// what, when (seconds in the step, not cut to the range), bytes, slice, layer and pass.
/// Notes have rows of the kind "note" at the end of their run, with their words as the operation.
[[nodiscard]] Table timelineTable(const StepRuns& runs, TimeRange range,
                                  const std::vector<TimeMark>& marks = {},
                                  const std::vector<std::string>& names = {});

} // namespace meshslice::ui
