#include "core/evidence/training/training_facts.h"

#include "core/base/embedded_resources.h"
#include "core/base/json/json_reader.h"
#include "core/calibrate/measured_rows.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>

namespace meshslice {
namespace {

constexpr std::size_t most_training_facts = 10'000;
constexpr double most_rate = 1e18;

double rate_or_none(JsonReader& reader, const std::string& key) {
    return reader.has(key) ? reader.number(key, 0, most_rate) : 0;
}

TrainingChip read_chip(JsonReader& reader) {
    TrainingChip chip;
    chip.name = reader.name("name");
    chip.words = reader.text_list("words");
    chip.bf16 = reader.number("bf16_in_flop_per_s", 1, most_rate);
    chip.fp8 = rate_or_none(reader, "fp8_in_flop_per_s");
    chip.fp4 = rate_or_none(reader, "fp4_in_flop_per_s");
    chip.hbm_rate = reader.number("hbm_bandwidth_in_bytes_per_s", 1, most_rate);
    chip.capacity = reader.number("hbm_capacity_in_bytes", 1, most_rate);
    chip.domain = reader.whole("domain_in_chips", 1, 1'000'000);
    chip.inside = rate_or_none(reader, "inside_in_bytes_per_s");
    chip.outside = reader.number("outside_in_bytes_per_s", 1, most_rate);
    chip.source = reader.text("source");
    chip.sibling = reader.has("sibling") ? reader.text("sibling") : std::string();
    reader.no_other_keys();
    return chip;
}

TrainingModelFacts read_model(JsonReader& reader) {
    constexpr std::int64_t most = 1000;
    TrainingModelFacts model;
    const auto whole = [&](const char* key, std::int64_t otherwise) {
        return reader.has(key) ? reader.whole(key, 0, most) : otherwise;
    };
    model.words = reader.text_list("words");
    model.shared_experts = whole("shared_experts", 0);
    model.groups = std::max<std::int64_t>(1, whole("groups", 1));
    model.groups_per_token = std::max<std::int64_t>(1, whole("groups_per_token", 1));
    model.first_dense_layers = whole("first_dense_layers", 0);
    model.experts_every = std::max<std::int64_t>(1, whole("experts_every", 1));
    model.window = reader.has("window") ? reader.number("window", 0, 1e9) : 0;
    model.windowed = static_cast<double>(whole("windowed", 0));
    model.windowed_in = static_cast<double>(std::max<std::int64_t>(1, whole("windowed_in", 1)));
    reader.text("source");
    reader.no_other_keys();
    return model;
}

bool has_word(const std::vector<std::string>& words, std::string_view name) {
    const std::string small = small_word(name);
    return std::ranges::any_of(
        words, [&](const std::string& word) { return small.find(word) != std::string::npos; });
}

} // namespace

std::string_view measured_file(std::string_view name) {
    static const std::vector<EmbeddedFile> files = embedded_measured();
    const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
    return found == files.end() ? std::string_view() : found->text;
}

const TrainingChip* TrainingFacts::chip(std::string_view name) const {
    for (const TrainingChip& one : chips) {
        if (has_word(one.words, name)) {
            return &one;
        }
    }
    return nullptr;
}

TrainingModelFacts TrainingFacts::model(std::string_view name) const {
    for (const TrainingModelFacts& one : models) {
        if (has_word(one.words, name)) {
            return one;
        }
    }
    return {};
}

Result<TrainingFacts> read_training_facts(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_training_facts", 1, 1);
    TrainingFacts facts;
    for (JsonReader& one : reader.object_list("chips", most_training_facts)) {
        facts.chips.push_back(read_chip(one));
    }
    for (JsonReader& one : reader.object_list("models", most_training_facts)) {
        facts.models.push_back(read_model(one));
    }
    reader.no_other_keys();
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return facts;
}

const TrainingFacts& training_facts() {
    static const TrainingFacts facts = [] {
        const auto read = read_training_facts(measured_file("training-facts.json"), "training-facts.json");
        assert(read && "a test reads what comes with the program");
        return read.value_or(TrainingFacts());
    }();
    return facts;
}

} // namespace meshslice
