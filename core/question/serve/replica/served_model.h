#pragma once

#include "core/base/result.h"
#include "core/evidence/inference/inference_facts.h"
#include "core/model/transformer.h"

#include <string>
#include <vector>

namespace meshslice {

/// Blocks of one kind, as the law of inference takes them.
struct ServedPart {
    InferenceModel products;  ///< shapes of its matrices, as those of attention and a feed-forward network
    InferenceModel attention; ///< heads and cache; of a mixer without a growing cache those of nothing
    bool mixes = true;        ///< false: the feed-forward network alone
    bool attends = true;      ///< false: a state in place of a cache
    double window = 0;        ///< tokens that a token sees at most; 0: all
    double state = 0;         ///< numbers of such a state, of one request and all these blocks
    double recurrence = 0;    ///< FLOP of a token that work on it, in all these blocks
    double kept = 0;          ///< numbers that a token leaves in the cache of all these blocks
};

/// A model in the words of the law of inference: a sum over kinds of blocks.
struct ServedModel {
    std::string name, title;
    InferenceModel whole;                     ///< what stands for all, with all parameters
    std::vector<ServedPart> parts;            ///< at least one
    const InferenceModel* measured = nullptr; ///< the same shape among models with rows; null: none
    std::vector<std::string> notes;           ///< what the law does not have

    /// Numbers in the cache of a request of so many tokens, before chips share them.
    [[nodiscard]] double cached_numbers(double tokens, double tensor) const;
};
/// Refuses what has no cache to decode with, and latent attention of other widths than the law's.
[[nodiscard]] Result<ServedModel> served_model(const Transformer& model);

} // namespace meshslice
