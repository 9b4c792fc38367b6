#pragma once

#include "core/model/transformer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A part of a model with tokens of its own: an embedding, blocks, a head.
struct Stack {
    std::string name;             ///< "decoder"
    std::vector<KindCount> kinds; ///< in the order of their first block
    std::int64_t blocks = 1;      ///< in all
    std::int64_t hidden = 1;
    std::int64_t vocabulary = 0; ///< 0 where not known: the embedding and the head are not counted
    bool tied = false;           ///< one matrix is both

    bool operator==(const Stack&) const = default;
};

/// The stack of a model's blocks; without `causal`, tokens see those after them in all of them.
[[nodiscard]] std::vector<Stack> stacks(const Transformer& model, bool causal);
/// The kind of block that stands for all (see stand_for_all).
[[nodiscard]] BlockKind block_kind(const Transformer& model, bool causal);

} // namespace meshslice
