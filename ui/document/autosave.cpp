#include "ui/document/autosave.h"

#include "ui/document/document.h"
#include "ui/document/whole_file.h"
#include "ui/look/words.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTimer>
#include <QUuid>

#include <utility>

namespace meshslice::ui {
namespace {

QString lockOf(const QString& copy) {
    return copy + QStringLiteral(".lock");
}

} // namespace

Autosave::Autosave(Document* document, QString folder, QObject* parent)
    : QObject(parent)
    , document_(document)
    , folder_(std::move(folder))
    , name_(QStringLiteral("unsaved-%1.json").arg(QUuid::createUuid().toString(QUuid::Id128))) {
    auto* timer = new QTimer(this);
    timer->setInterval(interval_ms);
    connect(timer, &QTimer::timeout, this, &Autosave::saveNow);
    timer->start();
    connect(document_, &Document::modifiedChanged, this, [this](bool modified) {
        if (!modified) {
            removeCopy();
        }
    });
}

// The copy stays behind on purpose unless somebody called removeCopy: losing work is worse than asking.
Autosave::~Autosave() = default;

QString Autosave::standardFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/unsaved");
}

QString Autosave::file() const {
    return folder_ + QLatin1Char('/') + name_;
}

void Autosave::saveNow() {
    if (!document_->isModified() || (has_copy_ && saved_ == document_->scenario())) {
        return;
    }
    if (!QDir().mkpath(folder_)) {
        return; // nowhere to keep a copy; the document itself can still be saved, and that is where it is
                // said
    }
    if (!lock_) {
        lock_ = std::make_unique<QLockFile>(lockOf(file()));
        lock_->setStaleLockTime(0); // only a dead owner makes it stale, however long the session lasts
        (void)lock_->tryLock();
    }
    const QJsonObject copy{{QStringLiteral("document"), document_->path()},
                           {QStringLiteral("scenario"), words(write_scenario(document_->scenario()))}};
    const QByteArray bytes = QJsonDocument(copy).toJson();
    if (writeWhole(file(), bytes)) {
        saved_ = document_->scenario();
        has_copy_ = true;
    }
}

void Autosave::removeCopy() {
    if (has_copy_) {
        QFile::remove(file());
        has_copy_ = false;
    }
    lock_.reset();
}

std::vector<LostWork> Autosave::lostWork(const QString& folder) {
    std::vector<LostWork> found;
    const QDir dir(folder);
    const QFileInfoList copies =
        dir.entryInfoList({QStringLiteral("unsaved-*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& copy : copies) {
        QLockFile lock(lockOf(copy.filePath()));
        lock.setStaleLockTime(0);
        if (!lock.tryLock()) {
            continue; // a running session owns it
        }
        QFile in(copy.filePath());
        QJsonObject object;
        if (in.open(QIODevice::ReadOnly) && in.size() < (16 << 20)) {
            object = QJsonDocument::fromJson(in.readAll()).object();
        }
        const auto scenario = read_scenario(object.value(QStringLiteral("scenario")).toString().toStdString(),
                                            copy.fileName().toStdString());
        if (scenario) {
            found.push_back({copy.filePath(), object.value(QStringLiteral("document")).toString(),
                             copy.lastModified(), *scenario});
        } else {
            QFile::remove(copy.filePath());
        }
    }
    return found;
}

void Autosave::discard(const LostWork& work) {
    QFile::remove(work.file);
}

} // namespace meshslice::ui
