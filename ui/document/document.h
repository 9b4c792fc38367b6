#pragma once

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "ui/document/field.h"

#include <QDateTime>
#include <QObject>
#include <QUndoStack>

#include <optional>

namespace meshslice::ui {

/// The scenario that is being edited, its undo stack and its file. The only place that holds the scenario:
/// widgets show what is here and ask for edits.
class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] QUndoStack* undoStack() { return &undo_; }
    [[nodiscard]] bool isModified() const { return !undo_.isClean(); }
    /// Absolute; empty until the document has a file.
    [[nodiscard]] const QString& path() const { return path_; }
    /// The file's name, or "Untitled".
    [[nodiscard]] QString name() const;

    /// Makes `next` the scenario as one undo step; consecutive edits of one field merge until `endEdit`. What
    /// the engine refuses changes nothing and is said by the result and by `refused`.
    Result<void> edit(const Scenario& next, Field field);
    /// The user has left the field: the next edit is an undo step of its own.
    void endEdit();

    /// Back to the scenario a new user sees.
    void reset();
    /// Replaces the document by a file's. When the file cannot be read, the open document stays as it is.
    [[nodiscard]] Result<void> open(const QString& path);
    /// Writes the file whole or not at all, and remembers its path.
    [[nodiscard]] Result<void> save(const QString& path);
    /// Takes over work that was never saved, as modified.
    void restore(const Scenario& scenario, const QString& path);

    /// Whether somebody else has written the document's file since it was read or saved here.
    [[nodiscard]] bool changedOnDisk() const;

  signals:
    void scenarioChanged();
    void pathChanged();
    void modifiedChanged(bool modified);
    void refused(meshslice::ui::Field field, const QString& sentence);

  private:
    class Edit;

    void replace(const Scenario& scenario, const QString& path);
    void rememberFile();
    /// A relative path names another file once the program, or the next one, runs in another folder.
    [[nodiscard]] static QString absolute(const QString& path);

    Scenario scenario_;
    QUndoStack undo_;
    QString path_;
    std::optional<QDateTime> written_; ///< when the file was last written, as seen here
    int sitting_ = 0; ///< grows when the user leaves a field, so that edits before and after do not merge
};

} // namespace meshslice::ui
