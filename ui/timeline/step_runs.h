#pragma once

#include "core/step/run/step_run.h"
#include "ui/session/results.h"
#include "ui/session/selection.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// The steps that are shown as runs: the scenario's and the one that it is compared with.
using StepRuns = std::vector<StepRunPtr>;
/// They keep the results. None of none; those that no scenario made as they are.
[[nodiscard]] StepRuns runsOf(const ResultsPtr& results);
/// The first as it is, and the others moved so that they begin this GEMM when it does; those that do not have
/// it stay.
[[nodiscard]] StepRuns alignedAt(StepRuns runs, std::size_t gemm);
/// When a GEMM begins in a run; none where it has no such GEMM.
[[nodiscard]] std::optional<Time> beginOf(const StepRun& run, std::size_t gemm);
/// From 0 to the end of the longest.
[[nodiscard]] TimeRange wholeOf(const StepRuns& runs);
/// Of the run with the most.
[[nodiscard]] std::size_t mostRows(const StepRuns& runs);

/// Whether there is what is selected.
[[nodiscard]] bool exists(const StepRuns& runs, const Selected& selected);
/// The selected bar; none unless a bar is selected.
[[nodiscard]] std::optional<RunSlice> barOf(const StepRuns& runs, const Selected& selected);
/// Which piece of its run the selection is in; none without a row.
[[nodiscard]] std::optional<std::size_t> pieceOf(const StepRuns& runs, const Selected& selected);
/// The stretch of what is selected: a bar, a wait, or its GEMM with all copies.
[[nodiscard]] std::optional<TimeRange> rangeOf(const StepRuns& runs, const Selected& selected);
/// A bar of a row as a selection, and the wait before bar `next` of a piece.
[[nodiscard]] Selected selectedBar(const StepRuns& runs, std::size_t step, std::size_t row,
                                   std::uint64_t item);
[[nodiscard]] Selected selectedWait(const StepRuns& runs, std::size_t step, std::size_t row,
                                    std::size_t piece, std::size_t next);
/// The bar of the same row next to what is selected, later or earlier, across GEMMs; none at the ends.
[[nodiscard]] std::optional<RunSlice> neighbour(const StepRuns& runs, const Selected& selected, bool later);

/// Whether a row is what a fault names: never a memory's.
[[nodiscard]] bool isPart(const FaultyPart& part, const Torus& torus, const Row& row);
/// The row of a core or link in the first run that has it.
[[nodiscard]] std::optional<std::size_t> rowOf(const StepRuns& runs, const FaultyPart& part);

} // namespace meshslice::ui
