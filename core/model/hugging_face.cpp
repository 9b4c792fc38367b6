#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/model/hugging_face_family.h"
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
    std::array<const char*, 4> names;

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
constexpr NumberInConfig kv_heads = {"number of key-value heads",
                                     {"num_key_value_heads", "num_kv_heads", "n_kv_heads"}};
constexpr NumberInConfig head_size = {"head size", {"head_dim", "kv_channels"}};
constexpr NumberInConfig feed_forward = {"feed-forward width",
                                         {"intermediate_size", "n_inner", "ffn_dim", "ffn_embed_dim"}};
constexpr NumberInConfig expert_width = {"width of one expert", {"moe_intermediate_size"}};
constexpr NumberInConfig experts = {
    "number of experts", {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}};
constexpr NumberInConfig experts_per_token = {"number of experts per token",
                                              {"num_experts_per_tok", "num_experts_per_token", "moe_top_k"}};
constexpr NumberInConfig vocabulary = {"vocabulary", {"vocab_size"}};
/// The longest that it takes, which is what it was trained on or more.
constexpr NumberInConfig sequence = {"sequence length", {"max_position_embeddings", "n_positions"}};

/// A key whose presence changes the matrix products of a block to others than the four layers, and the one
/// value that does not.
struct Obstacle {
    const char* key;
    std::int64_t harmless;
    const char* meaning;
};

constexpr const char* latent = "means latent attention, whose GEMMs are not those of QKV and Output";
constexpr const char* shared =
    "means experts that every token visits in addition to the chosen ones, which are not modelled";
constexpr const char* mixed = "means that some blocks have experts and some have none, which is not modelled";
constexpr Obstacle obstacles[] = {{"kv_lora_rank", 0, latent},
                                  {"n_shared_experts", 0, shared},
                                  {"num_shared_experts", 0, shared},
                                  {"moe_num_shared_experts", 0, shared},
                                  {"shared_expert_intermediate_size", 0, shared},
                                  {"shared_intermediate_size", 0, shared},
                                  {"first_k_dense_replace", 0, mixed},
                                  {"decoder_sparse_step", 1, mixed},
                                  {"moe_layer_freq", 1, mixed},
                                  {"interleave_moe_layer_step", 1, mixed}};

/// Reads one configuration object into a model. Findings are noted in the reader.
class Import {
  public:
    /// `config` is the file or, where it is nested in it, the object called `folder`, "text_config/".
    Import(JsonReader& file, JsonReader& config, std::string folder, std::string origin)
        : file_(file), config_(config), folder_(std::move(folder)), origin_(std::move(origin)) {}

    Transformer read() {
        refuse_obstacles();
        const std::optional<HuggingFaceFamily> family = read_family();
        if (!family) {
            return model_;
        }
        needed("layers", layers, &Transformer::layers);
        needed("hidden", hidden, &Transformer::hidden);
        needed("heads", heads, &Transformer::heads);
        read_kv_heads(*family);
        read_head_size(*family);
        read_experts(*family);
        read_feed_forward(*family);
        if (!take("vocabulary", vocabulary, &Transformer::vocabulary)) {
            set("vocabulary", &Transformer::vocabulary, 0, "not in config.json; 0 means not known");
        }
        take("sequence", sequence, &Transformer::sequence);
        read_tie(*family);
        return model_;
    }

