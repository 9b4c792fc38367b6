// Which feed-forward network each block of a Hugging Face configuration has.

#include "core/model/block_file.h"
#include "core/model/hugging_face_kinds.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace meshslice {

std::int64_t whole_or(JsonReader& config, const std::string& key, std::int64_t other) {
    return config.has(key) ? config.whole(key, 0, most_width) : other;
}

bool flag_or(JsonReader& config, const std::string& key, bool other) {
    return config.has(key) ? config.flag(key) : other;
}

std::vector<std::int64_t> whole_for_each(JsonReader& config, const nlohmann::json& json,
                                         const std::string& key, std::int64_t blocks) {
    if (!json.contains(key) || !json.at(key).is_array()) {
        return std::vector(static_cast<std::size_t>(blocks), whole_or(config, key, 0));
    }
    std::vector<std::int64_t> made = config.whole_list(key, 0, most_width);
    // A list that says the same of all may be short: nothing depends on which block is meant.
    const bool same =
        !made.empty() && std::ranges::count(made, made.front()) == static_cast<std::ptrdiff_t>(made.size());
    if (same) {
        made.assign(static_cast<std::size_t>(blocks), made.front());
    }
    config.expect(static_cast<std::int64_t>(made.size()) == blocks, key,
                  fmt::format("has {} numbers; expected one for each of {} blocks, some of which differ",
                              made.size(), blocks));
    made.resize(static_cast<std::size_t>(blocks));
    return made;
}

