#pragma once

#include "ui/charts/chart_layout.h"

namespace meshslice::ui {

/// The title of a panel in lines of at most `width`; none where it has no title.
[[nodiscard]] QStringList panelTitle(const ChartPanel& panel, double width);
/// What a panel of rows has above and below its rows.
[[nodiscard]] double rowsFrame(const ChartPanel& panel, double width);
inline constexpr double most_row = 40; ///< height of a category's bars; more would look like blocks

/// Places everything in one panel, and its names in the legend where they stand in it. `numbered` has the
/// labels that are replaced by their numbers. Whether each label of a point has found room.
bool layoutPanel(ChartLayout& layout, std::size_t panel, const QRectF& area,
                 const std::vector<std::string>& numbered);

/// Panels of vertical categories and of lines have the names of their series right of the last values, where
/// there is room.
[[nodiscard]] bool namesCanStandInPanel(const ChartPanel& panel);
/// The same, of a layout.
[[nodiscard]] bool namesStandInPanel(const ChartLayout& layout, const ChartPanel& panel);
/// Whether a series has its name there, or in the legend; not where it says what another one says.
[[nodiscard]] bool isNamed(const ChartPanel& panel, std::size_t series);
/// Whether the names leave most of a panel so wide to its plot.
[[nodiscard]] bool namesLeaveRoom(const ChartPanel& panel, double width);
/// How high the plot must be for the names to stand below each other.
[[nodiscard]] double namesHeight(const ChartPanel& panel);
/// What a panel of columns so wide has below its plot.
[[nodiscard]] double belowColumns(const ChartPanel& panel, double width, bool names_in_panel);
/// What a panel of columns or points has above its plot: the title in its lines, or the gap in its place.
[[nodiscard]] double panelTitleHeight(const ChartPanel& panel, double width);
/// How many rows high a panel of rows wants to be.
[[nodiscard]] double rowsWeight(const ChartPanel& panel);
/// Whether every word of the categories' names has room below its column, the marks of its series next to
/// each other, and the plot next to the names of its series, in a panel so wide.
[[nodiscard]] bool partsFit(const ChartPanel& panel, double width, bool names_in_panel);
/// The labels of points, each once.
[[nodiscard]] std::vector<std::string> pointLabels(const Chart& chart);

} // namespace meshslice::ui
