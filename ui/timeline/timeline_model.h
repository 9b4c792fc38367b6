#pragma once

#include "core/step/step_run.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// An interval in a row and when it begins in the step.
struct PlacedInterval {
    std::size_t piece = 0;
    std::size_t index = 0; ///< in the row
    Time start;
    Time end;
};

/// The results as the timeline shows them: for each algorithm, its GEMMs one after the other. Answers what
/// is where by binary search and copies no interval.
class TimelineModel {
  public:
    TimelineModel() = default;
    explicit TimelineModel(ResultsPtr results);

    [[nodiscard]] const ResultsPtr& results() const { return results_; }
    [[nodiscard]] std::size_t stepCount() const { return steps_.size(); }
    [[nodiscard]] const TrainingStep& step(std::size_t step) const { return results_->steps[step]; }
    /// The same as a run, whose lanes are rows().
    [[nodiscard]] const StepRun& run(std::size_t step) const { return steps_[step]; }
    [[nodiscard]] const std::vector<Piece>& pieces(std::size_t step) const { return steps_[step].pieces(); }
    /// The rows of the chips, and then those of their memories where they were recorded, the same for every
    /// GEMM of a step; empty where nothing was simulated.
    [[nodiscard]] const std::vector<Row>& rows(std::size_t step) const;
    /// Of those the cores and links, which come first.
    [[nodiscard]] const std::vector<Row>& parts(std::size_t step) const;
    [[nodiscard]] const Torus& torus(std::size_t step) const;
    /// Of the step with the most.
    [[nodiscard]] std::size_t mostRows() const;
    /// From 0 to the end of the longest step.
    [[nodiscard]] TimeRange whole() const { return {Time(0), end_}; }

    /// The piece at a time of the step; none at or after its end.
    [[nodiscard]] std::optional<std::size_t> pieceAt(std::size_t step, Time time) const;
    /// The pieces that lie in a range: [first, last).
    using Span = StepRun::Span;
    [[nodiscard]] Span piecesIn(std::size_t step, TimeRange range) const;
    /// The intervals of a row of a piece that lie in a range of the step's time: [first, last).
    [[nodiscard]] Span intervalsIn(const Piece& piece, std::size_t row, TimeRange range) const;

    /// All of a row that lie in the range, one line for each piece.
    struct Found {
        std::size_t count = 0;
        Time busy;                             ///< within the range
        std::optional<PlacedInterval> longest; ///< within the range
    };
    [[nodiscard]] Found look(std::size_t step, std::size_t row, TimeRange range) const;

    /// Where the selected interval is; none unless one is selected.
    [[nodiscard]] std::optional<PlacedInterval> place(const Selected& selected) const;
    /// Which piece the selection is in; none without a row.
    [[nodiscard]] std::optional<std::size_t> pieceOf(const Selected& selected) const;
    /// A bar as a selection, and the wait before bar `next` of a piece.
    [[nodiscard]] Selected selectedBar(std::size_t step, std::size_t row, const PlacedInterval& at) const;
    [[nodiscard]] Selected selectedWait(std::size_t step, std::size_t row, std::size_t piece,
                                        std::size_t next) const;
    [[nodiscard]] const Interval& interval(std::size_t step, std::size_t row,
                                           const PlacedInterval& placed) const;
    /// The bar before or after in the same row, across GEMMs; none at the ends.
    [[nodiscard]] std::optional<PlacedInterval> neighbour(std::size_t step, std::size_t row,
                                                          const PlacedInterval& from, bool next) const;
    /// The bar on one side of a wait: the one that ends it, whose number in the row of the piece is `next`,
    /// or the one before.
    [[nodiscard]] std::optional<PlacedInterval>
    barNextToWait(std::size_t step, std::size_t row, std::size_t piece, std::size_t next, bool after) const;
    /// The first bar of a row that ends after `time`.
    [[nodiscard]] std::optional<PlacedInterval> firstAfter(std::size_t step, std::size_t row,
                                                           Time time) const;
    [[nodiscard]] PlacedInterval placed(std::size_t step, std::size_t row, std::size_t piece,
                                        std::size_t index) const;
    /// The row of a core or link in any step; none where no step has it.
    [[nodiscard]] std::optional<std::size_t> rowOf(const FaultyPart& part) const;
    [[nodiscard]] bool exists(const Selected& selected) const;
    /// The stretch of what is selected: a bar, a wait, or its GEMM with all copies.
    [[nodiscard]] std::optional<TimeRange> rangeOf(const Selected& selected) const;

  private:
    ResultsPtr results_;
    std::vector<StepRun> steps_;
    Time end_;
};

/// Whether a row is what a fault names: never a memory's.
[[nodiscard]] bool isPart(const FaultyPart& part, const Torus& torus, const Row& row);

} // namespace meshslice::ui
