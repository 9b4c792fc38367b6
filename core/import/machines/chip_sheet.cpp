#include "core/import/machines/chip_sheet.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/import/machines/machine_files.h"
#include "core/import/machines/plain_yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double most_sheet_rate = 1e21; ///< FLOP/s or bytes/s
constexpr double most_sheet_bytes = 1e18;
constexpr double most_watts = 1e6;

/// A level of the chip's own network with another bandwidth and another number of units.
Level level_of(const Level& like, std::int64_t units, double bytes_per_s, const std::string& source) {
    Level level = switch_like(like, units, bytes_per_s, source);
    level.reduces = false;
    return level;
}

void set_peak(Machine& machine, DataType type, double flop_per_s, const std::string& source) {
    machine.peak[type] = {FlopRate(flop_per_s), source};
}

/// One part of a file: the same reader says where a number comes from.
struct SheetPart {
    JsonReader reader;
    std::string source;

    [[nodiscard]] bool has(const char* key) const { return reader.has(key); }
    double rate(const char* key) { return reader.number(key, 1, most_sheet_rate); }
    [[nodiscard]] std::string of(const char* key) const { return fmt::format("{}, {}", source, key); }
};

void read_peaks(SheetPart& gpu, Machine& machine) {
    for (const DataType type : all_data_types) {
        set_peak(machine, type, 0, gpu.source + " has none");
    }
    const std::pair<const char*, DataType> known[] = {{"bfloat16_tc_flops", DataType::bf16},
                                                      {"fp8_tc_flops", DataType::fp8},
                                                      {"int8_tc_flops", DataType::int8},
                                                      {"fp4_tc_flops", DataType::fp4},
                                                      {"float32_tc_flops", DataType::tf32}};
    for (const auto& [key, type] : known) {
        if (gpu.has(key)) {
            set_peak(machine, type, gpu.rate(key), gpu.of(key));
        }
    }
    constexpr const char* older = "float16_tc_flops"; // which stands for both
    if (gpu.has(older)) {
        set_peak(machine, DataType::fp16, gpu.rate(older), gpu.of(older));
    } else {
        machine.peak[DataType::fp16] = machine.peak[DataType::bf16];
    }
    if (!gpu.has("bfloat16_tc_flops")) {
        gpu.reader.expect(gpu.has(older), "bfloat16_tc_flops", "must be there");
        machine.peak[DataType::bf16] = machine.peak[DataType::fp16];
    }
}

void read_server(SheetPart& node, Machine& machine, MachineDraft& draft) {
    constexpr std::int64_t most_units = 1'000'000;
    const Level inside = machine.network.levels.front();
    const Level outside = machine.network.levels.back();
    const std::int64_t gpus = node.reader.whole("num_gpus_per_node", 1, most_units);
    std::vector<Level> levels;
    if (gpus > 1) {
        levels.push_back(level_of(inside, gpus, node.rate("intra_node_bw"), node.of("intra_node_bw")));
    }
    const bool racks = node.has("num_gpus_per_rack") && node.has("inter_rack_bw");
    if (racks) {
        const std::int64_t in_rack = node.reader.whole("num_gpus_per_rack", 1, most_units);
        node.reader.expect(in_rack % gpus == 0, "num_gpus_per_rack",
                           "must be a multiple of the server's GPUs");
        if (in_rack > gpus) {
            levels.push_back(
                level_of(inside, in_rack / gpus, node.rate("inter_node_bw"), node.of("inter_node_bw")));
        }
        levels.push_back(level_of(outside, 0, node.rate("inter_rack_bw"), node.of("inter_rack_bw")));
    } else if (node.has("inter_node_bw")) {
        levels.push_back(level_of(outside, 0, node.rate("inter_node_bw"), node.of("inter_node_bw")));
    }
    if (node.has("p2p_latency")) {
        const double latency = node.reader.number("p2p_latency", 0, 1);
        for (Level& level : levels) {
            level.latency = {seconds(latency), node.of("p2p_latency")};
        }
    } else {
        draft.missing.push_back(say("Latencies: those of {}.", draft.machine.title));
    }
    if (std::ranges::any_of(machine.network.levels, &Level::reduces)) {
        draft.missing.push_back(said("Whether switches add up an all-reduce: here none does."));
    }
    if (node.has("pcie_bw")) {
        machine.pcie = {Bandwidth(node.rate("pcie_bw")), node.of("pcie_bw")};
    }
    node.reader.expect(!levels.empty(), "intra_node_bw", "must be there");
    draft.missing.push_back(
        say("The share of the bandwidth that a large transfer reaches: that of {}.", draft.machine.title));
    machine.network.levels = std::move(levels);
}

