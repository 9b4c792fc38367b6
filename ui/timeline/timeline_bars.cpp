#include "ui/timeline/timeline_bars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace meshslice::ui {
namespace {

/// From this many bars in one pixel on, they are added up together, and from `sampled` on by a sample.
constexpr std::size_t crowd = 8;
constexpr std::size_t sampled = 512;
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
constexpr std::array stacking = {
    Role::slicing,       Role::launch, Role::sync, Role::transferVertical, Role::transferHorizontal,
    Role::transferThird, Role::compute};
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

Role roleOf(const Row& row, Activity activity) {
    switch (activity) {
    case Activity::compute: return Role::compute;
    case Activity::launch: return Role::launch;
    case Activity::sync: return Role::sync;
    case Activity::copy: return Role::slicing;
    case Activity::transfer: break;
    }
    return transfer_role(row.axis);
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
    for (const Role role : {busiest, Role::slicing, Role::launch, Role::sync, Role::transferVertical,
                            Role::transferHorizontal, Role::transferThird, Role::compute}) {
        if (told < all && last_[index(role)].right == filled.at + 1) {
            bars_.groups[last_[index(role)].group].merged.back() += all - told;
            break;
        }
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

/// Feeds the visible intervals of one row of one piece to the merger, and the core's waits to `bars`.
class RowFeeder {
  public:
    RowFeeder(const TimelineModel& model, const TimeScale& scale, Bars& bars, const QRect& row, int inset)
        : model_(model)
        , scale_(scale)
        , bars_(bars)
        , row_(row)
        , inset_(inset)
        , left_(scale.left)
        , right_(scale.left + scale.width)
        , pixels_(scale.pixelsPerPicosecond())
        , merger_(bars, left_, right_, row.top() + inset, row.height() - 2 * inset) {}

    void feed(const Piece& piece, std::size_t rowIndex) {
        const Row& row = piece.timeline->rows_with_memory()[rowIndex];
        const auto all = piece.timeline->intervals(rowIndex);
        const TimelineModel::Span span = model_.intervalsIn(piece, rowIndex, scale_.range);
        const std::int64_t offset = (piece.start - scale_.range.begin).value();
        // Cut a little outside the picture: far out, a pixel position would not fit an int.
        const auto x = [&](Time time) {
            const double position = left_ + static_cast<double>(time.value() + offset) * pixels_;
            return std::clamp(position, left_ - 4.0, right_ + 4.0);
        };

        std::size_t index = span.first;
        double idle = x(index > 0 ? all[index - 1].end : Time(0));
        while (index < span.last) {
            const Interval& interval = all[index];
            const double start = x(interval.start);
            if (row.is_core) {
                wait(idle, start);
            }
            const double end = x(interval.end);
            if (end - start < 1.0 && index + crowd < span.last &&
                x(all[index + crowd - 1].end) <= columnOf(start) + 1) {
                index = feedCrowd(all, index, span.last, columnOf(start), row, x);
                idle = x(all[index - 1].end);
                continue;
            }
            merger_.add(start, end, roleOf(row, interval.activity));
            idle = end;
            ++index;
        }
        if (row.is_core) {
            wait(idle, x(index < all.size() ? all[index].start : piece.timeline->end()));
        }
    }

    void finish() { merger_.finish(); }

  private:
    void wait(double from, double to) {
        const int begin = std::max(nearestEdge(std::max(from, left_ - 1.0)), left_);
        const int end = std::min(nearestEdge(std::min(to, right_ + 1.0)), right_);
        if (end > begin) {
            bars_.waits.emplace_back(begin, row_.top() + inset_, end - begin, row_.height() - 2 * inset_);
        }
    }

    /// A pixel column in which the core waits between bars too narrow to draw; it shows above what they fill.
    void waitColumn(int at) {
        if (at < left_ || at >= right_) {
            return;
        }
        const QRect column(at, row_.top() + inset_, 1, row_.height() - 2 * inset_);
        if (!bars_.waits.empty() && bars_.waits.back().right() + 1 == at &&
            bars_.waits.back().top() == column.top()) {
            bars_.waits.back().setRight(at);
        } else {
            bars_.waits.push_back(column);
        }
    }

    /// Many bars within one pixel column: finds the first that leaves it by doubling and halving, and asks a
    /// sample.
    template <class ToX>
    std::size_t feedCrowd(std::span<const Interval> all, std::size_t first, std::size_t last, int at,
                          const Row& row, const ToX& x) {
        std::size_t step = crowd;
        while (first + step < last && x(all[first + step - 1].end) <= at + 1) {
            step *= 2;
        }
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, last));
        const auto leaves =
            std::partition_point(begin, end, [&](const Interval& one) { return x(one.end) <= at + 1; });
        const auto count = static_cast<std::size_t>(leaves - begin);

        // An odd stride: launch, synchronisation and transfer alternate, and an even one would miss some of
        // them.
        const std::size_t stride = count < sampled ? 1 : count / sampled * 2 + 1;
        std::array<double, static_cast<std::size_t>(Role::slicing) + 1> busy{};
        std::array<std::size_t, busy.size()> seen{};
        std::size_t asked = 0;
        for (std::size_t k = first; k < first + count; k += stride, ++asked) {
            const auto role = static_cast<std::size_t>(roleOf(row, all[k].activity));
            busy[role] += static_cast<double>((all[k].end - all[k].start).value()) * pixels_;
            ++seen[role];
        }
        const double filled = std::accumulate(busy.begin(), busy.end(), 0.0) * static_cast<double>(count) /
                              static_cast<double>(asked);
        if (row.is_core && filled < mostly_busy) {
            waitColumn(at);
        }
        std::size_t untold = count;
        for (std::size_t role = 0; role < busy.size(); ++role) {
            if (seen[role] == 0) {
                continue;
            }
            const std::size_t bars = std::min(untold, (seen[role] * count + asked / 2) / asked);
            untold -= bars;
            merger_.addMany(at, static_cast<std::uint32_t>(bars),
                            busy[role] * static_cast<double>(count) / static_cast<double>(asked),
                            static_cast<Role>(role));
        }
        merger_.addMany(at, static_cast<std::uint32_t>(untold), 0, roleOf(row, all[first].activity));
        return first + count;
    }

    const TimelineModel& model_;
    const TimeScale& scale_;
    Bars& bars_;
    QRect row_;
    int inset_;
    int left_;
    int right_;
    double pixels_;
    RowMerger merger_;
};

} // namespace

Bars buildBars(const TimelineModel& model, std::size_t step, const TimeScale& scale, const QRect& area,
               int rowHeight, std::span<const RowLine> lines) {
    Bars bars;
    if (scale.width <= 0 || length(scale.range).value() <= 0) {
        return bars;
    }
    const TimelineModel::Span pieces = model.piecesIn(step, scale.range);
    const std::size_t fit = std::min(lines.size(), rowsThatFit(area, rowHeight));
    const int inset = rowHeight >= pixels(RowHeight::normal) ? 2 : 1;
    for (std::size_t line = 0; line < fit; ++line) {
        if (lines[line].group) {
            continue;
        }
        const std::size_t row = lines[line].index;
        RowFeeder feeder(model, scale, bars, lineRect(area, rowHeight, line), inset);
        for (std::size_t index = pieces.first; index < pieces.last; ++index) {
            const Piece& piece = model.pieces(step)[index];
            if (piece.timeline && row < piece.timeline->rows_with_memory().size()) {
                feeder.feed(piece, row);
            }
        }
        feeder.finish();
    }
    return bars;
}

} // namespace meshslice::ui
