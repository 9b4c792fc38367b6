#pragma once

#include "core/base/result.h"
#include "core/scenario/scenario.h"

#include <QDateTime>
#include <QObject>
#include <QUndoStack>

#include <optional>
#include <string>
#include <string_view>

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

    /// Makes `next` the scenario as one undo step of the field with this key of the scenario's field table;
    /// consecutive edits of one field merge until `endEdit`. What the engine refuses is explained by the
    /// result and by `refused`, and changes nothing: what the same typing did before it is taken back.
    Result<void> edit(const Scenario& next, std::string_view field);
    /// Explains why a text is no value of the field, and takes back what the same typing did before it.
    void refuseEdit(std::string_view field, const QString& sentence);
    /// Takes back what typing into the field has done since the user came to it.
    void takeBack(std::string_view field);
    /// The user has left the field: the next edit is an undo step of its own.
    void endEdit();

    /// Back to the scenario a new user sees.
    void reset();
    /// A new document that begins with a scenario which is to be had again: there is nothing to save yet.
    void beginWith(const Scenario& scenario);
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
    /// `field` is the key of a row of the scenario's field table.
    void refused(const QString& field, const QString& sentence);

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
