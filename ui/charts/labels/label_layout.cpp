#include "ui/charts/labels/label_layout.h"

#include "ui/charts/cut.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace meshslice::ui {
namespace {

/// Further from its dot a name would seem to belong to another one.
constexpr double farthest = 110;

/// The label's rectangle when its nearest edge is `away` from the anchor in the direction (dx, dy).
QRectF nextTo(const LabelWish& wish, double dx, double dy, double away) {
    const double w = wish.size.width();
    const double h = wish.size.height();
    const double x = wish.anchor.x() + dx * away + (dx - 1) / 2 * w;
    const double y = wish.anchor.y() + dy * away + (dy - 1) / 2 * h;
    return {x, y, w, h};
}

QRectF around(const LabelWish& wish) {
    return {wish.anchor.x() - wish.radius, wish.anchor.y() - wish.radius, 2 * wish.radius, 2 * wish.radius};
}

QPointF nearest(const LabelWish& wish, const QRectF& place) {
    return {std::clamp(wish.anchor.x(), place.left(), place.right()),
            std::clamp(wish.anchor.y(), place.top(), place.bottom())};
}

/// Whether the line from a dot to its name would run across another dot and seem to belong to that one.
bool leadsAcross(const std::vector<LabelWish>& wishes, const LabelWish& own, const QRectF& place) {
    const QPointF end = nearest(own, place);
    return std::any_of(wishes.begin(), wishes.end(), [&](const LabelWish& other) {
        const bool apart = QLineF(other.anchor, own.anchor).length() > other.radius + own.radius;
        return apart && !cutTo(around(other), own.anchor, end).isNull();
    });
}

bool touches(const std::vector<QRectF>& areas, const QRectF& place) {
    return std::any_of(areas.begin(), areas.end(),
                       [&](const QRectF& area) { return area.intersects(place); });
}

double distance(const LabelWish& wish, const QRectF& place) {
    return QLineF(wish.anchor, nearest(wish, place)).length();
}

bool hasLeader(const LabelWish& wish, const QRectF& place) {
    return distance(wish, place) > wish.radius + nearby_dot;
}

/// How near a line comes to a point.
double distance(const QLineF& line, const QPointF& point) {
    const QPointF d = line.p2() - line.p1();
    const double square = QPointF::dotProduct(d, d);
    const double share =
        square == 0 ? 0 : std::clamp(QPointF::dotProduct(point - line.p1(), d) / square, 0.0, 1.0);
    return QLineF(line.pointAt(share), point).length();
}

/// Whether the label would seem to be another dot's: nearer to that one, or, at the end of a line, next to
/// it, or led to across it.
bool seemsToBelongElsewhere(const std::vector<LabelWish>& wishes, const LabelWish& own, const QRectF& place) {
    const QLineF leader(own.anchor, nearest(own, place));
    return std::any_of(wishes.begin(), wishes.end(), [&](const LabelWish& other) {
        if (other.anchor == own.anchor) {
            return false;
        }
        if (!hasLeader(own, place)) {
            return distance(other, place) < distance(own, place);
        }
        return !hasLeader(other, place) || distance(leader, other.anchor) < 0.7 * other.radius;
    });
}

/// What is on the picture before a label comes.
struct Placed {
    std::vector<QRectF> taken;   ///< obstacles, dots and labels
    std::vector<QRectF> labels;  ///< as they are
    std::vector<QRectF> leaders; ///< squares along the lines that lead to labels
};

bool fits(const std::vector<LabelWish>& wishes, const LabelWish& wish, const QRectF& place,
          const Placed& placed, LabelCare care) {
    if (leadsAcross(wishes, wish, place) || touches(placed.taken, place)) {
        return false;
    }
    if (care == LabelCare::loose) {
        return true;
    }
    const bool crosses = std::any_of(placed.labels.begin(), placed.labels.end(), [&](const QRectF& label) {
        return !cutTo(label, wish.anchor, nearest(wish, place)).isNull();
    });
    return !crosses && !touches(placed.leaders, place) && !seemsToBelongElsewhere(wishes, wish, place);
}

} // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelWish>& wishes, const QRectF& bounds,
                                               const std::vector<QRectF>& obstacles, LabelCare care) {
    Placed placed{obstacles, {}, {}};
    for (const LabelWish& wish : wishes) {
        placed.taken.push_back(around(wish));
    }
    std::vector<std::optional<QRectF>> places;
    for (const LabelWish& wish : wishes) {
        std::optional<QRectF> found;
        for (double away = wish.radius + 4; away < farthest && !found; away += 8) {
            // Sixteen directions, clockwise and counter-clockwise from the right in turn.
            for (const int turn : {0, 8, 4, -4, 2, -2, 6, -6, 1, -1, 7, -7, 3, -3, 5, -5}) {
                const double angle = turn * std::numbers::pi / 8;
                const QRectF place = nextTo(wish, std::cos(angle), std::sin(angle), away);
                if (bounds.contains(place) && fits(wishes, wish, place, placed, care)) {
                    found = place;
                    break;
                }
            }
        }
        if (found) {
            placed.labels.push_back(*found);
            placed.taken.push_back(found->adjusted(-2, 0, 2, 0));
            if (hasLeader(wish, *found)) {
                const std::vector<QRectF> squares = along(QLineF(wish.anchor, nearest(wish, *found)), 2);
                placed.leaders.insert(placed.leaders.end(), squares.begin(), squares.end());
            }
        }
        places.push_back(found);
    }
    return places;
}

std::vector<QRectF> along(const QLineF& line, double halfWidth) {
    std::vector<QRectF> squares;
    const double length = line.length();
    const double size = 2 * halfWidth;
    for (double at = 0; length > 0 && at <= length; at += halfWidth) {
        const QPointF middle = line.pointAt(at / length);
        squares.emplace_back(middle.x() - halfWidth, middle.y() - halfWidth, size, size);
    }
    return squares;
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
