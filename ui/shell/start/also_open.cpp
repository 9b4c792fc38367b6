#include "ui/shell/start/also_open.h"

#include "ui/document/document.h"
#include "ui/shell/main_window.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLockFile>
#include <QStatusBar>

namespace meshslice::ui {

AlsoOpen::AlsoOpen(MainWindow* window, const QString& folder)
    : QObject(window)
    , window_(window)
    , folder_(folder)
    , note_(new QLabel(tr("Also open in another window"))) {
    note_->setToolTip(tr("What is saved in one window is noticed in the other."));
    note_->hide();
    window->statusBar()->addPermanentWidget(note_);
    connect(window->document(), &Document::pathChanged, this, &AlsoOpen::follow);
    follow();
}

AlsoOpen::~AlsoOpen() = default;

void AlsoOpen::follow() {
    lock_.reset();
    elsewhere_ = false;
    const QString path = QFileInfo(window_->document()->path()).canonicalFilePath();
    note_->hide();
    if (path.isEmpty() || !QDir().mkpath(folder_)) {
        return;
    }
    const QByteArray name = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex();
    lock_ = std::make_unique<QLockFile>(
        QDir(folder_).filePath(QString::fromLatin1(name) + QStringLiteral(".open")));
    lock_->setStaleLockTime(0); // one of a program that has ended counts as none
    if (!lock_->tryLock(0) && lock_->error() == QLockFile::LockFailedError) {
        elsewhere_ = true;
        note_->show();
    }
}

} // namespace meshslice::ui
