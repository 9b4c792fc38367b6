#include "ui/timeline/view/timeline_bars.h"

#include "ui/look/hatch.h"
#include "ui/look/textured.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace meshslice::ui {
namespace {

/// Of a pixel column: a core that multiplies less than this much of it is shown to wait.
constexpr double mostly_busy = 0.9;
/// Narrower bars than this are not parted: a hairline would take too much of them.
constexpr int seam_from = 4;

int nearestEdge(double x) {
    return static_cast<int>(std::floor(x + 0.5));
}
int columnOf(double x) {
    return static_cast<int>(std::floor(x));
}

std::size_t groupFor(Bars& bars, Role role) {
    const auto found = std::find_if(bars.groups.begin(), bars.groups.end(),
                                    [&](const Bars::Group& group) { return group.role == role; });
    if (found != bars.groups.end()) {
        return static_cast<std::size_t>(found - bars.groups.begin());
    }
    bars.groups.push_back({role, {}, {}, {}});
    return bars.groups.size() - 1;
}

/// From the bottom of a merged column to its top: what the time is spent for goes on top.
constexpr std::array stacking = {Role::waits,         Role::exposed,          Role::update,
                                 Role::weights,       Role::slicing,          Role::launch,
                                 Role::sync,          Role::transferVertical, Role::transferHorizontal,
                                 Role::transferThird, Role::backward,         Role::compute};
/// Heights in a merged column are rounded to this many pixels; finer ones would only show as a ragged edge.
constexpr int height_step = 2;

} // namespace

std::size_t Bars::count() const {
    std::size_t sum = waits.size();
    for (const Group& group : groups) {
        sum += group.rects.size();
    }
    return sum;
}

RowMerger::RowMerger(Bars& bars, int left, int right, int top, int height)
    : bars_(bars), left_(left), right_(right), top_(top), height_(height), bar_begin_(left), bar_end_(left) {}

void RowMerger::emitRect(Role role, const QRect& rect, std::uint32_t merged, Open* joins) {
    const int begin = std::max(rect.x(), left_);
    const int end = std::min(rect.x() + rect.width(), right_);
    if (end <= begin) {
        return;
    }
    if (joins && joins->right == begin && joins->top == rect.y() && joins->height == rect.height()) {
        // Nothing has been added to its group since, or `right` would have been passed: it is the last one.
        Bars::Group& group = bars_.groups[joins->group];
        group.rects.back().setWidth(group.rects.back().width() + end - begin);
        group.merged.back() += merged;
        joins->right = end;
        return;
    }
    const std::size_t index = groupFor(bars_, role);
    bars_.groups[index].rects.emplace_back(begin, rect.y(), end - begin, rect.height());
    bars_.groups[index].merged.push_back(merged);
    if (joins) {
        *joins = {index, end, rect.y(), rect.height()};
    }
}

QRect RowMerger::barRect(Role role, int from, int end) const {
    const bool low = texture(role) == Texture::half_height;
    const int height = low ? (height_ + 1) / 2 : height_;
    return {from, top_ + height_ - height, end - from, height};
}

void RowMerger::emitSeam(Role role, int from, int end) {
    // `spill_role_` is the colour of the bar before, which ends at `bar_end_`.
    if (from == bar_end_ && role == spill_role_ && end - from >= seam_from &&
        bar_end_ - bar_begin_ >= seam_from && from > left_ && from < right_) {
        bars_.groups[groupFor(bars_, role)].seams.push_back(barRect(role, from, from + 1));
    }
}

RowMerger::Column& RowMerger::column(int at) {
    if (!open_ || column_.at != at) {
        closeColumn(std::numeric_limits<int>::max());
        column_ = Column{};
        column_.at = at;
        if (at == bar_end_) {
            column_.busy[static_cast<std::size_t>(spill_role_)] += spill_;
        }
        open_ = true;
    }
    return column_;
}

void RowMerger::closeColumn(int nextBar) {
    const bool counts = std::any_of(column_.count.begin(), column_.count.end(),
                                    [](std::uint32_t count) { return count > 0; });
    if (open_ && counts && column_.at >= bar_end_ && column_.at < nextBar) {
        emitColumn(column_);
    }
    open_ = false;
}

