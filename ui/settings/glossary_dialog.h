#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QTextBrowser;

namespace meshslice::ui {

/// All words of the screens and exports, explained, with a line that searches them: first the words that
/// begin with what is typed, then those whose text has it. It blocks nothing.
class GlossaryDialog : public QDialog {
    Q_OBJECT
  public:
    explicit GlossaryDialog(QWidget* parent, const QString& word = {});

    [[nodiscard]] QLineEdit* line() { return line_; }
    [[nodiscard]] QTextBrowser* entries() { return entries_; }

  private:
    void find();

    QLineEdit* line_;
    QTextBrowser* entries_;
    QLabel* none_;
};

} // namespace meshslice::ui
