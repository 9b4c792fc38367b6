#include "ui/torus/torus_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
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
/// A mesh with cells like these stays whole, and so does one that is not much larger in blocks; between
/// blocks are the names of partners.
constexpr double large_enough = 44;
constexpr double worth_cutting = 1.4;
constexpr int most_blocks = 64;
/// In space, in cells: the core's side, from where to where a lane goes, a stub's end, and the lanes' width.
constexpr double core_in_space = 0.34;
constexpr double lane_begins = 0.22;
constexpr double lane_ends = 0.78;
constexpr double stub_ends = 0.55;
constexpr double offset_in_space = 0.055;
constexpr double width_in_space = 0.07;

/// The width and height in cells of so many layers, `across` of them next to each other.
std::pair<double, double> cells(int rows, int columns, int layers, int across) {
    const int down = (layers + across - 1) / across;
    return {across * columns + (across - 1) * layer_gap, down * rows + (down - 1) * layer_gap};
}

double largestCell(const QRectF& area, int rows, int columns, int layers, int across) {
    const auto [wide, high] = cells(rows, columns, layers, across);
    return std::min(area.width() / wide, area.height() / high);
}

std::vector<Link> linksOf(const Torus& torus, Chip chip) {
    std::vector<Link> links;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        for (const Direction direction : both_directions) {
            const Link link{chip, static_cast<Axis>(axis), direction};
            if (torus.neighbour(chip, link.axis, direction)) {
                links.push_back(link);
            }
        }
    }
    return links;
}

} // namespace

TorusTurn turned(TorusTurn turn, double yaw, double pitch) {
    constexpr double most_tipped = 1.4;
    return {std::remainder(turn.yaw + yaw, 2 * std::numbers::pi),
            std::clamp(turn.pitch + pitch, -most_tipped, most_tipped)};
}

QRectF TorusGrid::Lane::rect() const {
    const QRectF line = QRectF(from, to).normalized();
    const double half = width / 2;
    return std::abs(to.x() - from.x()) >= std::abs(to.y() - from.y()) ? line.adjusted(0, -half, 0, half)
                                                                      : line.adjusted(-half, 0, half, 0);
}

QPolygonF TorusGrid::Lane::outline(double more) const {
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    const QPointF along = length > 0 ? way / length : QPointF(1, 0);
    const QPointF side = QPointF(-along.y(), along.x()) * (width / 2 + more);
    const QPointF end = along * more;
    return QPolygonF({from - end - side, to + end - side, to + end + side, from - end + side});
}

TorusGrid::TorusGrid(const Torus& torus, const QRectF& area, const std::optional<TorusTurn>& turn)
    : torus_(torus) {
    if (turn && torus.axis_count() == 3) {
        rows_ = torus.size(Axis::vertical);
        columns_ = torus.size(Axis::horizontal);
        layers_ = torus.size(Axis::third);
        turn_ = *turn;
        middle_ = area.center();
        const double radius = std::max(0.5, std::hypot(rows_ - 1, columns_ - 1, layers_ - 1) / 2);
        far_ = 3 * radius;
        // A ball of this radius is 1.07 times as wide in perspective; stubs stand out of it.
        cell_ = std::min(largest_cell, std::min(area.width(), area.height()) / (2 * (1.07 * radius + 0.9)));
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            const auto [right, down, away] = inCells(chip);
            spots_.push_back(spot(right, down, away));
        }
        return;
    }
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
    if (torus.axis_count() == 2) {
        cut(area);
    }
    cell_ = std::min(cell_, largest_cell);
    const QSizeF size = sizeOfAll();
    origin_ = area.center() - QPointF(size.width(), size.height()) / 2;
}

void TorusGrid::cut(const QRectF& area) {
    if (cell_ >= large_enough) {
        return;
    }
    const bool tall = rows_ * area.width() > columns_ * area.height();
    const int length = tall ? rows_ : columns_;
    const int across = tall ? columns_ : rows_;
    const double room_along = tall ? area.height() : area.width();
    const double room_across = tall ? area.width() : area.height();
    double best = worth_cutting * cell_;
    for (int count = 2; count <= std::min(length, most_blocks); ++count) {
        const int each = (length + count - 1) / count;
        const double cell =
            std::min({room_along / each, (room_across - (count - 1) * block_gap) / (count * across),
                      2 * large_enough});
        const double even = length % count == 0 ? 1.0 : 0.8; // blocks of equal length are easier to read
        if ((length + each - 1) / each == count && even * cell > best) {
            best = 1.15 * even * cell; // for a little more room no further cut
            cell_ = cell;
            cut_ = tall ? Axis::vertical : Axis::horizontal;
            block_length_ = each;
        }
    }
}

int TorusGrid::blockCount() const {
    return block_length_ == 0 ? 1 : (torus_.size(cut_) + block_length_ - 1) / block_length_;
}

QPointF TorusGrid::cornerOf(int block) const {
    return origin_ + (cut_ == Axis::vertical ? QPointF(block * (columns_ * cell_ + block_gap), 0)
                                             : QPointF(0, block * (rows_ * cell_ + block_gap)));
}

QSizeF TorusGrid::sizeOfAll() const {
    if (block_length_ == 0) {
        const auto [wide, high] = cells(rows_, columns_, layers_, layers_across_);
        return QSizeF(wide, high) * cell_;
    }
    const int count = blockCount();
    const double gaps = (count - 1) * block_gap;
    return cut_ == Axis::vertical ? QSizeF(count * columns_ * cell_ + gaps, block_length_ * cell_)
                                  : QSizeF(block_length_ * cell_, count * rows_ * cell_ + gaps);
}

