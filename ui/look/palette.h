#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>

#include <cstdint>

namespace meshslice::ui {

/// What a colour stands for. A role keeps its colour in every chart, view and export; meaning is never colour
/// alone.
enum class Role : std::uint8_t {
    compute,
    transferHorizontal,
    transferVertical,
    transferThird,
    sync,
    launch,
    slicing,
    exposed, ///< drawn as a hatch over the bar
    background,
    panel, ///< a quiet area beside the picture
    grid,
    text,
    quietText,
};

enum class Theme : std::uint8_t { light, dark };

/// The one place where colours are named.
[[nodiscard]] QColor color(Role role, Theme theme);
/// The colour with only `share` (0 to 1) of its strength over the background, opaque, so that every file
/// format shows it alike.
[[nodiscard]] QColor tint(Role role, Theme theme, double share);
/// What fills an area of the role: solid, but for exposed communication a hatch.
[[nodiscard]] QBrush brush(Role role, Theme theme);
/// Dark or light, from how the window's text and background relate (Qt 6.4 has no colour scheme of its own).
[[nodiscard]] Theme themeOf(const QPalette& palette);
/// A whole widget palette in the theme, for `--theme` and the View menu.
[[nodiscard]] QPalette widgetPalette(Theme theme);

} // namespace meshslice::ui