void RowMerger::emitColumn(const Column& filled) {
    const auto index = [](Role role) { return static_cast<std::size_t>(role); };
    const double whole = std::accumulate(filled.busy.begin(), filled.busy.end(), 0.0);
    const double busy = std::clamp(whole, 1e-9, 1.0);
    const int steps = std::max(1, height_ / height_step);
    const bool follows = layers_at_ == filled.at - 1;
    Role busiest = stacking.front();
    for (const Role role : stacking) {
        busiest = filled.busy[index(role)] >= filled.busy[index(busiest)] ? role : busiest;
    }

    const int bottom = top_ + height_;
    double share = 0;
    int from = 0;
    std::uint32_t told = 0;
    for (std::size_t layer = 0; layer < stacking.size(); ++layer) {
        const Role role = stacking[layer];
        share += whole > 0 ? filled.busy[index(role)] / whole * busy : 0.0;
        const double exact = share * steps;
        // A little more or less than next to it is noise of where the bars happen to begin.
        const bool still = follows && std::abs(exact - layers_[layer]) < 0.8;
        int to = std::max(from, still ? layers_[layer] : static_cast<int>(std::lround(exact)));
        if (role == stacking.back() && to == 0) {
            to = 1; // however little there is, something is
        }
        layers_[layer] = to;
        const Role drawn = to == 1 && role == stacking.back() && from == 0 ? busiest : role;
        if (to > from && (filled.busy[index(drawn)] > 0 || filled.count[index(drawn)] > 0)) {
            const int height = (to == steps ? height_ : to * height_step) - from * height_step;
            const std::uint32_t merged = filled.count[index(drawn)];
            told += merged;
            emitRect(drawn, QRect(filled.at, bottom - from * height_step - height, 1, height), merged,
                     &last_[index(drawn)]);
            from = to;
        }
    }
    layers_at_ = filled.at;
    // Bars too few to get a layer of their own are counted with one that has.
    const std::uint32_t all = std::accumulate(filled.count.begin(), filled.count.end(), 0u);
    const auto shown = [&](Role role) { return last_[index(role)].right == filled.at + 1; };
    const auto layer = std::ranges::find_if(stacking, shown);
    if (told < all && (shown(busiest) || layer != stacking.end())) {
        const Role role = shown(busiest) ? busiest : *layer;
        bars_.groups[last_[index(role)].group].merged.back() += all - told;
    }
}

void RowMerger::add(double start, double end, Role role) {
    if (end - start >= 1.0) {
        const int from = nearestEdge(start);
        if (open_ && column_.at == columnOf(start)) {
            column_.busy[static_cast<std::size_t>(role)] += column_.at + 1 - start;
        }
        closeColumn(from);
        const int to = nearestEdge(end);
        emitRect(role, barRect(role, from, to), 1, nullptr);
        emitSeam(role, from, to);
        bar_begin_ = from;
        bar_end_ = to;
        last_ = {};
        spill_ = std::max(0.0, end - bar_end_);
        spill_role_ = role;
        return;
    }
    const int first = columnOf(start);
    const int own = columnOf((start + end) / 2);
    for (int at = first; at <= columnOf(end); ++at) {
        const double inside = std::min(end, at + 1.0) - std::max(start, static_cast<double>(at));
        if (inside <= 0 && at != own) {
            continue;
        }
        Column& filled = column(at);
        filled.busy[static_cast<std::size_t>(role)] += inside;
        filled.count[static_cast<std::size_t>(role)] += at == own ? 1 : 0;
    }
}

void RowMerger::addMany(int at, std::uint32_t count, double busy, Role role) {
    Column& filled = column(at);
    filled.busy[static_cast<std::size_t>(role)] += busy;
    filled.count[static_cast<std::size_t>(role)] += count;
}

void RowMerger::finish() {
    closeColumn(std::numeric_limits<int>::max());
}

namespace {

/// Feeds what is visible of one lane to the merger, and the waits of a core to `bars`.
class LaneFeeder {
  public:
    LaneFeeder(const TimeScale& scale, Bars& bars, const QRect& row, std::span<const Stretch> exposed)
        : scale_(scale)
        , bars_(bars)
        , row_(row)
        , exposed_(exposed)
        , left_(scale.left)
        , right_(scale.left + scale.width)
        , pixels_(scale.pixelsPerPicosecond())
        , merger_(bars, left_, right_, row.top(), row.height()) {}

    void feed(std::span<const RunSlice> slices) {
        for (const RunSlice& slice : slices) {
            const double start = x(slice.start);
            const double end = x(slice.end);
            if (slice.count == 1) {
                closeCrowd();
                wait(start);
                merger_.add(start, end, slice.role);
                idle_ = end;
                continue;
            }
            // Several within a pixel, one slice for each role.
            if (const int at = columnOf(start); !crowd_ || *crowd_ != at) {
                closeCrowd();
                wait(start);
                crowd_ = at;
                filled_ = 0;
            }
            const double busy = static_cast<double>(slice.busy.value()) * pixels_;
            filled_ += busy;
            merger_.addMany(*crowd_, slice.count, busy, slice.role);
            idle_ = std::max(idle_, end);
        }
    }

    /// `end`: of the run.
    void finish(Time end) {
        closeCrowd();
        wait(x(end));
        merger_.finish();
    }

