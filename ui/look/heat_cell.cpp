#include "ui/look/heat_cell.h"

#include "ui/look/hatch.h"
#include "ui/look/lettering.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr double hatch_spacing = 8;
constexpr double least_lettered = 12;

} // namespace

QColor readableOn(const QColor& ground) {
    const auto part = [](int value) { return static_cast<std::uint8_t>(value); };
    const Rgb color{part(ground.red()), part(ground.green()), part(ground.blue())};
    return reads_black_on(color) ? QColor(Qt::black) : QColor(Qt::white);
}

void paintHeatCell(QPainter& painter, const QRectF& cell, std::optional<double> strength,
                   const QStringList& numbers, Theme theme) {
    paintHeatCell(painter, cell,
                  strength ? std::optional(tint(Role::compute, theme, *strength)) : std::nullopt, numbers,
                  theme);
}

void paintHeatCell(QPainter& painter, const QRectF& cell, std::optional<QColor> own,
                   const QStringList& numbers, Theme theme) {
    const QRectF area = cell.adjusted(0.5, 0.5, -0.5, -0.5);
    // What does not fit has no colour of the scale but lines across, whatever its speed.
    const QColor ground = own.value_or(color(Role::background, theme));
    painter.fillRect(area, ground);
    if (!own) {
        QColor lines = color(Role::quietText, theme);
        lines.setAlpha(90); // The number stays readable.
        painter.setPen(QPen(lines, 1));
        const std::vector<QLineF> hatch = hatchLines(area, hatch_spacing);
        painter.drawLines(hatch.data(), static_cast<int>(hatch.size()));
    }
    const QFont font = lettering(Lettering::small);
    const QString number = firstFitting(font, numbers, area.width() - 2);
    if (!number.isEmpty() && area.height() >= least_lettered) {
        painter.setPen(own ? readableOn(ground) : color(Role::quietText, theme));
        drawFitted(painter, area, Qt::AlignCenter, font, number);
    }
}

void paintHeatCorner(QPainter& painter, const QRectF& cell, Theme theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double size = std::min({9.0, cell.height() * 0.6, cell.width() * 0.3});
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::text, theme));
    painter.drawPolygon(QPolygonF({cell.topRight() + QPointF(-size - 1, 1), cell.topRight() + QPointF(-1, 1),
                                   cell.topRight() + QPointF(-1, size + 1)}));
    painter.restore();
}

} // namespace meshslice::ui
