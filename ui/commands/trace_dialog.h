#pragma once

#include "core/report/trace_chips.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace meshslice::ui {

class Session;

/// Asks which chips a trace is to hold, and says how large it will be.
class TraceDialog : public QDialog {
    Q_OBJECT
  public:
    TraceDialog(Session* session, QWidget* parent);

    /// Refused where what is typed names no chips.
    [[nodiscard]] Result<TraceChips> chips() const;
    [[nodiscard]] QComboBox* which() { return which_; }
    [[nodiscard]] QLineEdit* listed() { return listed_; }
    [[nodiscard]] QPushButton* saveButton() { return save_; }
    /// "24 chips of A and B; about 1.2 MB", or why there is no trace.
    [[nodiscard]] QLabel* note() { return note_; }

  signals:
    /// It is to be saved; the dialog stays until it is closed.
    void saveAsked();

  private:
    void renew();

    Session* session_;
    QComboBox* which_;
    QLineEdit* listed_;
    QLabel* note_;
    QPushButton* save_;
};

} // namespace meshslice::ui
