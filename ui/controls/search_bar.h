#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace meshslice::ui {

/// A line of words to search for, how many places have them, and whether only the rows of those are shown.
/// Enter and Shift+Enter go from one to the next, Escape closes it.
class SearchBar : public QWidget {
    Q_OBJECT
  public:
    /// `name` is for screen readers; `example` stands in the empty line, `tip` says what is found.
    SearchBar(const QString& name, const QString& example, const QString& tip, QWidget* parent);

    /// Shows it with the keyboard in its line, whose words are selected.
    void open();
    void closeBar();
    [[nodiscard]] QString words() const;
    void say(const QString& count);
    /// Only the rows of what is found.
    [[nodiscard]] bool filters() const;
    void setFilters(bool filters);

  signals:
    void wordsChanged(const QString& words);
    void filterChanged(bool filters);
    void nextAsked(bool forward);
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QLineEdit* line_;
    QLabel* count_;
    QCheckBox* filter_;
};

} // namespace meshslice::ui
