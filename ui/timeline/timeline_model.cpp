#include "ui/timeline/timeline_model.h"

#include "ui/timeline/wait.h"

#include <algorithm>

namespace meshslice::ui {
TimelineModel::TimelineModel(ResultsPtr results) : results_(std::move(results)) {
    if (!results_) {
        return;
    }
    for (const TrainingStep& step : results_->steps) {
        end_ = std::max(end_, steps_.emplace_back(step).end());
    }
}

const std::vector<Row>& TimelineModel::rows(std::size_t step) const {
    return steps_[step].rows();
}

const std::vector<Row>& TimelineModel::parts(std::size_t step) const {
    static const std::vector<Row> none;
    const Timeline* timeline = steps_[step].timeline();
    return timeline != nullptr ? timeline->rows() : none;
}

const Torus& TimelineModel::torus(std::size_t step) const {
    static const Torus one;
    const Timeline* timeline = steps_[step].timeline();
    return timeline != nullptr ? timeline->torus() : one;
}

std::size_t TimelineModel::mostRows() const {
    std::size_t most = 0;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        most = std::max(most, rows(step).size());
    }
    return most;
}

TimelineModel::Span TimelineModel::piecesIn(std::size_t step, TimeRange range) const {
    return steps_[step].pieces_in(range);
}

std::optional<std::size_t> TimelineModel::pieceAt(std::size_t step, Time time) const {
    const Span span = piecesIn(step, {time, time + Time(1)});
    return span.first < span.last ? std::optional(span.first) : std::nullopt;
}

TimelineModel::Span TimelineModel::intervalsIn(const Piece& piece, std::size_t row, TimeRange range) const {
    return StepRun::intervals_in(piece, row, range);
}

PlacedInterval TimelineModel::placed(std::size_t step, std::size_t row, std::size_t piece,
                                     std::size_t index) const {
    const Piece& at = pieces(step)[piece];
    const Interval& interval = at.timeline->intervals(row)[index];
    return {piece, index, at.start + interval.start, at.start + interval.end};
}

TimelineModel::Found TimelineModel::look(std::size_t step, std::size_t row, TimeRange range) const {
    Found found;
    Time longest;
    const Span span_of = piecesIn(step, range);
    for (std::size_t piece = span_of.first; piece < span_of.last; ++piece) {
        const Span span = intervalsIn(pieces(step)[piece], row, range);
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
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        const std::vector<Row>& rows = parts(step);
        const auto row =
            std::ranges::find_if(rows, [&](const Row& one) { return isPart(part, torus(step), one); });
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
    const std::vector<Piece>& all = pieces(selected.step);
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
    const Piece& piece = pieces(step)[at.piece];
    return {step, piece.gemm, row, at.index, static_cast<std::size_t>(piece.copy)};
}

Selected TimelineModel::selectedWait(std::size_t step, std::size_t row, std::size_t piece,
                                     std::size_t next) const {
    const Piece& at = pieces(step)[piece];
    return {step, at.gemm, row, next, static_cast<std::size_t>(at.copy), true};
}

const Interval& TimelineModel::interval(std::size_t step, std::size_t row,
                                        const PlacedInterval& placed) const {
    return pieces(step)[placed.piece].timeline->intervals(row)[placed.index];
}

std::optional<PlacedInterval> TimelineModel::neighbour(std::size_t step, std::size_t row,
                                                       const PlacedInterval& from, bool next) const {
    const std::vector<Piece>& all = pieces(step);
    const auto count = [&](std::size_t piece) {
        return all[piece].timeline && row < all[piece].timeline->rows_with_memory().size()
                   ? all[piece].timeline->intervals(row).size()
                   : 0;
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
    if (after && next < pieces(step)[piece].timeline->intervals(row).size()) {
        return placed(step, row, piece, next);
    }
    return neighbour(step, row, {piece, next, {}, {}}, after);
}

std::optional<PlacedInterval> TimelineModel::firstAfter(std::size_t step, std::size_t row, Time time) const {
    const Span span_of = piecesIn(step, {time, end_ + Time(1)});
    for (std::size_t piece = span_of.first; piece < span_of.last; ++piece) {
        const Span span = intervalsIn(pieces(step)[piece], row, {time, end_ + Time(1)});
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
        const Piece& at = pieces(selected.step)[*piece];
        const TimeRange wait = waitBefore(*at.timeline, *selected.row, *selected.interval);
        return TimeRange{at.start + wait.begin, at.start + wait.end};
    }
    std::optional<TimeRange> range;
    for (const Piece& piece : pieces(selected.step)) {
        if (piece.gemm == selected.gemm) {
            range = TimeRange{range ? range->begin : piece.start, piece.end};
        }
    }
    return range;
}

} // namespace meshslice::ui
