#include "core/base/json_reader.h"
#include "core/scenario/scenario.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace meshslice {
namespace {

constexpr std::int64_t any_whole = std::numeric_limits<std::int64_t>::max();

/// A preset by its name, or the whole value written out in the scenario's own file.
template <class T, class Preset, class Read>
void take_preset_or_inline(JsonReader& reader, const std::string& origin, const std::string& key,
                           Preset preset, Read read, T& into) {
    const bool named = reader.is_text(key);
    Result<T> value =
        named ? preset(reader.text(key)) : read(reader.json_text(key), fmt::format("{} ({})", origin, key));
    if (value) {
        into = *std::move(value);
    } else {
        reader.note({named ? fmt::format("{}: {}", origin, value.error().sentence) : value.error().sentence});
    }
}

/// "Y", "X", "W", "OS", ... : one of a few words.
template <class T>
T one_of(JsonReader& reader, const std::string& key, std::initializer_list<T> choices, T otherwise) {
    const std::string word = reader.text(key);
    std::string words;
    for (const T choice : choices) {
        if (word == name(choice)) {
            return choice;
        }
        words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", name(choice));
    }
    reader.expect(false, key, fmt::format("is \"{}\"; one of {} was expected", word, words));
    return otherwise;
}

void read_schedule(JsonReader reader, Schedule& schedule) {
    schedule.type = one_of(reader, "data_type", {DataType::bf16, DataType::int8}, schedule.type);
    schedule.ring = one_of(reader, "ring", {RingMode::both_ways, RingMode::one_way}, schedule.ring);
    if (reader.is_text("prefetch")) {
        reader.expect(reader.text("prefetch") == text(Prefetch{Prefetch::without_bound}), "prefetch",
                      "is a text other than \"unbounded\"; that or a whole number was expected");
        schedule.prefetch.depth = Prefetch::without_bound;
    } else {
        schedule.prefetch.depth = reader.whole("prefetch", 0, Prefetch::without_bound - 1);
    }
    if (reader.has("chip")) { // Written where it is not the default.
        schedule.chip =
            one_of(reader, "chip", {ChipModel::by_hardware, ChipModel::constant_rate, ChipModel::tiled},
                   schedule.chip);
    }
    reader.no_other_keys();
}

SingleGemm read_gemm(JsonReader reader) {
    SingleGemm gemm;
    gemm.shape = {reader.whole("m", 1, most_dimension), reader.whole("n", 1, most_dimension),
                  reader.whole("k", 1, most_dimension)};
    gemm.dataflow = one_of(reader, "dataflow", {Dataflow::OS, Dataflow::LS, Dataflow::RS}, Dataflow::OS);
    reader.no_other_keys();
    return gemm;
}

/// "auto" or a whole number; none for "auto".
std::optional<std::int64_t> read_slices(JsonReader& reader) {
    if (reader.is_text("slices")) {
        reader.expect(reader.text("slices") == "auto", "slices",
                      "is a text other than \"auto\"; that or a whole number was expected");
        return std::nullopt;
    }
    return reader.whole("slices", 1, any_whole);
}

/// What is wrong with the machine: parts as in "3,5 east 50%", jitter in seconds, and its seed.
Faults read_faults(JsonReader reader) {
    Faults faults;
    if (reader.has("parts")) {
        for (const std::string& words : reader.text_list("parts")) {
            const Result<Fault> fault = parse_fault(words);
            if (fault) {
                faults.parts.push_back(*fault);
            } else {
                reader.note(fault.error());
            }
        }
    }
    if (reader.has("jitter_s")) {
        faults.jitter = seconds(reader.number("jitter_s", 0, in_seconds(most_jitter)));
    }
    if (reader.has("seed")) {
        faults.seed = static_cast<std::uint64_t>(reader.whole("seed", 0, any_whole));
    }
    reader.no_other_keys();
    return faults;
}

std::optional<Stationary> read_stationary(JsonReader& reader) {
    if (reader.is_text("stationary") && reader.text("stationary") == "auto") {
        return std::nullopt;
    }
    return one_of(reader, "stationary", {Stationary::Y, Stationary::X, Stationary::W}, Stationary::Y);
}

} // namespace

