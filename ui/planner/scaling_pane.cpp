#include "ui/planner/scaling_pane.h"

#include "core/evidence/expected_plan.h"
#include "core/report/plan/plan_charts.h"
#include "ui/controls/scrolling.h"

#include <QBoxLayout>
#include <QScrollArea>

#include <utility>

namespace meshslice::ui {

ScalingPane::ScalingPane(std::shared_ptr<TunedGroups> groups, QWidget* parent)
    : AskingPane(
          [groups = std::move(groups)](const PlanQuestion& question, const RunControl& control) {
              return plan_scaling(question, control, groups, ranked_by(question));
          },
          parent)
    , canvas_(new ChartCanvas(this)) {
    setAccessibleName(tr("Time against number of chips"));
    canvas_->setAccessibleName(tr("Time against number of chips"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(makeScrolling(canvas_, this));
    setFocusProxy(canvas_);
}

void ScalingPane::follow(const std::optional<ChosenPlan>& chosen) {
    want(chosen ? std::optional(chosen->question) : std::nullopt);
}

void ScalingPane::showAnswer() {
    canvas_->show(answer() != nullptr ? std::optional(plan_scaling_chart(*answer())) : std::nullopt,
                  sentence());
}

void ScalingPane::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    std::as_const(*canvas_).surface()->paintPicture(painter, size, theme);
}

Table ScalingPane::table() const {
    return plan_scaling_table(*answer());
}

} // namespace meshslice::ui