  private:
    /// Cut a little outside the picture: far out, a pixel position would not fit an int.
    [[nodiscard]] double x(Time time) const {
        const double position = left_ + static_cast<double>((time - scale_.range.begin).value()) * pixels_;
        return std::clamp(position, left_ - 4.0, right_ + 4.0);
    }

    void wait(double to) {
        for (const Stretch& stretch : exposed_) {
            const double from = std::max({idle_, x(stretch.begin), left_ - 1.0});
            const int begin = std::max(nearestEdge(from), left_);
            const int end = std::min(nearestEdge(std::min({to, x(stretch.end), right_ + 1.0})), right_);
            if (end > begin) {
                bars_.waits.emplace_back(begin, row_.top(), end - begin, row_.height());
            }
        }
    }

    /// A pixel column in which the core waits between bars too narrow to draw shows that above what they
    /// fill.
    void closeCrowd() {
        if (!crowd_) {
            return;
        }
        const int at = *crowd_;
        crowd_.reset();
        if (exposed_.empty() || filled_ >= mostly_busy || at < left_ || at >= right_) {
            return;
        }
        const QRect column(at, row_.top(), 1, row_.height());
        if (!bars_.waits.empty() && bars_.waits.back().right() + 1 == at &&
            bars_.waits.back().top() == column.top()) {
            bars_.waits.back().setRight(at);
        } else {
            bars_.waits.push_back(column);
        }
    }

    const TimeScale& scale_;
    Bars& bars_;
    QRect row_;
    std::span<const Stretch> exposed_;
    int left_;
    int right_;
    double pixels_;
    RowMerger merger_;
    double idle_ = 0;          ///< where the bar before ends
    std::optional<int> crowd_; ///< the column of the last slices
    double filled_ = 0;        ///< of it
};

} // namespace

void buildRow(Bars& bars, std::span<const RunSlice> slices, std::span<const Stretch> exposed, Time end,
              const TimeScale& scale, const QRect& row) {
    if (scale.width <= 0 || length(scale.range).value() <= 0) {
        return;
    }
    LaneFeeder feeder(scale, bars, row, exposed);
    feeder.feed(slices);
    feeder.finish(end);
}

void fillRects(QPainter& painter, const std::vector<QRect>& rects, const QColor& fill) {
    const QPaintEngine* engine = painter.paintEngine();
    if (engine && engine->type() == QPaintEngine::Raster) {
        for (const QRect& rect : rects) {
            painter.fillRect(rect, fill);
        }
        return;
    }
    // One path for all of a colour keeps vector files small.
    QPainterPath path;
    for (const QRect& rect : rects) {
        path.addRect(rect);
    }
    painter.fillPath(path, fill);
}

namespace {

/// Lines around those that are large enough.
std::vector<QRect> linesAround(const std::vector<QRect>& rects) {
    std::vector<QRect> lines;
    for (const QRect& rect : rects) {
        for (const QRectF& line : edgesOf(QRectF(rect))) {
            lines.push_back(line.toRect());
        }
    }
    return lines;
}

} // namespace

void paintBars(QPainter& painter, const Bars& bars, Theme theme) {
    for (const QRect& wait : bars.waits) {
        paintHatch(painter, wait, theme);
    }
    for (const Bars::Group& group : bars.groups) {
        if (texture(group.role) == Texture::hatched) {
            for (const QRect& rect : group.rects) {
                paintHatch(painter, rect, theme);
            }
            continue;
        }
        fillRects(painter, group.rects, color(group.role, theme));
    }
    for (const Bars::Group& group : bars.groups) {
        if (texture(group.role) == Texture::edged) {
            fillRects(painter, linesAround(group.rects), edgeColor(group.role, theme));
        }
        fillRects(painter, group.seams, color(Role::background, theme));
    }
}

void paintSelection(QPainter& painter, const QRect& bar, Theme theme) {
    const QColor ink = color(Role::text, theme);
    painter.setBrush(Qt::NoBrush);
    if (bar.width() >= least_framed) {
        painter.setPen(QPen(color(Role::background, theme), 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(bar.adjusted(-1, -1, 0, 0));
        painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(QRectF(bar).adjusted(-2, -2, 2, 2));
        return;
    }
    const int middle = bar.left() + bar.width() / 2;
    painter.fillRect(QRect(middle, bar.top(), 1, bar.height()), ink);
    constexpr int pointer = 7;
    for (int line = 0; line < pointer; ++line) { // it points down at the bar
        const int half = (pointer - 1 - line) / 2 + (pointer - line) / 4;
        painter.fillRect(QRect(middle - half, bar.top() - pointer + line, 2 * half + 1, 1), ink);
    }
}

} // namespace meshslice::ui
