#include "core/model/hugging_face_kinds.h"

#include "core/base/text.h"
#include "core/model/block_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

using nlohmann::json;

/// The blocks' mixers, by the words that their lists use.
class Mixers {
  public:
    Mixers(JsonReader& config, const json& values, const HuggingFaceFamily& family, const Transformer& model)
        : config_(config), json_(values), family_(family), model_(model) {}

    /// Nothing for a word that is not known, or whose numbers are not there.
    std::optional<Mixer> of(const std::string& word) {
        if (word == "full_attention" || word == "attention" || word == "global" || word == "full") {
            return attention(false);
        }
        if (word == "sliding_attention" || word == "swa" || word == "local" || word == "sliding") {
            return attention(true);
        }
        if (word == "chunked_attention") {
            Mixer made = attention(false);
            made.window = whole_or(config_, "attention_chunk_size", family_.window);
            made.chunked = true;
            return made;
        }
        if (word == "cross_attention") {
            Mixer made = attention(false);
            made.cross = true;
            return made;
        }
        if (word == "linear_attention" || word == "kda") {
            return linear();
        }
        if (word == "mamba") {
            return state_space();
        }
        if (word == "conv" && config_.first_of({"conv_L_cache", "conv_l_cache"})) {
            Mixer made;
            made.kind = MixerKind::convolution;
            made.convolution = config_.whole(*config_.first_of({"conv_L_cache", "conv_l_cache"}), 1, 4096);
            return made;
        }
        return std::nullopt;
    }

    std::optional<Mixer> state_space() {
        const std::int64_t inner = inner_width();
        Mixer made;
        made.state = whole_of({"mamba_d_state", "ssm_state_size", "state_size"}, 0);
        made.convolution = whole_of({"mamba_d_conv", "conv_kernel"}, 4);
        if (made.state == 0 || inner == 0) {
            return std::nullopt;
        }
        const std::int64_t heads = whole_of({"mamba_n_heads", "mamba_num_heads", "num_heads"}, 0);
        if (heads == 0 || family_.mixer == MixerKind::mamba) {
            const auto rank = config_.first_of({"mamba_dt_rank", "time_step_rank"});
            made.kind = MixerKind::mamba;
            made.head_size = inner;
            // "auto" is a sixteenth of the width, rounded up.
            made.rank = rank && json_.at(*rank).is_number() ? config_.whole(*rank, 1, most_width)
                                                            : (model_.hidden + 15) / 16;
            return made;
        }
        made.kind = MixerKind::mamba2;
        made.heads = made.kv_heads = heads;
        made.head_size = inner / heads;
        made.groups = std::max<std::int64_t>(1, whole_of({"mamba_n_groups", "n_groups"}, 1));
        return made;
    }

  private:
    std::int64_t whole_of(const std::vector<std::string>& keys, std::int64_t other) {
        const auto key = config_.first_of(keys);
        return key && json_.at(*key).is_number() ? config_.whole(*key, 0, most_width) : other;
    }

    /// Of a state space: what it says, heads x head size, or so many times the width.
    std::int64_t inner_width() {
        if (const std::int64_t own = whole_of({"mamba_d_ssm"}, 0); own > 0) {
            return own;
        }
        const std::int64_t heads = whole_of({"mamba_n_heads", "mamba_num_heads", "num_heads"}, 0);
        const std::int64_t size = whole_of({"mamba_d_head", "mamba_head_dim"}, 0);
        if (heads > 0 && size > 0) {
            return heads * size;
        }
        if (family_.mixer == MixerKind::mamba && config_.has("intermediate_size")) {
            return config_.whole("intermediate_size", 1, most_width);
        }
        return model_.hidden * whole_of({"mamba_expand", "expand"}, 2);
    }

