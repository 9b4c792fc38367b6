#include "ui/charts/panel_layout.h"

#include "ui/charts/panel_layouter.h"
#include "ui/charts/point_labels.h"
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
    } else if (namesStandInPanel(from)) {
        at.layoutLines(area);
    } else {
        at.out.plot = area.adjusted(left_room, panel_title + 4, -10, -40);
        at.spanAroundLabels();
        at.placeAxis(true);
        at.placeAxis(false);
        at.placeRules();
        at.placeMarks();
        labelled = placePointLabels(from, at.out, numbered);
    }
    if (from.horizontal()) { // whose words have as many lines as they need
        double y = area.top();
        for (const QString& line : panelTitle(from, area.width())) {
            at.say(QRectF(area.left(), y, area.width(), 20), line, Qt::AlignLeft | Qt::AlignVCenter,
                   Role::text, Lettering::normal, true);
            y += panel_title_line;
        }
    } else if (!from.title.empty()) {
        const double wide = textWidth(lettering(Lettering::normal, true), words(from.title));
        const bool above = wide <= area.right() - at.out.plot.left();
        const double left = above ? at.out.plot.left() : area.left();
        at.say(QRectF(left, area.top(), area.right() - left, 20), words(from.title),
               Qt::AlignLeft | Qt::AlignVCenter, Role::text, Lettering::normal, true);
    }
    layout.panels.push_back(std::move(at.out));
    return labelled;
}

} // namespace meshslice::ui
