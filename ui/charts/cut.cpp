#include "ui/charts/cut.h"

#include <algorithm>

namespace meshslice::ui {

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
