#pragma once

#include "core/gemm/algorithms.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string_view>

namespace meshslice {

/// The training run that a scenario's chips take part in, and how it is spread.
struct PlannedRun {
    TrainingRun run;
    Plan plan;
    double samples = 1; ///< of a micro-batch: a fraction where copies cut the tokens of one sample
    /// Whether the GEMMs' own programs gather the weights that chips share, in their buffers.
    bool programs_gather = false;
};

/// Sets what a scenario's step counts, and as what its chips keep it.
void count_as_asked(const Scenario& scenario, TrainingRun& run);

/// A scenario that is one tensor-parallel group of a plan (tensor_group_scenario()), with the mesh and the
/// micro-batch that it has by now; none where it is not a group, or the plan cannot be run so.
[[nodiscard]] std::optional<PlannedRun> group_of_plan(const Scenario& scenario);

/// A scenario whose chips have the whole model, as an algorithm spreads it over the axes of its torus: no
/// pipeline, nothing computed again, the embedding and the head too where the vocabulary is known; what else
/// it keeps as the scenario says, without logits where that leaves out the ends.
[[nodiscard]] PlannedRun run_on_mesh(const Scenario& scenario, const Algorithm& algorithm,
                                     const Torus& torus);

/// One block of it, for one micro-batch, without both ends.
[[nodiscard]] PlannedRun one_block(PlannedRun of);

/// What a chip holds where an algorithm (an id) runs the GEMMs, by the planner's account under exact rules.
/// `gemm_buffers`: bytes of the GEMM that needs most. `element`: bytes of a weight and of an activation.
[[nodiscard]] MemoryUse memory_use(const PlannedRun& of, std::string_view algorithm, double gemm_buffers,
                                   double element);

} // namespace meshslice
