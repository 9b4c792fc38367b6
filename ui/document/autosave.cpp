#include "ui/document/autosave.h"

#include "core/base/json/json_reader.h"
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
/// Others may plant a link in a shared folder, and must not read what the document keeps from them.
constexpr OutputRules private_file{.through_links = false, .private_file = true};

QString lockOf(const QString& copy) {
    return copy + QStringLiteral(".lock");
}

/// The path of the copy next to the document; empty where there is none, or where it would be another one
/// now.
QString copyToldOf(const QJsonObject& object) {
    const QString path = object.value(QStringLiteral("copy")).toString();
    return QDir::isAbsolutePath(path) ? path : QString();
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
    const QString next_to = copyToldOf(object);
    QString text = object.value(QStringLiteral("scenario")).toString();
    if (!next_to.isEmpty()) {
        const auto read = read_text_file(QFile::encodeName(next_to).toStdString());
        if (!read) {
            return refuse(read.error());
        }
        text = words(*read);
    }
    const QFileInfo of(next_to.isEmpty() ? copy.filePath() : next_to);
    const auto project = read_project(text.toStdString(), of.fileName().toStdString());
    if (!project) {
        return refuse(project.error());
    }
    // A relative path would name another file now.
    const QString document = object.value(QStringLiteral("document")).toString();
    return LostWork{copy.filePath(), next_to, QDir::isAbsolutePath(document) ? document : QString(),
                    of.lastModified(), *project};
}

/// The copy that this tells of, where it is not there.
std::optional<QString> missingCopy(const QFileInfo& copy) {
    QFile in(copy.filePath());
    if (!in.open(QIODevice::ReadOnly) || in.size() > most_bytes) {
        return std::nullopt;
    }
    const QString next_to = copyToldOf(QJsonDocument::fromJson(in.readAll()).object());
    return next_to.isEmpty() || QFile::exists(next_to) ? std::nullopt : std::optional(next_to);
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
        fail(tr("The folder %1 cannot be made.").arg(folder_));
        return;
    }
    if (!lock_) {
        lock_ = std::make_unique<QLockFile>(lockOf(file()));
        lock_->setStaleLockTime(0); // only a dead owner makes it stale, however long the session lasts
        (void)lock_->tryLock();
    }
    const std::string project = write_project(document_->project());
    QJsonObject copy{{QStringLiteral("document"), document_->path()}};
    if (saveNextToDocument(project)) {
        copy.insert(QStringLiteral("copy"), next_to_);
    } else {
        copy.insert(QStringLiteral("scenario"), words(project));
    }
    const QByteArray bytes = QJsonDocument(copy).toJson();
    if (const auto written = writeWhole(file(), bytes, private_file); !written) {
        fail(words(written.error().sentence));
        return;
    }
    saved_ = document_->project();
    has_copy_ = true;
    failed_ = false;
}

void Autosave::fail(const QString& sentence) {
    if (!std::exchange(failed_, true)) {
        emit failed(tr("No copy of unsaved work can be kept. %1").arg(sentence));
    }
}

QString Autosave::nextTo(const QString& document) {
    const QFileInfo info(document);
    if (document.isEmpty()) {
        return {};
    }
    QString name = info.fileName();
    const QString project = QStringLiteral(".meshslice.json");
    const QString ending = name.endsWith(project) ? project : QLatin1Char('.') + info.suffix();
    name.chop(info.suffix().isEmpty() ? 0 : ending.size());
    return info.absoluteDir().filePath(name + QStringLiteral(".unsaved") + project);
}

bool Autosave::saveNextToDocument(const std::string& project) {
    const QString path = nextTo(document_->path());
    const QFileInfo there(path); // A link may lead to what is not there.
    const bool own = !path.isEmpty() &&
                     ((!there.exists() && !there.isSymLink()) || (path == next_to_ && holdsTheCopy(path)));
    const QByteArray bytes = QByteArray::fromStdString(project);
    if (!own || document_->isExample() || !writeWhole(path, bytes, private_file)) {
        return false;
    }
    next_to_ = path;
    written_next_to_ = bytes;
    return true;
}

bool Autosave::holdsTheCopy(const QString& path) const {
    QFile in(path);
    return path != document_->path() && in.open(QIODevice::ReadOnly) &&
           in.size() == written_next_to_.size() && in.readAll() == written_next_to_;
}

void Autosave::removeCopy() {
    if (has_copy_) {
        QFile::remove(file());
        has_copy_ = false;
    }
    if (const QString copy = std::exchange(next_to_, {}); !copy.isEmpty() && holdsTheCopy(copy)) {
        QFile::remove(copy);
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
        if (const auto missing = missingCopy(copy)) {
            // Somebody has deleted or renamed it, unless its folder is on a disk that is not there now.
            if (QFileInfo(*missing).dir().exists()) {
                QFile::remove(copy.filePath());
            }
            continue;
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
    if (!work.copy.isEmpty()) {
        QFile::remove(work.copy);
    }
}

} // namespace meshslice::ui
