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
    const Roofline chip = chip_roofline(results.steps, results.scenario);
    const Roofline links = link_roofline(results.steps, results.scenario);
    const std::string& id = results.steps.front().algorithm;
    const QString name = algorithmTitle(id);
    const auto slanted = [&](const Roofline& roofline) {
        return static_cast<int>(
            std::count_if(roofline.points.begin(), roofline.points.end(), [&](const RooflinePoint& point) {
                return point.algorithm == id &&
                       std::any_of(roofline.roofs.begin(), roofline.roofs.end(), [&](const Roof& roof) {
                           return roof.name == point.bound && roof.bytes_per_s > 0;
                       });
            }));
    };
    const int all = static_cast<int>(results.steps.front().gemms.size());
    const int byLinks = slanted(links);
    const int byMemory = slanted(chip);
    if (byLinks > 0) {
        return RooflineView::tr("The links bound %1 of the %2 GEMMs of %3").arg(byLinks).arg(all).arg(name);
    }
    // Simulated times count FLOP and link traffic; memory traffic is only compared with them here.
    if (byMemory > 0) {
        return all == 1 ? RooflineView::tr(
                              "Memory would limit this GEMM of %1; its simulated time leaves that out")
                              .arg(name)
                        : RooflineView::tr(
                              "Memory would limit %1 of the %2 GEMMs of %3; simulated times leave that out")
                              .arg(byMemory)
                              .arg(all)
                              .arg(name);
    }
    return RooflineView::tr("Neither memory nor links bound %1: every GEMM could reach the chip's peak")
        .arg(name);
}

RooflineView::RooflineView(Session* session, QWidget* parent) : ChartView(session, parent) {
    setAccessibleName(tr("Roofline"));
}

Chart RooflineView::makeChart() const {
    const Results& shown = *results();
    return roofline_chart(shown.steps, shown.scenario, rooflineFinding(shown).toStdString());
}

Table RooflineView::makeTable() const {
    // Both panels, one below the other; the first column says which.
    const Results& shown = *results();
    Table both;
    both.title = "roofline";
    for (const Roofline& roofline :
         {chip_roofline(shown.steps, shown.scenario), link_roofline(shown.steps, shown.scenario)}) {
        const Table one = meshslice::table(roofline);
        both.columns = one.columns;
        both.columns.insert(both.columns.begin(), "roofline");
        for (std::vector<Table::Cell> row : one.rows) {
            row.insert(row.begin(), roofline.title);
            both.rows.push_back(std::move(row));
        }
    }
    return both;
}

QString RooflineView::nothingToShow() const {
    return thereAreGemms() ? QString() : tr("There are no GEMMs to place under a roof.");
}

} // namespace meshslice::ui
