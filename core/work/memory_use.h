#pragma once

#include "core/base/quantity.h"

namespace meshslice {

/// What one chip holds, in bytes: the one account of a training step, a search and a plan. Shares are exact;
/// bytes() and whole_bytes() round up, once, where an answer says them.
struct MemoryUse {
    double weights = 0;    ///< of the blocks
    double embeddings = 0; ///< the weights of both ends; 0 where the vocabulary is not known or not counted
    double gradients = 0;
    double optimizer = 0;
    double activations = 0; ///< that wait for the backward pass; of a GEMM on its own its three matrices
    double buffers = 0;     ///< of one layer or one GEMM at a time
    double logits = 0;      ///< with their gradient and the head's input; 0 where they are not counted
    double reserve = 0;     ///< for what is not a tensor

    [[nodiscard]] double total() const {
        return weights + embeddings + gradients + optimizer + activations + buffers + logits + reserve;
    }
    [[nodiscard]] Bytes bytes() const;

    bool operator==(const MemoryUse&) const = default;
};

/// Rounded up; what is beyond 2^62 stays there.
[[nodiscard]] Bytes whole_bytes(double count);

} // namespace meshslice