Result<Scenario> read_scenario(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    // The version comes first: a newer file may mean something else by the same keys.
    const std::int64_t version = reader.whole("meshslice_scenario", 1, any_whole);
    if (reader.ok() && version > scenario_version) {
        return refuse(
            fmt::format("{} is a scenario of version {}; this program reads up to version {}, so a newer "
                        "program is needed.",
                        origin, version, scenario_version));
    }
    Scenario scenario;
    take_preset_or_inline(reader, origin, "model", model_preset, read_transformer, scenario.model);
    take_preset_or_inline(reader, origin, "hardware", hardware_preset, read_hardware, scenario.hardware);
    scenario.mesh.clear();
    for (const std::int64_t size : reader.whole_list("mesh", 1, Torus::most_chips)) {
        scenario.mesh.push_back(static_cast<std::int32_t>(size));
    }
    if (reader.has("wraps")) { // Left out by hand-written files: every axis wraps.
        const std::vector<bool> wraps = reader.flag_list("wraps");
        reader.expect(wraps.size() == scenario.mesh.size(), "wraps",
                      "must have one entry for each axis of the mesh");
        std::copy_n(wraps.begin(), std::min(wraps.size(), scenario.wraps.size()), scenario.wraps.begin());
    }
    if (reader.has("folded")) {
        scenario.folded = reader.flag("folded");
    }
    scenario.batch = reader.whole("batch", 1, any_whole);
    scenario.sequence = reader.whole("sequence", 1, any_whole);
    if (reader.has("gemm")) {
        scenario.gemm = read_gemm(reader.object("gemm"));
    }
    scenario.algorithm = reader.text("algorithm");
    scenario.compare = reader.has("compare") ? reader.text("compare") : std::string();
    // What a hand-written file leaves out is as by default.
    if (reader.has("stationary")) {
        scenario.stationary = read_stationary(reader);
    }
    if (reader.has("slices")) {
        scenario.slices = read_slices(reader);
    }
    if (reader.has("block")) {
        scenario.block = reader.whole("block", 1, any_whole);
    }
    if (reader.has("packets")) {
        scenario.packets = reader.whole("packets", 1, any_whole);
    }
    if (reader.has("decomposed")) {
        scenario.decomposed =
            one_of(reader, "decomposed", {Axis::vertical, Axis::horizontal}, Axis::vertical);
    }
    if (reader.has("schedule")) {
        read_schedule(reader.object("schedule"), scenario.schedule);
    }
    if (reader.has("faults")) {
        scenario.faults = read_faults(reader.object("faults"));
    }
    reader.no_other_keys();
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    Result<Scenario> valid = checked(scenario);
    if (!valid) {
        return refuse(fmt::format("{}: {}", origin, valid.error().sentence));
    }
    return valid;
}

std::string write_scenario(const Scenario& scenario) {
    using Json = nlohmann::ordered_json;
    const Result<Transformer> model = model_preset(scenario.model.name);
    const Result<Hardware> hardware = hardware_preset(scenario.hardware.name);
    Json json;
    json["meshslice_scenario"] = scenario_version;
    json["model"] = model && *model == scenario.model ? Json(scenario.model.name)
                                                      : Json::parse(write_transformer(scenario.model));
    json["hardware"] = hardware && *hardware == scenario.hardware
                           ? Json(scenario.hardware.name)
                           : Json::parse(write_hardware(scenario.hardware));
    json["mesh"] = scenario.mesh;
    const std::vector<bool> wraps(scenario.wraps.begin(),
                                  scenario.wraps.begin() + static_cast<std::ptrdiff_t>(scenario.mesh.size()));
    if (std::find(wraps.begin(), wraps.end(), false) != wraps.end()) {
        json["wraps"] = wraps;
    }
    if (scenario.folded) {
        json["folded"] = true;
    }
    json["batch"] = scenario.batch;
    json["sequence"] = scenario.sequence;
    if (scenario.gemm) {
        json["gemm"] = {{"m", scenario.gemm->shape.m},
                        {"n", scenario.gemm->shape.n},
                        {"k", scenario.gemm->shape.k},
                        {"dataflow", name(scenario.gemm->dataflow)}};
    }
    json["algorithm"] = scenario.algorithm;
    if (!scenario.compare.empty()) {
        json["compare"] = scenario.compare;
    }
    json["stationary"] = scenario.stationary ? std::string(name(*scenario.stationary)) : "auto";
    json["slices"] = scenario.slices ? Json(*scenario.slices) : Json("auto");
    json["block"] = scenario.block;
    if (scenario.packets) {
        json["packets"] = *scenario.packets;
    }
    if (scenario.decomposed) {
        json["decomposed"] = name(*scenario.decomposed);
    }
    const Prefetch prefetch = scenario.schedule.prefetch;
    json["schedule"] = {{"data_type", name(scenario.schedule.type)},
                        {"ring", name(scenario.schedule.ring)},
                        {"prefetch", prefetch.unbounded() ? Json("unbounded") : Json(prefetch.depth)}};
    if (scenario.schedule.chip != Schedule{}.chip) {
        json["schedule"]["chip"] = name(scenario.schedule.chip);
    }
    const Faults& faults = scenario.faults;
    if (faults != Faults{}) {
        Json& out = json["faults"];
        out["parts"] = Json::array();
        for (const Fault& fault : faults.parts) {
            out["parts"].push_back(text(fault));
        }
        out["jitter_s"] = in_seconds(faults.jitter);
        out["seed"] = faults.seed;
    }
    return json.dump(2) + "\n";
}

} // namespace meshslice
