#include "ui/charts/label_layout.h"

#include "ui/charts/axis.h"

#include <QLineF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace meshslice::ui {
namespace {

/// Further from its dot a name would seem to belong to another one.
constexpr double farthest = 110;

/// The label's rectangle when its nearest edge is `away` from the anchor in the direction (dx, dy).
QRectF beside(const LabelWish& wish, double dx, double dy, double away) {
    const double w = wish.size.width();
    const double h = wish.size.height();
    const double x = wish.anchor.x() + dx * away + (dx - 1) / 2 * w;
    const double y = wish.anchor.y() + dy * away + (dy - 1) / 2 * h;
    return {x, y, w, h};
}

QRectF around(const LabelWish& wish) {
    return {wish.anchor.x() - wish.radius, wish.anchor.y() - wish.radius, 2 * wish.radius, 2 * wish.radius};
}

/// Whether the line from a dot to its name would run across another dot and seem to belong to that one.
bool leadsAcross(const std::vector<LabelWish>& wishes, const LabelWish& own, const QRectF& place) {
    const QPointF nearest(std::clamp(own.anchor.x(), place.left(), place.right()),
                          std::clamp(own.anchor.y(), place.top(), place.bottom()));
    return std::any_of(wishes.begin(), wishes.end(), [&](const LabelWish& other) {
        const bool apart = QLineF(other.anchor, own.anchor).length() > other.radius + own.radius;
        return apart && !cutTo(around(other), own.anchor, nearest).isNull();
    });
}

} // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& bounds,
                                               const std::vector<QRectF>& obstacles) {
    std::vector<QRectF> taken = obstacles;
    for (const LabelWish& wish : wishes) {
        taken.push_back(around(wish));
    }
    std::vector<std::optional<QRectF>> places;
    for (const LabelWish& wish : wishes) {
        const auto fits = [&](const QRectF& place) {
            return bounds.contains(place) && !leadsAcross(wishes, wish, place) &&
                   std::none_of(taken.begin(), taken.end(),
                                [&](const QRectF& other) { return other.intersects(place); });
        };
        std::optional<QRectF> found;
        for (double away = wish.radius + 4; away < farthest && !found; away += 8) {
            // Sixteen directions, clockwise and counter-clockwise from the right in turn.
            for (const int turn : {0, 8, 4, -4, 2, -2, 6, -6, 1, -1, 7, -7, 3, -3, 5, -5}) {
                const double angle = turn * std::numbers::pi / 8;
                const QRectF place = beside(wish, std::cos(angle), std::sin(angle), away);
                if (fits(place)) {
                    found = place;
                    break;
                }
            }
        }
        if (found) {
            taken.push_back(found->adjusted(-2, 0, 2, 0));
        }
        places.push_back(found);
    }
    return places;
}

std::vector<std::vector<std::size_t>> closeTogether(const std::vector<QPointF>& dots, double distance) {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t dot = 0; dot < dots.size(); ++dot) {
        const auto near =
            std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
                return QLineF(dots[group.front()], dots[dot]).length() <= distance;
            });
        if (near != groups.end()) {
            near->push_back(dot);
        } else {
            groups.push_back({dot});
        }
    }
    return groups;
}

} // namespace meshslice::ui
