#pragma once

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
};

/// Nothing for a "model_type" that is not known.
[[nodiscard]] const HuggingFaceFamily* hugging_face_family(std::string_view model_type);
/// A family of which nothing is known: every number must be given.
[[nodiscard]] HuggingFaceFamily unknown_family(std::string_view model_type, bool gated);
/// "bloom, gemma, ..."
[[nodiscard]] std::string hugging_face_family_names();

} // namespace meshslice
