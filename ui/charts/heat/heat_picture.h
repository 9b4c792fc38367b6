#pragma once

#include "core/figure/heat_map.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QSize>
#include <QStringList>

#include <cstddef>
#include <optional>

class QPainter;

namespace meshslice::ui {

/// A heat map laid out for one size, in pixels of the picture.
struct HeatLayout {
    QSize size;
    QStringList title;
    QRectF scale;               ///< the colours and what they stand for
    QRectF cells;               ///< all of them together
    double row_names = 0;       ///< the width of the names of rows
    std::size_t row_stride = 1; ///< every how many rows and columns have their names
    std::size_t column_stride = 1;
    QStringList notes;

    [[nodiscard]] QRectF cell(const HeatMap& map, std::size_t index) const;
    [[nodiscard]] std::optional<std::size_t> cellAt(const HeatMap& map, const QPointF& point) const;
};
[[nodiscard]] HeatLayout layoutHeat(const HeatMap& map, const QSize& size);
/// How high a picture so wide has to be for the numbers in its cells to be read.
[[nodiscard]] double leastHeight(const HeatMap& map, double width);
/// The same of a figure that can be any height.
[[nodiscard]] double figureHeight(const HeatMap& map, double width);
/// `selected`: the cell that the keyboard has come to, framed.
void paintHeat(QPainter& painter, const HeatMap& map, const HeatLayout& layout, Theme theme,
               std::optional<std::size_t> selected = {});

} // namespace meshslice::ui
