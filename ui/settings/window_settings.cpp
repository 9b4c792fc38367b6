#include "ui/settings/window_settings.h"

#include "ui/settings/language.h"

#include <QMainWindow>
#include <QSettings>

namespace meshslice::ui {
namespace {

QString geometryKey() {
    return QStringLiteral("window/geometry");
}
QString stateKey() {
    return QStringLiteral("window/state");
}
QString sideBySideKey() {
    return QStringLiteral("window/sideBySide");
}
QString recentActionsKey() {
    return QStringLiteral("palette/recent");
}
QString textBeforeKey() {
    return QStringLiteral("appearance/fontBeforeTeaching");
}
QString welcomeKey() {
    return QStringLiteral("welcome/atStart");
}
QString themeKey() {
    return QStringLiteral("appearance/theme");
}
QString languageKey() {
    return QStringLiteral("appearance/language");
}
QString fontKey() {
    return QStringLiteral("appearance/fontPercent");
}

constexpr QSize wanted_size{1600, 1000};
constexpr QSize frame{16,
                      48}; ///< borders and title bar; how large they are is known only once they are there

} // namespace

QSize firstSize(const QSize& available) {
    return wanted_size.boundedTo(available - frame);
}

bool restoreWindow(QMainWindow& window) {
    const QSettings settings;
    // Both calls check a magic number and the length of what they are given, and change nothing on failure.
    return window.restoreGeometry(settings.value(geometryKey()).toByteArray()) &&
           window.restoreState(settings.value(stateKey()).toByteArray(), window_state_version);
}

void rememberWindow(const QMainWindow& window) {
    QSettings settings;
    settings.setValue(geometryKey(), window.saveGeometry());
    settings.setValue(stateKey(), window.saveState(window_state_version));
}

bool restoredSideBySide() {
    return QSettings().value(sideBySideKey(), false).toBool();
}

void rememberSideBySide(bool side_by_side) {
    QSettings().setValue(sideBySideKey(), side_by_side);
}

QStringList restoredRecentActions() {
    return QSettings().value(recentActionsKey()).toStringList();
}

void rememberRecentActions(const QStringList& names) {
    QSettings().setValue(recentActionsKey(), names);
}

std::optional<int> restoredTextBeforeTeaching() {
    bool is_number = false;
    const int percent = QSettings().value(textBeforeKey()).toInt(&is_number);
    return is_number ? std::optional(percent) : std::nullopt;
}

void rememberTextBeforeTeaching(std::optional<int> percent) {
    if (percent) {
        QSettings().setValue(textBeforeKey(), *percent);
    } else {
        QSettings().remove(textBeforeKey());
    }
}

bool restoredWelcome() {
    return QSettings().value(welcomeKey(), true).toBool();
}

void rememberWelcome(bool at_start) {
    QSettings().setValue(welcomeKey(), at_start);
}

QString restoredLanguage() {
    return QSettings().value(languageKey(), QLatin1String(system_language)).toString();
}

void rememberLanguage(const QString& choice) {
    QSettings().setValue(languageKey(), choice);
}

void restoreAppearance(Appearance& appearance) {
    const QSettings settings;
    appearance.setTheme(themeChoice(settings.value(themeKey()).toString()));
    bool is_number = false;
    const int percent = settings.value(fontKey(), 100).toInt(&is_number);
    appearance.setFontPercent(is_number ? percent : 100);
}

void rememberAppearance(const Appearance& appearance) {
    QSettings settings;
    settings.setValue(themeKey(), name(appearance.theme()));
    settings.setValue(fontKey(), appearance.fontPercent());
}

} // namespace meshslice::ui
