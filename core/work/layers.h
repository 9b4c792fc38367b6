#pragma once

#include "core/base/result.h"
#include "core/model/gemm.h"
#include "core/model/transformer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// One GEMM Y = X W of a transformer block as its distributed programs see it: without what surrounds it.
struct FullyConnectedLayer {
    std::string name;        ///< of its tasks (core/work/training.h)
    std::int64_t in = 1;     ///< columns of X, rows of W
    std::int64_t out = 1;    ///< columns of W and of Y
    std::int64_t tokens = 1; ///< rows of X and of Y, of one copy
    std::int64_t copies = 1; ///< experts that each make such a product

    bool operator==(const FullyConnectedLayer&) const = default;
};

/// The GEMMs of one block's training tasks for `tokens` = batch x sequence tokens: attention's two, then
/// those of the feed-forward network. With experts, the tokens are taken to be spread evenly; refused where
/// they do not divide, and where the block's training products come to more than `most_flop`. `sequence`:
/// tokens of a sequence, so that a refusal can name batches; 0 where not known.
[[nodiscard]] Result<std::vector<FullyConnectedLayer>>
fully_connected_layers(const Transformer& model, std::int64_t tokens, std::int64_t sequence = 0);

/// The three products of a layer, in the dataflows of one row of Table 1.
[[nodiscard]] std::vector<Gemm> training_gemms(const FullyConnectedLayer& layer, Stationary stationary);

} // namespace meshslice
