// Machine files: read, written, checked. What a number is called and may be is in fields.cpp.

#include "core/base/fields/field_file.h"
#include "core/base/fields/field_schema.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/text.h"
#include "core/machine/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr int hardware_version = 4;
constexpr const char* hardware_version_key = "meshslice_hardware"; ///< present in every hardware file of ours
constexpr const char* levels_key = "levels";
constexpr const char* kind_key = "kind";
constexpr const char* axes_key = "axes";
constexpr const char* measured_key = "measured_products";

Network read_levels(JsonReader& file, const std::string& origin) {
    Network network;
    for (JsonReader& part : file.object_list(levels_key, Network::most_levels)) {
        const std::string kind = part.text(kind_key);
        Level level;
        if (kind == name(LevelKind::rings)) {
            level.kind = LevelKind::rings;
            for (JsonReader& axis : part.object_list(axes_key, Network::most_torus_axes)) {
                read_fields(axis, link_fields(), origin, level.axes.emplace_back());
            }
            part.no_other_keys();
        } else if (kind == name(LevelKind::switched)) {
            read_fields(part, switch_fields(), origin, level);
            if (level.units.value == 0) {
                level.units = {}; // as a file that says nothing of it
            }
        } else {
            part.expect(false, kind_key,
                        fmt::format("is \"{}\"; expected {} or {}", shortened(kind), name(LevelKind::rings),
                                    name(LevelKind::switched)));
        }
        network.levels.push_back(std::move(level));
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
    const Field<TorusLinks>& bandwidth = link_fields().back();
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

/// Versions 2 and 3 had a list "network" of torus axes, a switched domain and an outer network, whose numbers
/// had other names.
nlohmann::json with_levels(nlohmann::json file) {
    constexpr const char* old_key = "network";
    const nlohmann::json version =
        file.is_object() ? file.value(hardware_version_key, nlohmann::json()) : nlohmann::json();
    if ((version != 2 && version != 3) || !file.contains(old_key) || !file[old_key].is_array()) {
        return file;
    }
    nlohmann::json levels = nlohmann::json::array();
    for (nlohmann::json& part : file[old_key]) {
        const nlohmann::json old =
            part.is_object() ? part.value("level", nlohmann::json()) : nlohmann::json();
        const auto renamed = [&](const char* from, const char* to) {
            if (part.contains(from)) {
                part[to] = std::move(part[from]);
                part.erase(from);
            }
        };
        if (part.is_object()) {
            part.erase("level");
        }
        if (old == "torus_axis") {
            if (levels.empty() || !levels.back().contains(axes_key)) {
                levels.push_back({{kind_key, name(LevelKind::rings)}, {axes_key, nlohmann::json::array()}});
            }
            levels.back()[axes_key].push_back(std::move(part));
            continue;
        }
        if (old == "switched_domain") {
            renamed("chips", "units");
            renamed("chip_bandwidth_in_bytes_per_s", "port_bandwidth_in_bytes_per_s");
            part["ports_per_chip"] = {{"value", 1},
                                      {"source", "The bandwidth is that of all links of a chip together"}};
        } else if (old == "outer_network") {
            renamed("nics_per_chip", "ports_per_chip");
            renamed("nic_bandwidth_in_bytes_per_s", "port_bandwidth_in_bytes_per_s");
        }
        if (part.is_object()) {
            const bool known = old == "switched_domain" || old == "outer_network";
            part[kind_key] = known ? nlohmann::json(name(LevelKind::switched)) : old;
        }
        levels.push_back(std::move(part));
    }
    file.erase(old_key);
    file[levels_key] = std::move(levels);
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
        const Level& level = hardware.network.levels[k];
        Result<void> numbers;
        for (const TorusLinks& axis : level.axes) {
            numbers = numbers ? check_fields(link_fields(), axis) : numbers;
        }
        if (level.kind == LevelKind::switched) {
            numbers = check_fields(switch_fields(), level);
        }
        if (!numbers) {
            return refuse(fmt::format("Level {} of the network ({}): {}", k + 1, name(level.kind),
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
        return refuse(fmt::format("{}: \"/{}\": {}", origin, levels_key, order.error().sentence));
    }
    for (std::size_t k = 0; k < hardware.network.levels.size(); ++k) {
        const Level& level = hardware.network.levels[k];
        const std::string pointer = fmt::format("/{}/{}", levels_key, k);
        Result<void> numbers;
        for (std::size_t axis = 0; axis < level.axes.size() && numbers; ++axis) {
            numbers = check_read(link_fields(), level.axes[axis], origin,
                                 fmt::format("{}/{}/{}", pointer, axes_key, axis));
        }
        if (level.kind == LevelKind::switched) {
            numbers = check_read(switch_fields(), level, origin, pointer);
        }
        if (!numbers) {
            return numbers;
        }
    }
    return {};
}

} // namespace

Result<Machine> read_machine(std::string_view json, const std::string& origin,
                             std::vector<std::string>* all) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    const nlohmann::json migrated = with_levels(with_measured_as_one_value(*parsed));
    JsonReader file(migrated, origin, all);
    const std::int64_t version =
        file.whole(hardware_version_key, 1, std::numeric_limits<std::int32_t>::max());
    file.expect(
        version <= hardware_version, hardware_version_key,
        fmt::format("is {}, but this program reads files up to version {}", version, hardware_version));
    Machine hardware;
    hardware.network = version == 1 ? read_network_of_version_1(file) : read_levels(file, origin);
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
    Tree& levels = file[levels_key] = Tree::array();
    for (const Level& level : hardware.network.levels) {
        Tree part;
        part[kind_key] = name(level.kind);
        if (level.kind == LevelKind::rings) {
            part[axes_key] = Tree::array();
            for (const TorusLinks& axis : level.axes) {
                Tree links;
                write_fields(links, link_fields(), axis);
                part[axes_key].push_back(std::move(links));
            }
        } else {
            write_fields(part, switch_fields(), level);
        }
        levels.push_back(std::move(part));
    }
    // A name typed on a command line need not be UTF-8.
    return json_file(file);
}

std::string machine_schema() {
    using Json = Tree;
    Json file = object_schema("A chip and its network that are written out in full.");
    add_key(file, hardware_version_key, {{"enum", Json::array({hardware_version})}});
    add_rows(file, machine_fields());
    Json axis = object_schema();
    add_rows(axis, link_fields());
    Json axes = list_schema(std::move(axis));
    axes["minItems"] = 1;
    axes["maxItems"] = Network::most_torus_axes;
    Json rings = object_schema("The rings of a torus.");
    add_key(rings, kind_key, {{"const", name(LevelKind::rings)}});
    add_key(rings, axes_key, std::move(axes));
    Json switched = object_schema("A switch.");
    add_key(switched, kind_key, {{"const", name(LevelKind::switched)}});
    add_rows(switched, switch_fields());
    Json network = list_schema({{"anyOf", Json::array({std::move(rings), std::move(switched)})}});
    network["minItems"] = 1;
    network["maxItems"] = Network::most_levels;
    network["description"] = "Its levels, from the innermost to the outermost.";
    add_key(file, levels_key, std::move(network));
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