  private:
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
            const std::int64_t value = config_.whole(key, 0, most_dimension);
            config_.expect(!found || *found == value, key,
                           fmt::format("is {}, but \"{}\", which means the same, is {}", value, first,
                                       found.value_or(0)));
            first = found ? first : key;
            found = found.value_or(value);
        }
        return found;
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
        config_.note({fmt::format("{} gives no {}: \"{}{}\"{} is missing.", origin_, number.meaning, folder_,
                                  number.names.front(), others(number))});
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

    void refuse_obstacles() {
        for (const Obstacle& obstacle : obstacles) {
            if (config_.has(obstacle.key)) {
                const std::int64_t value = config_.whole(obstacle.key, 0, most_dimension);
                config_.expect(value == obstacle.harmless, obstacle.key, obstacle.meaning);
            }
        }
        if (config_.has("mlp_only_layers")) {
            config_.expect(config_.whole_list("mlp_only_layers", 0, most_dimension).empty(),
                           "mlp_only_layers", mixed);
        }
        if (config_.has("is_encoder_decoder")) {
            config_.expect(!config_.flag("is_encoder_decoder"), "is_encoder_decoder",
                           "is true, but only decoders are modelled");
        }
    }

    std::optional<HuggingFaceFamily> read_family() {
        const std::string type = config_.has("model_type") ? config_.text("model_type") : std::string();
        const HuggingFaceFamily* const family = hugging_face_family(type);
        // A word of the user's own is the last word, also against the family.
        if (config_.has("gated")) {
            model_.gated = config_.flag("gated");
            model_.sources["gated"] = in_file("gated");
            return family ? *family : unknown_family("unknown", model_.gated);
        }
        if (!family) {
            config_.note(
                {fmt::format("{} has {}, so it is not known whether its feed-forward network has a gate "
                             "projection. If it gives "
                             "all other numbers, add \"gated\": true or false to it. Known are {}.",
                             origin_,
                             type.empty() ? "no \"model_type\""
                                          : fmt::format("the unknown \"model_type\" \"{}\"", shortened(type)),
                             hugging_face_family_names())});
            return std::nullopt;
        }
        model_.gated = family->gated;
        model_.sources["gated"] = fmt::format("{}: {} networks have {} gate projection",
                                              in_file("model_type"), type, family->gated ? "a" : "no");
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
        if (take("kv_heads", kv_heads, &Transformer::kv_heads)) {
            return;
        }
        if (family.kv_heads == Rule::given) {
            return missing(kv_heads);
        }
        const bool one = family.kv_heads == Rule::multi_query && config_.flag("multi_query");
        set("kv_heads", &Transformer::kv_heads, one ? 1 : model_.heads,
            one ? in_file("multi_query") + ": one key-value head for all"
                : fmt::format("{}: {} files without {} have as many", in_file(key_of(heads)),
                              family.model_type, kv_heads.names.front()));
    }

    void read_head_size(const HuggingFaceFamily& family) {
        if (take("head_size", head_size, &Transformer::head_size)) {
            return;
        }
        if (family.head_size == HuggingFaceFamily::HeadSize::given) {
            return missing(head_size);
        }
        const std::int64_t by = std::max<std::int64_t>(model_.heads, 1);
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
        const std::int64_t count = find(experts).value_or(0);
        if (count <= 1 && may_lack) {
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
        if (family.experts == Experts::own_key || (family.experts == Experts::maybe && model_.experts > 1)) {
            return needed("feed_forward", expert_width, &Transformer::feed_forward);
        }
        const std::optional<std::int64_t> width = find(feed_forward);
        if (!width && family.feed_forward == Rule::four_times_hidden) {
            return set("feed_forward", &Transformer::feed_forward, 4 * model_.hidden,
                       fmt::format("4 x {}, as {} files without {} have it", in_file(key_of(hidden)),
                                   family.model_type,
                                   family.model_type == "gpt_neo" ? "intermediate_size" : "n_inner"));
        }
        needed("feed_forward", feed_forward, &Transformer::feed_forward);
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
    std::string folder_;
    std::string origin_;
    Transformer model_;
};

/// Multimodal files keep the language model's numbers in "text_config"; some repeat them outside, and a few
/// older ones leave the inner object without them.
bool is_nested(JsonReader& file) {
    if (!file.is_object("text_config")) {
        return false;
    }
    const bool inside = file.object("text_config").first_of(layers.keys()).has_value();
    return inside || !file.first_of(layers.keys());
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

} // namespace

Result<Transformer> read_hugging_face(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader file(*parsed, origin);
    const bool nested = is_nested(file);
    JsonReader config = nested ? file.object("text_config") : file;
    Transformer model = Import(file, config, nested ? "text_config/" : "", origin).read();
    read_name(file, config, model);
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    Result<Transformer> sound = checked(model);
    return sound ? sound : refuse(fmt::format("{}: {}", origin, sound.error().sentence));
}

} // namespace meshslice
