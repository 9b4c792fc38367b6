#pragma once

#include "core/question/question.h"

#include <QStringList>
#include <QWidget>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice::ui {

/// The fields of a question next to each other: lines, and lists of choices. Those that only a file fills
/// have no place.
class QuestionForm : public QWidget {
    Q_OBJECT
  public:
    /// `last_row`: so many of the last fields begin a row of their own; 0: none does. `without`: keys of
    /// fields that stay as they are at first.
    QuestionForm(const Question& question, QWidget* parent, std::size_t last_row = 4,
                 const std::vector<std::string_view>& without = {});

    /// A QLineEdit or a QComboBox.
    [[nodiscard]] QWidget* field(std::size_t which) const { return fields_[which]; }
    /// By its key; null where there is none.
    [[nodiscard]] QWidget* field(std::string_view key) const;
    [[nodiscard]] const std::vector<QWidget*>& fields() const { return fields_; }
    /// What is typed, or the data of what is chosen, field by field.
    [[nodiscard]] QStringList texts() const;
    /// All of them at once; says so once.
    void setTexts(const QStringList& texts);
    /// These fields by their keys, the others as they are at first.
    void present(const std::map<std::string, std::string>& named);
    /// The same texts by the keys of the fields.
    [[nodiscard]] OwnTexts typed() const;

  signals:
    void changed();

  private:
    QWidget* makeField(const QuestionField& of);

    std::vector<QuestionField> rows_; ///< of the fields
    std::vector<QWidget*> fields_;
};

} // namespace meshslice::ui
