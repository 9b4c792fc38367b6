#pragma once

#include "core/simulate/path/critical_path.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QRect>

#include <functional>
#include <span>
#include <vector>

namespace meshslice::ui {

/// The critical path of a GEMM of a step; null where it is not known.
using PathOf = std::function<const CriticalPath*(std::size_t gemm)>;

/// Stays closer to each other in a row than this many pixels are marked together.
inline constexpr int outline_gap = 3;
/// No mark is narrower, so that it is seen.
inline constexpr int least_outline = 5;

/// What the critical path goes through, as rectangles as high as a row, in the lines of one step that fit,
/// cut to the picture: one for each stay in a row, which may be many bars one after the other. However many
/// bars there are, a row has at most one rectangle for every few pixels.
[[nodiscard]] std::vector<QRect> outlineCriticalPath(const StepRun& run, const PathOf& pathOf,
                                                     const TimeScale& scale, const QRect& area, int rowHeight,
                                                     std::span<const RowLine> lines);

/// What the path does at a time after the GEMM's start; null before its start and from its end on.
[[nodiscard]] const CriticalEvent* eventAt(const CriticalPath& path, Time time);

} // namespace meshslice::ui
