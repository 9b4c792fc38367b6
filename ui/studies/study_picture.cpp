#include "ui/studies/study_picture.h"

#include "core/report/study_look.h"
#include "ui/charts/axis.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

QRectF rect(const Box& box) {
    return {box.left, box.top, box.width, box.height};
}

QPointF point(const Point& at) {
    return {at.x, at.y};
}

QFont font(const Letters& letters) {
    return lettering(static_cast<Lettering>(std::lround(letters.pixels)), letters.bold);
}

double width(std::string_view text, const Letters& letters) {
    return textWidth(font(letters), words(text));
}

void drawLine(QPainter& painter, const QRectF& area, Qt::Alignment side, const Letters& letters,
              std::string_view text) {
    drawFitted(painter, area, side | Qt::AlignVCenter, font(letters), words(text));
}

QPainterPath markPath(std::size_t series, const Box& area) {
    QPainterPath path;
    QPolygonF corners;
    for (const Point& corner : mark_outline(series, area)) {
        corners << point(corner);
    }
    if (corners.isEmpty()) {
        path.addEllipse(rect(area));
    } else {
        path.addPolygon(corners);
    }
    path.closeSubpath();
    return path;
}

void paintMark(QPainter& painter, std::size_t series, const Box& area, Role role, bool hollow, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(hollow ? QPen(color(role, theme), 1.5) : QPen(Qt::NoPen));
    painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(color(role, theme)));
    painter.drawPath(markPath(series, area));
    painter.setBrush(Qt::NoBrush);
}

/// Both halves of a bar where it adds two roles up, else all of it.
void paintBar(QPainter& painter, const Panel& panel, std::size_t series, const QRectF& area, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, color(series_role(panel, series), theme));
    if (const auto second = second_role(panel, series)) {
        painter.fillRect(area.adjusted(std::ceil(area.width() / 2), 0, 0, 0), color(*second, theme));
    }
}

void paintLines(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const StudyLine& line : study_lines(panel, plot)) {
        const bool loud = is_emphasised(panel, line.series);
        painter.setPen(QPen(tint(series_role(panel, line.series), theme, loud ? 1.0 : 0.5), loud ? 2 : 1));
        painter.drawLine(point(line.from), point(line.to));
    }
}

void paintCategories(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setPen(color(Role::quietText, theme));
    for (std::size_t k = 0; k < plot.categories.size(); ++k) {
        QRectF line(plot.columns[k] - plot.column_width / 2, plot.plot.bottom() + 4, plot.column_width,
                    category_line);
        for (const std::string& words : plot.categories[k]) {
            drawLine(painter, line, Qt::AlignHCenter, small_letters, words);
            line.translate(0, category_line);
        }
    }
    for (const std::size_t k : plot.empty) {
        painter.save();
        painter.translate(plot.columns[k], plot.plot.bottom() - 8);
        painter.rotate(-90);
        drawLine(painter, QRectF(0, -8, plot.plot.height, 16), Qt::AlignLeft, small_letters, "does not run");
        painter.restore();
    }
    if (plot.names_categories) {
        painter.setPen(color(Role::text, theme));
        drawLine(painter, QRectF(plot.plot.left, plot.area.bottom() - 20, plot.plot.width, 18),
                 Qt::AlignHCenter, axis_letters, panel.category_name);
    }
}

void paintMarks(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    for (const StudyMark& mark : plot.marks) {
        if (panel.stacked) {
            paintBar(painter, panel, mark.series, rect(mark.area), theme);
            // So that the parts of a stack are told apart without colours, too.
            painter.fillRect(QRectF(mark.area.left, mark.area.top, mark.area.width, 1),
                             color(Role::background, theme));
        } else {
            paintMark(painter, mark.series, mark.area,
                      mark.published ? Role::text : series_role(panel, mark.series), mark.published, theme);
        }
    }
}

/// The sum of each stack, above it.
void paintSums(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setPen(color(Role::text, theme));
    for (std::size_t k = 0; k < panel.categories.size(); ++k) {
        if (std::ranges::find(plot.empty, k) == plot.empty.end()) {
            const double sum = stack_sum(panel, k);
            drawLine(painter,
                     QRectF(plot.columns[k] - plot.column_width / 2, plot.y.pixel(sum) - 17,
                            plot.column_width, 16),
                     Qt::AlignHCenter, small_letters, value_text(panel.unit, sum));
        }
    }
}

void paintNames(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    for (std::size_t s = 0; s < plot.names.size(); ++s) {
        const Box& name = plot.names[s];
        const Box sign{name.left - 11, name.center().y - 3.5, 7, 7};
        if (panel.stacked) {
            paintBar(painter, panel, s, rect(sign), theme);
        } else {
            paintMark(painter, s, sign, series_role(panel, s), false, theme);
        }
        const bool loud = is_emphasised(panel, s);
        painter.setPen(color(loud ? Role::text : Role::quietText, theme));
        drawLine(painter, rect(name), Qt::AlignLeft, loud ? loud_letters : small_letters,
                 panel.series[s].name);
    }
}

void paintPanel(QPainter& painter, const Panel& panel, const StudyPlot& plot, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color(Role::text, theme));
    drawLine(painter, QRectF(plot.plot.left, plot.area.top, plot.area.right() - plot.plot.left, 18),
             Qt::AlignLeft, panel_letters, panel.title);
    paintAxisLeft(painter, rect(plot.plot), plot.y, axis_ticks(plot.y, 40, plot.unit), words(plot.y_name),
                  theme);
    paintCategories(painter, panel, plot, theme);
    paintLines(painter, panel, plot, theme);
    paintMarks(painter, panel, plot, theme);
    if (panel.stacked) {
        paintSums(painter, panel, plot, theme);
    }
    paintNames(painter, panel, plot, theme);
}

void paintParagraph(QPainter& painter, const StudyChart& chart, double top, double height,
                    const Letters& letters, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        drawLine(painter, QRectF(chart.margin, top, chart.width - 2 * chart.margin, height), Qt::AlignLeft,
                 letters, line);
        top += height;
    }
}

} // namespace

StudyChart layoutStudy(const StudyResult& result, const QSize& size) {
    return layout_study(result, size.width(), size.height(), width);
}

void paint(QPainter& painter, const StudyChart& chart, Theme theme) {
    painter.fillRect(QRectF(0, 0, chart.width, chart.height), color(Role::background, theme));
    painter.setPen(color(Role::text, theme));
    paintParagraph(painter, chart, chart.title_top, title_line, title_letters, chart.title);
    for (std::size_t k = 0; k < chart.plots.size(); ++k) {
        paintPanel(painter, chart.panels[k], chart.plots[k], theme);
    }
    for (const StudyKey& key : chart.keys) {
        paintMark(painter, 0, key.mark, key.published ? Role::text : Role::quietText, key.published, theme);
        painter.setPen(color(Role::quietText, theme));
        drawLine(painter, rect(key.place), Qt::AlignLeft, small_letters, key.words);
    }
    painter.setPen(color(Role::quietText, theme));
    paintParagraph(painter, chart, chart.note_top, note_line, small_letters, chart.note);
}

} // namespace meshslice::ui
