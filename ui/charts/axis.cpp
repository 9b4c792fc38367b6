#include "ui/charts/axis.h"

#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

void paintAxisBelow(QPainter& painter, const QRectF& plot, const PixelAxis& axis,
                    const std::vector<Tick>& ticks, const QString& name, Theme theme) {
    const QFont font = lettering(Lettering::small);
    double free = plot.left() - 24;
    for (const Tick& tick : ticks) {
        const double x = std::round(axis.pixel(tick.value)) + 0.5;
        painter.setPen(QPen(color(Role::grid, theme), 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + 3));
        const double width = textWidth(font, words(tick.label));
        if (x - width / 2 < free) {
            continue; // its neighbour's label is in the way
        }
        painter.setPen(color(Role::quietText, theme));
        painter.setFont(font);
        painter.drawText(QRectF(x - width, plot.bottom() + 4, 2 * width, 16), Qt::AlignHCenter | Qt::AlignTop,
                         words(tick.label));
        free = x + width / 2 + 6;
    }
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(plot.left() - 20, plot.bottom() + 20, plot.width() + 40, 18), Qt::AlignCenter,
               lettering(Lettering::normal), name);
}

void paintAxisLeft(QPainter& painter, const QRectF& plot, const PixelAxis& axis,
                   const std::vector<Tick>& ticks, const QString& name, Theme theme) {
    const QFont font = lettering(Lettering::small);
    for (const Tick& tick : ticks) {
        const double y = std::round(axis.pixel(tick.value)) + 0.5;
        painter.setPen(QPen(color(Role::grid, theme), 1));
        painter.drawLine(QPointF(plot.left() - 3, y), QPointF(plot.right(), y));
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(plot.left() - 46, y - 9, 40, 18), Qt::AlignRight | Qt::AlignVCenter, font,
                   words(tick.label));
    }
    painter.save();
    painter.translate(plot.left() - left_axis + 2, plot.center().y());
    painter.rotate(-90);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(-plot.height() / 2 - 10, 0, plot.height() + 20, 16), Qt::AlignCenter,
               lettering(Lettering::normal), name);
    painter.restore();
}

QLineF cutTo(const QRectF& area, const QPointF& a, const QPointF& b) {
    // Liang and Barsky: the share of the line that lies inside each of the four edges.
    double from = 0;
    double to = 1;
    const QPointF d = b - a;
    const double directions[] = {-d.x(), d.x(), -d.y(), d.y()};
    const double distances[] = {a.x() - area.left(), area.right() - a.x(), a.y() - area.top(),
                                area.bottom() - a.y()};
    for (int edge = 0; edge < 4; ++edge) {
        const double direction = directions[edge];
        const double distance = distances[edge];
        if (direction == 0) {
            if (distance < 0) {
                return {};
            }
        } else if (direction < 0) {
            from = std::max(from, distance / direction);
        } else {
            to = std::min(to, distance / direction);
        }
    }
    return from > to ? QLineF() : QLineF(a + from * d, a + to * d);
}

} // namespace meshslice::ui
