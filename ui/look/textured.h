#pragma once

#include "ui/look/palette.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// The part of a bar that a role's texture fills: the lower half of one of half height; where bars stand
/// upright, its left half.
[[nodiscard]] QRectF texturedPart(const QRectF& bar, Role role, bool upright = false);

/// The line around a bar whose texture has one, inside the bar; nothing around bars too small for it.
[[nodiscard]] std::vector<QRectF> edgesOf(const QRectF& bar);

/// Fills a bar with its role's colour and texture. `upright` where bars grow upwards.
void paintTextured(QPainter& painter, const QRectF& bar, Role role, Theme theme, bool upright = false);

} // namespace meshslice::ui
