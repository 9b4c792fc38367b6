#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace meshslice::ui {

/// Fields that belong together, under a heading: label, field and unit in three columns.
class FieldGroup : public QWidget {
    Q_OBJECT
  public:
    explicit FieldGroup(const QString& heading, QWidget* parent = nullptr);

    /// `label` may carry a mnemonic (&); `meaning` becomes tooltip and description for screen readers.
    void addNumber(const QString& label, QWidget* field, const QString& unit, const QString& meaning);
    /// A list needs no unit but width: it takes that column too, less a small button next to it, if there is
    /// one.
    void addChoice(const QString& label, QWidget* field, QWidget* extra, const QString& meaning);
    void addWide(QWidget* widget);
    /// Puts a small button behind the unit of a number.
    void addBehind(QWidget* field, QWidget* button);
    /// The label of a field; null where it has none.
    [[nodiscard]] QLabel* labelOf(const QWidget* field) const;
    /// Makes the label of a field bold, where its value is not the usual one.
    void setMarked(QWidget* field, bool marked);
    /// Its columns are its own, and labels break into lines rather than make the panel wider. Before there
    /// are fields.
    void setNarrow() { narrow_ = true; }
    /// The heading becomes a button that shows and hides the fields, which are hidden first.
    void makeCollapsible();
    void setExpanded(bool expanded);
    [[nodiscard]] bool isExpanded() const { return !body_->isHidden(); }
    void setHeading(const QString& heading);
    /// Hides or shows a field with its label and unit.
    void setFieldVisible(QWidget* field, bool visible);

    /// The widths that the labels and units ask for, none where they are hidden, and those they get: groups
    /// below each other line up.
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] int unitWidth() const;
    void setColumnWidths(int label, int unit);

    /// Says below a field why its last edit was refused, and marks the field; below all fields where none is
    /// named. An empty sentence takes it back.
    void showSentence(const QString& sentence, QWidget* field = nullptr);
    [[nodiscard]] QString sentence() const;
    /// What shows it.
    [[nodiscard]] QLabel* sentenceLabel() const { return sentence_; }

  signals:
    void sentenceChanged();
    /// The fields were shown or hidden.
    void expandedChanged();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Line {
        QLabel* label;
        QWidget* field;
        QLabel* unit;   ///< of a number
        QWidget* extra; ///< a list, where there is one
        int row;        ///< in the grid; a sentence about the field has the next one
    };

    /// The width of the longest word of the labels, as marked ones have it.
    [[nodiscard]] int longestWord() const;
    QLabel* makeLabel(const QString& text, QWidget* field, const QString& meaning);

    /// The grid's next row for a field.
    [[nodiscard]] int nextRow();
    void colorSentence();

    QLabel* title_;
    QToolButton* fold_ = nullptr; ///< instead of the title, where the fields can be hidden
    QWidget* body_;               ///< all but the heading
    QGridLayout* grid_;
    int rows_ = 0;
    bool narrow_ = false;
    QLabel* sentence_;
    QPointer<QWidget> marked_; ///< the field that the sentence is about
    std::vector<Line> lines_;
};

/// A combo box that stays as narrow as its group, shows whole entries in its list and its tooltip, and is not
/// turned by the wheel.
[[nodiscard]] QComboBox* makeChoice(QWidget* parent);

} // namespace meshslice::ui
