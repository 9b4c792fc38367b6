#pragma once

#include <QLineF>
#include <QRectF>

namespace meshslice::ui {

/// The part of the line from `a` to `b` that lies in `area`; a null line where there is none. SVG and PDF
/// files of Qt 6.4 are not clipped, so pictures are made of lines that need no clipping.
[[nodiscard]] QLineF cutTo(const QRectF& area, const QPointF& a, const QPointF& b);

} // namespace meshslice::ui
