#pragma once

#include "core/scenario/scenario.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace meshslice::ui {

/// A line that says for which chips the plans are and which chips the rest of the window shows, where those
/// are others, and a button that plans for the latter. Hidden where they are the same.
class MachineLine : public QWidget {
    Q_OBJECT
  public:
    explicit MachineLine(QWidget* parent = nullptr);

    void follow(const Scenario& scenario);

    [[nodiscard]] QLabel* line() { return line_; }
    [[nodiscard]] QPushButton* planForOwn() { return plan_for_own_; }

  signals:
    void ownMachineAsked();

  private:
    QLabel* line_;
    QPushButton* plan_for_own_;
};

} // namespace meshslice::ui