namespace {

/// Places of blocks that a list or a text "4,5,6" under the key has; none where there is no such key.
std::optional<std::vector<std::int64_t>> places(JsonReader& config, const nlohmann::json& json,
                                                const std::string& key) {
    if (!config.has(key)) {
        return std::nullopt;
    }
    if (json.at(key).is_array()) {
        return config.whole_list(key, 0, most_width);
    }
    std::vector<std::int64_t> made;
    const std::string text = config.text(key);
    for (const char* at = text.data(); at < text.data() + text.size();) {
        std::int64_t place = 0;
        const auto [end, error] = std::from_chars(at, text.data() + text.size(), place);
        config.expect(error == std::errc(), key, "is not a list of blocks, such as \"4,5,6\"");
        if (error != std::errc()) {
            break;
        }
        made.push_back(place);
        at = end + (end < text.data() + text.size() ? 1 : 0);
    }
    return made;
}

/// Whether each block has experts.
std::vector<bool> with_experts(JsonReader& config, const nlohmann::json& json, const Transformer& model) {
    const auto blocks = static_cast<std::size_t>(model.layers);
    std::vector<bool> made(blocks, true);
    const auto keep = [&](auto&& has) {
        for (std::size_t k = 0; k < blocks; ++k) {
            made[k] = made[k] && has(static_cast<std::int64_t>(k));
        }
    };
    const auto every = [&](const char* key, auto&& has) {
        if (const std::int64_t step = whole_or(config, key, 1); step > 1) {
            keep([&](std::int64_t k) { return has(k, step); });
        }
    };
    for (const char* key : {"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}) {
        const std::int64_t first =
            json.contains(key) && json.at(key).is_array() ? 0 : whole_or(config, key, 0);
        keep([&](std::int64_t k) { return k >= first; });
    }
    if (config.has("moe_layer_freq") && json.at("moe_layer_freq").is_array()) {
        const auto list = whole_for_each(config, json, "moe_layer_freq", model.layers);
        keep([&](std::int64_t k) { return list[static_cast<std::size_t>(k)] != 0; });
    } else {
        every("moe_layer_freq", [](std::int64_t k, std::int64_t step) { return k % step == 0; });
    }
    every("decoder_sparse_step", [](std::int64_t k, std::int64_t step) { return (k + 1) % step == 0; });
    every("moe_layer_interval", [](std::int64_t k, std::int64_t step) { return (k + 1) % step == 0; });
    const auto listed = places(config, json, "moe_layers");
    const auto numbered = places(config, json, "moe_layers_enum");
    if (const auto& list = listed ? listed : numbered) {
        keep([&](std::int64_t k) { return std::ranges::find(*list, k) != list->end(); });
    } else {
        every("interleave_moe_layer_step",
              [](std::int64_t k, std::int64_t step) { return (k + 1) % step == 0; });
    }
    const std::int64_t offset = whole_or(config, "expert_layer_offset", 1);
    every("expert_layer_period",
          [&](std::int64_t k, std::int64_t step) { return k % step == offset % step; });
    if (const auto dense = places(config, json, "mlp_only_layers")) {
        keep([&](std::int64_t k) { return std::ranges::find(*dense, k) == dense->end(); });
    }
    if (config.has("mlp_layer_types")) {
        const std::vector<std::string> kinds = config.text_list("mlp_layer_types");
        config.expect(kinds.size() == blocks, "mlp_layer_types",
                      fmt::format("has {} names; expected one for each of {} blocks", kinds.size(), blocks));
        keep([&](std::int64_t k) {
            return static_cast<std::size_t>(k) < kinds.size() &&
                   kinds[static_cast<std::size_t>(k)] != "dense";
        });
    }
    return made;
}

/// Width of the experts that every token visits, of one block.
std::int64_t shared_width(JsonReader& config, const nlohmann::json& json, const HuggingFaceFamily& family,
                          const Transformer& model) {
    for (const char* key : {"shared_expert_intermediate_size", "shared_intermediate_size", "share_expert_dim",
                            "share_expert_dims"}) {
        if (const std::int64_t width = whole_or(config, key, 0); width > 0) {
            return width;
        }
    }
    for (const char* key : {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts",
                            "num_shared_expert", "moe_num_shared_expert"}) {
        const bool is_list = json.contains(key) && json.at(key).is_array();
        const std::int64_t count =
            is_list ? whole_for_each(config, json, key, model.layers).front() : whole_or(config, key, 0);
        if (count > 0) {
            return count * whole_or(config, "moe_shared_expert_intermediate_size", model.feed_forward);
        }
    }
    if (family.dense_too) {
        return whole_or(config, "intermediate_size", 0);
    }
    return family.shared_expert ? model.feed_forward : 0;
}

/// The groups that a router chooses first. A configuration may have the keys and not use them: those that do
/// not limit anything, or do not fit, count as one group.
void read_expert_groups(JsonReader& config, FeedForward& one) {
    if (!config.first_of({"n_group"}) || !config.first_of({"topk_group"})) {
        return;
    }
    const std::int64_t groups = config.whole("n_group", 0, most_width);
    const std::int64_t chosen = config.whole("topk_group", 0, most_width);
    if (groups > 1 && chosen >= 1 && chosen < groups && one.experts % groups == 0 &&
        one.experts_per_token <= one.experts / groups * chosen) {
        one.groups = groups;
        one.groups_per_token = chosen;
    }
}

} // namespace

std::vector<FeedForward> read_feed_forwards(JsonReader& config, const nlohmann::json& json,
                                            const HuggingFaceFamily& family, const Transformer& model) {
    FeedForward one = {model.feed_forward, model.gated, model.experts, model.experts_per_token};
    one.bare = family.bare && !model.gated;
    if (model.experts <= 1) {
        // Granite keeps the width of its only network under the shared expert's name.
        const std::int64_t own = whole_or(config, "shared_intermediate_size", 0);
        one.width = own > 0 ? own : one.width;
        one.biases = flag_or(config, "mlp_bias", false);
        return std::vector(static_cast<std::size_t>(model.layers), one);
    }
    one.biases = family.expert_biases;
    one.latent = whole_or(config, "moe_latent_size", 0);
    read_expert_groups(config, one);
    one.shared_width = shared_width(config, json, family, model);
    one.shared_gate = one.shared_width > 0 && family.shared_gate;
    const std::vector<bool> routed = with_experts(config, json, model);
    FeedForward dense = {1, model.gated, 1, 1};
    dense.bare = one.bare;
    if (std::ranges::find(routed, false) != routed.end()) {
        const char* key = config.has("intermediate_size_mlp") ? "intermediate_size_mlp" : "intermediate_size";
        dense.width = config.whole(key, 1, most_width);
    }
    std::vector<FeedForward> made;
    for (const bool is_routed : routed) {
        made.push_back(is_routed ? one : dense);
    }
    return made;
}

} // namespace meshslice