std::vector<TorusGrid::Block> TorusGrid::blocks() const {
    std::vector<Block> all;
    for (int block = 0; block_length_ > 0 && block < blockCount(); ++block) {
        const int first = block * block_length_;
        const int last = std::min(first + block_length_, torus_.size(cut_)) - 1;
        const double along = (last - first + 1) * cell_;
        all.push_back({QRectF(cornerOf(block), cut_ == Axis::vertical ? QSizeF(columns_ * cell_, along)
                                                                      : QSizeF(along, rows_ * cell_)),
                       cut_, first, last});
    }
    return all;
}

std::array<double, 3> TorusGrid::inCells(Chip chip) const {
    return {torus_.coordinate(chip, Axis::horizontal) - (columns_ - 1) / 2.0,
            torus_.coordinate(chip, Axis::vertical) - (rows_ - 1) / 2.0,
            torus_.coordinate(chip, Axis::third) - (layers_ - 1) / 2.0};
}

TorusGrid::Spot TorusGrid::spot(double right, double down, double away) const {
    const double x = right * std::cos(turn_.yaw) + away * std::sin(turn_.yaw);
    const double z = away * std::cos(turn_.yaw) - right * std::sin(turn_.yaw);
    const double y = down * std::cos(turn_.pitch) - z * std::sin(turn_.pitch);
    const double depth = z * std::cos(turn_.pitch) + down * std::sin(turn_.pitch);
    const double scale = far_ / std::max(0.1 * far_, far_ + depth);
    return {middle_ + QPointF(x, y) * cell_ * scale, scale, depth};
}

std::vector<Chip> TorusGrid::order() const {
    std::vector<Chip> chips(static_cast<std::size_t>(torus_.chips()));
    std::iota(chips.begin(), chips.end(), 0);
    if (inSpace()) {
        std::ranges::stable_sort(chips, std::greater{},
                                 [this](Chip chip) { return spots_[static_cast<std::size_t>(chip)].depth; });
    }
    return chips;
}

TorusGrid::Lane TorusGrid::laneInSpace(const Link& link) const {
    const bool forward = link.direction == Direction::forward;
    const int at = torus_.coordinate(link.chip, link.axis);
    const auto from = inCells(link.chip);
    const std::size_t along = link.axis == Axis::horizontal ? 0 : link.axis == Axis::vertical ? 1 : 2;
    const auto away = [&](double cells) {
        auto place = from;
        place[along] += forward ? cells : -cells;
        return spot(place[0], place[1], place[2]);
    };
    Lane lane;
    // At the edge the way round leaves the torus.
    lane.stub = forward ? at == torus_.size(link.axis) - 1 : at == 0;
    const Spot begin = away(lane_begins);
    const Spot end = away(lane.stub ? stub_ends : lane_ends);
    const QPointF way = end.at - begin.at;
    const double length = std::max(1e-9, std::hypot(way.x(), way.y()));
    const QPointF side = QPointF(-way.y(), way.x()) / length * cell_ * offset_in_space;
    lane.from = begin.at + side * begin.scale;
    lane.to = end.at + side * end.scale;
    lane.width = std::clamp(cell_ * width_in_space * begin.scale, 1.0, widest_lane);
    return lane;
}

QRectF TorusGrid::bounds() const {
    if (inSpace()) {
        QRectF all;
        for (Chip chip = 0; chip < torus_.chips(); ++chip) {
            all |= core(chip);
        }
        return all;
    }
    return {origin_, sizeOfAll()};
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
    if (block_length_ > 0) {
        const bool rows = cut_ == Axis::vertical;
        const int block = (rows ? at.row : at.column) / block_length_;
        return cornerOf(block) + QPointF((rows ? at.column : at.column % block_length_) + 0.5,
                                         (rows ? at.row % block_length_ : at.row) + 0.5) *
                                     cell_;
    }
    const int layer = torus_.axis_count() > 2 ? torus_.coordinate(chip, Axis::third) : 0;
    const double left = (layer % layers_across_) * (columns_ + layer_gap);
    const double top = (layer / layers_across_) * (rows_ + layer_gap);
    return origin_ + QPointF(left + at.column + 0.5, top + at.row + 0.5) * cell_;
}

QRectF TorusGrid::core(Chip chip) const {
    if (inSpace()) {
        const Spot& here = spots_[static_cast<std::size_t>(chip)];
        const double wide = std::max(2.0, cell_ * core_in_space * here.scale);
        return {here.at - QPointF(wide, wide) / 2, QSizeF(wide, wide)};
    }
    const double side = showsLinks() ? cell_ * core_share : std::max(1.0, cell_ - (cell_ > 3 ? 1 : 0));
    return {centre(chip) - QPointF(side, side) / 2, QSizeF(side, side)};
}

TorusGrid::Lane TorusGrid::lane(const Link& link) const {
    if (inSpace()) {
        return laneInSpace(link);
    }
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
        const bool at_a_cut =
            block_length_ > 0 && link.axis == cut_ && (at + (forward ? 1 : 0)) % block_length_ == 0;
        lane.stub = at_a_cut || (forward ? at == size - 1 : at == 0);
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
    if (inSpace()) { // what is in front counts, and a core before the links that end at it
        const std::vector<Chip> far_first = order();
        for (auto chip = far_first.rbegin(); chip != far_first.rend(); ++chip) {
            if (core(*chip).contains(point)) {
                return TorusPart{*chip, std::nullopt};
            }
        }
        for (auto chip = far_first.rbegin(); showsLinks() && chip != far_first.rend(); ++chip) {
            for (const Link& link : linksOf(torus_, *chip)) {
                if (lane(link).outline(1).containsPoint(point, Qt::WindingFill)) {
                    return TorusPart{*chip, link};
                }
            }
        }
        return std::nullopt;
    }
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
