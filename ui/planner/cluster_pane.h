#pragma once

#include "ui/planner/cluster_picture.h"
#include "ui/planner/plan_pane.h"
#include "ui/view/readable.h"

#include <QCoreApplication>

namespace meshslice::ui {

/// Where the groups of the selected plan stand: fast domains as boxes of chips, the groups of one chip
/// coloured, and which traffic crosses the slow network. A click or the arrows select another chip.
class ClusterPane : public AskingPane<ChosenPlan, PlanPlaces>, public Readable {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::ClusterPane)
  public:
    explicit ClusterPane(QWidget* parent = nullptr);

    void follow(const std::optional<ChosenPlan>& chosen) override { want(chosen); }
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const override;
    /// The traffic of each group, a group a row.
    [[nodiscard]] Table table() const override;
    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] QSize sizeHint() const override { return {900, 420}; }

    [[nodiscard]] const PlanChip& selected() const { return selected_; }
    void select(const PlanChip& chip);
    /// Where the parts stand; isReady().
    [[nodiscard]] ClusterLayout layoutNow() const;

  protected:
    void showAnswer() override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void takeHeight();
    void walk(int turn);

    PlanChip selected_;
    std::optional<ChosenPlan> shown_;
};

} // namespace meshslice::ui
