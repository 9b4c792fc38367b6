#include "ui/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace meshslice::ui {
namespace {

QString key() {
    return QStringLiteral("recentFiles");
}

} // namespace

QStringList recentFiles() {
    // Settings can be edited by hand: whatever does not name a file is passed over.
    QStringList files;
    for (const QString& path : QSettings().value(key()).toStringList()) {
        if (QFileInfo(path).isFile() && !files.contains(path) && files.size() < most_recent_files) {
            files << path;
        }
    }
    return files;
}

void addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(key(), QStringList(files.mid(0, most_recent_files)));
}

void clearRecentFiles() {
    QSettings().remove(key());
}

} // namespace meshslice::ui
