#pragma once

#include "core/base/run_control.h"
#include "core/draw/stepping.h"
#include "core/simulate/record/usage.h"
#include "core/step/run/step_run.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace meshslice {

/// The same program of matrices that are `factor` times as long and as wide: every number becomes a block.
/// Its operations, slices and rings stay the same.
[[nodiscard]] Program enlarged(Program program, std::int64_t factor);

/// By this much a stepping is enlarged to be simulated. Of the small numbers themselves a run would be made
/// of launches and synchronizations alone; of such blocks its bars are of the lengths that they have in
/// training.
inline constexpr std::int64_t simulated_block = 512;

/// When what is stepped through happens: a run of its program, enlarged.
struct StepperRun {
    StepRunPtr run;
    /// By moment of the stepping: from when the first chip is at it to when the last has done it. The first
    /// moment is the start of the run. Steps that take no time, slices above all, are done when the next
    /// begins that takes some.
    std::vector<Stretch> under_way;

    [[nodiscard]] const TrainingStep& step() const { return run->step(); }
    /// The middle of a moment, when it is seen on the links and cores.
    [[nodiscard]] Time clock(std::size_t moment) const;
};

/// Simulates on TPU v5e, on TPU v4 along three axes or, where a GEMM feeds its collective, on the GPUs of
/// T3's paper.
[[nodiscard]] Result<StepperRun> simulate_steps(const Stepping& stepping, const RunControl& control = {});

/// Which moment of a stepping is shown at a time: what began last, and of several that began together the
/// last of the program.
[[nodiscard]] std::size_t moment_at(std::span<const Stretch> under_way, Time now);

} // namespace meshslice
