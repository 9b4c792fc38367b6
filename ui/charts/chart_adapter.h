#pragma once

#include "ui/charts/chart_layout.h"
#include "ui/look/palette.h"

class QChart;

namespace meshslice::ui {

/// The values of a laid-out panel as Qt Charts draws them: lines, marks and bars on axes that span the plot.
/// What is written, and hatches, are painted around it (see ChartPicture), with the lettering and the breaks
/// that every chart and every file has. The caller owns it.
[[nodiscard]] QChart* makeChart(const ChartLayout& layout, std::size_t panel, Theme theme);

/// Whether Qt Charts draws the marks of a series. Painted over its charts are those of shapes that it has
/// not, and those that differ in size, each of which would be a series of its own there.
[[nodiscard]] bool marksDrawnByCharts(const ChartPanel& panel, const ChartSeries& series);
/// Whether Qt Charts draws the lines of a series. Rules without a name, arrows of which a chart can have
/// dozens, are painted below them: adding and removing that many series takes longer than drawing all else.
[[nodiscard]] bool linesDrawnByCharts(const ChartSeries& series);

} // namespace meshslice::ui
