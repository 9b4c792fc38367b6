#pragma once

#include "ui/session/session.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace meshslice::ui {

/// The right end of the status bar: how far the run is, and the button that cancels it.
class RunStatus : public QWidget {
    Q_OBJECT
  public:
    /// Shorter runs show no bar: it would only flicker.
    static constexpr int patience_ms = 150;

    RunStatus(Session* session, QWidget* parent);

    [[nodiscard]] QLabel* plan() { return plan_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void follow();
    void begin();
    void finish(const QString& outcome);
    void setRunning(bool running);
    /// As high with the button as without, so that the pictures above do not jump.
    void fitHeight();

    Session* session_;
    Session::Kind kind_ = Session::Kind::empty; ///< that is shown
    QLabel* outcome_;
    QLabel* plan_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QTimer patience_;
    QElapsedTimer clock_;
};

} // namespace meshslice::ui