    Mixer attention(bool sliding) {
        Mixer made = {model_.heads, model_.kv_heads, model_.head_size, model_.causal};
        const std::int64_t values = whole_or(config_, "v_head_dim", 0);
        made.value_size = values == made.head_size ? 0 : values;
        made.output_gate = flag_or(config_, "attn_output_gate", family_.output_gate);
        made.head_gate = flag_or(config_, "use_head_wise_attn_gate", false);
        made.qkv_bias = flag_or(config_, "attention_bias", family_.qkv_bias) ||
                        flag_or(config_, "qkv_bias", false) || flag_or(config_, "use_qkv_bias", false);
        made.qk_norm = flag_or(config_, "use_qk_norm", family_.qk_norm);
        made.sinks = family_.sinks;
        made.output_bias = family_.sinks && made.qkv_bias;
        if (const std::int64_t rank = whole_or(config_, "kv_lora_rank", 0); rank > 0) {
            made.kind = MixerKind::latent;
            made.kv_rank = rank;
            made.q_rank = whole_or(config_, "q_lora_rank", 0);
            made.rope_size = config_.whole("qk_rope_head_dim", 0, most_width);
            made.value_size = config_.whole("v_head_dim", 1, most_width);
            made.index_heads = whole_or(config_, "index_n_heads", 0);
            made.index_size = whole_or(config_, "index_head_dim", 0);
            made.index_tokens = whole_or(config_, "index_topk", 0);
        }
        if (sliding) {
            made.window =
                whole_or(config_, "sliding_window", whole_or(config_, "sliding_window_size", family_.window));
            made.heads = whole_or(config_, "swa_num_attention_heads", made.heads);
            made.kv_heads = whole_or(config_, "swa_num_key_value_heads", made.kv_heads);
            made.head_size = whole_or(config_, "swa_head_dim", made.head_size);
            made.value_size = whole_or(config_, "swa_v_head_dim", made.value_size);
            if (config_.is_object("attention_other_setting")) { // Step 3.5
                JsonReader other = config_.object("attention_other_setting");
                made.heads = whole_or(other, "num_attention_heads", made.heads);
                made.kv_heads = whole_or(other, "num_attention_groups", made.kv_heads);
                made.head_size = whole_or(other, "head_dim", made.head_size);
            }
        } else if (config_.has("global_head_dim")) { // Gemma 4
            made.head_size = config_.whole("global_head_dim", 1, most_width);
            made.kv_heads = whole_or(config_, "num_global_key_value_heads", made.kv_heads);
            made.keys_are_values = flag_or(config_, "attention_k_eq_v", false);
        }
        return made;
    }

    std::optional<Mixer> linear() {
        Mixer made;
        made.kind = family_.linear;
        if (made.kind == MixerKind::lightning) {
            made.heads = made.kv_heads = model_.heads;
            made.head_size = model_.head_size;
            return made;
        }
        if (config_.is_object("linear_attn_config")) {
            JsonReader its = config_.object("linear_attn_config");
            made.heads = made.kv_heads = its.whole("num_heads", 1, most_width);
            made.head_size = its.whole("head_dim", 1, most_width);
            made.convolution = whole_or(its, "short_conv_kernel_size", 4);
            made.kind = MixerKind::kimi_delta;
            return made;
        }
        if (!config_.has("linear_num_value_heads")) {
            return std::nullopt;
        }
        made.heads = config_.whole("linear_num_value_heads", 1, most_width);
        made.kv_heads = config_.whole("linear_num_key_heads", 1, most_width);
        made.head_size = config_.whole("linear_key_head_dim", 1, most_width);
        made.value_size = config_.whole("linear_value_head_dim", 1, most_width);
        made.convolution = whole_or(config_, "linear_conv_kernel_dim", 4);
        return made;
    }

    JsonReader& config_;
    const json& json_;
    const HuggingFaceFamily& family_;
    const Transformer& model_;
};

/// What a block of "M-M*E" is.
std::string word_of(char letter) {
    switch (letter) {
    case 'M': return "mamba";
    case '*': return "attention";
    case '-': return "mlp";
    case 'E': return "moe";
    default: return std::string(1, letter);
    }
}

/// A block that is a mixer alone or a feed-forward network alone.
bool is_half(const std::string& word) {
    return word == "mlp" || word == "moe";
}

BlockKind finished(BlockKind kind, const HuggingFaceFamily& family, bool halves) {
    kind.norms = halves ? 1 : family.norms + (kind.second.cross ? 1 : 0);
    return kind;
}

/// Whether the numbers of the model say all that its GEMMs need: norms and small biases aside.
bool is_plain(BlockKind kind, const Transformer& model) {
    Mixer& mixer = kind.mixer;
    mixer.qkv_bias = mixer.output_bias = mixer.qk_norm = mixer.sinks = false;
    kind.feed_forward.biases = kind.feed_forward.bare = false;
    kind.norms = 2;
    return kind == plain_block(model);
}

std::string other_kinds(const std::vector<std::string>& words, const std::string& word) {
    return fmt::format("makes {} of {} blocks \"{}\"", std::ranges::count(words, word), words.size(),
                       shortened(word));
}

} // namespace

