#pragma once

#include "ui/timeline/step_runs.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QStringList>

namespace meshslice::ui {

/// What a bar is, line by line, the name first: kind and operation; layer and pass, slice; place and step of
/// the ring; bytes, duration and start; rate against the link's peak; the formula with its numbers.
[[nodiscard]] QStringList barLines(const StepRun& run, std::size_t row, const RunSlice& placed);
/// How a bar's duration comes about: its amount, rate and share of the peak, and the formula with its
/// numbers.
[[nodiscard]] QStringList durationLines(const StepConditions& made, const GemmResult& product,
                                        std::size_t row, const Interval& interval);
/// `count` bars that share one pixel, described by the longest of them.
[[nodiscard]] QStringList mergedLines(const StepRun& run, std::size_t row, const LaneUse& found,
                                      TimeRange pixel);
/// A stretch in which the core waits.
[[nodiscard]] QStringList waitLines(const StepRun& run, std::size_t row, std::size_t piece, TimeRange wait);
/// A GEMM as a whole.
[[nodiscard]] QStringList productLines(const StepRun& run, std::size_t gemm);

/// Why a run, or a part of it, has times but no bars.
[[nodiscard]] QString whyNoBars(const StepRun& run);

/// "backward weight", "bwd weight", "weight": no other words than everywhere else.
[[nodiscard]] QStringList passNames(Pass pass);

/// What of a row stands at one pixel of the picture, which is a stretch of time.
struct BarAt {
    LaneUse found;                 ///< bars in the pixel
    std::optional<RunSlice> bar;   ///< the one that is drawn there on its own
    std::optional<TimeRange> wait; ///< of the core
    std::size_t next = 0;          ///< the bar of the row that ends the wait
    TimeRange pixel;
};
[[nodiscard]] BarAt barAt(const StepRun& run, std::size_t row, TimeRange pixel);

/// What it is, line by line; empty where there is nothing.
[[nodiscard]] QStringList linesOf(const StepRun& run, std::size_t row, const BarAt& at);

} // namespace meshslice::ui
