#pragma once

#include "core/plan/search/advice/plan_scaling.h"
#include "ui/charts/chart_canvas.h"
#include "ui/planner/plan_pane.h"

#include <QCoreApplication>

#include <memory>

namespace meshslice::ui {

/// How the best plan and its time change with the number of chips.
class ScalingPane : public AskingPane<PlanQuestion, PlanScaling> {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::ScalingPane)
  public:
    /// Tunes what is new to `groups` only.
    explicit ScalingPane(std::shared_ptr<TunedGroups> groups, QWidget* parent = nullptr);

    void follow(const std::optional<ChosenPlan>& chosen) override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override { return canvas_->keys(); }
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table table() const override;
    [[nodiscard]] ChartCanvas* canvas() const { return canvas_; }

  protected:
    void showAnswer() override;

  private:
    ChartCanvas* canvas_;
};

} // namespace meshslice::ui
