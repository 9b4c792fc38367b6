#pragma once

#include "core/base/run_control.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/pipeline/simulate_pipeline.h"

namespace meshslice {

/// Seconds of a micro-batch with the ends of a model, where they count: with the embedding in the first
/// chunk, where it has the place of a layer there, and with the output head and the loss in the last one, a
/// third of them forward and two thirds backward. Else the last chunk has what the ends add to a step.
struct PassEnds {
    double embedding_forward = 0, embedding_backward = 0;
    double head_forward = 0, head_backward = 0;
};
[[nodiscard]] PassEnds ends_of_passes(const PlanModel& model, const Plan& plan, const PlanReading& reading);

/// What the stages of a plan do in one step: the passes of its chunks as `layer` has them, transfers within a
/// fast domain or across two, and what data-parallel chips exchange at its level of ZeRO. `plan` is one that
/// check_plan() lets through.
///
/// As in the estimate, sends overlap with compute. Where they are counted, the output head and the loss are
/// part of the last chunk, a third of them forward and two thirds backward, and each chip of the pipeline
/// holds as much all the time as the fullest. That tensor- and data-parallel traffic may need the same links
/// is left to the estimate, which can be longer by it.
[[nodiscard]] PipelineWork pipeline_work(const PlanModel& model, const Plan& plan, const LayerCost& layer);

/// Refuses a schedule whose passes are not simulated.
[[nodiscard]] Result<void> simulates(const Plan& plan);

/// One step of the plan, micro-batch by micro-batch. Refused as simulate_pipeline() does, as where
/// micro-batches are not a multiple of the stages of an interleaved pipeline.
[[nodiscard]] Result<PipelineRun> simulate_plan(const PlanModel& model, const Plan& plan,
                                                const RunControl& control = {});

/// A simulated step in the parts of the estimate, each the mean of all stages, which are at different things
/// at one time; seconds.
struct SimulatedTime {
    double total = 0;
    double passes = 0;   ///< with their memory and tensor-parallel traffic, and the optimizer's step
    double data = 0;     ///< exposed
    double pipeline = 0; ///< exposed
    double bubble = 0;
    double memory = 0; ///< bytes that the fullest stage holds at most

    bool operator==(const SimulatedTime&) const = default;
};
[[nodiscard]] SimulatedTime simulated_time(const PipelineRun& run);

} // namespace meshslice
