#include "core/cost/collective/fitted_collectives.h"

#include "core/base/embedded_resources.h"
#include "core/base/json/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace meshslice {
namespace {

constexpr std::size_t most_entries = 10'000;
constexpr double most_value = 1e15;

std::string small_letters(std::string_view words) {
    std::string small(words);
    std::ranges::transform(small, small.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return small;
}

/// Six digits are more than a fit knows.
double rounded(double value) {
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

FabricLaw law_of(JsonReader& reader) {
    const std::string word = reader.text("law");
    const bool known = word == "switch" || word == "mesh" || word == "pcie" || word == "network";
    reader.expect(known, "law", "must be \"switch\", \"mesh\", \"pcie\" or \"network\"");
    return word == "mesh"      ? FabricLaw::mesh
           : word == "pcie"    ? FabricLaw::pcie
           : word == "network" ? FabricLaw::network
                               : FabricLaw::switched;
}

Fabric read_fabric(JsonReader& reader) {
    Fabric fabric;
    fabric.name = reader.name("name");
    fabric.title = reader.text("title");
    fabric.law = law_of(reader);
    fabric.line_rate = reader.number("line_rate_in_bytes_per_s", 1, most_value);
    fabric.reduces = reader.has("reduces") && reader.flag("reduces");
    fabric.peers = reader.has("peers") ? reader.whole("peers", 1, most_entries) : 0;
    fabric.nics_per_node = reader.has("nics_per_node") ? reader.number("nics_per_node", 0, 64) : 0;
    fabric.lone_nic = reader.has("lone_nic") && reader.flag("lone_nic");
    fabric.source = reader.text("source");
    reader.no_other_keys();
    return fabric;
}

FabricsOfHardware read_hardware(JsonReader& reader) {
    FabricsOfHardware of;
    of.words = reader.text_list("words");
    of.inside = reader.name("inside");
    of.outside = reader.name("outside");
    of.domain = reader.has("domain") ? reader.whole("domain", 1, most_entries) : 0;
    of.pair = reader.has("pair") ? reader.whole("pair", 1, most_entries) : 0;
    of.beyond_pairs = reader.has("beyond_pairs") ? reader.name("beyond_pairs") : std::string();
    reader.no_other_keys();
    return of;
}

std::string_view word(CellKind kind) {
    switch (kind) {
    case CellKind::beyond_pairs: return "beyond_pairs";
    case CellKind::cores: return "cores";
    case CellKind::experts: return "not_used";
    default: return "size";
    }
}

Tree effects_of(const std::map<std::string, CellLogs>& effects) {
    Tree list = Tree::array();
    for (const auto& [name, logs] : effects) {
        list.push_back({{"name", name},
                        {"latency", rounded(std::exp(logs[0]))},
                        {"rate", rounded(std::exp(logs[1]))},
                        {"third", rounded(std::exp(logs[2]))}});
    }
    return list;
}

std::map<std::string, CellLogs> read_effects(JsonReader& reader, const std::string& key) {
    std::map<std::string, CellLogs> effects;
    for (JsonReader& one : reader.object_list(key, most_entries)) {
        CellLogs& logs = effects[one.name("name")];
        logs = {std::log(one.number("latency", 1e-9, most_value)),
                std::log(one.number("rate", 1e-9, most_value)),
                std::log(one.number("third", 1e-9, most_value))};
        one.no_other_keys();
    }
    return effects;
}

FittedCell read_cell(JsonReader& reader) {
    FittedCell cell;
    cell.cell = {reader.name("fabric"), reader.name("operation"), reader.name("stack")};
    cell.latency = reader.number("latency_in_s", 1e-12, most_value);
    cell.rate = reader.number("rate_in_bytes_per_s", 1, most_value);
    cell.third = reader.number("third", 1e-9, most_value);
    cell.errors = {reader.number("latency_error", 0, most_value), reader.number("rate_error", 0, most_value),
                   reader.number("third_error", 0, most_value)};
    const std::string third = reader.text("third_is");
    for (const CellKind kind : {CellKind::size, CellKind::beyond_pairs, CellKind::cores, CellKind::experts}) {
        cell.kind = third == word(kind) ? kind : cell.kind;
    }
    cell.rows = reader.whole("rows", 0, 1'000'000);
    cell.groups = reader.whole("groups", 0, 1'000'000);
    reader.no_other_keys();
    return cell;
}

std::string_view embedded_measured_file(std::string_view name) {
    for (const EmbeddedFile& file : embedded_measured()) {
        if (file.name == name) {
            return file.text;
        }
    }
    return {};
}

} // namespace

const Fabric* FabricCatalogue::fabric(std::string_view name) const {
    const auto found = std::ranges::find(fabrics, name, &Fabric::name);
    return found == fabrics.end() ? nullptr : &*found;
}

const FabricsOfHardware* FabricCatalogue::of(std::string_view hardware_name) const {
    const std::string small = small_letters(hardware_name);
    for (const FabricsOfHardware& one : hardware) {
        if (std::ranges::any_of(
                one.words, [&](const std::string& word) { return small.find(word) != std::string::npos; })) {
            return &one;
        }
    }
    return nullptr;
}

Result<FabricCatalogue> read_fabrics(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_fabrics", 1, 1);
    FabricCatalogue all;
    for (JsonReader& one : reader.object_list("fabrics", most_entries)) {
        all.fabrics.push_back(read_fabric(one));
    }
    for (JsonReader& one : reader.object_list("hardware", most_entries)) {
        FabricsOfHardware of = read_hardware(one);
        one.expect(all.fabric(of.inside) != nullptr, "inside", "must name one of the fabrics");
        one.expect(all.fabric(of.outside) != nullptr, "outside", "must name one of the fabrics");
        one.expect(of.pair == 0 || all.fabric(of.beyond_pairs) != nullptr, "beyond_pairs",
                   "must name one of the fabrics");
        all.hardware.push_back(std::move(of));
    }
    reader.no_other_keys();
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return all;
}

const FabricCatalogue& known_fabrics() {
    static const FabricCatalogue all = [] {
        const auto read = read_fabrics(embedded_measured_file("fabrics.json"), "fabrics.json");
        assert(read && "a test reads what comes with the program");
        return read.value_or(FabricCatalogue());
    }();
    return all;
}

Tree values_of(const FittedCollectives& fitted) {
    Tree shared = Tree::object();
    for (std::size_t k = 0; k < shared_constants; ++k) {
        shared[name(static_cast<SharedConstant>(k))] = rounded(std::exp(fitted.constants.shared[k]));
    }
    Tree cells = Tree::array();
    for (const FittedCell& one : fitted.cells) {
        cells.push_back({{"fabric", one.cell.fabric},
                         {"operation", one.cell.operation},
                         {"stack", one.cell.stack},
                         {"latency_in_s", rounded(one.latency)},
                         {"latency_error", rounded(one.errors[0])},
                         {"rate_in_bytes_per_s", rounded(one.rate)},
                         {"rate_error", rounded(one.errors[1])},
                         {"third", rounded(one.third)},
                         {"third_error", rounded(one.errors[2])},
                         {"third_is", word(one.kind)},
                         {"rows", one.rows},
                         {"groups", one.groups}});
    }
    Tree left_out = Tree::object();
    for (const auto& [id, error] : fitted.left_out) {
        left_out[id] = std::round(error * 1e4) / 1e4;
    }
    return {{"meshslice_collective_constants", 1},
            {"source", "meshslice evidence collectives --fit, on resources/measured/collectives.csv"},
            {"shared", std::move(shared)},
            {"cells", std::move(cells)},
            {"fabrics", effects_of(fitted.constants.fabrics)},
            {"operations", effects_of(fitted.constants.operations)},
            {"stacks", effects_of(fitted.constants.stacks)},
            {"left_out_errors", std::move(left_out)}};
}

Result<FittedCollectives> read_fitted_collectives(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    reader.whole("meshslice_collective_constants", 1, 1);
    (void)reader.text("source");
    FittedCollectives fitted;
    JsonReader shared = reader.object("shared");
    for (std::size_t k = 0; k < shared_constants; ++k) {
        fitted.constants.shared[k] =
            std::log(shared.number(std::string(name(static_cast<SharedConstant>(k))), 1e-9, most_value));
    }
    shared.no_other_keys();
    fitted.constants.fabrics = read_effects(reader, "fabrics");
    fitted.constants.operations = read_effects(reader, "operations");
    fitted.constants.stacks = read_effects(reader, "stacks");
    const AchievedConstants effects = fitted.constants;
    for (JsonReader& one : reader.object_list("cells", most_entries)) {
        const FittedCell cell = read_cell(one);
        const std::string fabric_name = cell.cell.fabric.substr(0, cell.cell.fabric.find(" around "));
        const Fabric* const fabric = known_fabrics().fabric(fabric_name);
        one.expect(fabric != nullptr, "fabric", "must name one of the fabrics");
        if (fabric != nullptr) {
            const CellLogs usual = effects.of(cell.cell, *fabric);
            fitted.constants.cells[cell.cell] = {std::log(cell.latency) - usual[0],
                                                 std::log(cell.rate) - usual[1],
                                                 std::log(cell.third) - usual[2]};
        }
        fitted.cells.push_back(cell);
    }
    const nlohmann::json left_out = parsed->value("left_out_errors", nlohmann::json::object());
    (void)reader.has("left_out_errors");
    if (left_out.is_object()) {
        for (const auto& [id, error] : left_out.items()) {
            fitted.left_out[id] = error.is_number() ? error.get<double>() : 0;
        }
    }
    if (const auto finding = reader.finding()) {
        return refuse(*finding);
    }
    return fitted;
}

const FittedCollectives& fitted_collectives() {
    static const FittedCollectives all = [] {
        const auto read = read_fitted_collectives(embedded_measured_file("collective-constants.json"),
                                                  "collective-constants.json");
        assert(read && "a test reads what comes with the program");
        return read.value_or(FittedCollectives());
    }();
    return all;
}

} // namespace meshslice
