#include "core/model/transformer.h"

#include "core/base/fields/field_schema.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/preset_shelf.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/machine/machine.h"
#include "core/model/block_file.h"
#include "core/model/calculon_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

constexpr int model_version = 4;
/// Of a file whose blocks are all alike, which says nothing that version 4 has added.
constexpr int plain_version = 3;
constexpr const char* model_version_key = "meshslice_model"; ///< present in every model file of ours

/// A whole number of the model, its name in files and errors, and the range it may have. The limits are some
/// hundred times what the largest models use.
struct ModelField {
    const char* name;
    std::int64_t Transformer::*member;
    std::int64_t least;
    std::int64_t most;
    const char* help;
};

constexpr std::array<ModelField, 9> fields = {
    {{"layers", &Transformer::layers, 1, 10'000, "Transformer blocks."},
     {"hidden", &Transformer::hidden, 1, most_width, "Width of the residual stream."},
     {"heads", &Transformer::heads, 1, 65'536, "Query heads."},
     {"kv_heads", &Transformer::kv_heads, 1, 65'536,
      "Key and value heads; fewer than query heads in grouped-query attention."},
     {"head_size", &Transformer::head_size, 1, 65'536, "Features per head."},
     {"feed_forward", &Transformer::feed_forward, 1, most_width,
      "Width inside the feed-forward network, of one expert."},
     {"experts", &Transformer::experts, 1, 65'536, "Feed-forward networks to choose from."},
     {"experts_per_token", &Transformer::experts_per_token, 1, 65'536, "How many of them see a token."},
     {"vocabulary", &Transformer::vocabulary, 0, most_dimension, "Tokens there are; 0 where not known."}}};
constexpr const char* gated_key = "gated";
constexpr const char* tied_key = "tied_embeddings"; ///< since version 2
constexpr const char* sequence_key = "sequence";    ///< since version 3, as is the next
constexpr const char* causal_key = "causal";
constexpr const char* published_key = "published_parameters"; ///< may be missing
constexpr const char* kinds_key = "kinds";                    ///< since version 4, as is the next
constexpr const char* published_active_key = "published_active";

/// A hundred times the largest models there are, and few enough to be counted in 64 bits.
constexpr double most_parameters = 1e15;

tl::unexpected<Error> about(const Transformer& model, const std::string& what) {
    return refuse(fmt::format("The model \"{}\" {}.", shortened(model.name), what));
}

} // namespace

Result<Transformer> checked(const Transformer& model) {
    for (const ModelField& field : fields) {
        const std::int64_t value = model.*field.member;
        if (value < field.least || value > field.most) {
            return about(model, fmt::format("has \"{}\" {}; expected a whole number from {} to {}",
                                            field.name, value, field.least, field.most));
        }
    }
    if (model.kv_heads > model.heads || model.heads % model.kv_heads != 0) {
        return about(model,
                     fmt::format("has {} \"heads\" and {} \"kv_heads\"; each key-value head must serve the "
                                 "same whole number of query heads",
                                 model.heads, model.kv_heads));
    }
    if (model.heads * model.head_size > most_width) {
        return about(model, fmt::format("has \"heads\" x \"head_size\" = {}; expected at most {}",
                                        model.heads * model.head_size, most_width));
    }
    if (model.experts_per_token > model.experts) {
        return about(model,
                     fmt::format("sends each token to {} \"experts_per_token\" but has only {} \"experts\"",
                                 model.experts_per_token, model.experts));
    }
    if (const Result<void> sound = check_blocks(model); !sound) {
        return about(model, sound.error().sentence);
    }
    double layers = 0;
    for (const KindCount& one : block_kinds(model)) {
        layers += static_cast<double>(one.blocks) * parameters(one.kind).matrices;
    }
    if (layers > most_parameters) {
        return about(model, fmt::format("has {:.1e} parameters in its layers; expected at most {:.0e}",
                                        layers, most_parameters));
    }
    return model;
}

Result<Transformer> read_transformer(std::string_view json, const std::string& origin,
                                     std::vector<std::string>* all) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader file(*parsed, origin, all);
    const std::int64_t version = file.whole(model_version_key, 1, std::numeric_limits<std::int32_t>::max());
    file.expect(version <= model_version, model_version_key,
                fmt::format("is {}, but this program reads files up to version {}", version, model_version));
    Transformer model;
    model.name = file.name("name");
    file.expect(!model.name.empty(), "name", "is empty; expected a name");
    model.title = file.name("title");
    file.expect(!model.title.empty(), "title", "is empty; expected a title");
    for (const ModelField& field : fields) {
        model.*field.member = file.whole(field.name, field.least, field.most);
    }
    model.gated = file.flag(gated_key);
    model.tied_embeddings = version >= 2 && file.flag(tied_key);
    if (version >= 3) {
        model.sequence = file.whole(sequence_key, 0, most_dimension);
        model.causal = file.flag(causal_key);
    }
    if (file.has(published_key)) {
        model.published_parameters = file.whole(published_key, 1, most_published);
    }
    if (version >= 4 && file.has(published_active_key)) {
        model.published_active = file.whole(published_active_key, 1, most_published);
    }
    if (version >= 4 && file.has(kinds_key)) {
        read_blocks(file, model);
    }
    JsonReader sources = file.object("sources");
    const auto read_source = [&](const std::string& name) {
        if (sources.has(name)) {
            model.sources[name] = sources.text(name);
        }
    };
    for (const ModelField& field : fields) {
        read_source(field.name);
    }
    read_source(gated_key);
    read_source(tied_key);
    read_source(sequence_key);
    read_source(causal_key);
    read_source(published_key);
    if (version >= 4) {
        read_source(kinds_key);
        read_source(published_active_key);
    }
    sources.no_other_keys();
    file.no_other_keys();
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    Result<Transformer> sound = checked(model);
    return sound ? sound : refuse(fmt::format("{}: {}", origin, sound.error().sentence));
}

std::string write_transformer(const Transformer& model) {
    Tree file;
    const bool plain = model.kinds.empty() && model.published_active == 0;
    file[model_version_key] = plain ? plain_version : model_version;
    file["name"] = model.name;
    file["title"] = model.title;
    for (const ModelField& field : fields) {
        file[field.name] = model.*field.member;
    }
    file[gated_key] = model.gated;
    file[tied_key] = model.tied_embeddings;
    file[sequence_key] = model.sequence;
    file[causal_key] = model.causal;
    if (model.published_parameters > 0) {
        file[published_key] = model.published_parameters;
    }
    if (model.published_active > 0) {
        file[published_active_key] = model.published_active;
    }
    if (!model.kinds.empty()) {
        write_blocks(model, file);
    }
    file["sources"] = Tree::object();
    for (const auto& [field, source] : model.sources) {
        file["sources"][field] = source;
    }
    // A name typed on a command line need not be UTF-8.
    return json_file(file);
}

std::string transformer_schema() {
    using Json = Tree;
    const Json text = {{"type", "string"}};
    Json sources = object_schema("Where each number is from: a publication, or the key of a file.");
    Json file = object_schema("A model that is written out in full.");
    add_key(file, model_version_key, {{"enum", {plain_version, model_version}}});
    add_key(file, "name", {{"type", "string"}, {"minLength", 1}});
    add_key(file, "title", {{"type", "string"}, {"description", "Its name for people."}});
    const auto add = [&](const char* key, Json value, const char* help) {
        value["description"] = help;
        add_key(file, key, std::move(value));
        add_key(sources, key, text, false);
    };
    for (const ModelField& field : fields) {
        add(field.name, whole_schema(field.least, field.most), field.help);
    }
    const Json flag = {{"type", "boolean"}};
    add(gated_key, flag, "A gate and an up projection, multiplied: the first layer is twice as wide.");
    add(tied_key, flag, "One matrix is both the input and the output embedding.");
    add(sequence_key, whole_schema(0, most_dimension),
        "Tokens (or patches) it is usually trained on at once; 0 where not known.");
    add(causal_key, flag, "A token sees only those before it.");
    Json published = whole_schema(1, most_published);
    published["description"] = "All that its makers count, norms, biases and positions included.";
    add_key(file, published_key, std::move(published), false);
    add_key(sources, published_key, text, false);
    Json active = whole_schema(1, most_published);
    active["description"] = "What its makers say works on one token.";
    add_key(file, published_active_key, std::move(active), false);
    add_blocks(file);
    add_key(sources, kinds_key, text, false);
    add_key(sources, published_active_key, text, false);
    add_key(file, "sources", std::move(sources));
    return json_file(file);
}

std::string transformer_keys() {
    std::string keys = fmt::format("\"{}\", \"name\", \"title\"", model_version_key);
    for (const ModelField& field : fields) {
        keys += fmt::format(", \"{}\"", field.name);
    }
    return fmt::format("{}, \"{}\", \"{}\", \"{}\", \"{}\" and \"sources\"", keys, gated_key, tied_key,
                       sequence_key, causal_key);
}

Result<Transformer> read_any_model(std::string_view json, const std::string& origin,
                                   std::vector<std::string>* all) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return read_hugging_face(json, origin); // which may hold what JSON does not have
    }
    if (read_machine(json, origin)) {
        return refuse(say("{} describes a chip; expected a model, such as a config.json.", origin));
    }
    if (is_calculon_model(*parsed)) {
        return read_calculon_model(*parsed, origin, all);
    }
    const bool ours = JsonReader(*parsed, origin).has(model_version_key);
    return ours ? read_transformer(json, origin, all) : read_hugging_face(json, origin, all);
}

namespace {

const PresetShelf<Transformer>& model_files() {
    static const PresetShelf<Transformer> files(
        embedded_models(),
        [](std::string_view json, const std::string& origin) { return read_transformer(json, origin); });
    return files;
}

} // namespace

const std::vector<Transformer>& model_presets() {
    return model_files().all();
}

Result<Transformer> model_preset(std::string_view name) {
    if (const Transformer* const model = model_files().find(name)) {
        return *model;
    }
    std::vector<std::string> names;
    for (const Transformer& model : model_presets()) {
        names.push_back(model.name);
    }
    return refuse(say("There is no model \"{}\"; {}", shortened(name), suggestion(name, names)));
}

} // namespace meshslice
