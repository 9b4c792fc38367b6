#include "ui/torus/torus_frame.h"

#include "core/base/text.h"
#include "core/simulate/record/timeline.h"
#include "core/simulate/record/usage.h"
#include "ui/look/words.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>

namespace meshslice::ui {
namespace {

struct TorusWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

/// The first interval of the row that ends after `time` of the GEMM.
std::size_t firstEndingAfter(std::span<const Interval> intervals, Time time) {
    return static_cast<std::size_t>(std::ranges::upper_bound(intervals, time, {}, &Interval::end) -
                                    intervals.begin());
}

} // namespace

TorusFrame frameAt(const StepRun& run, std::size_t step, Time moment) {
    TorusFrame frame;
    frame.step = step;
    frame.moment = moment;
    frame.piece = run.piece_at(moment);
    const std::vector<Row>& rows = run.chip_rows();
    frame.now.resize(rows.size());
    const Piece* piece = frame.piece ? &run.pieces()[*frame.piece] : nullptr;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool core = rows[row].is_core;
        (core ? frame.cores : frame.links) += 1;
        if (piece == nullptr || piece->timeline == nullptr || row >= piece->timeline->rows().size()) {
            continue;
        }
        const auto intervals = piece->timeline->intervals(row);
        const std::size_t index = firstEndingAfter(intervals, moment - piece->start);
        const bool busy = index < intervals.size() && piece->start + intervals[index].start <= moment;
        if (busy) {
            frame.now[row] = run.slice(row, StepRun::item(*frame.piece, index));
        }
        frame.multiplying += core && busy && intervals[index].activity == Activity::compute ? 1 : 0;
        frame.waiting += core && !busy ? 1 : 0;
        frame.moving += !core && busy && intervals[index].activity == Activity::transfer ? 1 : 0;
    }
    return frame;
}

std::optional<Time> eventAfter(const StepRun& run, Time moment) {
    std::optional<Time> next;
    for (const Piece& piece : run.pieces()) {
        if (piece.end <= moment) {
            continue;
        }
        const auto take = [&](Time time) {
            if (time > moment && (!next || time < *next)) {
                next = time;
            }
        };
        take(piece.start);
        take(piece.end);
        const std::size_t rows = piece.timeline != nullptr ? piece.timeline->rows().size() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const auto intervals = piece.timeline->intervals(row);
            const std::size_t index = firstEndingAfter(intervals, moment - piece.start);
            if (index < intervals.size()) {
                take(piece.start + intervals[index].start);
                take(piece.start + intervals[index].end);
            }
        }
        break; // the GEMMs run one after the other
    }
    return next;
}

std::optional<Time> eventBefore(const StepRun& run, Time moment) {
    std::optional<Time> before;
    const std::vector<Piece>& pieces = run.pieces();
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        if (piece->start >= moment) {
            continue;
        }
        const auto take = [&](Time time) {
            if (time < moment && (!before || time > *before)) {
                before = time;
            }
        };
        take(piece->start);
        take(piece->end);
        const std::size_t rows = piece->timeline != nullptr ? piece->timeline->rows().size() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const auto intervals = piece->timeline->intervals(row);
            // The last one that begins before the moment, and the end of it or of the one before.
            const auto begun = static_cast<std::size_t>(
                std::ranges::lower_bound(intervals, moment - piece->start, {}, &Interval::start) -
                intervals.begin());
            for (std::size_t back = 1; back <= 2 && back <= begun; ++back) {
                take(piece->start + intervals[begun - back].start);
                take(piece->start + intervals[begun - back].end);
            }
        }
        break;
    }
    return before;
}

std::vector<double> loadsIn(const StepRun& run, TimeRange range) {
    std::vector<double> loads(run.chip_rows().size());
    const StepRun::Span span = run.pieces_in(range);
    for (std::size_t k = span.first; k < span.last && length(range) > Time(0); ++k) {
        const Piece& piece = run.pieces()[k];
        if (piece.timeline == nullptr) {
            continue;
        }
        const std::vector<Time> busy =
            busy_times(*piece.timeline, {range.begin - piece.start, range.end - piece.start});
        for (std::size_t row = 0; row < loads.size(); ++row) {
            loads[row] += ratio(busy[row], length(range));
        }
    }
    return loads;
}

QString frameSentence(const StepRun& run, const TorusFrame& frame) {
    const QString time = words(text(frame.moment));
    if (!frame.piece) {
        return TorusWords::tr("%1: nothing runs any more").arg(time);
    }
    const Piece& piece = run.pieces()[*frame.piece];
    const GemmResult& gemm = run.step().gemms[piece.gemm];
    return TorusWords::tr("%1, %2: %3 of %4 cores multiply, %5 wait; %6 of %7 links carry bytes")
        .arg(time, words(gemm.title()))
        .arg(frame.multiplying)
        .arg(frame.cores)
        .arg(frame.waiting)
        .arg(frame.moving)
        .arg(frame.links);
}

QString shortSentence(const StepRun& run, const TorusFrame& frame) {
    return frameSentence(run, frame).section(QLatin1Char(','), 0, 1);
}

} // namespace meshslice::ui
