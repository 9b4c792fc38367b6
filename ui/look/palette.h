#pragma once

#include "core/report/chart/svg/palette.h"

#include <QColor>
#include <QPalette>

namespace meshslice::ui {

/// A role's colour as painters want it; core/report/chart/svg/palette.h names the colours.
[[nodiscard]] QColor color(Role role, Theme theme);
/// The colour with only `share` (0 to 1) of its strength over the background, opaque.
[[nodiscard]] QColor tint(Role role, Theme theme, double share);
/// The line around bars whose texture has one.
[[nodiscard]] QColor edgeColor(Role role, Theme theme);
/// What says that something is wrong: exposed communication's hue, dark enough to be read as text.
[[nodiscard]] QColor warningText(Theme theme);
/// Dark or light, from how the window's text and background relate (Qt 6.4 has no colour scheme of its own).
[[nodiscard]] Theme themeOf(const QPalette& palette);
/// A whole widget palette in the theme, for `--theme` and the View menu.
[[nodiscard]] QPalette widgetPalette(Theme theme);

} // namespace meshslice::ui
