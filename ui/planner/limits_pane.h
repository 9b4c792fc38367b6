#pragma once

#include "core/plan/search/advice/plan_explanation.h"
#include "ui/charts/chart_canvas.h"
#include "ui/planner/plan_pane.h"

#include <QCoreApplication>

namespace meshslice::ui {

/// What the selected plan takes its time and its memory for, and in words what bounds it, what would save or
/// cost time, and what it hides.
class LimitsPane : public AskingPane<ChosenPlan, PlanLimits> {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::LimitsPane)
  public:
    explicit LimitsPane(QWidget* parent = nullptr);

    void follow(const std::optional<ChosenPlan>& chosen) override { want(chosen); }
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