bool is_sheet(const nlohmann::json& one, bool genz) {
    return one.is_object() &&
           (genz ? one.contains("Flops") && one.contains("Memory_BW")
                 : one.contains("FP16") && (one.contains("bandwidth") || one.contains("bandwith")));
}

/// The chip that was asked for, of one or of several.
Result<nlohmann::json> sheet_of(const nlohmann::json& file, bool genz, const std::string& origin,
                                const std::string& entry) {
    if (is_sheet(file, genz)) {
        return entry.empty()
                   ? Result<nlohmann::json>(file)
                   : refuse(say("{} has no chips by name; expected it without {}.", origin, "--entry"));
    }
    std::vector<std::string> names;
    for (const auto& member : file.items()) {
        if (is_sheet(member.value(), genz)) {
            names.push_back(member.key());
        }
    }
    if (entry.empty() && names.size() == 1) {
        return file.at(names.front());
    }
    if (std::ranges::count(names, entry) == 0) {
        return refuse(entry.empty() ? say("{} has {} chips; expected one of them after {}: {}.", origin,
                                          names.size(), "--entry", listed(names))
                                    : say("{} has no chip \"{}\"; expected {}.", origin, shortened(entry),
                                          listed(names)));
    }
    return file.at(entry);
}

void read_genz(SheetPart& chip, Machine& machine, MachineDraft& draft) {
    constexpr double tera = 1e12, giga = 1e9, micro = 1e-6;
    set_peak(machine, DataType::bf16, chip.reader.number("Flops", 1e-6, 1e9) * tera, chip.of("Flops"));
    machine.hbm_bandwidth = {Bandwidth(chip.reader.number("Memory_BW", 1e-3, 1e9) * giga),
                             chip.of("Memory_BW")};
    if (chip.has("Memory_size")) {
        machine.hbm = {Bytes(std::llround(chip.reader.number("Memory_size", 1e-3, 1e9) * giga)),
                       chip.of("Memory_size")};
    }
    Level& inside = machine.network.levels.front();
    if (chip.has("ICN") && inside.kind == LevelKind::switched) {
        inside.bandwidth = {Bandwidth(chip.reader.number("ICN", 1e-6, 1e9) * giga), chip.of("ICN")};
        inside.ports = {1, "The bandwidth is that of all links of a chip together"};
        draft.missing.push_back(
            say("How many chips ICN joins: {}, as of {}.", inside.units.value, draft.machine.title));
        if (chip.has("ICN_LL")) {
            inside.latency = {seconds(chip.reader.number("ICN_LL", 0, 1e6) * micro), chip.of("ICN_LL")};
        }
    }
    // Without real_values GenZ takes other units; every published one has it.
    if (chip.has("real_values")) {
        chip.reader.expect(chip.reader.flag("real_values"), "real_values", "must be true");
    }
}

void read_llm_viewer(SheetPart& chip, Machine& machine) {
    set_peak(machine, DataType::bf16, chip.rate("FP16"), chip.of("FP16"));
    if (chip.has("INT8")) {
        set_peak(machine, DataType::int8, chip.rate("INT8"), chip.of("INT8"));
    }
    const char* const bandwidth = chip.has("bandwidth") ? "bandwidth" : "bandwith"; // as it is published
    machine.hbm_bandwidth = {Bandwidth(chip.rate(bandwidth)), chip.of(bandwidth)};
    if (chip.has("onchip_buffer")) {
        machine.on_chip_memory = {
            Bytes(std::llround(chip.reader.number("onchip_buffer", 1, most_sheet_bytes))),
            chip.of("onchip_buffer")};
    }
}

} // namespace

bool holds_chip_sheets(const nlohmann::json& file, bool genz) {
    return is_sheet(file, genz) ||
           (file.is_object() &&
            std::ranges::any_of(file, [&](const nlohmann::json& one) { return is_sheet(one, genz); }));
}

MachineDraft empty_draft(const Machine& chip, const std::string& source) {
    MachineDraft draft{chip, {}};
    draft.machine.based_on = {};
    draft.machine.title = source;
    draft.machine.measured_products = {};
    return draft;
}

