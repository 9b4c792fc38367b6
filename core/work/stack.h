#pragma once

#include "core/model/transformer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// What mixes the tokens of a sequence.
struct Mixer {
    std::int64_t heads = 1, kv_heads = 1, head_size = 1;
    bool causal = true; ///< a token sees only those before it

    bool operator==(const Mixer&) const = default;
};

/// What works on each token alone.
struct FeedForward {
    std::int64_t width = 1; ///< inside, of one expert
    bool gated = false;     ///< gate and up projections, multiplied: twice the width
    std::int64_t experts = 1, experts_per_token = 1;

    bool operator==(const FeedForward&) const = default;
};

/// One kind of block of a model. Blocks with a gate have neither biases nor dropout.
struct BlockKind {
    std::int64_t hidden = 1; ///< width of the residual stream
    Mixer mixer;
    FeedForward feed_forward;

    bool operator==(const BlockKind&) const = default;
};

/// A part of a model with tokens of its own: an embedding, blocks, a head.
struct Stack {
    std::string name;               ///< "decoder"
    std::vector<BlockKind> pattern; ///< repeated from the first block to the last
    std::int64_t blocks = 1;        ///< in all; a multiple of the pattern
    std::int64_t hidden = 1;
    std::int64_t vocabulary = 0; ///< 0 where not known: the embedding and the head are not counted
    bool tied = false;           ///< one matrix is both

    bool operator==(const Stack&) const = default;
};

/// The stacks of a model: one, of blocks that are all alike.
[[nodiscard]] std::vector<Stack> stacks(const Transformer& model, bool causal);
[[nodiscard]] BlockKind block_kind(const Transformer& model, bool causal);

} // namespace meshslice
