#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/figure/chart.h"
#include "core/plan/pipeline/pipeline_run.h"
#include "core/plan/pipeline/pipeline_work.h"

#include <array>
#include <cstdint>
#include <string>

namespace meshslice {

/// An order that pipelines are sketched in, and its word in a command.
struct SketchedOrder {
    const char* word;
    PipelineOrder order;
};
inline constexpr std::array<SketchedOrder, 4> sketched_orders = {
    {{"1f1b", PipelineOrder::one_forward_one_backward},
     {"gpipe", PipelineOrder::gpipe},
     {"interleaved", PipelineOrder::interleaved},
     {"zero-bubble", PipelineOrder::zero_bubble}}};

/// A pipeline of alike stages. Seconds of one micro-batch in one stage.
struct SketchedPipeline {
    PipelineOrder order = PipelineOrder::one_forward_one_backward;
    std::int32_t stages = 4;
    std::int32_t micro_batches = 8;
    std::int32_t chunks = 2; ///< where they are interleaved
    double forward_s = 1e-3;
    double backward_s = 2e-3; ///< half of it makes the gradients of weights
    double send_s = 0;        ///< from stage to stage
    double sums_s = 0;        ///< of all gradients of a stage over its data-parallel copies

    [[nodiscard]] PipelineWork work() const;
    /// What a stage computes in a step.
    [[nodiscard]] double busy_s() const { return micro_batches * (forward_s + backward_s); }
    /// How long each stage waits for others, without transfers: closed_form_words().
    [[nodiscard]] double closed_form_bubble_s() const;
};

/// How long stages of this order wait, in a formula: p stages, n micro-batches, v chunks, F and B the passes,
/// W half of B.
[[nodiscard]] std::string closed_form_words(PipelineOrder order);

/// A step in one order. Shares are of the step, on average of all stages.
struct OrderedPipeline {
    PipelineOrder order = PipelineOrder::one_forward_one_backward;
    std::string refusal; ///< why it cannot run; all else is 0
    double step_s = 0;
    double computes = 0;
    double bubble = 0;  ///< a stage waits for another one to compute
    double exposed = 0; ///< for a transfer or a sum
    double kept = 0;    ///< micro-batches whose activations a stage keeps, at most
};
/// Refused only when stopped.
[[nodiscard]] Result<OrderedPipeline> ordered_pipeline(const SketchedPipeline& its,
                                                       const RunControl& control);

/// "1F1B takes 33 ms; stages wait for each other for 27% of it".
[[nodiscard]] std::string pipeline_finding(const SketchedPipeline& its, const OrderedPipeline& run);
/// Every pass of every stage against the time. Without panels where there are too many.
[[nodiscard]] Chart pipeline_chart(const SketchedPipeline& its, const PipelineRun& run, std::string title);
/// The share of a step in which stages compute, against the number of micro-batches, a line for each order;
/// orders that compute alike throughout share one.
/// Refused only when stopped.
[[nodiscard]] Result<Chart> pipeline_batch_chart(const SketchedPipeline& its, const RunControl& control);

} // namespace meshslice
