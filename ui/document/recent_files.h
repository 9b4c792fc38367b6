#pragma once

#include <QStringList>

namespace meshslice::ui {

inline constexpr int most_recent_files = 8;

/// The paths last opened or saved, newest first, kept in the settings. Files that are gone are not listed.
[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

} // namespace meshslice::ui
