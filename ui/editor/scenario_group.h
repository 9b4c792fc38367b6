#pragma once

#include "core/scenario/fields.h"
#include "ui/document/document.h"
#include "ui/editor/field_group.h"
#include "ui/session/task.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

class QAction;
class QCheckBox;
class QComboBox;
class QLineEdit;

namespace meshslice::ui {

class NumberField;

/// A heading of the scenario's field table with the fields below it, made from the rows: a list for choices,
/// a number field, a check box or a line of text, each with its label, unit and meaning. It shows a part of
/// the document's scenario and asks for edits of it. It holds no copy: after every change `refresh` shows the
/// document again.
class ScenarioGroup : public FieldGroup {
    Q_OBJECT
  public:
    /// `group`: the rows' heading. It is empty until `makeFields`.
    ScenarioGroup(const char* group, Document* document, QWidget* parent);

    /// Makes the fields of all rows, in their order. Once. Those that most users leave as they are stand
    /// behind a button, while they are as they are at first.
    void makeFields();
    virtual void refresh();
    /// Shows only the fields that matter for the task.
    void setTask(Task task);
    /// Whether any field matters.
    [[nodiscard]] bool isNeeded() const;
    [[nodiscard]] bool owns(std::string_view field) const;
    /// Says below a row's field, or the one edited last, why an edit was refused or the scenario does not
    /// run.
    void sayAbout(std::string_view field, const QString& sentence);
    void sayAboutLast(const QString& sentence) { sayAbout(edited_, sentence); }
    /// Whether a row has a field here that is not hidden for having no effect or being of another task.
    [[nodiscard]] bool shows(std::string_view field) const;
    /// Unfolds the group for a row's field. The field; null where there is none.
    QWidget* find(std::string_view field);
    /// The same, and brings the keyboard there.
    QWidget* goTo(std::string_view field);

  signals:
    /// The user edits here.
    void touched();
    /// The user wants to see what happens while the field takes other values.
    void sweepAsked(const QString& field);
    /// The user wants to read what the manual says of a word of its glossary.
    void manualAsked(const QString& word);

  protected:
    using Change = std::function<Result<void>(Scenario&)>;
    using Row = Field<Scenario>;

    /// Makes what stands for a row that no usual field suits. False: a usual one does.
    virtual bool makeSpecial(const Row& /*row*/) { return false; }
    /// Changes what cannot stay as it is with this new value of a field, in the same undo step. What it
    /// changed, as a sentence; empty where nothing.
    [[nodiscard]] virtual QString adapt(std::string_view /*field*/, Scenario& /*next*/) const { return {}; }
    /// What else the tooltip of a field says, as rich text.
    [[nodiscard]] virtual QString moreAbout(const Row& /*row*/) const { return {}; }
    /// Takes a choice that is none of the row's own, which a group has added to its list. False: it is none.
    virtual bool chooseOther(const Row& /*row*/, const QString& /*word*/) { return false; }
    /// The word of such a choice that the scenario has; empty where it has none.
    [[nodiscard]] virtual QString otherChosen(const Row& /*row*/) const { return {}; }
    /// A small button next to a list, or null.
    virtual QWidget* makeBeside(const Row& /*row*/) { return nullptr; }

    [[nodiscard]] const Scenario& scenario() const { return document_->scenario(); }
    [[nodiscard]] Task task() const { return task_; }
    /// The user has asked for the fields that most leave as they are.
    [[nodiscard]] bool showsMore() const;
    /// What the user edits a row's value with; null where there is nothing.
    [[nodiscard]] virtual QWidget* widgetOf(std::string_view field) const;
    /// Asks for an edit that typing may continue.
    void edit(std::string_view field, const Change& change);
    /// Asks for an edit that is complete: a choice from a list.
    void choose(std::string_view field, const Change& change);

    /// A list of the row's choices.
    void makeList(const Row& row);
    /// The list of a row, where it has one.
    [[nodiscard]] QComboBox* list(std::string_view field) const;
    /// Fills a list with these choices; what the scenario has stays chosen.
    void fillList(QComboBox* list, const Row& row, const std::vector<FieldChoice>& choices);

    /// Asks for an edit that is complete: a row's own value from a text.
    void chooseText(const Row& row, const std::string& words);
    /// The rows that have a field here, in their order.
    [[nodiscard]] std::vector<const Row*> rows() const;

    /// Adds to the menus of a row's field and its label: "Sweep this field", where it can vary, and "What the
    /// manual says", where the glossary has the label.
    void offerActions(const Row& row, QWidget* field);
    static void offer(QAction* action, QWidget* field, QLabel* label);

    /// A field for a number of this row, which the caller lays out; `apply` takes what its text means.
    NumberField* makeNumber(const Row& row,
                            const std::function<Result<void>(Scenario&, const FieldValue&)>& apply,
                            bool multiples = false);
    /// "The batch", as sentences about what was typed begin.
    [[nodiscard]] static QString subject(const Row& row);

    Document* document_;

  private:
    struct Made {
        const Row* row;
        QWidget* widget;
        std::function<void()> show; ///< shows the scenario's value
        bool effective = true;      ///< it is shown, unless it is one of those behind the button
    };

    void makeField(const Row& row);
    void makeNumberField(const Row& row);
    void makeCheck(const Row& row);
    void makeLine(const Row& row);
    void showInList(QComboBox* list, const Row& row);
    void chooseFromList(QComboBox* list, int index, const Row& row);
    /// Hides or greys what has no effect.
    void showEffect(Made& made);
    /// Whether the row matters for the task.
    [[nodiscard]] bool suits(const Row& row) const;
    /// Whether the row waits for somebody to ask for more.
    [[nodiscard]] bool isBehind(const Row& row) const;
    void makeMore();
    void showMore();

    const char* group_;
    std::vector<Made> made_;
    Task task_ = Task::block;
    QToolButton* more_ =
        nullptr; ///< shows the fields that most users leave as they are; null: there are none
    std::vector<std::pair<const Row*, QAction*>> sweeps_; ///< what sweeps a row's field
    std::string edited_;                                  ///< the row that was edited last
};

} // namespace meshslice::ui
