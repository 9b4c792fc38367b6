#include "ui/charts/chart_picture.h"

#include "core/report/chart/svg/mark_shape.h"
#include "ui/charts/chart_adapter.h"
#include "ui/look/heat_cell.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QChart>
#include <QGraphicsScene>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

/// The outline of a series' mark.
QPainterPath outline(std::size_t shape, const QRectF& area) {
    QPainterPath path;
    const std::vector<MarkCorner> corners = mark_outline(shape);
    if (corners.empty()) {
        path.addEllipse(area);
        return path;
    }
    QPolygonF polygon;
    for (const MarkCorner& corner : corners) {
        polygon << area.center() + QPointF(corner.x, corner.y) * (area.width() / 2);
    }
    path.addPolygon(polygon);
    path.closeSubpath();
    return path;
}

/// Half of a bar in the colour of its second role.
QRectF secondHalf(const QRectF& bar, bool horizontal) {
    return horizontal ? bar.adjusted(0, std::ceil(bar.height() / 2), 0, 0)
                      : bar.adjusted(std::ceil(bar.width() / 2), 0, 0, 0);
}

void paintWords(QPainter& painter, const ChartWords& one, Theme theme) {
    const QFont font = lettering(one.size, one.bold);
    if (one.on_ground) {
        painter.fillRect(one.area, color(Role::background, theme));
    }
    painter.setPen(one.over ? readableOn(color(*one.over, theme)) : color(one.role, theme));
    if (one.turn == 0) {
        drawFitted(painter, one.area, one.side, font, one.words);
        return;
    }
    painter.save();
    painter.translate(one.area.center());
    painter.rotate(one.turn);
    drawFitted(painter, one.area.translated(-one.area.center()), one.side, font, one.words);
    painter.restore();
}

} // namespace

ChartPicture::ChartPicture(ChartLayout layout, Theme theme)
    : layout_(std::move(layout)), theme_(theme), scene_(std::make_unique<QGraphicsScene>()) {
    scene_->setSceneRect(QRectF(QPointF(0, 0), layout_.size));
    for (std::size_t k = 0; k < layout_.panels.size(); ++k) {
        scene_->addItem(makeChart(layout_, k, theme_));
    }
}

ChartPicture::~ChartPicture() = default;

void ChartPicture::paintBelow(QPainter& painter) const {
    painter.fillRect(QRect(QPoint(0, 0), layout_.size), color(Role::background, theme_));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color(Role::grid, theme_), 1));
    for (const PanelLayout& panel : layout_.panels) {
        painter.drawLines(panel.grid.data(), static_cast<int>(panel.grid.size()));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t p = 0; p < layout_.panels.size(); ++p) {
        for (const ChartRun& run : layout_.panels[p].runs) {
            const ChartSeries& series = layout_.chart.panels[p].series[run.series];
            if (linesDrawnByCharts(series) || !layout_.shows(series)) {
                continue;
            }
            painter.setPen(QPen(tint(series.role, theme_, series.emphasized ? 1.0 : 0.5), 1,
                                series.dashed ? Qt::DashLine : Qt::SolidLine));
            painter.drawPolyline(run.points.data(), static_cast<int>(run.points.size()));
        }
    }
}

