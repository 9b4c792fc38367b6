#pragma once

#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;

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
    void addChoice(const QString& label, QWidget* field, QWidget* beside, const QString& meaning);
    void addWide(QWidget* widget);
    /// Hides or shows a field with its label and unit.
    void setFieldVisible(QWidget* field, bool visible);

    /// The widths that the labels and units ask for, and those they get: groups below
    /// each other line up.
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] int unitWidth() const;
    void setColumnWidths(int label, int unit);

    /// Why the last edit of a field here was refused; the panel shows it, so that no field has to move.
    void showSentence(const QString& sentence);
    [[nodiscard]] const QString& sentence() const { return sentence_; }

  signals:
    void sentenceChanged();

  private:
    struct Line {
        QLabel* label;
        QWidget* field;
        QLabel* unit;    ///< of a number
        QWidget* beside; ///< a list, where there is one
    };

    QLabel* makeLabel(const QString& text, QWidget* field, const QString& meaning);

    QGridLayout* grid_;
    QString sentence_;
    std::vector<Line> lines_;
};

/// A combo box that stays as narrow as its group, shows whole entries in its list and its tooltip, and is not
/// turned by the wheel.
[[nodiscard]] QComboBox* makeChoice(QWidget* parent);

} // namespace meshslice::ui
