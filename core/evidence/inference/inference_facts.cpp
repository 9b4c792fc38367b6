#include "core/evidence/inference/inference_facts.h"

#include "core/base/json/json_reader.h"
#include "core/calibrate/measured_rows.h"
#include "core/evidence/training/training_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>

namespace meshslice {
namespace {

constexpr double largest_fact = 1e18;
constexpr std::size_t most_facts = 1000;

double fact_or_none(JsonReader& reader, const std::string& key) {
    return reader.has(key) ? reader.number(key, 0, largest_fact) : 0;
}
bool fact_or_not(JsonReader& reader, const std::string& key) {
    return reader.has(key) && reader.flag(key);
}

InferenceChip read_inference_chip(JsonReader& reader) {
    InferenceChip chip;
    chip.name = reader.name("name");
    chip.peak_16 = reader.number("peak_in_flop_per_s", 1, largest_fact);
    chip.peak_8 = fact_or_none(reader, "fp8_peak_in_flop_per_s");
    chip.peak_4 = fact_or_none(reader, "fp4_peak_in_flop_per_s");
    chip.memory_rate = reader.number("memory_rate_in_bytes_per_s", 1, largest_fact);
    chip.memory = reader.number("memory_in_bytes", 1, largest_fact);
    chip.attention_clock = fact_or_none(reader, "multiprocessors") * fact_or_none(reader, "clock_in_hz");
    chip.link_rate = reader.number("link_rate_in_bytes_per_s", 1, largest_fact);
    chip.pair = fact_or_none(reader, "pair");
    chip.rate_beyond_pairs = fact_or_none(reader, "rate_beyond_pairs_in_bytes_per_s");
    chip.pcie = fact_or_not(reader, "pcie");
    if (reader.has("domain")) {
        chip.domain = reader.number("domain", 1, largest_fact);
    }
    if (reader.has("rate_beyond_domain_in_bytes_per_s")) {
        chip.rate_beyond_domain = reader.number("rate_beyond_domain_in_bytes_per_s", 1, largest_fact);
    }
    chip.like = reader.has("like") ? reader.name("like") : std::string();
    (void)reader.text("source");
    reader.no_other_keys();
    return chip;
}

InferenceModel read_inference_model(JsonReader& reader) {
    InferenceModel model;
    model.name = reader.name("name");
    model.layers = reader.number("layers", 1, largest_fact);
    model.hidden = reader.number("hidden", 1, largest_fact);
    model.heads = reader.number("heads", 1, largest_fact);
    model.kv_heads = reader.number("kv_heads", 1, largest_fact);
    model.head_size = reader.number("head_size", 1, largest_fact);
    model.width = reader.number("width", 0, largest_fact);
    model.matrices = reader.number("matrices", 2, 3);
    model.vocabulary = reader.number("vocabulary", 1, largest_fact);
    model.experts = fact_or_none(reader, "experts");
    model.chosen = fact_or_none(reader, "experts_of_a_token");
    model.expert_width = fact_or_none(reader, "expert_width");
    model.shared_experts = fact_or_none(reader, "shared_experts");
    model.first_dense = fact_or_none(reader, "first_dense_layers");
    model.parameters = reader.number("parameters", 1, largest_fact);
    model.window = fact_or_none(reader, "window");
    model.window_layers = fact_or_none(reader, "window_layers");
    model.seen_keys = fact_or_none(reader, "seen_keys");
    model.plain_size = fact_or_none(reader, "plain_size");
    model.value_size = fact_or_none(reader, "value_size");
    model.linear_columns = fact_or_none(reader, "linear_columns");
    model.linear_rows = fact_or_none(reader, "linear_rows");
    model.linear_state = fact_or_none(reader, "linear_state");
    model.latent = fact_or_not(reader, "latent");
    model.hybrid = fact_or_not(reader, "hybrid");
    model.parallel = fact_or_not(reader, "parallel");
    model.tied = fact_or_not(reader, "tied");
    reader.no_other_keys();
    return model;
}

template <class One>
const One* fact_named(const std::vector<One>& all, std::string_view name) {
    const std::string word = small_word(name);
    const auto found =
        std::ranges::find_if(all, [&](const One& one) { return small_word(one.name) == word; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

bool InferenceChip::hopper() const {
    return name.starts_with("H") || name.starts_with("GH");
}

const InferenceChip* InferenceFacts::chip(std::string_view name) const {
    return fact_named(chips, name);
}
const InferenceModel* InferenceFacts::model(std::string_view name) const {
    return fact_named(models, name);
}

Result<InferenceFacts> read_inference_facts(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_inference_facts", 1, 1);
    (void)reader.text("source");
    InferenceFacts facts;
    for (JsonReader& one : reader.object_list("chips", most_facts)) {
        facts.chips.push_back(read_inference_chip(one));
    }
    for (JsonReader& one : reader.object_list("models", most_facts)) {
        facts.models.push_back(read_inference_model(one));
    }
    reader.no_other_keys();
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return facts;
}

const InferenceFacts& inference_facts() {
    static const InferenceFacts all = [] {
        const auto read = read_inference_facts(measured_file("inference-facts.json"), "inference-facts.json");
        assert(read && "a test reads what comes with the program");
        return read.value_or(InferenceFacts());
    }();
    return all;
}

} // namespace meshslice
