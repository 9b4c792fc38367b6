#pragma once

#include "core/cost/layer_split.h"
#include "core/figure/chart.h"

namespace meshslice {

/// A layer on many chips, and how its exchanges are counted.
struct AskedSplits {
    SplitLayer layer;
    SplitChips chips;
    SharedWeights weights = SharedWeights::sharded;
    bool exchanges_hide = true;

    [[nodiscard]] std::vector<LayerSplit> splits() const;
    /// The same layer with another batch.
    [[nodiscard]] AskedSplits of_tokens(double tokens) const;
};

/// "256 × 16": chips that share the tokens, and the hidden width.
[[nodiscard]] std::string split_text(const SplitSizes& sizes);

/// Time of a layer forward against how many chips share the tokens: arithmetic, gathered weights, exchanged
/// activations (How to Scale Your Model, chapter 5). Its title is the best split.
[[nodiscard]] Chart split_chart(const AskedSplits& asked, const LayerSplit& shown);
/// Time against the batch, a line for each of some splits, and arithmetic alone.
[[nodiscard]] Chart split_batch_chart(const AskedSplits& asked, const LayerSplit& shown);
/// Arithmetic over communication against the tokens of a chip: sharing tokens alone, the tensor group alone,
/// and the best mix.
[[nodiscard]] Chart split_ratio_chart(const AskedSplits& asked);

} // namespace meshslice
