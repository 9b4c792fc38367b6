#include "ui/look/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice::ui {
namespace {

struct Colors {
    QRgb light;
    QRgb dark;
};

/// By Role. The light column up to `exposed` is the palette of Okabe and Ito, made for all kinds of colour
/// vision; the dark column is the same hues, lightened.
constexpr std::array<Colors, 13> table = {{
    {0xFF0072B2, 0xFF4BA3DB}, // compute
    {0xFFE69F00, 0xFFF2B63A}, // transferHorizontal
    {0xFF009E73, 0xFF35C79B}, // transferVertical
    {0xFF56B4E9, 0xFF8ACBF2}, // transferThird
    {0xFF999999, 0xFF8A8A8A}, // sync
    {0xFFCC79A7, 0xFFDE9DC1}, // launch
    {0xFFF0E442, 0xFFE8DC5A}, // slicing
    {0xFFD55E00, 0xFFFF8A3D}, // exposed
    {0xFFFFFFFF, 0xFF1E1F22}, // background
    {0xFFF5F5F5, 0xFF26282C}, // panel
    {0xFFE6E6E6, 0xFF34363B}, // grid
    {0xFF1A1A1A, 0xFFE6E6E6}, // text
    {0xFF5E5E5E, 0xFFA9ABB0}, // quietText
}};

int mix(int over, int under, double share) {
    return static_cast<int>(std::lround(over * share + under * (1.0 - share)));
}

} // namespace

QColor color(Role role, Theme theme) {
    const Colors& colors = table[static_cast<std::size_t>(role)];
    return QColor::fromRgb(theme == Theme::light ? colors.light : colors.dark);
}

QColor tint(Role role, Theme theme, double share) {
    const QColor over = color(role, theme);
    const QColor under = color(Role::background, theme);
    const double strength = std::clamp(share, 0.0, 1.0);
    return {mix(over.red(), under.red(), strength), mix(over.green(), under.green(), strength),
            mix(over.blue(), under.blue(), strength)};
}

QBrush brush(Role role, Theme theme) {
    return {color(role, theme), role == Role::exposed ? Qt::BDiagPattern : Qt::SolidPattern};
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
