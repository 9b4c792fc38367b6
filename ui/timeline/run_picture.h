#pragma once

#include "ui/look/palette.h"
#include "ui/timeline/run_layout.h"
#include "ui/timeline/strip/time_marks.h"

#include <QPointF>

class QPainter;

namespace meshslice::ui {

/// What a counter has over time as the corners of a line of steps: x in pixels. Of many changes within one
/// pixel the least, the most and the last.
[[nodiscard]] std::vector<QPointF> counterLine(const Run& run, std::size_t lane, const TimeScale& scale);

/// Where words stand over the data.
std::vector<QRect> paintRun(QPainter& painter, const QSize& size, const RunWindow& window, Theme theme);
/// A line through the data at a moment, and when that is, next to flags on the axis.
void paintRunCursor(QPainter& painter, const RunWindow& window, const RunLayout& layout, int x, Theme theme,
                    const std::vector<MarkFlag>& flags = {});

} // namespace meshslice::ui
