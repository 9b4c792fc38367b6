#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/plan/pipeline/pipeline_order.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// What one chunk of layers asks of its stage.
struct PipelineChunk {
    Time forward = {};        ///< of one micro-batch through all its layers, tensor-parallel traffic included
    Time backward = {};       ///< the same, recomputation included; without `weights`
    Bytes activations = {};   ///< of a micro-batch, kept from the start of its forward pass to the end of its
                              ///< last one
    std::int32_t layers = 1;  ///< that weights are gathered and gradients are scattered by
    Time gather_weights = {}; ///< among data-parallel chips, of one layer, before its first forward pass
    Time reduce_gradients = {}; ///< the reduce-scatter of one layer, after its last backward pass
    /// Weights are dropped after each pass, and gathered for every one, forward and backward (ZeRO 3).
    bool gather_every_pass = false;
    /// Gradients are reduced after every backward pass (ZeRO 2 and 3).
    bool reduce_every_pass = false;
    /// Of a forward and of a backward pass, what the tensor-parallel group sends over the links that gathers
    /// and reductions need too.
    Time forward_on_links = {}, backward_on_links = {};
    /// The gradients of the weights, where the order has passes of their own for them; else 0.
    Time weights = {};

    bool operator==(const PipelineChunk&) const = default;
};

struct PipelineStage {
    std::vector<PipelineChunk> chunks = {}; ///< in the order of the layers
    Time send_forward = {};  ///< of a micro-batch's activations to the next stage; last to first too
    Time send_backward = {}; ///< of their gradients to the stage before; first to last too
    Time update = {};        ///< the optimizer's step, once all gradients of the stage are there
    Bytes fixed = {};        ///< held all the time: weights, gradients, optimizer

    bool operator==(const PipelineStage&) const = default;
};

/// What a pipeline has to do in one step. A stage stands for one chip of it: all chips of a stage do the same
/// at the same time.
struct PipelineWork {
    PipelineOrder order = PipelineOrder::one_forward_one_backward;
    std::int32_t micro_batches = 1;
    std::vector<PipelineStage> stages;
    /// A stage computes on while its network sends. Otherwise it waits for the end of each send.
    bool sends_overlap = true;
    /// Weights are gathered and gradients scattered layer by layer, while the stage computes; for a pass that
    /// gathers again, from the start of the pass before it. Otherwise a stage gathers all before its first
    /// pass, or before each that gathers, and scatters all after its last, or after each that scatters.
    bool data_overlaps = true;

    [[nodiscard]] PipelineShape shape() const;
    /// The one after which a micro-batch's gradients are all there.
    [[nodiscard]] PipelinePass last_pass() const {
        return passes_of(order) == 3 ? PipelinePass::weights : PipelinePass::backward;
    }
    bool operator==(const PipelineWork&) const = default;
};

/// Whether this work can be simulated. Refused where the order cannot have its shape, stages differ in the
/// number of their chunks, a time or a number is negative, layers are gathered too often to be recorded, or
/// everything one after the other takes longer than 26 days, half of what 64 bits of picoseconds hold.
[[nodiscard]] Result<void> checked(const PipelineWork& work);

} // namespace meshslice
