#pragma once

#include "core/report/pixel_axis.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// The grid lines and labels of an axis below a plot, and its name in the middle beneath them.
void paintAxisBelow(QPainter& painter, const QRectF& plot, const PixelAxis& axis,
                    const std::vector<Tick>& ticks, const QString& name, Theme theme);
/// The grid lines and labels of an axis left of a plot, and its name, turned, left of them.
void paintAxisLeft(QPainter& painter, const QRectF& plot, const PixelAxis& axis,
                   const std::vector<Tick>& ticks, const QString& name, Theme theme);

/// The room these two need beside the plot.
inline constexpr double below_axis = 40;
inline constexpr double left_axis = 62;

/// The part of the line from `a` to `b` that lies in `area`; a null line where there is none. SVG and PDF
/// files of Qt 6.4 are not clipped, so pictures are made of lines that need no clipping.
[[nodiscard]] QLineF cutTo(const QRectF& area, const QPointF& a, const QPointF& b);

} // namespace meshslice::ui
