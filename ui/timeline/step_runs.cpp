#include "ui/timeline/step_runs.h"

#include "ui/timeline/wait.h"

#include <algorithm>
#include <utility>

namespace meshslice::ui {

StepRuns runsOf(const ResultsPtr& results) {
    StepRuns runs = results ? results->runs : StepRuns();
    for (std::size_t step = 0; results && results->runs.empty() && step < results->steps.size(); ++step) {
        StepConditions conditions = step_conditions(results->scenario_of(step));
        conditions.not_simulated = results->not_simulated(step);
        runs.push_back(std::make_shared<const StepRun>(
            std::shared_ptr<const TrainingStep>(results, &results->steps[step]), std::move(conditions)));
    }
    return runs;
}

std::optional<Time> beginOf(const StepRun& run, std::size_t gemm) {
    const auto piece = std::ranges::find(run.pieces(), gemm, &Piece::gemm);
    return piece == run.pieces().end() ? std::nullopt : std::optional(piece->start);
}

StepRuns alignedAt(StepRuns runs, std::size_t gemm) {
    for (std::size_t step = 1; step < runs.size(); ++step) {
        const std::optional<Time> first = beginOf(*runs.front(), gemm);
        const std::optional<Time> own = beginOf(*runs[step], gemm);
        if (first && own) {
            runs[step] = std::make_shared<const StepRun>(runs[step]->moved(*first - *own));
        }
    }
    return runs;
}

TimeRange wholeOf(const StepRuns& runs) {
    TimeRange whole{Time(0), Time(0)};
    for (const StepRunPtr& run : runs) {
        whole.end = std::max(whole.end, run->end());
    }
    return whole;
}

std::size_t mostRows(const StepRuns& runs) {
    std::size_t most = 0;
    for (const StepRunPtr& run : runs) {
        most = std::max(most, run->lane_count());
    }
    return most;
}

bool exists(const StepRuns& runs, const Selected& selected) {
    if (selected.step >= runs.size() || selected.gemm >= runs[selected.step]->step().gemms.size()) {
        return false;
    }
    const GemmResult& gemm = runs[selected.step]->step().gemms[selected.gemm];
    if (!selected.row) {
        return true;
    }
    if (!gemm.timeline || *selected.row >= gemm.timeline->rows_with_memory().size()) {
        return false;
    }
    if (!selected.interval) {
        return true;
    }
    const std::size_t bars = gemm.timeline->intervals(*selected.row).size();
    return selected.copy < static_cast<std::size_t>(std::max<std::int64_t>(1, gemm.gemm.copies)) &&
           (*selected.interval < bars || (selected.wait && *selected.interval == bars &&
                                          gemm.timeline->rows_with_memory()[*selected.row].is_core));
}

std::optional<std::size_t> pieceOf(const StepRuns& runs, const Selected& selected) {
    if (!selected.row || !exists(runs, selected)) {
        return std::nullopt;
    }
    const std::vector<Piece>& all = runs[selected.step]->pieces();
    const auto piece = std::ranges::find_if(all, [&](const Piece& one) {
        return one.gemm == selected.gemm && one.copy == static_cast<std::int64_t>(selected.copy);
    });
    return piece != all.end() ? std::optional(static_cast<std::size_t>(piece - all.begin())) : std::nullopt;
}

std::optional<RunSlice> barOf(const StepRuns& runs, const Selected& selected) {
    const std::optional<std::size_t> piece = pieceOf(runs, selected);
    if (!piece || !selected.interval || selected.wait) {
        return std::nullopt;
    }
    return runs[selected.step]->slice(*selected.row, StepRun::item(*piece, *selected.interval));
}

std::optional<TimeRange> rangeOf(const StepRuns& runs, const Selected& selected) {
    if (const std::optional<RunSlice> bar = barOf(runs, selected)) {
        return TimeRange{bar->start, bar->end};
    }
    if (!exists(runs, selected)) {
        return std::nullopt;
    }
    const std::vector<Piece>& pieces = runs[selected.step]->pieces();
    if (const std::optional<std::size_t> piece = pieceOf(runs, selected); piece && selected.interval) {
        const Piece& at = pieces[*piece];
        const TimeRange wait = waitBefore(*at.timeline, *selected.row, *selected.interval);
        return TimeRange{at.start + wait.begin, at.start + wait.end};
    }
    std::optional<TimeRange> range;
    for (const Piece& piece : pieces) {
        if (piece.gemm == selected.gemm) {
            range = TimeRange{range ? range->begin : piece.start, piece.end};
        }
    }
    return range;
}

Selected selectedBar(const StepRuns& runs, std::size_t step, std::size_t row, std::uint64_t item) {
    const Piece& piece = runs[step]->piece_of(item);
    return {step, piece.gemm, row, StepRun::bar(item).index, static_cast<std::size_t>(piece.copy)};
}

Selected selectedWait(const StepRuns& runs, std::size_t step, std::size_t row, std::size_t piece,
                      std::size_t next) {
    Selected selected = selectedBar(runs, step, row, StepRun::item(piece, next));
    selected.wait = true;
    return selected;
}

std::optional<RunSlice> neighbour(const StepRuns& runs, const Selected& selected, bool later) {
    const std::optional<std::size_t> piece = pieceOf(runs, selected);
    if (!piece || !selected.interval) {
        return std::nullopt;
    }
    const Run& run = *runs[selected.step];
    const std::uint64_t item = StepRun::item(*piece, *selected.interval);
    const TimeRange range = *rangeOf(runs, selected);
    // A wait is named by the bar that ends it.
    return later ? bar_from(run, *selected.row, selected.wait ? item : item + 1, range.begin)
                 : bar_before(run, *selected.row, item, range.begin);
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

std::optional<std::size_t> rowOf(const StepRuns& runs, const FaultyPart& part) {
    for (const StepRunPtr& run : runs) {
        const std::vector<Row>& rows = run->chip_rows();
        const auto row =
            std::ranges::find_if(rows, [&](const Row& one) { return isPart(part, run->torus(), one); });
        if (row != rows.end()) {
            return static_cast<std::size_t>(row - rows.begin());
        }
    }
    return std::nullopt;
}

} // namespace meshslice::ui
