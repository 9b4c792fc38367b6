#pragma once

#include "ui/charts/chart_layout.h"
#include "ui/look/palette.h"

class QChart;

namespace meshslice::ui {

/// The values of a laid-out panel as Qt Charts draws them: lines, marks and bars on axes that span the plot.
/// What is written, and hatches, are painted around it (see ChartPicture), with the lettering and the breaks
/// that every chart and every file has. The caller owns it.
[[nodiscard]] QChart* makeChart(const ChartLayout& layout, std::size_t panel, Theme theme);

/// Whether Qt Charts has this shape of mark; the others are painted over its charts.
[[nodiscard]] bool drawnByCharts(std::size_t shape);

} // namespace meshslice::ui
