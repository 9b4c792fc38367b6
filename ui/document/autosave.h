#pragma once

#include "core/scenario/file/project.h"

#include <QByteArray>
#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

class QTimer;

namespace meshslice::ui {

class Document;

/// Work that an earlier session never saved.
struct LostWork {
    QString file;     ///< of the copy, or of what tells where it is
    QString copy;     ///< next to the document; empty where `file` is the copy
    QString document; ///< absolute path of the document it was a copy of; empty for an untitled one
    QDateTime when;
    Project project;
};

/// What earlier sessions left behind.
struct LeftBehind {
    std::vector<LostWork> work;
    /// Copies that this program cannot read: why, and where each is kept now.
    std::vector<QString> unreadable;
};

/// Keeps a copy of unsaved work and removes it when the work is saved or given up: next to the document's
/// file, as a project that can be opened ("gpt3.unsaved.meshslice.json"), or, of an untitled document and in
/// a folder that cannot be written, in the application's data folder. There one file a session tells of the
/// copy, and a lock file tells a copy in use from one that a crash left behind.
class Autosave : public QObject {
    Q_OBJECT
  public:
    static constexpr int interval_ms = 60'000;

    Autosave(Document* document, QString folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// The folder used by the running program.
    [[nodiscard]] static QString standardFolder();
    /// The copies that no running session owns. One that cannot be read is kept: it gets the ending
    /// ".unreadable", so that it is reported once.
    [[nodiscard]] static LeftBehind leftBehind(const QString& folder);
    static void discard(const LostWork& work);
    /// Where the copy of a document with this path stands: "gpt3.unsaved.meshslice.json" of
    /// "gpt3.meshslice.json"; empty of none.
    [[nodiscard]] static QString nextTo(const QString& document);

    /// Writes the copy now if there is unsaved work that it does not hold yet. Only its owner may read it.
    void saveNow();
    /// The work is saved or given up on purpose.
    void removeCopy();

  signals:
    /// No copy can be kept, and why: said once, until one can.
    void failed(const QString& sentence);

  private:
    [[nodiscard]] QString file() const;
    void fail(const QString& sentence);
    /// False where it cannot be there: another one is, the folder is that of the examples or cannot be
    /// written.
    bool saveNextToDocument(const std::string& project);

    /// Whether the file is what was written there: neither the document itself, nor another one's work.
    [[nodiscard]] bool holdsTheCopy(const QString& path) const;

    Document* document_;
    QString folder_;
    QString next_to_;            ///< the copy next to the document, while there is one
    QByteArray written_next_to_; ///< what it holds
    QString name_;
    std::unique_ptr<QLockFile> lock_;
    Project saved_;
    bool has_copy_ = false;
    bool failed_ = false; ///< which has been said
};

} // namespace meshslice::ui
