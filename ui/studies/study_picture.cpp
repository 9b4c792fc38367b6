#include "ui/charts/legend.h"
#include "ui/document/words.h"
#include "ui/look/lettering.h"
#include "ui/studies/study_chart.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshslice::ui {
namespace {

struct StudyWords {
    Q_DECLARE_TR_FUNCTIONS(Studies)
};

/// Roles of stacked series, which are causes of time; other series are told apart by shape and name.
Role stackedRole(const std::string& name) {
    return name == "launch"            ? Role::launch
           : name == "sync"            ? Role::sync
           : name == "transfer"        ? Role::transferHorizontal
           : name == "fully connected" ? Role::compute
                                       : Role::quietText;
}

Role markRole(const Panel& panel, std::size_t series) {
    return isEmphasised(panel, series) ? Role::compute : Role::quietText;
}

QPainterPath shape(std::size_t series, const QRectF& area) {
    const QPointF middle = area.center();
    QPainterPath path;
    switch (series % 7) {
    case 0: path.addEllipse(area); break;
    case 1: path.addRect(area.adjusted(0.5, 0.5, -0.5, -0.5)); break;
    case 2:
        path.addPolygon(QPolygonF({QPointF(middle.x(), area.top()), QPointF(area.right(), middle.y()),
                                   QPointF(middle.x(), area.bottom()), QPointF(area.left(), middle.y())}));
        break;
    case 3:
        path.addPolygon(QPolygonF({QPointF(middle.x(), area.top()), area.bottomRight(), area.bottomLeft()}));
        break;
    case 4:
        path.addPolygon(QPolygonF({area.topLeft(), area.topRight(), QPointF(middle.x(), area.bottom())}));
        break;
    case 5:
        path.addRect(QRectF(middle.x() - 1.5, area.top(), 3, area.height()));
        path.addRect(QRectF(area.left(), middle.y() - 1.5, area.width(), 3));
        path.setFillRule(Qt::WindingFill);
        break;
    default: path.addRect(QRectF(area.left(), middle.y() - 2, area.width(), 4)); break;
    }
    path.closeSubpath();
    return path;
}

/// Categories that follow each other, so that a line between them means something.
bool isOrdered(const Panel& panel) {
    return panel.category_name == "chips" || panel.category_name == "mesh" ||
           panel.category_name == "slice count S";
}

void paintLines(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const bool loud = isEmphasised(panel, s);
        painter.setPen(QPen(tint(markRole(panel, s), theme, loud ? 1.0 : 0.5), loud ? 2 : 1));
        const StudyMark* before = nullptr;
        for (const StudyMark& mark : plot.marks) {
            if (mark.series != s || mark.published) {
                continue;
            }
            if (before != nullptr) {
                painter.drawLine(before->area.center(), mark.area.center());
            }
            before = &mark;
        }
    }
}

void paintCategories(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::quietText, theme));
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        const QString name = words(panel.categories[k]);
        const QRectF line(plot.columns[k] - plot.column_width / 2 + 1, plot.plot.bottom() + 3,
                          plot.column_width - 2, 14);
        const auto space = name.lastIndexOf(QLatin1Char(' '));
        if (space < 0 || textWidth(font, name) <= line.width()) {
            drawFitted(painter, line, Qt::AlignCenter, font, name);
            continue;
        }
        drawFitted(painter, line, Qt::AlignCenter, font, name.left(space));
        drawFitted(painter, line.translated(0, 13), Qt::AlignCenter, font, name.mid(space + 1));
    }
    if (plot.names_categories) {
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(plot.plot.left(), plot.area.bottom() - 20, plot.plot.width(), 18),
                   Qt::AlignCenter, lettering(Lettering::normal), words(panel.category_name));
    }
}

