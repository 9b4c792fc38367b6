#pragma once

#include "ui/session/session.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace meshslice::ui {

class ElidedLabel;

/// The right end of the status bar: how far the run is, or the search for what bounds it, and the button that
/// cancels it.
class RunStatus : public QWidget {
    Q_OBJECT
  public:
    /// Shorter runs show no bar: it would only flicker.
    static constexpr int patience_ms = 150;
    /// A shorter search for reasons shows none either.
    static constexpr int patience_with_reasons_ms = 1000;

    RunStatus(Session* session, QWidget* parent);

    [[nodiscard]] QLabel* plan() { return plan_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void follow();
    void begin();
    void finish(const QString& outcome);
    /// What bounds the run is still looked for, or not any more.
    void explain();
    void setRunning(bool running);
    /// As high with the button as without, so that the pictures above do not jump.
    void fitHeight();

    Session* session_;
    Session::Kind kind_ = Session::Kind::empty; ///< that is shown
    ElidedLabel* outcome_;
    QLabel* plan_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QTimer patience_;
    QTimer explaining_;
    QElapsedTimer clock_;
    QElapsedTimer explained_; ///< since when
};

} // namespace meshslice::ui
