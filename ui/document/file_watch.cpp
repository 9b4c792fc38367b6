#include "ui/document/file_watch.h"

#include "ui/document/document.h"

#include <QFileInfo>

namespace meshslice::ui {

FileWatch::FileWatch(Document* document, QObject* parent) : QObject(parent), document_(document) {
    connect(document_, &Document::pathChanged, this, &FileWatch::follow);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &FileWatch::look);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &FileWatch::look);
    follow();
}

/// The folder too: a file that is replaced is no longer the one that was watched.
void FileWatch::follow() {
    if (const QStringList watched = watcher_.files() + watcher_.directories(); !watched.isEmpty()) {
        watcher_.removePaths(watched);
    }
    told_.reset();
    const QString path = document_->path();
    if (!path.isEmpty()) {
        watcher_.addPaths({path, QFileInfo(path).absolutePath()});
    }
}

void FileWatch::look() {
    const QString path = document_->path();
    if (!path.isEmpty() && QFileInfo::exists(path) && !watcher_.files().contains(path)) {
        watcher_.addPath(path);
    }
    const QDateTime when = QFileInfo(path).lastModified();
    if (document_->changedOnDisk() && told_ != when) {
        told_ = when;
        emit changedOutside();
    }
}

} // namespace meshslice::ui
