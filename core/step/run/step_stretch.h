#pragma once

#include "core/figure/table.h"
#include "core/step/training_step.h"

#include <vector>

namespace meshslice {

/// What a step does within a stretch of its time, its GEMMs and their copies one after the other.
struct StepStretch {
    StretchUse use; ///< of the GEMMs that were simulated
    Time estimated; ///< of the stretch in GEMMs that were only estimated, whose cores and links are not known

    /// Averaged over chips or links, of the time of `use`; 0 where there is none.
    [[nodiscard]] double multiply_share() const { return ratio(use.usage.compute, use.length); }
    [[nodiscard]] double links_busy_share() const { return ratio(use.links_busy, use.length); }
    /// The share of communication that runs while the core multiplies; 1 without communication.
    [[nodiscard]] double hidden_share() const;

    bool operator==(const StepStretch&) const = default;
};

/// `within`: from the step's start. What is cut by an edge counts by its share in time, see StretchUse.
[[nodiscard]] StepStretch step_stretch(const TrainingStep& step, Stretch within);

/// Of each step.
[[nodiscard]] std::vector<StepStretch> step_stretches(const std::vector<TrainingStep>& steps, Stretch within);

/// One row per step; `made`: its step_stretches().
[[nodiscard]] Table stretch_table(const std::vector<TrainingStep>& steps, Stretch within,
                                  const std::vector<StepStretch>& made);

} // namespace meshslice