void paintMarks(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    for (const StudyMark& mark : plot.marks) {
        if (panel.stacked) {
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(mark.area, color(stackedRole(panel.series[mark.series].name), theme));
            if (stackedRole(panel.series[mark.series].name) == Role::transferHorizontal) {
                // Both axes added up: half the bar in the colour of each.
                painter.fillRect(mark.area.adjusted(std::ceil(mark.area.width() / 2), 0, 0, 0),
                                 color(Role::transferVertical, theme));
            }
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
        if (mark.published) {
            painter.setPen(QPen(color(Role::text, theme), 1.5));
            painter.setBrush(Qt::NoBrush);
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(color(markRole(panel, mark.series), theme));
        }
        painter.drawPath(shape(mark.series, mark.area));
    }
    painter.setBrush(Qt::NoBrush);
}

/// The sum of each stack, above it.
void paintSums(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setPen(color(Role::text, theme));
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        double sum = 0;
        for (const Series& series : panel.series) {
            sum += series.values[k].value_or(0);
        }
        drawFitted(
            painter,
            QRectF(plot.columns[k] - plot.column_width / 2, plot.y.pixel(sum) - 17, plot.column_width, 16),
            Qt::AlignCenter, lettering(Lettering::small), valueText(panel.unit, sum));
    }
}

void paintPanel(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(plot.plot.left(), plot.area.top(), plot.area.right() - plot.plot.left(), 18),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true), words(panel.title));
    paintAxisLeft(painter, plot.plot, plot.y, axisTicks(plot.y, 40, plot.unit), plot.y_name, theme);
    paintCategories(painter, panel, plot, theme);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (isOrdered(panel)) {
        paintLines(painter, panel, plot, theme);
    }
    paintMarks(painter, panel, plot, theme);
    if (panel.stacked) {
        paintSums(painter, panel, plot, theme);
    }
    for (std::size_t s = 0; s < plot.names.size(); ++s) {
        const QRectF& name = plot.names[s];
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(markRole(panel, s), theme));
        painter.drawPath(shape(s, QRectF(name.left() - 11, name.center().y() - 3.5, 7, 7)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(color(isEmphasised(panel, s) ? Role::text : Role::quietText, theme));
        drawFitted(painter, name, Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::small, isEmphasised(panel, s)), words(panel.series[s].name));
    }
}

std::vector<LegendItem> legendItems(const StudyChart& chart) {
    std::vector<LegendItem> items;
    bool published = false;
    for (const Panel& panel : chart.panels) {
        for (const Series& series : panel.series) {
            published = published || !series.published.empty();
        }
    }
    if (!chart.panels.empty() && chart.panels.front().stacked) {
        for (const Series& series : chart.panels.front().series) {
            const Role role = stackedRole(series.name);
            items.push_back(
                {words(series.name), role,
                 role == Role::transferHorizontal ? std::optional(Role::transferVertical) : std::nullopt});
        }
    }
    if (published) {
        items.push_back(
            {StudyWords::tr("hollow: the paper's (MeshSlice, ISCA 2025); solid: ours"), std::nullopt});
    }
    return items;
}

} // namespace

void paint(QPainter& painter, const StudyChart& chart, Theme theme) {
    painter.fillRect(QRect(QPoint(0, 0), chart.size), color(Role::background, theme));
    painter.setPen(color(Role::text, theme));
    double top = 6;
    for (const QString& line : chart.title) {
        drawFitted(painter, QRectF(12, top, chart.size.width() - 24, 24), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::title, true), line);
        top += 20;
    }
    for (std::size_t k = 0; k < chart.plots.size(); ++k) {
        paintPanel(painter, chart.panels[k], chart.plots[k], theme);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintLegend(painter, legendItems(chart), QPointF(12, chart.legend_top), chart.size.width() - 24.0, theme);
    if (!chart.note.isEmpty()) {
        painter.setPen(color(Role::quietText, theme));
        painter.setFont(lettering(Lettering::small));
        painter.drawText(QRectF(12, chart.legend_top + 20, chart.size.width() - 24, 40),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, chart.note);
    }
}

} // namespace meshslice::ui
