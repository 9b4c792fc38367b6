#pragma once

#include "ui/charts/chart_layout.h"

namespace meshslice::ui {

/// The title of a panel of rows in lines of at most `width`; none where it has no title.
[[nodiscard]] QStringList panelTitle(const ChartPanel& panel, double width);
/// What a panel of rows has above and below its rows.
[[nodiscard]] double rowsFrame(const ChartPanel& panel, double width);
inline constexpr double most_row = 40; ///< height of a category's bars; more would look like blocks

/// Places everything in one panel, and its names in the legend where they stand in it. `numbered` has the
/// labels that are replaced by their numbers. Whether each label of a point has found room.
bool layoutPanel(ChartLayout& layout, std::size_t panel, const QRectF& area,
                 const std::vector<std::string>& numbered);

/// Panels of vertical categories have the names of their series right of the last values.
[[nodiscard]] bool namesStandInPanel(const ChartPanel& panel);
/// How many rows high a panel of rows wants to be.
[[nodiscard]] double rowsWeight(const ChartPanel& panel);
/// Whether every word of the categories' names has room below its column, the marks of its series next to
/// each other, and the plot next to the names of its series, in a panel so wide.
[[nodiscard]] bool partsFit(const ChartPanel& panel, double width);
/// The labels of points, each once.
[[nodiscard]] std::vector<std::string> pointLabels(const Chart& chart);

} // namespace meshslice::ui
