#pragma once

#include "core/scenario/scenario.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace meshslice::ui {

/// A line that says for how many chips the plans are and how many the rest of the window shows, where those
/// differ, and a button that plans for the latter. Hidden where they are the same.
class MachineLine : public QWidget {
    Q_OBJECT
  public:
    explicit MachineLine(QWidget* parent = nullptr);

    void follow(const Scenario& scenario);

    [[nodiscard]] QLabel* line() { return line_; }
    [[nodiscard]] QPushButton* planForMesh() { return plan_for_mesh_; }

  signals:
    void meshAsked();

  private:
    QLabel* line_;
    QPushButton* plan_for_mesh_;
};

} // namespace meshslice::ui
