#pragma once

#include "core/base/quantity.h"
#include "core/scenario/scenario.h"
#include "core/work/optimizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

struct GemmResult;
struct GroupOfPlan;

/// What one chip holds during a training step. Assumed: all blocks asked for are on these chips (no
/// pipeline), their fully connected layers' weights, gradients and optimiser state lie as the forward pass
/// has the weights, and the input of every such layer is kept for the backward pass. The embeddings are
/// divided over as many chips as the layers' weights. Not counted: attention's own activations, the logits
/// and the norms. Of a GEMM on its own: its three matrices (as activations) and its buffers.
struct MemoryUse {
    Bytes weights;    ///< of the fully connected layers
    Bytes embeddings; ///< weights of both; 0 where the model's vocabulary is not known
    Bytes gradients, optimiser;
    Bytes activations;
    Bytes buffers; ///< of the GEMM that needs most

    [[nodiscard]] Bytes total() const;
    bool operator==(const MemoryUse&) const = default;
};

/// Of the whole model: all of its blocks and the embeddings; of a scenario that is one tensor-parallel group
/// of a plan (`group`) what that plan leaves its chips to hold. `algorithm` is the id of the one that runs
/// the GEMMs. Sums beyond 2^62 bytes stay there.
[[nodiscard]] MemoryUse memory_use(const std::vector<GemmResult>& gemms, const Scenario& scenario,
                                   const std::string& algorithm, const std::optional<GroupOfPlan>& group);
/// Of one block alone.
[[nodiscard]] MemoryUse block_memory_use(const std::vector<GemmResult>& gemms, const Scenario& scenario);

} // namespace meshslice
