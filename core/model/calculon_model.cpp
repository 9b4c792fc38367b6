#include "core/model/calculon_model.h"

#include "core/base/json/json_reader.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace meshslice {

bool is_calculon_model(const nlohmann::json& file) {
    return file.is_object() && file.contains("num_blocks") && file.contains("attn_heads");
}

Result<Transformer> read_calculon_model(const nlohmann::json& file, const std::string& origin,
                                        std::vector<std::string>* all) {
    constexpr std::int64_t most = 1'000'000'000;
    JsonReader reader(file, origin, all);
    Transformer model;
    const std::string stem = std::filesystem::path(origin).stem().string();
    model.title = stem.empty() ? "Calculon" : stem;
    model.name = check_name(model.title) ? model.title : "calculon";
    const auto take = [&](const char* field, std::int64_t& number, const char* key) {
        number = reader.whole(key, 1, most);
        model.sources[field] = std::string("Calculon: ") + key;
    };
    take("hidden", model.hidden, "hidden");
    take("feed_forward", model.feed_forward, "feedforward");
    take("sequence", model.sequence, "seq_size");
    take("heads", model.heads, "attn_heads");
    take("head_size", model.head_size, "attn_size");
    take("layers", model.layers, "num_blocks");
    model.kv_heads = model.heads;
    model.sources["kv_heads"] = model.sources["heads"];
    reader.no_other_keys();
    return reader.ok() ? checked(model) : Result<Transformer>(refuse(*reader.finding()));
}

} // namespace meshslice
