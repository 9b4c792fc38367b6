#include "ui/charts/chart_adapter.h"

#include "core/report/chart/svg/mark_shape.h"
#include "ui/look/words.h"

#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QStackedBarSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace meshslice::ui {
namespace {

/// Of the shapes of marks those that Qt Charts has too, in our order.
constexpr std::array shapes = {QScatterSeries::MarkerShapeCircle, QScatterSeries::MarkerShapeRectangle,
                               QScatterSeries::MarkerShapeRotatedRectangle,
                               QScatterSeries::MarkerShapeTriangle};

QAbstractAxis* makeAxis(const PixelAxis& span) {
    QAbstractAxis* made = nullptr;
    if (span.logarithmic) {
        auto* axis = new QLogValueAxis;
        axis->setBase(10);
        axis->setRange(span.low, span.high);
        made = axis;
    } else {
        auto* axis = new QValueAxis;
        axis->setRange(span.low, span.high);
        made = axis;
    }
    made->setVisible(false);
    return made;
}

/// The panel's chart while it is made.
struct Maker {
    const ChartLayout& layout;
    const ChartPanel& panel;
    const PanelLayout& place;
    Theme theme;
    QChart* chart;
    QAbstractAxis* x;
    QAbstractAxis* y;

    [[nodiscard]] QPointF valueAt(const QPointF& pixel) const {
        return {place.x.value(pixel.x()), place.y.value(pixel.y())};
    }

    void attach(QAbstractSeries* series, const ChartSeries& from, QAbstractAxis* other = nullptr) {
        series->setName(words(from.name));
        chart->addSeries(series);
        series->attachAxis(other != nullptr && !panel.horizontal() ? other : x);
        QAbstractAxis* upright = other != nullptr && panel.horizontal() ? other : y;
        series->attachAxis(upright);
        if (panel.horizontal()) { // from top to bottom; Qt 6.4 passes on only a change, to those attached by
                                  // then
            upright->setReverse(false);
            upright->setReverse(true);
        }
    }

    void addLines(std::size_t index) {
        const ChartSeries& from = panel.series[index];
        if (!linesDrawnByCharts(from)) {
            return;
        }
        for (const ChartRun& run : place.runs) {
            if (run.series != index) {
                continue;
            }
            auto* line = new QLineSeries;
            QList<QPointF> values;
            for (const QPointF& point : run.points) {
                values.append(valueAt(point));
            }
            line->replace(values);
            const bool rule = from.kind == SeriesKind::rule;
            const bool of_other = from.dashed && !rule && !from.name.empty(); // variant, next to ours
            const double width = of_other                           ? 1.4
                                 : from.dashed || from.name.empty() ? 1
                                 : rule                             ? 1.6
                                 : from.emphasized                  ? 2
                                                                    : 1;
            const bool strong = from.emphasized || of_other || (rule && !from.name.empty());
            const double strength = strong ? 1.0 : 0.5;
            line->setPen(
                QPen(tint(from.role, theme, strength), width, from.dashed ? Qt::DashLine : Qt::SolidLine));
            attach(line, from);
        }
    }

    void addMarks(std::size_t index) {
        const ChartSeries& from = panel.series[index];
        if (!marksDrawnByCharts(panel, from)) {
            return;
        }
        const std::size_t shape = mark_shape(panel, from);
        std::map<std::pair<double, bool>, QList<QPointF>> by_look;
        for (const ChartMark& mark : place.marks) {
            if (mark.series == index) {
                by_look[{mark.area.width(), mark.point.open}].append(valueAt(mark.area.center()));
            }
        }
        for (const auto& [look, values] : by_look) {
            const auto& [size, open] = look;
            auto* marks = new QScatterSeries;
            marks->replace(values);
            marks->setMarkerShape(shapes[shape % mark_shapes]);
            marks->setMarkerSize(size);
            marks->setBrush(open          ? QBrush(color(Role::background, theme))
                            : from.hollow ? QBrush(Qt::NoBrush)
                                          : QBrush(color(from.role, theme)));
            marks->setPen(from.hollow || open ? QPen(color(from.role, theme), 1.5)
                                              : QPen(color(Role::background, theme),
                                                     values.size() > 0 && size > 10 ? 1 : 0.5));
            attach(marks, from);
        }
    }

