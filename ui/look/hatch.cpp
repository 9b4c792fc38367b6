#include "ui/look/hatch.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

std::vector<QLineF> hatchLines(const QRectF& area, double spacing) {
    std::vector<QLineF> lines;
    if (area.isEmpty() || spacing <= 0) {
        return lines;
    }
    const double first = std::ceil((area.left() + area.top()) / spacing) * spacing;
    for (double sum = first; sum <= area.right() + area.bottom(); sum += spacing) {
        const double left = std::max(area.left(), sum - area.bottom());
        const double right = std::min(area.right(), sum - area.top());
        if (right > left) {
            lines.emplace_back(left, sum - left, right, sum - right);
        }
    }
    return lines;
}

void paintHatch(QPainter& painter, const QRectF& area, Theme theme) {
    painter.fillRect(area, tint(Role::exposed, theme, 0.16));
    const std::vector<QLineF> lines = hatchLines(area, 5.0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::exposed, theme), 1.2, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.restore();
}

} // namespace meshslice::ui
