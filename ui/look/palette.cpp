#include "ui/look/palette.h"

namespace meshslice::ui {
namespace {

QColor painted(const Rgb& color) {
    return {color.red, color.green, color.blue};
}

} // namespace

QColor color(Role role, Theme theme) {
    return painted(rgb(role, theme));
}

QColor tint(Role role, Theme theme, double share) {
    return painted(tinted(role, theme, share));
}

QColor edgeColor(Role role, Theme theme) {
    return painted(edge(role, theme));
}

QColor warningText(Theme theme) {
    const QColor hue = color(Role::exposed, theme);
    return theme == Theme::light ? hue.darker(150) : hue;
}

Theme themeOf(const QPalette& palette) {
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness()
               ? Theme::dark
               : Theme::light;
}

QPalette widgetPalette(Theme theme) {
    const QColor background = color(Role::background, theme);
    const QColor panel = color(Role::panel, theme);
    const QColor text = color(Role::text, theme);
    const QColor quiet = color(Role::quietText, theme);
    const QColor grid = color(Role::grid, theme);
    const QColor accent = color(Role::compute, theme);

    QPalette palette;
    palette.setColor(QPalette::Window, panel);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, background);
    palette.setColor(QPalette::AlternateBase, panel);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, quiet);
    palette.setColor(QPalette::Button, theme == Theme::light ? panel : grid);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, color(Role::exposed, theme));
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, theme == Theme::light ? background : QColor(Qt::black));
    // The shades that styles draw frames with.
    palette.setColor(QPalette::Light, theme == Theme::light ? background : grid.lighter(130));
    palette.setColor(QPalette::Midlight, theme == Theme::light ? grid : grid.lighter(115));
    palette.setColor(QPalette::Mid, theme == Theme::light ? grid.darker(125) : grid.lighter(140));
    palette.setColor(QPalette::Dark, theme == Theme::light ? grid.darker(160) : background.darker(120));
    palette.setColor(QPalette::Shadow, theme == Theme::light ? grid.darker(220) : QColor(Qt::black));

    const QColor faint = tint(Role::text, theme, 0.45);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, faint);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, grid);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, faint);
    return palette;
}

} // namespace meshslice::ui
