#pragma once

#include <QDialog>

namespace meshslice::ui {

/// A window next to the main one with a page of text to read, select and copy. It blocks nothing.
class FactsDialog : public QDialog {
    Q_OBJECT
  public:
    FactsDialog(const QString& title, const QString& rich_text, QWidget* parent);
};

} // namespace meshslice::ui
