#include "ui/settings/appearance.h"

#include "ui/look/picture_scale.h"

#include <QApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

// What the desktop gave when the program started, before any window changed it.
struct Desktop {
    QPalette palette = QApplication::palette();
    QFont font = QApplication::font();
};

const Desktop& desktop() {
    static const Desktop at_start;
    return at_start;
}

/// The desktop's, with text that says less than the rest and can be read all the same: desktops make it as
/// pale as that of empty fields.
QPalette systemPalette() {
    QPalette palette = desktop().palette;
    palette.setColor(QPalette::PlaceholderText, color(Role::quietText, themeOf(palette)));
    return palette;
}

} // namespace

QString name(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::system: return QStringLiteral("system");
    case ThemeChoice::light: return QStringLiteral("light");
    case ThemeChoice::dark: return QStringLiteral("dark");
    }
    return {};
}

ThemeChoice themeChoice(const QString& name) {
    for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
        if (ui::name(choice) == name) {
            return choice;
        }
    }
    return ThemeChoice::system;
}

Appearance::Appearance(QObject* parent) : QObject(parent) {
    (void)desktop();
}

void Appearance::setTheme(ThemeChoice choice) {
    theme_ = choice;
    QApplication::setPalette(choice == ThemeChoice::system  ? systemPalette()
                             : choice == ThemeChoice::light ? widgetPalette(Theme::light)
                                                            : widgetPalette(Theme::dark));
}

void Appearance::setFontPercent(int percent) {
    takeFontPercent(std::clamp(percent, least_percent, most_percent));
}

void Appearance::setProjectedPercent(int percent) {
    takeFontPercent(std::clamp(percent, least_percent, most_projected_percent));
}

void Appearance::takeFontPercent(int percent) {
    percent_ = percent;
    setPictureScale(percent_ / 100.0); // before the widgets hear of their new font
    QFont font = desktop().font;
    if (font.pointSizeF() > 0) {
        font.setPointSizeF(font.pointSizeF() * percent_ / 100.0);
    } else {
        font.setPixelSize(std::max(1, font.pixelSize() * percent_ / 100));
    }
    QApplication::setFont(font);
}

} // namespace meshslice::ui
