#pragma once

#include "core/base/quantity.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// Bytes per parameter in addition to the weights themselves, which are kept in the scenario's data type. By
/// default Adam in mixed precision: gradients of 2 bytes, and a copy of the weights, a momentum and a
/// variance of 4 bytes each (Rajbhandari et al., "ZeRO", SC 2020, section 3.1).
struct MemoryRule {
    std::int64_t gradient = 2;
    std::int64_t optimiser = 12;

    bool operator==(const MemoryRule&) const = default;
};

/// What one chip holds during a training step. Assumed: all of the model's blocks are on these chips (no
/// pipeline), their fully connected layers' weights, gradients and optimiser state lie as the forward pass
/// has the weights, and the input of every such layer is kept for the backward pass. Attention's own
/// activations, embeddings and norms are not counted. Of a GEMM on its own: its three matrices (as
/// activations) and its buffers.
struct MemoryUse {
    Bytes weights, gradients, optimiser;
    Bytes activations;
    Bytes buffers; ///< of the GEMM that needs most

    [[nodiscard]] Bytes total() const;
    bool operator==(const MemoryUse&) const = default;
};

/// `blocks`: of the model. Sums beyond 2^62 bytes stay there.
[[nodiscard]] MemoryUse memory_use(const std::vector<GemmResult>& gemms, std::int64_t blocks,
                                   std::int64_t element_bytes, const MemoryRule& rule);

} // namespace meshslice
