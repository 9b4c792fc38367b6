#include "ui/breakdown/breakdown_view.h"

#include "core/base/text.h"
#include "core/report/chart/step_charts.h"
#include "core/step/breakdown.h"
#include "ui/view/finding.h"

namespace meshslice::ui {

QString breakdownFinding(const Results& results) {
    const QString compared = comparisonFinding(results);
    if (!compared.isEmpty()) {
        return compared;
    }
    if (results.steps.size() == 1 && results.steps[0].usage.communication() > Time(0)) {
        return BreakdownView::tr("%1 hides %2 of its communication behind multiplication")
            .arg(stepTitle(results.steps[0]),
                 QString::fromStdString(percent_text(results.steps[0].hidden_share())));
    }
    return BreakdownView::tr("Where does the time of each GEMM go?");
}

BreakdownView::BreakdownView(Session* session, QWidget* parent) : ChartView(session, parent) {
    setAccessibleName(tr("Breakdown"));
}

Chart BreakdownView::makeChart() const {
    return breakdown_chart(results()->steps, breakdownFinding(*results()).toStdString());
}

Table BreakdownView::makeTable() const {
    return meshslice::table(breakdown(results()->steps));
}

QString BreakdownView::nothingToShow() const {
    return thereAreGemms() ? QString() : tr("There are no GEMMs to break down.");
}

} // namespace meshslice::ui