void name_what_is_lost(const JsonReader& reader, const std::string& part, MachineDraft& draft) {
    std::vector<std::string> lost = reader.other_keys();
    for (std::string& key : lost) {
        key = shortened(part.empty() ? key : part + "/" + key);
    }
    constexpr std::size_t most_named = 20;
    if (lost.size() > most_named) {
        draft.missing.push_back(
            say("{} fields that have no counterpart here, {} the first.", lost.size(), lost.front()));
    } else if (!lost.empty()) {
        draft.missing.push_back(say("Fields that have no counterpart here: {}.", fmt::join(lost, ", ")));
    }
}

Result<MachineDraft> checked_draft(const JsonReader& reader, MachineDraft draft) {
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    if (const Result<void> levels = checked_levels(draft.machine.network); !levels) {
        return refuse(levels.error());
    }
    return checked(draft.machine).map([&](Machine sound) {
        return MachineDraft{std::move(sound), std::move(draft.missing)};
    });
}

Result<MachineDraft> machine_of_aiconfigurator(std::string_view text, const Machine& chip,
                                               const std::string& origin) {
    if (chip.network.torus_axes() > 0) {
        return refuse(say("{} forms a torus; expected a GPU, such as h100.", chip.title));
    }
    const Result<nlohmann::json> parsed = parse_json_or_yaml(text, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    const std::string source = "aiconfigurator's system " + origin;
    MachineDraft draft = empty_draft(chip, source);
    draft.machine.title = chip.title; // said in sentences
    Machine machine = draft.machine;
    SheetPart gpu{reader.object("gpu"), source + ", gpu"};
    SheetPart node{reader.object("node"), source + ", node"};
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    read_peaks(gpu, machine);
    machine.hbm_bandwidth = {Bandwidth(gpu.rate("mem_bw")), gpu.of("mem_bw")};
    machine.hbm = {Bytes(std::llround(gpu.reader.number("mem_capacity", 1, most_sheet_bytes))),
                   gpu.of("mem_capacity")};
    if (gpu.has("power")) {
        machine.power = {gpu.reader.number("power", 0, most_watts), gpu.of("power")};
    }
    read_server(node, machine, draft);
    name_what_is_lost(gpu.reader, "gpu", draft);
    name_what_is_lost(node.reader, "node", draft);
    name_what_is_lost(reader, {}, draft);
    draft.missing.push_back(
        say("What large products reach, cores, caches and launches: those of {}.", chip.title));
    draft.machine = std::move(machine);
    draft.machine.title = source;
    return checked_draft(reader, std::move(draft));
}

Result<MachineDraft> machine_of_chip_sheet(std::string_view text, const Machine& chip,
                                           const std::string& origin, const std::string& entry) {
    const Result<nlohmann::json> parsed = parse_json_or_yaml(text, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    const bool genz = holds_chip_sheets(*parsed, true);
    if (!genz && !holds_chip_sheets(*parsed, false)) {
        return refuse(say("{} has no chip; expected Flops and Memory_BW, or FP16 and bandwidth.", origin));
    }
    const Result<nlohmann::json> sheet = sheet_of(*parsed, genz, origin, entry);
    if (!sheet) {
        return refuse(sheet.error());
    }
    JsonReader reader(*sheet, origin);
    SheetPart part{reader, fmt::format("{} {}{}{}", genz ? "GenZ's system" : "LLM-Viewer's hardware", origin,
                                       entry.empty() ? "" : ", ", entry)};
    MachineDraft draft = empty_draft(chip, chip.title);
    Machine machine = draft.machine;
    for (const DataType type : all_data_types) {
        set_peak(machine, type, 0, part.source + " has none");
    }
    if (genz) {
        read_genz(part, machine, draft);
    } else {
        read_llm_viewer(part, machine);
        draft.missing.push_back(say("The memory's capacity and the network: those of {}.", chip.title));
    }
    machine.peak[DataType::fp16] = machine.peak[DataType::bf16];
    name_what_is_lost(part.reader, {}, draft);
    draft.missing.push_back(
        say("What large products reach, cores, caches and launches: those of {}.", chip.title));
    machine.title = part.source;
    draft.machine = std::move(machine);
    return checked_draft(part.reader, std::move(draft));
}

} // namespace meshslice
