#pragma once

#include "ui/look/palette.h"
#include "ui/timeline/run_layout.h"
#include "ui/view/readable.h"

#include <QPointF>

class QPainter;

namespace meshslice::ui {

/// The bars of a row, from left to right.
[[nodiscard]] std::vector<RunSlice> slicesOf(const RunWindow& window, std::size_t row, TimeRange range,
                                             double pixel);
/// What a counter has over time as the corners of a line of steps: x in pixels. Of many changes within one
/// pixel the least, the most and the last.
[[nodiscard]] std::vector<QPointF> counterLine(const Run& run, std::size_t lane, const TimeScale& scale);
[[nodiscard]] double counterAt(const Run& run, std::size_t lane, Time time);

/// What stands at a point of a row: one bar, or several within the pixel.
struct RunHit {
    std::size_t row = 0;
    std::size_t lane = 0;
    RunSlice bar;               ///< the only one, or the longest
    std::vector<RunSlice> more; ///< all of several
};
[[nodiscard]] std::optional<RunHit> hitAt(const RunWindow& window, const RunLayout& layout,
                                          const QPoint& point);
/// The same line by line; a named stretch, what is held there, the name of a row or a run, an objection, or
/// an item of the legend. Empty where there is nothing.
[[nodiscard]] QStringList runLinesAt(const RunWindow& window, const RunLayout& layout, const QPoint& point);
/// The runs, where they have names, or else the rows that are seen.
[[nodiscard]] std::vector<ReadablePart> readableRuns(const RunWindow& window, const RunLayout& layout);

void paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme);
/// A line through the data at a moment, and when that is.
void paintRunCursor(QPainter& painter, const RunWindow& window, const RunLayout& layout, int x, Theme theme);

} // namespace meshslice::ui