    /// The bars of one thickness, each series on the one before.
    void addStack(bool thin) {
        QAbstractBarSeries* bars = panel.horizontal()
                                       ? static_cast<QAbstractBarSeries*>(new QHorizontalStackedBarSeries)
                                       : new QStackedBarSeries;
        for (const ChartSeries& from : panel.series) {
            if (from.kind != SeriesKind::stack || from.thin != thin || !layout.shows(from)) {
                continue;
            }
            auto* set = new QBarSet(words(from.name));
            QList<qreal> values(place.places.steps, 0.0);
            for (std::size_t k = 0; k < from.values.size(); ++k) {
                values[place.places.at[k] + place.places.per_category / 2] = from.values[k].value_or(0);
            }
            set->append(values);
            set->setPen(Qt::NoPen);
            // What has a texture is painted over the chart.
            set->setBrush(texture(from.role) == Texture::plain ? QBrush(color(from.role, theme))
                                                               : QBrush(Qt::NoBrush));
            bars->append(set);
        }
        if (bars->count() == 0) {
            delete bars;
            return;
        }
        // Qt Charts gives each of two series half of a category, next to each other; here both have all of
        // it.
        const bool two = std::ranges::any_of(
            panel.series, [&](const ChartSeries& one) { return one.thin && layout.shows(one); });
        const bool both = two && std::ranges::any_of(panel.series, [&](const ChartSeries& one) {
                              return one.kind == SeriesKind::stack && !one.thin && layout.shows(one);
                          });
        const PanelLayout::Bar& bar = thin ? place.thin : place.thick;
        bars->setBarWidth(both ? 2 * bar.width : bar.width);
        const double moved = !both ? 0 : thin ? 0.25 : -0.25;
        // An axis of its own, as bars have their middles at whole numbers.
        PixelAxis span = panel.horizontal() ? place.y : place.x;
        span.low -= bar.shift - moved;
        span.high -= bar.shift - moved;
        QAbstractAxis* categories = makeAxis(span);
        chart->addAxis(categories, panel.horizontal() ? Qt::AlignLeft : Qt::AlignBottom);
        attach(bars, {thin ? panel.thin_name : panel.title}, categories);
    }
};

} // namespace

bool marksDrawnByCharts(const ChartPanel& panel, const ChartSeries& series) {
    return mark_shape(panel, series) % mark_shapes < shapes.size() &&
           std::ranges::none_of(series.points, [](const ChartPoint& point) { return point.weight > 0; });
}

bool linesDrawnByCharts(const ChartSeries& series) {
    return series.kind != SeriesKind::rule || !series.name.empty();
}

QChart* makeChart(const ChartLayout& layout, std::size_t panel, Theme theme) {
    const PanelLayout& place = layout.panels[panel];
    auto* chart = new QChart;
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundVisible(false);
    chart->setMargins(QMargins());
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->legend()->hide();
    chart->setGeometry(place.area);
    chart->setPlotArea(place.plot.translated(-place.area.topLeft()));
    Maker maker{layout,           layout.chart.panels[panel], place, theme, chart, makeAxis(place.x),
                makeAxis(place.y)};
    chart->addAxis(maker.x, Qt::AlignBottom);
    chart->addAxis(maker.y, Qt::AlignLeft);
    if (maker.panel.stacked()) {
        maker.addStack(false);
        maker.addStack(true);
    }
    for (std::size_t k = 0; k < maker.panel.series.size(); ++k) {
        if (maker.panel.series[k].kind != SeriesKind::stack && layout.shows(maker.panel.series[k])) {
            maker.addLines(k);
        }
    }
    for (const bool emphasized : {false, true}) { // those in front
        for (std::size_t k = 0; k < maker.panel.series.size(); ++k) {
            const ChartSeries& one = maker.panel.series[k];
            if (one.kind != SeriesKind::stack && layout.shows(one) && one.emphasized == emphasized) {
                maker.addMarks(k);
            }
        }
    }
    chart->layout()->activate();
    return chart;
}

} // namespace meshslice::ui
