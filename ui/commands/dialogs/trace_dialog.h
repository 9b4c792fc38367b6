#pragma once

#include "core/base/quantity.h"
#include "core/report/traced_step.h"
#include "ui/session/inquiry.h"
#include "ui/session/results.h"

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
    /// "24 chips of A and B; about 1.2 MB", "about …" while that is added up, or why there is no trace.
    [[nodiscard]] QLabel* note() { return note_; }
    /// What adds up the size, for tests.
    [[nodiscard]] LatestJob* job() { return sizes_.job(); }

  signals:
    /// It is to be saved; the dialog stays until it is closed.
    void saveAsked();

  private:
    /// How large a trace is.
    struct SizeRequest {
        ResultsPtr results;
        TraceChips chips;

        bool operator==(const SizeRequest&) const = default;
    };

    void renew();
    /// "1.2 MB", and how many arrows are left out; "…" while it is added up.
    [[nodiscard]] QString sizeOf(const SizeRequest& request);

    Session* session_;
    QComboBox* which_;
    QLineEdit* listed_;
    QLabel* note_;
    QPushButton* save_;
    Inquiry<SizeRequest, TraceSize> sizes_;
};

} // namespace meshslice::ui
