#include "ui/timeline/timeline_model.h"

#include "ui/timeline/wait.h"

#include <algorithm>

namespace meshslice::ui {
namespace {

std::size_t rowCount(const Piece& piece) {
    return piece.timeline ? piece.timeline->rows_with_memory().size() : 0;
}

} // namespace

TimelineModel::TimelineModel(ResultsPtr results) : results_(std::move(results)) {
    if (!results_) {
        return;
    }
    for (const TrainingStep& step : results_->steps) {
        Step made;
        for (std::size_t gemm = 0; gemm < step.gemms.size(); ++gemm) {
            const GemmResult& product = step.gemms[gemm];
            const Timeline* timeline = product.timeline.get();
            if (timeline && !made.rows) {
                made.rows = timeline;
            }
            // Without a timeline there is nothing to repeat: one piece as long as all copies.
            const std::int64_t copies = timeline ? std::max<std::int64_t>(1, product.gemm.copies) : 1;
            Time start = product.start;
            for (std::int64_t copy = 0; copy < copies; ++copy) {
                const Time end = start + (timeline ? timeline->end() : product.time);
                made.pieces.push_back({gemm, copy, start, end, timeline});
                start = end;
            }
            end_ = std::max(end_, start);
        }
        end_ = std::max(end_, step.time);
        steps_.push_back(std::move(made));
    }
}

const std::vector<Row>& TimelineModel::rows(std::size_t step) const {
    static const std::vector<Row> none;
    return steps_[step].rows ? steps_[step].rows->rows_with_memory() : none;
}

const std::vector<Row>& TimelineModel::parts(std::size_t step) const {
    static const std::vector<Row> none;
    return steps_[step].rows ? steps_[step].rows->rows() : none;
}

const Torus& TimelineModel::torus(std::size_t step) const {
    static const Torus one;
    return steps_[step].rows ? steps_[step].rows->torus() : one;
}

std::size_t TimelineModel::mostRows() const {
    std::size_t most = 0;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        most = std::max(most, rows(step).size());
    }
    return most;
}

