#pragma once

#include "core/question/question.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace meshslice::ui {

class WrappingRow;

/// Fields of a form under a button that shows and hides them.
struct FormGroup {
    QString title;
    std::vector<std::string_view> keys;
};

/// The fields of a question next to each other: lines, and lists of choices. Those that only a file fills
/// have a place where a group names them: the file's name, and a button that chooses one.
class QuestionForm : public QWidget {
    Q_OBJECT
  public:
    /// `last_row`: so many of the last fields begin a row of their own; 0: none does. `without`: keys of
    /// fields that stay as they are at first. `groups`: fields that
    /// are hidden at first; one group at a time is open.
    QuestionForm(const Question& question, QWidget* parent, std::size_t last_row = 4,
                 const std::vector<std::string_view>& without = {},
                 const std::vector<FormGroup>& groups = {});

    /// A QLineEdit or a QComboBox.
    [[nodiscard]] QWidget* field(std::size_t which) const { return fields_[which]; }
    /// By its key; null where there is none.
    [[nodiscard]] QWidget* field(std::string_view key) const;
    [[nodiscard]] const std::vector<QWidget*>& fields() const { return fields_; }
    /// The buttons of the groups.
    [[nodiscard]] const std::vector<QToolButton*>& groups() const { return group_buttons_; }
    /// What is typed, or the data of what is chosen, field by field.
    [[nodiscard]] QStringList texts() const;
    /// All of them at once; says so once.
    void setTexts(const QStringList& texts);
    /// These fields by their keys, the others as they are at first.
    void present(const std::map<std::string, std::string>& named);
    /// The same of what is not so yet, without saying that it changed: somebody else has changed it. What is
    /// not among a list's choices leaves the list without one.
    void follow(const std::map<std::string, std::string, std::less<>>& named);
    /// Undo and redo are the window's in every line, and `left` is said when one is left.
    void leaveUndoToWindow();
    [[nodiscard]] bool eventFilter(QObject* line, QEvent* event) override;
    /// The same texts by the keys of the fields.
    [[nodiscard]] OwnTexts typed() const;

  signals:
    void changed();
    void left();

  private:
    QWidget* makeField(const QuestionField& of);
    void place(WrappingRow* row, std::size_t field);
    void addGroups(QVBoxLayout* all, const std::vector<FormGroup>& groups);
    /// Says on the button of a group how many of its fields are not as they are at first.
    void countSet();

    std::vector<QuestionField> rows_; ///< of the fields
    std::vector<QWidget*> fields_;
    std::vector<FormGroup> groups_;
    std::vector<QToolButton*> group_buttons_;
};

} // namespace meshslice::ui
