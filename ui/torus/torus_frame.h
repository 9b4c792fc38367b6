#pragma once

#include "ui/timeline/step_runs.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// What every core and link of a step does at one moment.
struct TorusFrame {
    std::size_t step = 0;
    Time moment;
    std::optional<std::size_t> piece; ///< the GEMM that runs; none before, between and after
    /// By row of the timeline: the bar at the moment, or none.
    std::vector<std::optional<RunSlice>> now;

    std::size_t cores = 0;
    std::size_t multiplying = 0;
    std::size_t waiting = 0; ///< idle cores while the GEMM runs
    std::size_t links = 0;
    std::size_t moving = 0; ///< links that carry bytes
};

[[nodiscard]] TorusFrame frameAt(const StepRun& run, std::size_t step, Time moment);

/// The next moment, or the one before, at which some core or link begins or ends something; none at the ends.
[[nodiscard]] std::optional<Time> eventAfter(const StepRun& run, Time moment);
[[nodiscard]] std::optional<Time> eventBefore(const StepRun& run, Time moment);

/// By row: the share of the range in which it is busy (see busy_times).
[[nodiscard]] std::vector<double> loadsIn(const StepRun& run, TimeRange range);

/// "12.3 ms, FF1 forward: 256 of 256 cores multiply, 0 wait; 480 of 1024 links carry bytes".
[[nodiscard]] QString frameSentence(const StepRun& run, const TorusFrame& frame);
/// The same in short: "12.3 ms, FF1 forward: 256 of 256 cores multiply".
[[nodiscard]] QString shortSentence(const StepRun& run, const TorusFrame& frame);

} // namespace meshslice::ui
