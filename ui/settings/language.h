#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace meshslice::ui {

/// A language of the window: its code, "zh_CN", and what it calls itself.
struct WindowLanguage {
    QString code;
    QString name;
};

/// English, and those of resources/translations.
[[nodiscard]] const std::vector<WindowLanguage>& windowLanguages();

/// What the settings say instead of a code: the desktop's language, where the window has it.
inline constexpr const char* system_language = "system";

/// The code of the language that a choice means on a desktop with these languages, the preferred one first;
/// English for what the window does not have.
[[nodiscard]] QString languageOf(const QString& choice, const QStringList& desktop);

/// The whole program speaks it from now on: the window's texts, Qt's own, where they are installed, and the
/// engine's sentences. Called once, before the window is made.
void speak(const QString& code);

} // namespace meshslice::ui
