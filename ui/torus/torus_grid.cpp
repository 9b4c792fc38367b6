#include "ui/torus/torus_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

/// Of a cell: the core's side, how far the two lanes of a connection are apart, and the gap between layers.
constexpr double core_share = 0.56;
constexpr double lane_offset = 0.14;
constexpr double lane_share = 0.12;
constexpr double layer_gap = 0.6;
/// Of a few chips, which fill no screen.
constexpr double largest_cell = 200;
constexpr double widest_lane = 9;

/// The width and height in cells of so many layers, `across` of them next to each other.
std::pair<double, double> cells(int rows, int columns, int layers, int across) {
    const int down = (layers + across - 1) / across;
    return {across * columns + (across - 1) * layer_gap, down * rows + (down - 1) * layer_gap};
}

double largestCell(const QRectF& area, int rows, int columns, int layers, int across) {
    const auto [wide, high] = cells(rows, columns, layers, across);
    return std::min(area.width() / wide, area.height() / high);
}

} // namespace

QRectF TorusGrid::Lane::rect() const {
    const QRectF line = QRectF(from, to).normalized();
    const double half = width / 2;
    return std::abs(to.x() - from.x()) >= std::abs(to.y() - from.y()) ? line.adjusted(0, -half, 0, half)
                                                                      : line.adjusted(-half, 0, half, 0);
}

TorusGrid::TorusGrid(const Torus& torus, const QRectF& area) : torus_(torus) {
    if (torus.axis_count() == 1) {
        // In rows of alternating direction, in as many columns as make the cells largest.
        const int chips = torus.chips();
        double best = 0;
        for (int columns = 1; columns <= chips; ++columns) {
            const int rows = (chips + columns - 1) / columns;
            if (const double cell = largestCell(area, rows, columns, 1, 1); cell > best) {
                best = cell;
                columns_ = columns;
                rows_ = rows;
            }
        }
    } else {
        rows_ = torus.size(Axis::vertical);
        columns_ = torus.size(Axis::horizontal);
        layers_ = torus.size(Axis::third);
    }
    for (int across = 1; across <= layers_; ++across) {
        if (const double cell = largestCell(area, rows_, columns_, layers_, across); cell > cell_) {
            cell_ = cell;
            layers_across_ = across;
        }
    }
    cell_ = std::min(cell_, largest_cell);
    const auto [wide, high] = cells(rows_, columns_, layers_, layers_across_);
    origin_ = area.center() - QPointF(wide, high) * cell_ / 2;
}

QRectF TorusGrid::bounds() const {
    const auto [wide, high] = cells(rows_, columns_, layers_, layers_across_);
    return {origin_, QSizeF(wide, high) * cell_};
}

TorusGrid::Place TorusGrid::place(Chip chip) const {
    if (torus_.axis_count() == 1) {
        const int row = chip / columns_;
        const int column = chip % columns_;
        return {row, row % 2 == 0 ? column : columns_ - 1 - column};
    }
    return {torus_.coordinate(chip, Axis::vertical), torus_.coordinate(chip, Axis::horizontal)};
}

QPointF TorusGrid::centre(Chip chip) const {
    const Place at = place(chip);
    const int layer = torus_.axis_count() > 2 ? torus_.coordinate(chip, Axis::third) : 0;
    const double left = (layer % layers_across_) * (columns_ + layer_gap);
    const double top = (layer / layers_across_) * (rows_ + layer_gap);
    return origin_ + QPointF(left + at.column + 0.5, top + at.row + 0.5) * cell_;
}

QRectF TorusGrid::core(Chip chip) const {
    const double side = showsLinks() ? cell_ * core_share : std::max(1.0, cell_ - (cell_ > 3 ? 1 : 0));
    return {centre(chip) - QPointF(side, side) / 2, QSizeF(side, side)};
}

TorusGrid::Lane TorusGrid::lane(const Link& link) const {
    const QPointF middle = centre(link.chip);
    const double half = cell_ * core_share / 2;
    const double gap = cell_ * (1 - core_share);
    const bool forward = link.direction == Direction::forward;
    Lane lane;
    lane.width = std::clamp(cell_ * lane_share, 1.0, widest_lane);
    if (link.axis == Axis::third) { // out of the picture: a stub at a corner
        const QPointF out(forward ? 1 : -1, forward ? -1 : 1);
        lane.from = middle + out * half;
        lane.to = middle + out * (half + gap * 0.3);
        lane.stub = true;
        return lane;
    }
    const auto neighbour = torus_.neighbour(link.chip, link.axis, link.direction);
    const Place own = place(link.chip);
    QPointF out;
    if (neighbour && *neighbour != link.chip) {
        const Place other = place(*neighbour);
        const int down = other.row - own.row;
        const int right = other.column - own.column;
        lane.stub = std::abs(down) + std::abs(right) != 1;
        out = QPointF(right, down);
    }
    if (torus_.axis_count() > 1) {
        const QPointF along = link.axis == Axis::vertical ? QPointF(0, 1) : QPointF(1, 0);
        // At the edge the way round leaves the grid; between two chips one of the two ways does.
        const int size = torus_.size(link.axis);
        const int at = torus_.coordinate(link.chip, link.axis);
        lane.stub = forward ? at == size - 1 : at == 0;
        out = forward ? along : -along;
    } else if (torus_.chips() == 2) { // both ways lead to the same neighbour: one of them is the way round
        lane.stub = forward ? link.chip == 1 : link.chip == 0;
        out = lane.stub && out == QPointF(0, 0) ? QPointF(1, 0) : lane.stub ? -out : out;
    } else if (lane.stub || !neighbour) {
        lane.stub = true;
        out = forward ? QPointF(0, 1) : QPointF(0, -1);
    }
    const QPointF side = QPointF(-out.y(), out.x()) * cell_ * lane_offset;
    lane.from = middle + out * half + side;
    lane.to = lane.from + out * gap * (lane.stub ? 0.42 : 1);
    return lane;
}

std::optional<TorusPart> TorusGrid::at(const QPointF& point) const {
    for (Chip chip = 0; chip < torus_.chips(); ++chip) {
        const QRectF around(centre(chip) - QPointF(cell_, cell_), QSizeF(cell_, cell_) * 2);
        if (!around.contains(point)) {
            continue;
        }
        if (core(chip).contains(point)) {
            return TorusPart{chip, std::nullopt};
        }
        for (int axis = 0; showsLinks() && axis < torus_.axis_count(); ++axis) {
            for (const Direction direction : both_directions) {
                const Link link{chip, static_cast<Axis>(axis), direction};
                if (torus_.neighbour(chip, link.axis, direction) &&
                    lane(link).rect().adjusted(-1, -1, 1, 1).contains(point)) {
                    return TorusPart{chip, link};
                }
            }
        }
    }
    return std::nullopt;
}

} // namespace meshslice::ui
