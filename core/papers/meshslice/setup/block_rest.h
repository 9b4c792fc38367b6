#pragma once

#include "core/base/quantity.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// One operation of a transformer block that is not a fully connected layer, over forward and backward pass
/// together and all chips.
struct BlockOperation {
    const char* name;
    Flop flop;   ///< 0 for what only moves data
    Bytes bytes; ///< read and written in HBM
};

/// Attention's two GEMMs (scores and values, without a mask that saves half), softmax, two norms, the
/// activation and two residual additions, none fused with another. The backward pass of a GEMM is two
/// GEMMs; of the others it reads one matrix more than the forward pass.
[[nodiscard]] std::vector<BlockOperation> block_rest(const Transformer& model, std::int64_t batch,
                                                     std::int64_t sequence);

/// The time of all of them on one of `chips` chips that share them evenly and need nothing of each other
/// (MeshSlice paper, section 4.4): each on the roofline, FLOP at the effective rate or bytes at the HBM's
/// bandwidth, whichever takes longer.
[[nodiscard]] Time block_rest_time(const Transformer& model, std::int64_t batch, std::int64_t sequence,
                                   std::int32_t chips, const Machine& hardware);

} // namespace meshslice
