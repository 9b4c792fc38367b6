#pragma once

#include "ui/settings/appearance.h"

#include <QByteArray>
#include <QSize>
#include <QStringList>

#include <optional>

class QMainWindow;

namespace meshslice::ui {

/// Grows when docks or toolbars change so that an older arrangement no longer fits; an older one is then
/// dropped.
inline constexpr int window_state_version = 1;

/// How large a new user's window is on a screen with `available` room: its frame and title stay on the
/// screen.
[[nodiscard]] QSize firstSize(const QSize& available);

/// Restores size and docks from the settings. False where there are none, or they are damaged or of another
/// version; the window is then as it was.
[[nodiscard]] bool restoreWindow(QMainWindow& window);
void rememberWindow(const QMainWindow& window);

/// Whether two pictures stood side by side.
[[nodiscard]] bool restoredSideBySide();
void rememberSideBySide(bool side_by_side);

/// What was taken from the command palette, the last one first.
[[nodiscard]] QStringList restoredRecentActions();
void rememberRecentActions(const QStringList& names);

/// The size of the text to come back to from the layout for teaching, in percent; none outside of it.
[[nodiscard]] std::optional<int> restoredTextBeforeTeaching();
void rememberTextBeforeTeaching(std::optional<int> percent);

/// Whether the welcome is shown at the start: until it has been seen.
[[nodiscard]] bool restoredWelcome();
void rememberWelcome(bool at_start);

/// The language that was chosen: a code, or `system_language`.
[[nodiscard]] QString restoredLanguage();
void rememberLanguage(const QString& choice);

/// Theme and font size; what is missing or damaged is the default.
void restoreAppearance(Appearance& appearance);
void rememberAppearance(const Appearance& appearance);

} // namespace meshslice::ui
