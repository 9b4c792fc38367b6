#pragma once

#include "core/model/block.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// What the files of one "model_type" leave unsaid. Taken from the families' configuration classes, whose
/// defaults stand in for missing keys: where a class has a number of its own as a default (such as 8
/// key-value heads), the key must be given, because a file that lacks it is more likely incomplete than meant
/// so.
struct HuggingFaceFamily {
    enum class KvHeads : std::uint8_t {
        as_heads,    ///< missing: as many as query heads
        given,       ///< must be there
        multi_query, ///< one if "multi_query" is true, else as many as query heads
        falcon,      ///< one unless "multi_query" is false or "new_decoder_architecture" is true
    };
    enum class HeadSize : std::uint8_t { hidden_by_heads, given }; ///< where no head size is given
    enum class FeedForward : std::uint8_t {
        given,
        four_times_hidden, ///< where it is missing or null
        half,              ///< the key counts gate and up projections together
    };
    enum class Experts : std::uint8_t {
        none,
        in_feed_forward, ///< the usual feed-forward key is the width of one expert
        own_key,         ///< "moe_intermediate_size" is the width of one expert
        maybe,           ///< own_key where experts are given, else none
    };

    std::string_view model_type;
    bool gated = false;
    bool tied_embeddings = false; ///< where "tie_word_embeddings" is missing
    KvHeads kv_heads = KvHeads::as_heads;
    HeadSize head_size = HeadSize::hidden_by_heads;
    FeedForward feed_forward = FeedForward::given;
    Experts experts = Experts::none;
    std::int64_t vocabulary = 0; ///< where "vocab_size" is missing; 0: not known

    bool bare = false; ///< without a gate: no biases
    bool qkv_bias = false, qk_norm = false, sinks = false, expert_biases = false;
    std::int64_t norms = 2;                    ///< of a block
    std::int64_t full_of = 0;                  ///< windows in all blocks but every n-th, where no key says it
    bool full_last = true;                     ///< the last of n, or the second of two
    bool chunked = false;                      ///< those windows stand still
    std::int64_t window = 0;                   ///< where "sliding_window" is missing
    bool output_gate = false;                  ///< of attention, where no key says it
    bool shared_expert = false;                ///< one more expert of the same width that no key names
    bool shared_gate = false;                  ///< "shared_expert_intermediate_size" has a gate
    MixerKind linear = MixerKind::gated_delta; ///< what "linear_attention" is
    MixerKind mixer = MixerKind::attention;    ///< of all blocks
    bool also_mamba = false;                   ///< next to attention in each block
    bool encoder_decoder = false; ///< blocks that look at an encoder's tokens too, and the encoder
    bool encoder = false;         ///< tokens see those after them too
    std::int64_t positions = 0;   ///< learned ones: 1, or 1 and how many more than the file says
    bool dense_too = false;       ///< "intermediate_size" stands next to the experts of a block
};

/// Nothing for a "model_type" that is not known.
[[nodiscard]] const HuggingFaceFamily* hugging_face_family(std::string_view model_type);
/// A family of which nothing is known: every number must be given.
[[nodiscard]] HuggingFaceFamily unknown_family(std::string_view model_type, bool gated);
/// "bloom, gemma, ..."
[[nodiscard]] std::string hugging_face_family_names();

} // namespace meshslice
