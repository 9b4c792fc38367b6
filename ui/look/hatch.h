#pragma once

#include "ui/look/palette.h"

#include <QLineF>
#include <QRectF>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// The diagonals x + y = k * spacing that fill a rectangle, cut to it. Hatches of neighbours line up. Lines,
/// because pattern brushes come out differently, or not at all, in SVG and PDF.
[[nodiscard]] std::vector<QLineF> hatchLines(const QRectF& area, double spacing);

/// Exposed communication: the core waits.
void paintHatch(QPainter& painter, const QRectF& area, Theme theme);

} // namespace meshslice::ui
