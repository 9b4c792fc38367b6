#include "ui/settings/appearance.h"

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
    QApplication::setPalette(choice == ThemeChoice::system  ? desktop().palette
                             : choice == ThemeChoice::light ? widgetPalette(Theme::light)
                                                            : widgetPalette(Theme::dark));
}

void Appearance::setFontPercent(int percent) {
    percent_ = std::clamp(percent, least_percent, most_percent);
    QFont font = desktop().font;
    if (font.pointSizeF() > 0) {
        font.setPointSizeF(font.pointSizeF() * percent_ / 100.0);
    } else {
        font.setPixelSize(std::max(1, font.pixelSize() * percent_ / 100));
    }
    QApplication::setFont(font);
}

} // namespace meshslice::ui
