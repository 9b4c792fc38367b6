// Machine files: read, written, checked. What a number is called and may be is in fields.cpp.

#include "core/base/field_file.h"
#include "core/base/field_schema.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/machine/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr int hardware_version = 3;
constexpr const char* hardware_version_key = "meshslice_hardware"; ///< present in every hardware file of ours
constexpr const char* network_key = "network";
constexpr const char* measured_key = "measured_products";
constexpr const char* level_key = "level";
constexpr std::array<const char*, std::variant_size_v<NetworkLevel>> level_names = {
    "torus_axis", "switched_domain", "outer_network"};

std::optional<NetworkLevel> level_named(const std::string& name) {
    if (name == level_names[0]) {
        return TorusLinks{};
    }
    if (name == level_names[1]) {
        return SwitchedDomain{};
    }
    return name == level_names[2] ? std::optional<NetworkLevel>(OuterNetwork{}) : std::nullopt;
}

Network read_network(JsonReader& file, const std::string& origin) {
    Network network;
    for (JsonReader& part : file.object_list(network_key, Network::most_levels)) {
        const std::string name = part.text(level_key);
        std::optional<NetworkLevel> level = level_named(name);
        part.expect(level.has_value(), level_key,
                    fmt::format("is \"{}\"; {}, {} or {} was expected", shortened(name), level_names[0],
                                level_names[1], level_names[2]));
        if (level) {
            std::visit([&](auto& one) { read_fields(part, level_fields(one), origin, one); }, *level);
            network.levels.push_back(*std::move(level));
        }
    }
    return network;
}

/// The fields that a file of this version has.
std::vector<Field<Machine>> fields_of_version(std::int64_t version) {
    std::vector<Field<Machine>> fields = machine_fields();
    if (version < 3) {
        std::erase_if(fields, [](const Field<Machine>& field) { return field.key == based_on_key; });
    }
    return fields;
}

/// Version 1 knew tori whose axes are alike.
Network read_network_of_version_1(JsonReader& file) {
    const auto sourced_whole = [&](const char* key, std::int64_t least, std::int64_t most) {
        JsonReader part = file.object(key);
        Sourced<std::int64_t> number{part.whole("value", least, most), part.text("source")};
        part.no_other_keys();
        return number;
    };
    const auto axes = sourced_whole("torus_axes", 1, Network::most_torus_axes);
    TorusLinks links;
    links.links = sourced_whole("links_per_axis", 2, 2);
    // What version 1 says of the number of axes is kept with the links that it is about.
    if (axes.source != links.links.source) {
        links.links.source = fmt::format("{}; {}", axes.source, links.links.source);
    }
    const auto& rows = level_fields(links);
    const Field<TorusLinks>& bandwidth = rows.back();
    JsonReader part = file.object(bandwidth.key);
    links.bandwidth.value = Bandwidth(part.number("value", bandwidth.lowest, bandwidth.highest));
    links.bandwidth.source = part.text("source");
    part.no_other_keys();
    return torus_network(static_cast<int>(axes.value), links);
}

/// Version 1 had {"values": [..]} of measured GEMMs where every other number has {"value": ..}.
nlohmann::json with_measured_as_one_value(nlohmann::json file) {
    if (file.is_object() && file.value(hardware_version_key, nlohmann::json()) == 1 &&
        file.contains(measured_key) && file[measured_key].is_object() &&
        file[measured_key].contains("values")) {
        nlohmann::json& measured = file[measured_key];
        measured["value"] = std::move(measured["values"]);
        measured.erase("values");
    }
    return file;
}

Result<void> checked_numbers(const Machine& hardware) {
    if (const auto chip = check_fields(machine_fields(), hardware); !chip) {
        return chip;
    }
    if (const auto order = checked_levels(hardware.network); !order) {
        return order;
    }
    for (std::size_t k = 0; k < hardware.network.levels.size(); ++k) {
        const NetworkLevel& level = hardware.network.levels[k];
        const Result<void> numbers =
            std::visit([](const auto& one) { return check_fields(level_fields(one), one); }, level);
        if (!numbers) {
            return refuse(fmt::format("Level {} of the network ({}): {}", k + 1, level_names[level.index()],
                                      numbers.error().sentence));
        }
    }
    return {};
}

/// The same of what a file has.
Result<void> check_read_numbers(const Machine& hardware, const std::string& origin) {
    if (const auto chip = check_read(machine_fields(), hardware, origin); !chip) {
        return chip;
    }
    if (const auto order = checked_levels(hardware.network); !order) {
        return refuse(fmt::format("{}: \"/{}\": {}", origin, network_key, order.error().sentence));
    }
    for (std::size_t k = 0; k < hardware.network.levels.size(); ++k) {
        const std::string pointer = fmt::format("/{}/{}", network_key, k);
        const Result<void> numbers =
            std::visit([&](const auto& one) { return check_read(level_fields(one), one, origin, pointer); },
                       hardware.network.levels[k]);
        if (!numbers) {
            return numbers;
        }
    }
    return {};
}

} // namespace

Result<Machine> read_machine(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    const nlohmann::json migrated = with_measured_as_one_value(*parsed);
    JsonReader file(migrated, origin);
    const std::int64_t version =
        file.whole(hardware_version_key, 1, std::numeric_limits<std::int32_t>::max());
    file.expect(
        version <= hardware_version, hardware_version_key,
        fmt::format("is {}, but this program reads files up to version {}", version, hardware_version));
    Machine hardware;
    hardware.network = version == 1 ? read_network_of_version_1(file) : read_network(file, origin);
    read_fields(file, fields_of_version(version), origin, hardware);
    drop_unknown_stores(hardware);
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    if (const auto valid = check_read_numbers(hardware, origin); !valid) {
        return refuse(valid.error());
    }
    return hardware;
}

std::string write_machine(const Machine& hardware) {
    Tree file;
    file[hardware_version_key] = hardware_version;
    write_fields(file, machine_fields(), hardware);
    Tree& levels = file[network_key] = Tree::array();
    for (const NetworkLevel& level : hardware.network.levels) {
        Tree part;
        part[level_key] = level_names[level.index()];
        std::visit([&](const auto& one) { write_fields(part, level_fields(one), one); }, level);
        levels.push_back(std::move(part));
    }
    // A name typed on a command line need not be UTF-8.
    return json_file(file);
}

std::string machine_schema() {
    using Json = Tree;
    Json file = object_schema("A chip and its network that are written out in full.");
    add_key(file, hardware_version_key, {{"enum", Json::array({2, hardware_version})}});
    add_rows(file, machine_fields());
    Json kinds = Json::array();
    for (const NetworkLevel& level :
         {NetworkLevel(TorusLinks()), NetworkLevel(SwitchedDomain()), NetworkLevel(OuterNetwork())}) {
        Json kind = object_schema();
        add_key(kind, level_key, {{"const", level_names[level.index()]}});
        std::visit([&](const auto& one) { add_rows(kind, level_fields(one)); }, level);
        kinds.push_back(std::move(kind));
    }
    Json network = list_schema({{"anyOf", std::move(kinds)}});
    network["minItems"] = 1;
    network["maxItems"] = Network::most_levels;
    network["description"] = "Its levels, from the innermost to the outermost.";
    add_key(file, network_key, std::move(network));
    return json_file(file);
}

Result<Machine> checked(const Machine& hardware) {
    if (const auto valid = checked_numbers(hardware); !valid) {
        return refuse(
            fmt::format("The hardware \"{}\": {}", shortened(hardware.name), valid.error().sentence));
    }
    return hardware;
}

} // namespace meshslice
