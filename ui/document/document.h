#pragma once

#include "core/base/result.h"
#include "core/scenario/file/project.h"

#include <QDateTime>
#include <QObject>
#include <QUndoStack>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice::ui {

/// The project that is being edited, its undo stack and its file. The only place that holds the variants:
/// widgets show what is here and ask for edits. Of the variants the current one is edited and shown.
class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    [[nodiscard]] const Project& project() const { return project_; }
    /// The current variant's.
    [[nodiscard]] const Scenario& scenario() const { return project_.scenario(); }
    /// What the current variant is compared with; null where none is pinned, or where it is itself.
    [[nodiscard]] const Variant* reference() const;
    [[nodiscard]] QUndoStack* undoStack() { return &undo_; }
    [[nodiscard]] bool isModified() const { return !undo_.isClean(); }
    /// Absolute; empty until the document has a file.
    [[nodiscard]] const QString& path() const { return path_; }
    /// Whether the file is one that came with the program, as it came: the next user wants it so.
    [[nodiscard]] bool isExample() const;
    /// The file's name, or "Untitled".
    [[nodiscard]] QString name() const;

    /// Makes `next` the current variant's scenario as one undo step of the field with this key of the
    /// scenario's field table; consecutive edits of one field merge until `endEdit`. What the engine refuses
    /// is explained by the result and by `refused`, and changes nothing: what the same typing did before it
    /// is taken back.
    Result<void> edit(const Scenario& next, std::string_view field);
    /// The same of any variant, as an undo step of its own; which one is shown stays as it is, also when it
    /// is undone. What the engine refuses is explained by the result alone.
    Result<void> editInPlace(std::size_t variant, const Scenario& next, std::string_view field);
    /// Explains why a text is not a value of the field, and takes back what the same typing did before it.
    void refuseEdit(std::string_view field, const QString& sentence);
    /// Takes back what typing into the field has done since the user came to it.
    void takeBack(std::string_view field);
    /// The user has left the field: the next edit is an undo step of its own.
    void endEdit();

    /// Shows another variant. No undo step: undoing an edit shows the variant that was edited.
    void show(std::size_t variant);
    /// A copy of the variant after it, which is then the current one. The first copy is compared with what
    /// it is a copy of. Refused where there are as many as a project holds.
    Result<void> duplicate(std::size_t variant);
    /// A scenario as a variant of its own, after the last one. The first one is compared with what was there,
    /// unless the two have nothing to do with each other.
    enum class Compared : std::uint8_t { with_the_first, with_none };
    Result<void> add(const std::string& name, const Scenario& scenario,
                     Compared compared = Compared::with_the_first);
    /// Refused where the name is empty or another variant's.
    Result<void> rename(std::size_t variant, const std::string& name);
    /// Puts the variant at another place.
    void move(std::size_t variant, std::size_t to);
    /// The last one that is left stays.
    void remove(std::size_t variant);
    /// The others are compared with this one; nothing: with none.
    void pin(std::optional<std::size_t> variant);
    /// What the variants are asked. No undo step: the question changes, the scenarios stay.
    void setTask(ProjectTask task);
    /// The moments that are marked on the time axis, as one undo step. Refused where one has no name, or
    /// there are more than a project holds.
    Result<void> setMarks(const std::vector<TimeMark>& marks);

    /// Back to the scenario a new user sees.
    void reset();
    /// A new document that begins with a project that can be opened again: there is nothing to save yet.
    void beginWith(const Project& project);
    /// Replaces the document by a file's. When the file cannot be read, the open document stays as it is.
    [[nodiscard]] Result<void> open(const QString& path);
    /// Writes the file whole or not at all, and remembers its path.
    [[nodiscard]] Result<void> save(const QString& path);
    /// Takes over work that was never saved, as modified.
    void restore(const Project& project, const QString& path);

    /// Whether somebody else has written the document's file since it was read or saved here.
    [[nodiscard]] bool changedOnDisk() const;

  signals:
    /// The current variant is another one, or has another scenario or name, or what it is compared with has.
    void scenarioChanged();
    /// Anything of the project is another: a scenario, a name, the order, what is current or pinned. After
    /// `scenarioChanged`, if both.
    void projectChanged();
    void pathChanged();
    /// Another document has taken the place of the one that was open. After the signals about what changed.
    void replaced();
    void modifiedChanged(bool modified);
    /// `field` is the key of a row of the scenario's field table.
    void refused(const QString& field, const QString& sentence);

  private:
    class Edit;
    class Rearrange;

    /// Changes the project as one undo step with this name.
    void rearrange(const QString& what, const std::function<void(Project&)>& change);
    void take(const Project& project);
    [[nodiscard]] Result<void> roomForOneMore() const;
    [[nodiscard]] const Edit* lastEdit() const;
    void replace(const Project& project, const QString& path);
    void rememberFile();
    /// A relative path names another file once the program, or the next one, runs in another folder.
    [[nodiscard]] static QString absolute(const QString& path);

    Project project_;
    QUndoStack undo_;
    QString path_;
    std::optional<QDateTime> written_; ///< when the file was last written, as seen here
    int sitting_ = 0; ///< grows when the user leaves a field, so that edits before and after do not merge
};

} // namespace meshslice::ui
