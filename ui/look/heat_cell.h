#pragma once

#include "ui/look/palette.h"

#include <QRectF>
#include <QStringList>

#include <optional>

class QPainter;

namespace meshslice::ui {

/// Black or white, whichever can be read on `ground`.
[[nodiscard]] QColor readableOn(const QColor& ground);

/// A cell of a heat map that runs: so strong a blue, or hatched where it has no strength because it does not
/// fit. The first of the `numbers` that fits stands in it.
void paintHeatCell(QPainter& painter, const QRectF& cell, std::optional<double> strength,
                   const QStringList& numbers, Theme theme);
/// The same on any ground; none where it does not fit.
void paintHeatCell(QPainter& painter, const QRectF& cell, std::optional<QColor> ground,
                   const QStringList& numbers, Theme theme);
/// Marks a cell as the best: a corner, so that the mark and the number do not touch.
void paintHeatCorner(QPainter& painter, const QRectF& cell, Theme theme);

} // namespace meshslice::ui
