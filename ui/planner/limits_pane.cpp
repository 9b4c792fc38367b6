#include "ui/planner/limits_pane.h"

#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_table.h"
#include "ui/controls/scrolling.h"

#include <QBoxLayout>
#include <QScrollArea>

#include <utility>

namespace meshslice::ui {

LimitsPane::LimitsPane(QWidget* parent)
    : AskingPane([](const ChosenPlan& chosen, const RunControl&) { return plan_limits(chosen); }, parent)
    , canvas_(new ChartCanvas(this)) {
    setAccessibleName(tr("Parts of the selected plan"));
    canvas_->setAccessibleName(tr("Parts of the selected plan"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(makeScrolling(canvas_, this));
    setFocusProxy(canvas_);
}

void LimitsPane::showAnswer() {
    canvas_->show(answer() != nullptr ? std::optional(plan_limits_chart(*answer())) : std::nullopt,
                  sentence());
}

void LimitsPane::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    std::as_const(*canvas_).surface()->paintPicture(painter, size, theme);
}

Table LimitsPane::table() const {
    return plan_parts_table(answer()->plan);
}

} // namespace meshslice::ui
