#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>

#include <optional>

namespace meshslice::ui {

class Document;

/// Notices when another program writes the document's file, at any time: also when it puts a new file in the
/// old one's place.
class FileWatch : public QObject {
    Q_OBJECT
  public:
    explicit FileWatch(Document* document, QObject* parent = nullptr);

  signals:
    /// The file is not what was read or saved here. Said once for each change.
    void changedOutside();

  private:
    void follow();
    void look();

    Document* document_;
    QFileSystemWatcher watcher_;
    std::optional<QDateTime> told_; ///< when the change that was said was made
};

} // namespace meshslice::ui
