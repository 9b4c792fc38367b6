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

constexpr qint64 most_bytes = 16 << 20;

QString lockOf(const QString& copy) {
    return copy + QStringLiteral(".lock");
}

Result<LostWork> read(const QFileInfo& copy) {
    QFile in(copy.filePath());
    if (!in.open(QIODevice::ReadOnly)) {
        return refuse(
            Autosave::tr("%1 cannot be read: %2.").arg(copy.fileName(), in.errorString()).toStdString());
    }
    if (in.size() > most_bytes) {
        return refuse(
            Autosave::tr("%1 is too large for a scenario file.").arg(copy.fileName()).toStdString());
    }
    QJsonParseError error{};
    const QJsonObject object = QJsonDocument::fromJson(in.readAll(), &error).object();
    if (error.error != QJsonParseError::NoError) {
        return refuse(
            Autosave::tr("%1 is damaged: %2.").arg(copy.fileName(), error.errorString()).toStdString());
    }
    const auto project = read_project(object.value(QStringLiteral("scenario")).toString().toStdString(),
                                      copy.fileName().toStdString());
    if (!project) {
        return refuse(project.error());
    }
    // A relative path would name another file now.
    const QString document = object.value(QStringLiteral("document")).toString();
    return LostWork{copy.filePath(), QDir::isAbsolutePath(document) ? document : QString(),
                    copy.lastModified(), *project};
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
    if (!document_->isModified() || (has_copy_ && saved_ == document_->project())) {
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
                           {QStringLiteral("scenario"), words(write_project(document_->project()))}};
    const QByteArray bytes = QJsonDocument(copy).toJson();
    if (writeWhole(file(), bytes)) {
        saved_ = document_->project();
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

LeftBehind Autosave::leftBehind(const QString& folder) {
    LeftBehind found;
    const QDir dir(folder);
    const QFileInfoList copies =
        dir.entryInfoList({QStringLiteral("unsaved-*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& copy : copies) {
        QLockFile lock(lockOf(copy.filePath()));
        lock.setStaleLockTime(0);
        if (!lock.tryLock()) {
            continue; // a running session owns it
        }
        if (auto work = read(copy)) {
            found.work.push_back(std::move(*work));
        } else {
            const QString kept = copy.filePath() + QStringLiteral(".unreadable");
            const bool renamed = QFile::rename(copy.filePath(), kept);
            found.unreadable.push_back(
                tr("%1 It is kept as %2.")
                    .arg(words(work.error().sentence), renamed ? kept : copy.filePath()));
        }
    }
    return found;
}

void Autosave::discard(const LostWork& work) {
    QFile::remove(work.file);
}

} // namespace meshslice::ui
