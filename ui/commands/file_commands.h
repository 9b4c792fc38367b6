#pragma once

#include "core/scenario/file/project.h"

#include <QObject>
#include <QPointer>
#include <QString>

class QMenu;
class QMessageBox;
class QWidget;

namespace meshslice::ui {

class Document;

/// What the File menu does with the document: asks for paths, asks before work is lost, says what went wrong.
class FileCommands : public QObject {
    Q_OBJECT
  public:
    FileCommands(Document* document, QWidget* window);

    void newDocument();
    void open();
    /// False, with a box that says why, where the file cannot be opened; the document is then as it was.
    bool openPath(const QString& path);
    /// Asks where, as "Save as" does, where there is no file yet, or only an example's.
    bool save();
    bool saveAs();
    /// Another program has written the document's file: asks whether to read it again. Waits for nobody.
    void askToReload();
    /// Whether the document may be replaced or closed: asks when there is unsaved work.
    [[nodiscard]] bool mayDiscard();

    /// Begins with a project that comes with the program, and opens a file; both ask first where there is
    /// unsaved work.
    void beginWith(const Project& project);
    void askAndOpen(const QString& path);

    /// The document as one text, which goes into a message, and the other way round (shared_text.h). Pasting
    /// asks first where there is unsaved work, and says what is wrong with a text that is damaged.
    void copyAsText();
    void pasteText();

    /// Fills the menu with the recent files.
    void fillRecent(QMenu* menu);
    /// Fills the menu with the scenarios that come with the program.
    void fillExamples(QMenu* menu);
    /// Where the first "Save" would put the document: its folder and a name that says what it is.
    [[nodiscard]] QString proposedPath() const;

  signals:
    void opened();
    /// A file that is to be opened is a lesson; the document stays as it is.
    void lessonAsked(const QString& path);
    /// Or a trace or a log of a measured run.
    void measuredAsked(const QString& path);

  private:
    bool saveTo(const QString& path);
    [[nodiscard]] QString folder() const;

    Document* document_;
    QWidget* window_;
    QPointer<QMessageBox> reload_; ///< the question, while it is open
};

} // namespace meshslice::ui