TimelineModel::Span TimelineModel::piecesIn(std::size_t step, TimeRange range) const {
    const std::vector<Piece>& all = steps_[step].pieces;
    const auto first = std::partition_point(all.begin(), all.end(),
                                            [&](const Piece& piece) { return piece.end <= range.begin; });
    const auto last =
        std::partition_point(first, all.end(), [&](const Piece& piece) { return piece.start < range.end; });
    return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

std::optional<std::size_t> TimelineModel::pieceAt(std::size_t step, Time time) const {
    const Span span = piecesIn(step, {time, time + Time(1)});
    return span.first < span.last ? std::optional(span.first) : std::nullopt;
}

TimelineModel::Span TimelineModel::intervalsIn(const Piece& piece, std::size_t row, TimeRange range) const {
    if (row >= rowCount(piece)) {
        return {};
    }
    const auto all = piece.timeline->intervals(row);
    const Time begin = range.begin - piece.start;
    const Time end = range.end - piece.start;
    const auto first = std::partition_point(all.begin(), all.end(),
                                            [&](const Interval& interval) { return interval.end <= begin; });
    const auto last = std::partition_point(first, all.end(),
                                           [&](const Interval& interval) { return interval.start < end; });
    return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

PlacedInterval TimelineModel::placed(std::size_t step, std::size_t row, std::size_t piece,
                                     std::size_t index) const {
    const Piece& at = steps_[step].pieces[piece];
    const Interval& interval = at.timeline->intervals(row)[index];
    return {piece, index, at.start + interval.start, at.start + interval.end};
}

TimelineModel::Found TimelineModel::look(std::size_t step, std::size_t row, TimeRange range) const {
    Found found;
    Time longest;
    const Span pieces = piecesIn(step, range);
    for (std::size_t piece = pieces.first; piece < pieces.last; ++piece) {
        const Span span = intervalsIn(steps_[step].pieces[piece], row, range);
        found.count += span.last - span.first;
        for (std::size_t index = span.first; index < span.last; ++index) {
            const PlacedInterval at = placed(step, row, piece, index);
            const Time inside = std::min(at.end, range.end) - std::max(at.start, range.begin);
            found.busy += inside;
            if (!found.longest || inside > longest) {
                found.longest = at;
                longest = inside;
            }
        }
    }
    return found;
}

bool isPart(const FaultyPart& part, const Torus& torus, const Row& row) {
    bool here = !row.memory && static_cast<int>(part.chip.size()) == torus.axis_count() &&
                part.is_core == row.is_core &&
                (row.is_core || (part.axis == row.axis && part.direction == row.direction));
    for (std::size_t axis = 0; here && axis < part.chip.size(); ++axis) {
        here = part.chip[axis] == torus.coordinate(row.chip, static_cast<Axis>(axis));
    }
    return here;
}

std::optional<std::size_t> TimelineModel::rowOf(const FaultyPart& part) const {
    for (const Step& step : steps_) {
        if (step.rows == nullptr) {
            continue;
        }
        const std::vector<Row>& rows = step.rows->rows();
        const auto row =
            std::ranges::find_if(rows, [&](const Row& one) { return isPart(part, step.rows->torus(), one); });
        if (row != rows.end()) {
            return static_cast<std::size_t>(row - rows.begin());
        }
    }
    return std::nullopt;
}

bool TimelineModel::exists(const Selected& selected) const {
    if (selected.step >= steps_.size() || selected.gemm >= step(selected.step).gemms.size()) {
        return false;
    }
    const Timeline* timeline = step(selected.step).gemms[selected.gemm].timeline.get();
    if (!selected.row) {
        return true;
    }
    if (!timeline || *selected.row >= timeline->rows_with_memory().size()) {
        return false;
    }
    if (!selected.interval) {
        return true;
    }
    const std::int64_t copies = step(selected.step).gemms[selected.gemm].gemm.copies;
    const std::size_t bars = timeline->intervals(*selected.row).size();
    return selected.copy < static_cast<std::size_t>(std::max<std::int64_t>(1, copies)) &&
           (*selected.interval < bars || (selected.wait && *selected.interval == bars &&
                                          timeline->rows_with_memory()[*selected.row].is_core));
}

std::optional<std::size_t> TimelineModel::pieceOf(const Selected& selected) const {
    if (!selected.row || !exists(selected)) {
        return std::nullopt;
    }
    const std::vector<Piece>& all = steps_[selected.step].pieces;
    const auto piece = std::find_if(all.begin(), all.end(), [&](const Piece& one) {
        return one.gemm == selected.gemm && one.copy == static_cast<std::int64_t>(selected.copy);
    });
    return piece != all.end() ? std::optional(static_cast<std::size_t>(piece - all.begin())) : std::nullopt;
}

std::optional<PlacedInterval> TimelineModel::place(const Selected& selected) const {
    const std::optional<std::size_t> piece = pieceOf(selected);
    if (!piece || !selected.interval || selected.wait) {
        return std::nullopt;
    }
    return placed(selected.step, *selected.row, *piece, *selected.interval);
}

Selected TimelineModel::selectedBar(std::size_t step, std::size_t row, const PlacedInterval& at) const {
    const Piece& piece = steps_[step].pieces[at.piece];
    return {step, piece.gemm, row, at.index, static_cast<std::size_t>(piece.copy)};
}

Selected TimelineModel::selectedWait(std::size_t step, std::size_t row, std::size_t piece,
                                     std::size_t next) const {
    const Piece& at = steps_[step].pieces[piece];
    return {step, at.gemm, row, next, static_cast<std::size_t>(at.copy), true};
}

const Interval& TimelineModel::interval(std::size_t step, std::size_t row,
                                        const PlacedInterval& placed) const {
    return steps_[step].pieces[placed.piece].timeline->intervals(row)[placed.index];
}

std::optional<PlacedInterval> TimelineModel::neighbour(std::size_t step, std::size_t row,
                                                       const PlacedInterval& from, bool next) const {
    const std::vector<Piece>& all = steps_[step].pieces;
    const auto count = [&](std::size_t piece) {
        return row < rowCount(all[piece]) ? all[piece].timeline->intervals(row).size() : 0;
    };
    if (next) {
        if (from.index + 1 < count(from.piece)) {
            return placed(step, row, from.piece, from.index + 1);
        }
        for (std::size_t piece = from.piece + 1; piece < all.size(); ++piece) {
            if (count(piece) > 0) {
                return placed(step, row, piece, 0);
            }
        }
        return std::nullopt;
    }
    if (from.index > 0) {
        return placed(step, row, from.piece, from.index - 1);
    }
    for (std::size_t piece = from.piece; piece-- > 0;) {
        if (count(piece) > 0) {
            return placed(step, row, piece, count(piece) - 1);
        }
    }
    return std::nullopt;
}

std::optional<PlacedInterval> TimelineModel::barNextToWait(std::size_t step, std::size_t row,
                                                           std::size_t piece, std::size_t next,
                                                           bool after) const {
    if (after && next < steps_[step].pieces[piece].timeline->intervals(row).size()) {
        return placed(step, row, piece, next);
    }
    return neighbour(step, row, {piece, next, {}, {}}, after);
}

std::optional<PlacedInterval> TimelineModel::firstAfter(std::size_t step, std::size_t row, Time time) const {
    const Span pieces = piecesIn(step, {time, end_ + Time(1)});
    for (std::size_t piece = pieces.first; piece < pieces.last; ++piece) {
        const Span span = intervalsIn(steps_[step].pieces[piece], row, {time, end_ + Time(1)});
        if (span.first < span.last) {
            return placed(step, row, piece, span.first);
        }
    }
    return std::nullopt;
}

std::optional<TimeRange> TimelineModel::rangeOf(const Selected& selected) const {
    if (const std::optional<PlacedInterval> at = place(selected)) {
        return TimeRange{at->start, at->end};
    }
    if (!exists(selected)) {
        return std::nullopt;
    }
    if (const std::optional<std::size_t> piece = pieceOf(selected); piece && selected.interval) {
        const Piece& at = steps_[selected.step].pieces[*piece];
        const TimeRange wait = waitBefore(*at.timeline, *selected.row, *selected.interval);
        return TimeRange{at.start + wait.begin, at.start + wait.end};
    }
    std::optional<TimeRange> range;
    for (const Piece& piece : steps_[selected.step].pieces) {
        if (piece.gemm == selected.gemm) {
            range = TimeRange{range ? range->begin : piece.start, piece.end};
        }
    }
    return range;
}

} // namespace meshslice::ui
