#include "core/model/hugging_face_blocks.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using nlohmann::json;

constexpr const char* latent = "latent attention, whose GEMMs are not those of QKV and Output";
constexpr const char* shared = "an expert that every token visits in addition to the chosen ones";
constexpr const char* mixed = "that some blocks have experts and some have none";
constexpr const char* state_space = "state-space blocks (Mamba), which have other GEMMs than attention";
constexpr const char* linear = "linear attention, which has other GEMMs than attention";
constexpr const char* recurrent = "recurrent blocks, which have other GEMMs than attention";
constexpr const char* cross = "blocks of cross-attention";
constexpr const char* several = "several kinds of attention in one model";
constexpr const char* prediction = "further blocks that predict more than one token";
constexpr const char* borrowed = "blocks that use the keys and values of other blocks";
constexpr const char* encoder = "an encoder, whose tokens see those after them too";

/// A part of a key's name that marks another kind of block, unless its value is `harmless` (or null, false,
/// 0, empty, or a list of nothing else).
struct Mark {
    std::string_view part;
    std::int64_t harmless;
    const char* meaning;
    bool places = false; ///< a list names blocks by their place, so that 0 is one of them
};

constexpr Mark marks[] = {
    {"lora_rank", 0, latent},
    {"shared_expert", 0, shared},
    {"n_shared", 0, shared},
    {"num_shared", 0, shared},
    {"shared_intermediate_size", 0, shared},
    {"dense_replace", 0, mixed},
    {"num_dense_layers", 0, mixed},
    {"mlp_only_layers", 0, mixed, true},
    {"sparse_step", 1, mixed},
    {"moe_layer_freq", 1, mixed},
    {"moe_layer_interval", 1, mixed},
    {"moe_layer_start", 0, mixed},
    {"moe_layers", 0, mixed, true},
    {"interleave_moe_layer_step", 1, mixed},
    {"expert_layer_period", 1, mixed},
    {"mamba", 0, state_space},
    {"ssm_", 0, state_space},
    {"attn_layer_period", 1, state_space},
    {"hybrid_override_pattern", 0, state_space},
    {"linear_num_", 0, linear},
    {"linear_attn", 0, linear},
    {"full_attention_interval", 1, linear},
    {"lru_", 0, recurrent},
    {"recurrent", 0, recurrent},
    {"cross_attention_layers", 0, cross, true},
    {"hybrid_layer_pattern", 0, several},
    {"attn_type_list", 1, several},
    {"attn_output_gate", 0, "a gate at the output of attention, which makes QKV wider"},
    {"nextn_predict", 0, prediction},
    {"mtp_num_layers", 0, prediction},
    {"kv_shared_layers", 0, borrowed},
    {"cla_share_factor", 1, borrowed},
    {"altup", 0, "several streams between blocks"},
    {"is_encoder_decoder", 0, "an encoder and a decoder"},
};

/// Families whose blocks differ without a key that says so.
constexpr std::pair<std::string_view, const char*> families_of_other_blocks[] = {
    {"llama4", shared},           {"llama4_text", shared},
    {"mllama_text_model", cross}, {"mamba", state_space},
    {"mamba2", state_space},      {"falcon_mamba", state_space},
    {"jamba", state_space},       {"bamba", state_space},
    {"zamba", state_space},       {"zamba2", state_space},
    {"falcon_h1", state_space},   {"nemotron_h", state_space},
    {"rwkv", recurrent},          {"recurrent_gemma", recurrent},
    {"minimax", linear},          {"qwen3_next", linear},
    {"qwen3_5", linear},          {"qwen3_5_text", linear},
    {"gemma3n_text", borrowed},   {"bert", encoder},
    {"roberta", encoder},         {"xlm-roberta", encoder},
    {"modernbert", encoder},
};

/// What a list of blocks may say where all blocks have the same GEMMs.
constexpr std::array kinds_of_attention = {"full_attention", "sliding_attention", "chunked_attention",
                                           "attention"};
constexpr std::array lists_of_blocks = {"layer_types", "layers_block_type", "block_types"};

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

/// "3 of 4 blocks "linear_attention"": the first kind of a list that is not attention, and how often.
std::optional<std::string> other_kind(const json& list) {
    if (!list.is_array()) {
        return std::nullopt;
    }
    for (const json& kind : list) {
        if (kind.is_string() && std::ranges::find(kinds_of_attention, kind) == kinds_of_attention.end()) {
            return fmt::format("makes {} of {} blocks \"{}\"", std::ranges::count(list, kind), list.size(),
                               shortened(kind.get<std::string>()));
        }
    }
    return std::nullopt;
}

/// Heads of values, or of the blocks with a window, whose numbers are not those of the others.
void compare(const json& config, const char* key, const char* with, const char* meaning,
             std::vector<std::string>& reasons) {
    if (config.contains(key) && config.at(key).is_number() && config.contains(with) &&
        config.at(key) != config.at(with)) {
        reasons.push_back(fmt::format("\"{}\" differs from \"{}\", which means {}", key, with, meaning));
    }
}

} // namespace

std::vector<std::string> other_blocks(const json& config, std::string_view model_type) {
    std::vector<std::string> reasons;
    if (!config.is_object()) {
        return reasons;
    }
    std::vector<const char*> said;
    for (const auto& [key, value] : config.items()) {
        for (const Mark& mark : marks) {
            const bool is_marked = key.find(mark.part) != std::string::npos;
            // One phrase for each meaning: a Mamba block alone has a dozen keys.
            if (is_marked && !is_harmless(value, mark) &&
                std::ranges::find(said, mark.meaning) == said.end()) {
                said.push_back(mark.meaning);
                reasons.push_back(fmt::format("\"{}\" means {}", shortened(key), mark.meaning));
            }
        }
    }
    for (const char* key : lists_of_blocks) {
        if (const auto kind = config.contains(key) ? other_kind(config.at(key)) : std::nullopt) {
            reasons.push_back(fmt::format("\"{}\" {}", key, *kind));
        }
    }
    compare(config, "v_head_dim", "head_dim", "heads of values of another size", reasons);
    compare(config, "swa_num_key_value_heads", "num_key_value_heads",
            "other heads in blocks that look back a window only", reasons);
    for (const auto& [family, meaning] : families_of_other_blocks) {
        if (family == model_type && std::ranges::find(said, meaning) == said.end()) {
            reasons.push_back(fmt::format("models of the type \"{}\" have {}", family, meaning));
        }
    }
    return reasons;
}

} // namespace meshslice
