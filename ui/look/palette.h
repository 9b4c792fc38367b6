#pragma once

#include "core/report/chart/palette.h"

#include <QBrush>
#include <QColor>
#include <QPalette>

namespace meshslice::ui {

/// A role's colour as painters want it; core/report/chart/palette.h names the colours.
[[nodiscard]] QColor color(Role role, Theme theme);
/// The colour with only `share` (0 to 1) of its strength over the background, opaque.
[[nodiscard]] QColor tint(Role role, Theme theme, double share);
/// What fills an area of the role: solid, but for exposed communication a hatch.
[[nodiscard]] QBrush brush(Role role, Theme theme);
/// Dark or light, from how the window's text and background relate (Qt 6.4 has no colour scheme of its own).
[[nodiscard]] Theme themeOf(const QPalette& palette);
/// A whole widget palette in the theme, for `--theme` and the View menu.
[[nodiscard]] QPalette widgetPalette(Theme theme);

} // namespace meshslice::ui