std::vector<std::string> block_words(JsonReader& config, const json& values, const HuggingFaceFamily& family,
                                     const Transformer& model) {
    const auto blocks = static_cast<std::size_t>(model.layers);
    const auto each = [&](auto&& word) {
        std::vector<std::string> made;
        for (std::size_t k = 0; k < blocks; ++k) {
            made.emplace_back(word(static_cast<std::int64_t>(k)));
        }
        return made;
    };
    const auto in = [&](const std::vector<std::int64_t>& list, std::int64_t k) {
        return std::ranges::find(list, k) != list.end();
    };
    for (const char* key : {"layer_types", "layers_block_type", "block_types"}) {
        if (config.has(key)) {
            std::vector<std::string> words = config.text_list(key);
            // Short lists are one period.
            const bool repeats = !words.empty() && blocks % words.size() == 0;
            config.expect(
                repeats, key,
                fmt::format("has {} names; expected one for each of {} blocks", words.size(), blocks));
            const std::size_t period = words.size();
            for (std::size_t k = period; repeats && k < blocks; ++k) {
                words.push_back(std::string(words[k - period]));
            }
            words.resize(blocks);
            return words;
        }
    }
    if (config.has("hybrid_override_pattern")) {
        std::string letters = config.text("hybrid_override_pattern");
        std::erase(letters, '|');
        config.expect(letters.size() == blocks, "hybrid_override_pattern",
                      fmt::format("names {} blocks, but there are {}", letters.size(), blocks));
        letters.resize(blocks, '*');
        return each([&](std::int64_t k) { return word_of(letters[static_cast<std::size_t>(k)]); });
    }
    if (config.has("attn_type_list")) {
        const auto list = whole_for_each(config, values, "attn_type_list", model.layers);
        return each([&](std::int64_t k) {
            return list[static_cast<std::size_t>(k)] == 0 ? "linear_attention" : "full_attention";
        });
    }
    if (config.has("hybrid_layer_pattern")) {
        const auto list = whole_for_each(config, values, "hybrid_layer_pattern", model.layers);
        return each([&](std::int64_t k) {
            return list[static_cast<std::size_t>(k)] == 1 ? "sliding_attention" : "full_attention";
        });
    }
    if (const std::int64_t period = whole_or(config, "attn_layer_period", 0); period > 0) {
        const std::int64_t offset = whole_or(config, "attn_layer_offset", 0);
        return each([&](std::int64_t k) { return k % period == offset % period ? "attention" : "mamba"; });
    }
    if (const std::int64_t every = whole_or(config, "full_attention_interval", 0); every > 0) {
        return each(
            [&](std::int64_t k) { return (k + 1) % every == 0 ? "full_attention" : "linear_attention"; });
    }
    if (config.is_object("linear_attn_config")) {
        const auto full = config.object("linear_attn_config").whole_list("full_attn_layers", 1, most_width);
        return each([&](std::int64_t k) { return in(full, k + 1) ? "full_attention" : "linear_attention"; });
    }
    for (const auto& [key, other] : {std::pair("attn_layer_indices", "mamba"), {"full_attn_idxs", "conv"}}) {
        if (config.has(key)) {
            const auto full = config.whole_list(key, 0, most_width);
            const char* const word = other;
            return each([&](std::int64_t k) { return in(full, k) ? "full_attention" : word; });
        }
    }
    if (config.has("cross_attention_layers")) {
        const auto list = config.whole_list("cross_attention_layers", 0, most_width);
        return each([&](std::int64_t k) { return in(list, k) ? "cross_attention" : "full_attention"; });
    }
    const bool says_window = config.has("sliding_window") || family.window > 0;
    const char* const near = family.chunked ? "chunked_attention" : "sliding_attention";
    if (config.is_text("sliding_window_pattern")) { // "LLLG"
        const std::string letters = config.text("sliding_window_pattern");
        return each([&](std::int64_t k) {
            const bool local =
                !letters.empty() && letters[static_cast<std::size_t>(k) % letters.size()] == 'L';
            return local ? near : "full_attention";
        });
    }
    const std::int64_t every = whole_or(config, "sliding_window_pattern", family.full_of);
    if (says_window && every > 1) {
        return each([&](std::int64_t k) { return (k + 1) % every == 0 ? "full_attention" : near; });
    }
    if (config.has("sliding_window") && flag_or(config, "use_sliding_window", true)) {
        return each([&](std::int64_t) { return near; });
    }
    return {};
}

