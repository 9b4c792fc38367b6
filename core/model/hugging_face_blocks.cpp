#include "core/model/hugging_face_blocks.h"

#include "core/base/text.h"
#include "core/model/hugging_face_family.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using nlohmann::json;

constexpr const char* latent_of_another_form = "latent attention of another form";
constexpr const char* shared = "an expert that every token visits in addition to the chosen ones";
constexpr const char* mixed = "that some blocks have experts and some have none";
constexpr const char* recurrent = "recurrent blocks, which have other GEMMs than attention";
constexpr const char* cross = "blocks of cross-attention";
constexpr const char* several = "several kinds of attention in one model";
constexpr const char* borrowed = "blocks that use the keys and values of other blocks";
constexpr const char* streams = "several streams between blocks";
constexpr const char* each_its_own = "an embedding for each block";

/// A part of a key's name that marks another kind of block, unless its value is `harmless` (or null, false,
/// 0, empty, or a list of nothing else).
struct Mark {
    std::string_view part;
    std::int64_t harmless;
    const char* meaning;
    bool places = false; ///< a list names blocks by their place, so that 0 is one of them
    bool of_all = false; ///< in a family that is known too
};

constexpr Mark marks[] = {
    {"lora_rank", 0, latent_of_another_form, false, true},
    {"share_q_dim", 0, "queries from a narrower part that all heads share", false, true},
    {"shared_expert", 0, shared},
    {"n_shared", 0, shared},
    {"num_shared", 0, shared},
    {"dense_replace", 0, mixed},
    {"sparse_step", 1, mixed},
    {"moe_layer", 1, mixed},
    {"lru_", 0, recurrent, false, true},
    {"recurrent", 0, recurrent, false, true},
    {"cross_attention_layers", 0, cross, true},
    {"hybrid_layer", 0, several},
    {"kv_shared_layers", 0, borrowed, false, true},
    {"altup", 0, streams, false, true},
    {"hc_mult", 1, streams, false, true},
    {"hidden_size_per_layer_input", 0, each_its_own, false, true},
    {"block_configs", 0, "a width of its own for each block", true, true},
    {"is_encoder_decoder", 0, "an encoder and a decoder", false, true},
};

/// Keys that are read (core/model/hugging_face_kinds.cpp and its neighbours), and some that say nothing about
/// GEMMs.
constexpr std::string_view keys_that_are_read[] = {
    "kv_lora_rank",
    "q_lora_rank",
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "moe_shared_expert_overlap",
    "n_shared_experts",
    "num_shared_experts",
    "moe_num_shared_experts",
    "num_shared_expert",
    "moe_num_shared_expert",
    "first_k_dense_replace",
    "decoder_sparse_step",
    "moe_layer_freq",
    "moe_layer_interval",
    "moe_layer_start_index",
    "moe_layer_end_index",
    "moe_layers",
    "moe_layers_enum",
    "interleave_moe_layer_step",
    "cross_attention_layers",
    "hybrid_layer_pattern",
};

/// Families whose blocks differ without a key that says so.
constexpr std::pair<std::string_view, const char*> families_of_other_blocks[] = {
    {"zamba", "state-space blocks that share one block of attention"},
    {"zamba2", "state-space blocks that share one block of attention"},
    {"rwkv", recurrent},
    {"recurrent_gemma", recurrent},
    {"gemma3n_text", borrowed},
    {"modernbert", "rows of several sequences without padding"},
};

bool is_harmless(const json& value, const Mark& mark) {
    if (value.is_null() || (value.is_boolean() && !value.get<bool>()) ||
        ((value.is_structured() || value.is_string()) && value.empty()) || value == std::string()) {
        return true;
    }
    if (value.is_array()) {
        return !mark.places &&
               std::ranges::all_of(value, [&](const json& one) { return one == mark.harmless; });
    }
    return value == 0 || value == mark.harmless;
}

} // namespace

std::vector<std::string> other_blocks(const json& config, std::string_view model_type) {
    const HuggingFaceFamily* const family = hugging_face_family(model_type);
    const bool is_known = family != nullptr, is_both = is_known && family->encoder_decoder;
    std::vector<std::string> reasons;
    if (!config.is_object()) {
        return reasons;
    }
    std::vector<const char*> said;
    for (const auto& [key, value] : config.items()) {
        for (const Mark& mark : marks) {
            const bool is_marked =
                key.find(mark.part) != std::string::npos && !(is_both && mark.part == "is_encoder_decoder") &&
                (mark.of_all || !is_known) &&
                std::ranges::find(keys_that_are_read, key) == std::ranges::end(keys_that_are_read);
            // One phrase for each meaning: a Mamba block alone has a dozen keys.
            if (is_marked && !is_harmless(value, mark) &&
                std::ranges::find(said, mark.meaning) == said.end()) {
                said.push_back(mark.meaning);
                reasons.push_back(fmt::format("\"{}\" means {}", shortened(key), mark.meaning));
            }
        }
    }
    for (const auto& [family, meaning] : families_of_other_blocks) {
        if (family == model_type && std::ranges::find(said, meaning) == said.end()) {
            reasons.push_back(fmt::format("models of the type \"{}\" have {}", family, meaning));
        }
    }
    return reasons;
}

} // namespace meshslice
