#include "core/base/json/infinities.h"
#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/model/block_file.h"
#include "core/model/hugging_face_blocks.h"
#include "core/model/hugging_face_family.h"
#include "core/model/hugging_face_kinds.h"
#include "core/model/transformer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace meshslice {
namespace {

/// The keys by which the families call one number; unused places are null.
struct NumberInConfig {
    const char* meaning;
    std::array<const char*, 8> names;
    bool may_be_list = false;
    std::int64_t most = most_width;

    [[nodiscard]] std::vector<std::string> keys() const {
        const auto end = std::find(names.begin(), names.end(), nullptr);
        return {names.begin(), end};
    }
};

constexpr NumberInConfig layers = {"number of layers",
                                   {"num_hidden_layers", "n_layer", "n_layers", "num_layers"}};
constexpr NumberInConfig hidden = {"hidden width", {"hidden_size", "n_embd", "n_embed", "d_model"}};
constexpr NumberInConfig heads = {"number of attention heads",
                                  {"num_attention_heads", "n_head", "n_heads", "num_heads"}};
constexpr NumberInConfig kv_heads = {
    "number of key-value heads",
    {"num_key_value_heads", "num_kv_heads", "n_kv_heads", "num_attention_groups"}};
constexpr NumberInConfig head_size = {"head size", {"head_dim", "kv_channels", "d_kv"}};
constexpr NumberInConfig feed_forward = {
    "feed-forward width", {"intermediate_size", "n_inner", "ffn_dim", "ffn_embed_dim", "block_ff_dim"}};
constexpr NumberInConfig expert_width = {"width of one expert", {"moe_intermediate_size"}, true};
constexpr NumberInConfig experts = {
    "number of experts", {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}};
constexpr NumberInConfig experts_per_token = {
    "number of experts per token",
    {"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "moe_k", "top_k_experts"},
    true};
constexpr NumberInConfig vocabulary = {"vocabulary", {"vocab_size"}, false, most_dimension};
/// The longest that it takes, which is what it was trained on or more.
constexpr NumberInConfig sequence = {
    "sequence length", {"max_position_embeddings", "n_positions"}, false, most_dimension};

// Of an encoder and a decoder, the decoder's; where it has none of its own, those of both.
constexpr NumberInConfig decoder_layers = {"number of decoder layers",
                                           {"decoder_layers", "num_decoder_layers"}};
constexpr NumberInConfig encoder_layers = {"number of encoder layers", {"encoder_layers", "num_layers"}};
constexpr NumberInConfig decoder_heads = {"number of attention heads",
                                          {"decoder_attention_heads", "num_heads"}};
constexpr NumberInConfig decoder_feed_forward = {"feed-forward width", {"decoder_ffn_dim", "d_ff"}};

/// Reads one configuration object into a model. Findings are noted in the reader.
class Import {
  public:
    /// `config` is the file or, where it is nested in it, the object called `folder`, "text_config/".
    Import(JsonReader& file, JsonReader& config, const nlohmann::json& values, std::string folder,
           std::string origin)
        : file_(file)
        , config_(config)
        , values_(values)
        , folder_(std::move(folder))
        , origin_(std::move(origin)) {}

    Transformer read() {
        const HuggingFaceFamily family = read_family();
        const bool both = family.encoder_decoder;
        const bool own_layers = !both || config_.first_of(decoder_layers.keys()).has_value();
        needed("layers", !both ? layers : own_layers ? decoder_layers : encoder_layers, &Transformer::layers);
        needed("hidden", hidden, &Transformer::hidden);
        model_.causal = !family.encoder;
        if (both) {
            needed("heads", decoder_heads, &Transformer::heads);
        } else if (attends(family)) {
            needed("heads", heads, &Transformer::heads);
        }
        read_kv_heads(family);
        read_head_size(family);
        read_experts(family);
        if (both) {
            needed("feed_forward", decoder_feed_forward, &Transformer::feed_forward);
            read_encoder(family);
        } else {
            read_feed_forward(family);
        }
        if (!take("vocabulary", vocabulary, &Transformer::vocabulary)) {
            set("vocabulary", &Transformer::vocabulary, family.vocabulary,
                family.vocabulary > 0 ? fmt::format("{} files without vocab_size have it", family.model_type)
                                      : "not in config.json; 0 means not known");
        }
        take("sequence", sequence, &Transformer::sequence);
        read_tie(family);
        if (!missing_.empty() && !asks_for_gate_) {
            config_.note({fmt::format("{} gives {}.", origin_, fmt::join(missing_, "; and "))});
        }
        if (asks_for_gate_) {
            config_.note({fmt::format("{}{}. Known are {}.", *asks_for_gate_,
                                      missing_.empty()
                                          ? std::string()
                                          : fmt::format("; it also gives {}", fmt::join(missing_, "; and ")),
                                      hugging_face_family_names())});
        }
        family_ = family;
        return model_;
    }
    [[nodiscard]] const HuggingFaceFamily& family() const { return family_; }

  private:
    /// The encoder, as wide as the decoder (Raffel et al., 2019; Radford et al., 2022).
    void read_encoder(const HuggingFaceFamily& family) {
        if (!missing_.empty()) {
            return;
        }
        Tower tower;
        tower.name = "encoder";
        tower.blocks = find(encoder_layers).value_or(model_.layers);
        tower.kind = plain_block(model_);
        tower.kind.mixer.causal = false;
        tower.kind.mixer.heads = tower.kind.mixer.kv_heads =
            whole_or(config_, "encoder_attention_heads", model_.heads);
        tower.kind.feed_forward.width = whole_or(config_, "encoder_ffn_dim", model_.feed_forward);
        tower.kind.feed_forward.bare = family.bare;
        // Sound comes in through two convolutions of three steps, and its positions are kept.
        const std::int64_t bins = whole_or(config_, "num_mel_bins", 0);
        const std::int64_t width = model_.hidden;
        tower.other_parameters = bins > 0 ? 3 * width * (bins + width) + 2 * width +
                                                width * whole_or(config_, "max_source_positions", 0)
                                          : 0;
        model_.towers.push_back(std::move(tower));
    }

    [[nodiscard]] static bool attends(const HuggingFaceFamily& family) {
        return family.mixer == MixerKind::attention;
    }
    /// Keys and values of all heads come from one narrow vector.
    bool is_latent() { return whole_or(config_, "kv_lora_rank", 0) > 0; }

    using Member = std::int64_t Transformer::*;

    std::string in_file(const std::string& key) const {
        return fmt::format("{}{} in config.json", folder_, key);
    }

    void set(const std::string& field, Member member, std::int64_t value, const std::string& source) {
        model_.*member = value;
        model_.sources[field] = source;
    }

    /// The first of the keys that is there; two that disagree are refused.
    std::optional<std::int64_t> find(const NumberInConfig& number) {
        std::optional<std::int64_t> found;
        std::string first;
        for (const std::string& key : number.keys()) {
            if (!config_.has(key)) {
                continue;
            }
            // A list has a number for each block: here all have the same, or it is refused.
            const std::int64_t value = values_.at(key).is_array() && number.may_be_list
                                           ? same_of_all(key)
                                           : config_.whole(key, 0, number.most);
            config_.expect(!found || *found == value, key,
                           fmt::format("is {}, but \"{}\", which means the same, is {}", value, first,
                                       found.value_or(0)));
            first = found ? first : key;
            found = found.value_or(value);
        }
        return found;
    }

    std::int64_t same_of_all(const std::string& key) {
        const std::vector<std::int64_t> list = config_.whole_list(key, 0, most_width);
        const bool same = !list.empty() &&
                          std::ranges::count(list, list.front()) == static_cast<std::ptrdiff_t>(list.size());
        config_.expect(same, key, "has a number for each block, and they differ; expected one for all");
        return list.empty() ? 0 : list.front();
    }

    bool take(const std::string& field, const NumberInConfig& number, Member member) {
        const std::optional<std::int64_t> value = find(number);
        if (value) {
            set(field, member, *value, in_file(*config_.first_of(number.keys())));
        }
        return value.has_value();
    }

    void needed(const std::string& field, const NumberInConfig& number, Member member) {
        if (!take(field, number, member)) {
            missing(number);
        }
    }

    void missing(const NumberInConfig& number) {
        missing_.push_back(fmt::format("no {}: \"{}{}\"{} is missing", number.meaning, folder_,
                                       number.names.front(), others(number)));
    }

    static std::string others(const NumberInConfig& number) {
        const std::vector<std::string> keys = number.keys();
        return keys.size() == 1
                   ? std::string()
                   : fmt::format(" (elsewhere called {})", fmt::join(keys.begin() + 1, keys.end(), ", "));
    }

    /// The key that gave a number, for a source that was derived from it.
    std::string key_of(const NumberInConfig& number) const {
        return config_.first_of(number.keys()).value_or(number.names.front());
    }

    HuggingFaceFamily read_family() {
        const std::string type = config_.has("model_type") ? config_.text("model_type") : std::string();
        const HuggingFaceFamily* const family = hugging_face_family(type);
        // A word of the user's own is the last word, also against the family.
        if (config_.has("gated")) {
            model_.gated = config_.flag("gated");
            model_.sources["gated"] =
                in_file("gated") + (family ? ""
                                           : ": taken from the file's own word, as is that all blocks are "
                                             "attention and one feed-forward network");
            return family ? *family : unknown_family("unknown", model_.gated);
        }
        if (!family) {
            asks_for_gate_ =
                fmt::format("{} has {}, so it is not known whether its feed-forward network has a gate "
                            "projection. If all its blocks are attention and one feed-forward network, add "
                            "\"gated\": true or false to it",
                            origin_,
                            type.empty() ? "no \"model_type\""
                                         : fmt::format("the unknown \"model_type\" \"{}\"", shortened(type)));
            return unknown_family("unknown", false);
        }
        model_.gated = family->gated || (config_.is_text("feed_forward_proj") &&
                                         config_.text("feed_forward_proj").starts_with("gated"));
        model_.sources["gated"] = fmt::format("{}: {} networks have {} gate projection",
                                              in_file("model_type"), type, model_.gated ? "a" : "no");
        return *family;
    }

    /// Multimodal files say it inside or outside of the language model's object.
    void read_tie(const HuggingFaceFamily& family) {
        const std::string key = "tie_word_embeddings";
        const bool inside = config_.first_of({key}).has_value();
        std::string& source = model_.sources["tied_embeddings"];
        if (inside || file_.first_of({key})) {
            model_.tied_embeddings = (inside ? config_ : file_).flag(key);
            source = inside ? in_file(key) : key + " in config.json";
            return;
        }
        model_.tied_embeddings = family.tied_embeddings;
        source = family.model_type == "unknown"
                     ? "not in config.json; taken as two matrices"
                     : fmt::format("{} files without {} have {}", family.model_type, key,
                                   family.tied_embeddings ? "one matrix for both" : "two matrices");
    }

    void read_kv_heads(const HuggingFaceFamily& family) {
        using Rule = HuggingFaceFamily::KvHeads;
        if (is_latent()) {
            return set("kv_heads", &Transformer::kv_heads, model_.heads,
                       in_file("kv_lora_rank") + ": latent attention, whose heads all have keys and values");
        }
        // Files of this family keep a number of key-value heads that counts in its newer architecture only.
        const bool counts = family.kv_heads != Rule::falcon || (config_.has("new_decoder_architecture") &&
                                                                config_.flag("new_decoder_architecture"));
        if (counts && take("kv_heads", kv_heads, &Transformer::kv_heads)) {
            return;
        }
        if (counts && family.kv_heads == Rule::falcon) {
            return missing(kv_heads);
        }
        if (family.kv_heads == Rule::given) {
            return missing(kv_heads);
        }
        bool one = family.kv_heads == Rule::multi_query && config_.flag("multi_query");
        if (family.kv_heads == Rule::falcon) {
            one = !config_.has("multi_query") || config_.flag("multi_query");
        }
        set("kv_heads", &Transformer::kv_heads, one ? 1 : model_.heads,
            one ? in_file("multi_query") + ": one key-value head for all"
                : fmt::format("{}: {} files without {} have as many", in_file(key_of(heads)),
                              family.model_type, kv_heads.names.front()));
    }

    void read_head_size(const HuggingFaceFamily& family) {
        if (is_latent()) {
            return set("head_size", &Transformer::head_size,
                       whole_or(config_, "qk_nope_head_dim", 0) + whole_or(config_, "qk_rope_head_dim", 0),
                       in_file("qk_nope_head_dim") + " + qk_rope_head_dim");
        }
        if (take("head_size", head_size, &Transformer::head_size)) {
            return;
        }
        if (family.head_size == HuggingFaceFamily::HeadSize::given) {
            return missing(head_size);
        }
        const std::int64_t by = std::max<std::int64_t>(model_.heads, 1);
        if (!missing_.empty()) {
            return; // what it follows from
        }
        config_.expect(
            model_.hidden % by == 0, key_of(hidden),
            fmt::format("is {}, which {} heads do not divide; head_dim is needed", model_.hidden, by));
        set("head_size", &Transformer::head_size, model_.hidden / by,
            fmt::format("{} / {}, as {} files without head_dim have it", key_of(hidden),
                        in_file(key_of(heads)), family.model_type));
    }

    void read_experts(const HuggingFaceFamily& family) {
        using Rule = HuggingFaceFamily::Experts;
        const bool may_lack = family.experts == Rule::none || family.experts == Rule::maybe;
        const std::optional<std::int64_t> given = find(experts);
        const std::int64_t count = given.value_or(0);
        if (count <= 1 && (may_lack || given)) {
            set("experts", &Transformer::experts, 1, "no experts in config.json");
            set("experts_per_token", &Transformer::experts_per_token, 1, "no experts in config.json");
            return;
        }
        if (family.experts == Rule::none) {
            config_.expect(
                false, key_of(experts),
                fmt::format("is {}, but {} models are not known to have experts", count, family.model_type));
        }
        needed("experts", experts, &Transformer::experts);
        needed("experts_per_token", experts_per_token, &Transformer::experts_per_token);
    }

    void read_feed_forward(const HuggingFaceFamily& family) {
        using Experts = HuggingFaceFamily::Experts;
        using Rule = HuggingFaceFamily::FeedForward;
        if (!attends(family)) {
            return set("feed_forward", &Transformer::feed_forward, 1, "none: every block is a mixer alone");
        }
        if ((family.experts == Experts::own_key && model_.experts > 1) ||
            (family.experts == Experts::maybe && model_.experts > 1)) {
            needed("feed_forward", expert_width, &Transformer::feed_forward);
            if (family.experts == Experts::maybe && find(feed_forward) && !find(expert_width)) {
                missing_.back() += fmt::format("; if \"{}\" is that of one expert, add it under this name",
                                               key_of(feed_forward));
            }
            return;
        }
        const std::optional<std::int64_t> width = find(feed_forward);
        if (!width && family.feed_forward == Rule::four_times_hidden) {
            return set("feed_forward", &Transformer::feed_forward, 4 * model_.hidden,
                       fmt::format("4 x {}, as {} files without {} have it", in_file(key_of(hidden)),
                                   family.model_type,
                                   family.model_type == "gpt_neo" ? "intermediate_size" : "n_inner"));
        }
        needed("feed_forward", feed_forward, &Transformer::feed_forward);
        if (width &&
            flag_or(config_, "block_auto_adjust_ff_dim", false)) { // LFM2: of three matrices, not two
            const std::int64_t unit = std::max<std::int64_t>(1, whole_or(config_, "block_multiple_of", 1));
            set("feed_forward", &Transformer::feed_forward, (2 * *width / 3 + unit - 1) / unit * unit,
                fmt::format("two thirds of {}, rounded up to {}", in_file(key_of(feed_forward)), unit));
        }
        if (width && family.feed_forward == Rule::half) {
            config_.expect(*width % 2 == 0, key_of(feed_forward),
                           "counts gate and up together, so it must be even");
            set("feed_forward", &Transformer::feed_forward, *width / 2,
                fmt::format("{} / 2: {} files count gate and up together", in_file(key_of(feed_forward)),
                            family.model_type));
        }
    }

    JsonReader& file_;
    JsonReader& config_;
    const nlohmann::json& values_;
    HuggingFaceFamily family_;
    std::string folder_;
    std::string origin_;
    Transformer model_;
    std::vector<std::string> missing_; ///< numbers that are, as phrases
    std::optional<std::string> asks_for_gate_;
};

/// Multimodal files keep the language model's numbers in an object of their own; some repeat them outside,
/// and a few older ones leave the inner object without them. Its key; none where the numbers are the file's
/// own.
std::optional<std::string> nested_in(JsonReader& file) {
    for (const char* key : {"text_config", "llm_config", "language_config"}) {
        if (file.is_object(key) &&
            (file.object(key).first_of(layers.keys()) || !file.first_of(layers.keys()))) {
            return key;
        }
    }
    return std::nullopt;
}

/// A file that has neither a type nor any of the numbers: one of another program.
bool is_foreign(const JsonReader& config) {
    return !config.has("model_type") && !config.first_of(layers.keys()) && !config.first_of(hidden.keys()) &&
           !config.first_of(heads.keys());
}

/// The name the file gives itself, or what it is.
void read_name(JsonReader& file, JsonReader& config, Transformer& model) {
    for (JsonReader* reader : {&file, &config}) {
        if (model.name.empty() && reader->is_text("_name_or_path")) {
            model.name = reader->text("_name_or_path");
        }
    }
    const std::string type = config.is_text("model_type") ? config.text("model_type") : "unknown";
    if (model.name.empty()) {
        model.name = type;
        model.title = fmt::format("{}, {} layers of width {}", type, model.layers, model.hidden);
        return;
    }
    const std::size_t end = model.name.find_last_not_of('/');
    const std::string trimmed = end == std::string::npos ? model.name : model.name.substr(0, end + 1);
    model.title = trimmed.substr(trimmed.find_last_of('/') + 1);
}

std::string cannot_be_read(const std::string& origin, const std::vector<std::string>& reasons) {
    return fmt::format("{} has blocks of a kind that is not modelled: {}.", origin, fmt::join(reasons, "; "));
}

/// Learned positions, and what else stands at both ends.
void read_ends(JsonReader& config, const HuggingFaceFamily& family, Transformer& model) {
    if (family.positions > 0) {
        const auto key = config.first_of({"max_position_embeddings", "n_positions", "max_target_positions"});
        const std::int64_t rows = key ? config.whole(*key, 0, most_dimension) : 0;
        model.other_parameters += (rows + family.positions - 1) * model.hidden;
    }
    if (config.has(
            "type_vocab_size")) { // token types, a norm and a pooler (Devlin et al., 2018, and its code)
        const std::int64_t types = whole_or(config, "type_vocab_size", 0);
        model.other_parameters += (types + 2) * model.hidden + model.hidden * (model.hidden + 1);
    }
    if (config.has("patch_size") && config.has("image_size")) { // a token for each patch, and one for all
        const std::int64_t patch = config.whole("patch_size", 1, most_width);
        const std::int64_t side = config.whole("image_size", 1, most_width) / patch;
        const std::int64_t colours = whole_or(config, "num_channels", 3);
        model.other_parameters += model.hidden * (patch * patch * colours + 1 + side * side + 1 + 1);
    }
}

} // namespace

Result<Transformer> read_hugging_face(std::string_view json, const std::string& origin,
                                      std::vector<std::string>* all) {
    const Result<nlohmann::json> parsed = parse_json(without_infinities(json), origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader file(*parsed, origin, all);
    const std::optional<std::string> folder = nested_in(file);
    JsonReader config = folder ? file.object(*folder) : file;
    if (file.ok() && is_foreign(config)) {
        return refuse(
            fmt::format("{} has no \"model_type\" and none of the numbers of a Hugging Face "
                        "config.json, such as \"hidden_size\". It is not a model file of ours either, "
                        "which has {}.",
                        origin, transformer_keys()));
    }
    const nlohmann::json& inner = folder ? parsed->at(*folder) : *parsed;
    const std::string type = config.is_text("model_type") ? config.text("model_type") : std::string();
    if (const std::vector<std::string> reasons = other_blocks(inner, type); !reasons.empty()) {
        return refuse(cannot_be_read(origin, reasons));
    }
    Import import(file, config, inner, folder ? *folder + "/" : "", origin);
    Transformer model = import.read();
    if (file.ok() && model.layers > most_blocks) {
        return refuse(
            fmt::format("{}: It has {} blocks; expected at most {}.", origin, model.layers, most_blocks));
    }
    if (file.ok()) {
        read_ends(config, import.family(), model);
        read_towers(file, model);
        if (const auto reasons = read_kinds(config, inner, import.family(), model); !reasons.empty()) {
            return refuse(cannot_be_read(origin, reasons));
        }
    }
    read_name(file, config, model);
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    if (!model.kinds.empty()) {
        stand_for_all(model);
        model.sources["kinds"] = "the keys of config.json that name kinds of blocks, and its model_type";
    }
    bool countable = model.predictors <= most_blocks && model.other_parameters <= most_published;
    for (const Tower& tower : model.towers) {
        countable = countable && tower.blocks >= 1 && tower.blocks <= most_blocks &&
                    tower.other_parameters <= most_published;
    }
    if (!countable) {
        return refuse(
            fmt::format("{}: An encoder, its ends or the prediction blocks are too many; expected up to "
                        "{} blocks and {} parameters.",
                        origin, most_blocks, most_published));
    }
    Result<Transformer> sound = checked(model);
    return sound ? sound : refuse(fmt::format("{}: {}", origin, sound.error().sentence));
}

} // namespace meshslice