std::vector<std::string> read_kinds(JsonReader& config, const json& values, const HuggingFaceFamily& family,
                                    Transformer& model) {
    std::vector<std::string> reasons;
    std::vector<std::string> words = block_words(config, values, family, model);
    const bool halves = config.has("hybrid_override_pattern");
    if (words.empty()) {
        const bool alone = family.mixer == MixerKind::mamba || family.mixer == MixerKind::mamba2;
        words.assign(static_cast<std::size_t>(model.layers), alone ? "mamba" : "full_attention");
    }
    const std::vector<FeedForward> parts = read_feed_forwards(config, values, family, model);
    if (!config.ok()) {
        return reasons;
    }
    Mixers mixers(config, values, family, model);
    const std::int64_t share = std::max<std::int64_t>(1, whole_or(config, "cla_share_factor", 1));
    bool has_mamba = false;
    for (std::size_t k = 0; k < words.size() && reasons.empty(); ++k) {
        BlockKind kind;
        kind.hidden = model.hidden;
        if (is_half(words[k])) {
            kind.mixer.kind = MixerKind::none;
            kind.feed_forward = parts[k];
            if (words[k] == "mlp" && model.experts > 1) { // next to blocks of experts
                kind.feed_forward = {config.whole("intermediate_size", 1, most_width), model.gated};
                kind.feed_forward.bare = family.bare;
            }
        } else if (const std::optional<Mixer> mixer = mixers.of(words[k])) {
            kind.mixer = *mixer;
            kind.mixer.borrowed = static_cast<std::int64_t>(k) % share != 0;
            kind.feed_forward = parts[k];
            const bool alone = halves || family.mixer != MixerKind::attention;
            if (alone) {
                kind.feed_forward = {0, family.gated};
                kind.feed_forward.bare = true;
            }
            if (family.encoder_decoder) {
                kind.second = kind.mixer;
                kind.second.cross = true;
                kind.second.causal = false;
            }
            if (family.also_mamba) {
                kind.second = mixers.state_space().value_or(Mixer{.kind = MixerKind::none});
            }
        } else {
            const std::string key = config.first_of({"layer_types", "layers_block_type", "block_types"})
                                        .value_or("hybrid_override_pattern");
            reasons.push_back(fmt::format("\"{}\" {}", key, other_kinds(words, words[k])));
            break;
        }
        has_mamba = has_mamba || kind.mixer.state > 0 || kind.second.state > 0;
        kind = finished(kind, family, halves || family.mixer != MixerKind::attention);
        const auto found = std::ranges::find(model.kinds, kind);
        model.order.push_back(found - model.kinds.begin());
        if (found == model.kinds.end()) {
            model.kinds.push_back(kind);
        }
    }
    for (const auto& [key, value] : values.items()) {
        const bool marks = key.starts_with("mamba_") || key.starts_with("ssm_");
        if (marks && !has_mamba && reasons.empty() && value != 0 && !value.is_null()) {
            reasons.push_back(fmt::format(
                "\"{}\" means state-space blocks (Mamba), and no key says which blocks are", shortened(key)));
        }
    }
    model.predictors =
        whole_or(config, "num_nextn_predict_layers",
                 whole_or(config, "mtp_num_hidden_layers", whole_or(config, "mtp_num_layers", 0)));
    const bool more = model.predictors > 0 || model.other_parameters > 0 || !model.towers.empty();
    if (model.kinds.size() == 1 && is_plain(model.kinds.front(), model) && !more) {
        model.kinds.clear();
        model.order.clear();
    }
    return reasons;
}

void read_towers(JsonReader& file, Transformer& model) {
    for (const auto& [folder, title] : {std::pair("vision_config", "vision"), {"audio_config", "audio"}}) {
        if (!file.is_object(folder)) {
            continue;
        }
        JsonReader its = file.object(folder);
        const auto width = its.first_of({"hidden_size", "embed_dim", "d_model"});
        const auto blocks = its.first_of({"num_hidden_layers", "depth", "encoder_layers", "num_layers"});
        const auto inside = its.first_of({"intermediate_size", "mlp_dim", "encoder_ffn_dim"});
        const auto heads = its.first_of({"num_attention_heads", "num_heads", "encoder_attention_heads"});
        if (!width || !blocks || !inside || !heads) {
            continue;
        }
        Tower tower;
        tower.name = title;
        tower.blocks = its.whole(*blocks, 1, most_width);
        const std::int64_t hidden = its.whole(*width, 1, most_width);
        const std::int64_t by = its.whole(*heads, 1, most_width);
        tower.kind.hidden = hidden;
        tower.kind.mixer = {by, by, std::max<std::int64_t>(1, hidden / std::max<std::int64_t>(1, by)), false};
        const bool gated = its.is_text("hidden_act") && its.text("hidden_act") == "silu";
        tower.kind.feed_forward = {its.whole(*inside, 1, most_width), gated};
        // A patch of three colours becomes a token; the width changes at the end.
        const std::int64_t patch = whole_or(its, "patch_size", 0);
        tower.other_parameters = hidden * patch * patch * 3 + hidden * model.hidden;
        model.towers.push_back(std::move(tower));
    }
}

} // namespace meshslice
