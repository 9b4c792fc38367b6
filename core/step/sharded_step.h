#pragma once

#include "core/cost/sharded_plans.h"
#include "core/gemm/sharded_program.h"
#include "core/step/run/step_run.h"

namespace meshslice {

/// A plan of a sharded GEMM with all readings of its program: a step of one GEMM, as a run.
struct ShardedStep {
    ShardedProgram plan;
    StepRunPtr run;

    [[nodiscard]] const TrainingStep& step() const { return run->step(); }
    [[nodiscard]] const GemmResult& gemm() const { return step().gemms.front(); }
    /// Simulated, where it was; from the first launch to the last step, as nothing else runs that could hide
    /// a part of it.
    [[nodiscard]] double seconds() const { return in_seconds(step().time); }
};

/// Runs a plan on a slice of the hardware's torus. The schedule is the default one, with the type of the
/// elements.
///
/// Refuses what sharded_program() and links_of() refuse, elements of other than one or two bytes, and with
/// Depth::simulate more than `most` busy intervals.
[[nodiscard]] Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm,
                                               const NamedMesh& mesh, const DimensionSizes& sizes,
                                               DataType kind, const Machine& hardware, Depth depth,
                                               const RunControl& control = {},
                                               std::int64_t most = most_intervals);
/// The same with another schedule.
[[nodiscard]] Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm,
                                               const NamedMesh& mesh, const DimensionSizes& sizes,
                                               const Schedule& schedule, const Machine& hardware, Depth depth,
                                               const RunControl& control = {},
                                               std::int64_t most = most_intervals);

/// The plans of a GEMM with the times of their programs, the best first (see rank()): the closed form of what
/// sharded_step() simulates takes the place of CostedPlan::time_s for all plans that may be among the best.
/// Where programs are not made, for elements of other than one or two bytes, it stays. Refuses what
/// sharded_plans() refuses.
[[nodiscard]] Result<ShardedPlans> timed_sharded_plans(const ShardedGemm& gemm, const NamedMesh& mesh,
                                                       const DimensionSizes& sizes, DataType kind,
                                                       const Machine& hardware,
                                                       const RunControl& control = {});

} // namespace meshslice
