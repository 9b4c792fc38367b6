#include "ui/roofline/roofline_view.h"

#include "core/report/chart/step_charts.h"
#include "core/step/roofline.h"
#include "ui/view/finding.h"

#include <algorithm>

namespace meshslice::ui {

QString rooflineFinding(const Results& results) {
    if (results.steps.empty()) {
        return {};
    }
    // By closed form, which knows no faults.
    const TrainingStep& step = results.steps.front();
    const QString name =
        step.faults.none() ? stepTitle(step) : RooflineView::tr("%1 without faults").arg(stepTitle(step));
    const auto& gemms = step.gemms;
    const auto boundBy = [&](auto has) {
        return static_cast<int>(std::ranges::count_if(gemms, [&](const GemmResult& gemm) {
            return gemm.bottleneck.part && !gemm.bottleneck.balanced() && has(*gemm.bottleneck.part);
        }));
    };
    const int all = static_cast<int>(gemms.size());
    const int byLinks = boundBy(is_links);
    const int byMemory = boundBy([](Part part) { return part == Part::memory; });
    const int byLatency = boundBy([](Part part) { return part == Part::latency; });
    const auto sentence = [&](const QString& by, int count) {
        return all == 1     ? RooflineView::tr("This GEMM of %1 is bound by %2").arg(name, by)
               : count == 1 ? RooflineView::tr("1 of %1 GEMMs of %2 is bound by %3")
                                  .arg(QString::number(all), name, by)
                            : RooflineView::tr("%1 of %2 GEMMs of %3 are bound by %4")
                                  .arg(QString::number(count), QString::number(all), name, by);
    };
    if (byLinks > 0 && byLinks >= byMemory && byLinks >= byLatency) {
        return sentence(RooflineView::tr("links"), byLinks);
    }
    if (byMemory > 0 && byMemory >= byLatency) {
        return sentence(RooflineView::tr("memory"), byMemory);
    }
    if (byLatency > 0) {
        return sentence(RooflineView::tr("latency"), byLatency);
    }
    if (const int byCompute = boundBy([](Part part) { return part == Part::compute; }); byCompute > 0) {
        return sentence(RooflineView::tr("compute"), byCompute);
    }
    return RooflineView::tr("No single part of the machine bounds a GEMM of %1").arg(name);
}

RooflineView::RooflineView(Session* session, QWidget* parent) : ChartView(session, parent) {
    setAccessibleName(tr("Roofline"));
}

Chart RooflineView::makeChart() const {
    const Results& shown = *results();
    return roofline_chart(shown.steps, shown.scenarios(), rooflineFinding(shown).toStdString());
}

Table RooflineView::makeTable() const {
    // Both panels, one below the other; the first column says which.
    const Results& shown = *results();
    Table both;
    both.title = "roofline";
    for (const auto roofline_of : {chip_roofline, link_roofline}) {
        for (std::size_t step = 0; step < shown.steps.size(); ++step) {
            const Roofline roofline = roofline_of({shown.steps[step]}, shown.scenario_of(step));
            const Table one = meshslice::table(roofline);
            both.columns = one.columns;
            both.columns.insert(both.columns.begin(), "roofline");
            for (std::vector<Table::Cell> row : one.rows) {
                row.insert(row.begin(), roofline.title);
                both.rows.push_back(std::move(row));
            }
        }
    }
    return both;
}

QString RooflineView::nothingToShow() const {
    return thereAreGemms() ? QString() : tr("There are no GEMMs to show in the roofline.");
}

} // namespace meshslice::ui