void ChartPicture::paintAbove(QPainter& painter, const ChartMarks& marks) const {
    for (std::size_t p = 0; p < layout_.panels.size(); ++p) {
        const ChartPanel& chart = layout_.chart.panels[p];
        const PanelLayout& panel = layout_.panels[p];
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (const ChartMark& mark : panel.marks) {
            const ChartSeries& series = chart.series[mark.series];
            if (series.kind != SeriesKind::stack) {
                continue;
            }
            if (texture(series.role) != Texture::plain) {
                paintTextured(painter, mark.area, series.role, theme_, !chart.horizontal());
            }
            if (series.second) {
                painter.fillRect(secondHalf(mark.area, chart.horizontal()), color(*series.second, theme_));
            }
            if (!chart.horizontal()) { // so that the parts of a stack differ without colours, too
                painter.fillRect(QRectF(mark.area.left(), mark.area.top(), mark.area.width(), 1),
                                 color(Role::background, theme_));
            }
        }
        if (chart.horizontal()) {
            painter.fillRect(QRectF(panel.plot.left() - 1, panel.plot.top(), 1, panel.plot.height()),
                             color(Role::quietText, theme_));
        }
        painter.setRenderHint(QPainter::Antialiasing);
        for (const bool emphasized : {false, true}) { // those in front
            for (const ChartMark& mark : panel.marks) {
                const ChartSeries& series = chart.series[mark.series];
                const std::size_t shape = mark_shape(chart, series);
                if (series.kind == SeriesKind::stack || marksDrawnByCharts(chart, series) ||
                    series.emphasized != emphasized) {
                    continue;
                }
                constexpr double large = 10; // with a clearer edge, as where Qt Charts draws it
                painter.setPen(series.hollow || mark.point.open
                                   ? QPen(color(series.role, theme_), 1.5)
                                   : QPen(color(Role::background, theme_),
                                          mark.point.weight > 0 && mark.area.width() > large ? 1 : 0.5));
                painter.setBrush(mark.point.open ? QBrush(color(Role::background, theme_))
                                 : series.hollow ? QBrush(Qt::NoBrush)
                                                 : QBrush(color(series.role, theme_)));
                painter.drawPath(outline(shape, mark.area));
            }
        }
        painter.setPen(QPen(color(Role::background, theme_), 3.5)); // so that it is seen on any part of a bar
        painter.drawLines(panel.whiskers.data(), static_cast<int>(panel.whiskers.size()));
        painter.setPen(QPen(color(Role::text, theme_), 1.5));
        painter.drawLines(panel.whiskers.data(), static_cast<int>(panel.whiskers.size()));
        painter.setPen(QPen(tint(Role::quietText, theme_, 0.6), 1));
        painter.drawLines(panel.leaders.data(), static_cast<int>(panel.leaders.size()));
        for (const ChartWords& one : panel.words) {
            paintWords(painter, one, theme_);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::text, theme_), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        QRectF frame;
        for (const ChartRow& row : panel.rows) {
            frame = marks.selected && row.item >= 0 && row.item == *marks.selected ? frame.united(row.area)
                                                                                   : frame;
        }
        if (!frame.isEmpty()) {
            if (!chart.categories().groups.empty()) { // whose names stand between the rows
                frame.setLeft(panel.plot.left() - 2);
            }
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.drawRect(frame.adjusted(1, 0, -1, 0));
            painter.setRenderHint(QPainter::Antialiasing);
        }
        for (std::size_t m = 0; m < panel.marks.size(); ++m) {
            const ChartMark& mark = panel.marks[m];
            const bool bar = chart.series[mark.series].kind == SeriesKind::stack;
            const bool chosen =
                !bar && marks.selected && mark.point.item >= 0 && mark.point.item == *marks.selected;
            if (marks.current == std::pair(p, m) && bar) {
                painter.setRenderHint(QPainter::Antialiasing, false);
                painter.drawRect(mark.area);
                painter.setRenderHint(QPainter::Antialiasing);
            } else if (chosen || marks.current == std::pair(p, m)) {
                painter.drawPath(outline(mark_shape(chart, chart.series[mark.series]),
                                         mark.area.adjusted(-1.5, -1.5, 1.5, 1.5)));
            }
        }
    }
    for (const ChartWords& one : layout_.words) {
        paintWords(painter, one, theme_);
    }
}

void ChartPicture::paintLegend(QPainter& painter, const ChartMarks& marks) const {
    for (std::size_t k = 0; k < layout_.legend.size(); ++k) {
        const LegendEntry& entry = layout_.legend[k];
        const ChartPanel& panel = layout_.chart.panels[entry.panel];
        const ChartSeries& series = panel.series[entry.series];
        const bool shown = layout_.shows(series);
        const double strength = shown ? 1.0 : 0.3;
        painter.setRenderHint(QPainter::Antialiasing, series.kind != SeriesKind::stack);
        const QColor ink = tint(series.role, theme_, strength);
        if (series.kind == SeriesKind::stack && texture(series.role) != Texture::plain && shown) {
            paintTextured(painter, entry.sign, series.role, theme_, !panel.horizontal());
        } else if (series.kind == SeriesKind::stack) {
            painter.fillRect(entry.sign, ink);
            if (series.second) {
                painter.fillRect(secondHalf(entry.sign, panel.horizontal()),
                                 tint(*series.second, theme_, strength));
            }
        } else {
            const QPointF middle = entry.sign.center();
            const double half = std::min(5.0, entry.sign.height() / 2);
            const QRectF square(middle.x() - half, middle.y() - half, 2 * half, 2 * half);
            painter.fillPath(outline(mark_shape(panel, series), square), ink);
        }
        const double left = entry.sign.right() + (namesStandNext(entry) ? 5 : 6);
        const bool loud = namesStandNext(entry) && series.emphasized;
        // What is left out is a button still, which has to be read.
        painter.setPen(!shown                           ? tint(Role::quietText, theme_, 0.85)
                       : loud || !namesStandNext(entry) ? color(Role::text, theme_)
                                                        : color(Role::quietText, theme_));
        const QRectF place(left, entry.area.top(), entry.area.right() - left + 2, entry.area.height());
        const QFont font = lettering(Lettering::small, loud);
        drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, font, words(entry.name));
        if (marks.entry == k) {
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.setPen(QPen(color(Role::quietText, theme_), 1));
            const double right = std::min(place.right(), left + textWidth(font, words(entry.name)));
            painter.drawLine(QPointF(left, place.bottom() - 1), QPointF(right, place.bottom() - 1));
        }
    }
}

bool ChartPicture::namesStandNext(const LegendEntry& entry) {
    return entry.sign.width() < 10;
}

void ChartPicture::paint(QPainter& painter, const ChartMarks& marks) const {
    painter.save();
    paintBelow(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF all(QPointF(0, 0), layout_.size);
    scene_->render(&painter, all, all);
    paintAbove(painter, marks);
    paintLegend(painter, marks);
    painter.restore();
}

void paintChart(QPainter& painter, const Chart& chart, const QSize& size, Theme theme,
                const ChartMarks& marks, const std::set<std::string>& hidden) {
    ChartPicture(layoutChart(chart, size, hidden), theme).paint(painter, marks);
}

} // namespace meshslice::ui
