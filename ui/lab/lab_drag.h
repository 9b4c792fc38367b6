#pragma once

#include "ui/lab/lab_picture.h"

#include <QPointF>

#include <optional>

namespace meshslice::ui {

/// A dimension of a matrix that a letter of the mesh can be dropped on.
struct LabDrop {
    Operand which = Operand::left;
    std::size_t dimension = 0;

    bool operator==(const LabDrop&) const = default;
};

/// The letter of the mesh at a point.
[[nodiscard]] std::optional<std::size_t> axisAt(const LabLayout& layout, const QPointF& at);
/// The dimension at a point: of a matrix the rows where its left edge is nearer, else the columns.
[[nodiscard]] std::optional<LabDrop> dropAt(const LabLayout& layout, const LabShown& shown,
                                            const QPointF& at);
/// The array with the axis splitting the dimension, as its minor axis, and nothing else; where it splits it
/// already, not any more.
[[nodiscard]] ShardedArray dropped(ShardedArray array, std::size_t dimension, std::size_t axis);

/// The letters of the mesh, ready to be dragged.
void paintAxes(QPainter& painter, const LabLayout& layout, const LabShown& shown, Theme theme);
/// A letter on its way: itself, the edge of the dimension that it is over, and what the matrix would be.
void paintDrag(QPainter& painter, const LabLayout& layout, const LabShown& shown, std::size_t axis,
               const QPointF& at, Theme theme);

} // namespace meshslice::ui
