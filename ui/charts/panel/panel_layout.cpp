#include "ui/charts/panel/panel_layout.h"

#include "ui/charts/labels/point_labels.h"
#include "ui/charts/panel/panel_layouter.h"
#include "ui/look/words.h"

#include <algorithm>

namespace meshslice::ui {

std::vector<std::string> pointLabels(const Chart& chart) {
    std::vector<std::string> labels;
    for (const ChartPanel& panel : chart.panels) {
        for (const ChartSeries& one : panel.series) {
            for (const ChartPoint& point : one.points) {
                if (one.emphasized && !point.label.empty() &&
                    std::ranges::find(labels, point.label) == labels.end()) {
                    labels.push_back(point.label);
                }
            }
        }
    }
    return labels;
}

double panelTitleHeight(const ChartPanel& panel, double width) {
    const auto lines = static_cast<double>(panelTitle(panel, width).size());
    return panel_title + std::max(0.0, lines - 1) * panel_title_line;
}

bool layoutPanel(ChartLayout& layout, std::size_t panel, const QRectF& area,
                 const std::vector<std::string>& numbered) {
    const ChartPanel& from = layout.chart.panels[panel];
    PanelLayouter at{layout, from, panel, {}, left_room, false};
    at.out.area = area;
    at.out.places = category_places(from.categories());
    bool labelled = true;
    if (from.horizontal()) {
        at.layoutRows(area);
    } else if (!from.x.categories.empty()) {
        at.layoutColumns(area);
    } else if (namesCanStandInPanel(from)) {
        at.layoutLines(area);
    } else {
        at.out.plot = area.adjusted(left_room, panelTitleHeight(from, area.width()) + 4, -10, -40);
        at.spanAroundLabels();
        at.placeAxis(true);
        at.placeAxis(false);
        at.placeRules();
        at.placeMarks();
        labelled = placePointLabels(from, at.out, numbered);
    }
    const QStringList title = panelTitle(from, area.width());
    const bool over_plot =
        !from.horizontal() && title.size() == 1 &&
        textWidth(lettering(Lettering::normal, true), title.front()) <= area.right() - at.out.plot.left();
    const double left = over_plot ? at.out.plot.left() : area.left();
    double y = area.top();
    for (const QString& line : title) {
        at.say(QRectF(left, y, area.right() - left, 20), line, Qt::AlignLeft | Qt::AlignVCenter, Role::text,
               Lettering::normal, true);
        y += panel_title_line;
    }
    layout.panels.push_back(std::move(at.out));
    return labelled;
}

} // namespace meshslice::ui
