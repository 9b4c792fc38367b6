#include "core/hardware/hardware.h"

#include "core/base/embedded_resources.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cassert>
#include <limits>
#include <type_traits>

namespace meshslice {
namespace {

constexpr int hardware_version = 1;
constexpr const char* version_key = "meshslice_hardware"; ///< present in every hardware file of ours

// The limits keep every time, of a transfer as of a product, within the nine million seconds that picoseconds
// can count, for any work a mesh of such chips is sensibly given; real chips stay far inside them.
constexpr double least_flop_rate = 1e9; ///< per second: one core of a small computer
constexpr double most_flop_rate = 1e18; ///< a thousand of today's chips in one
constexpr double least_fraction = 1e-3; ///< of the peak; less is a chip that does not work
constexpr double least_bandwidth = 1e6; ///< bytes per second: an early local network
constexpr double most_bandwidth = 1e16;
constexpr double most_latency = 1.0; ///< seconds, for one launch or one hop
constexpr std::int64_t most_memory = std::int64_t{1} << 50;
constexpr std::int64_t most_cores = 4096;
constexpr std::int64_t most_systolic_array = 65'536;
constexpr std::int64_t most_tile = 1 << 20;
constexpr const char* tile_key = "output_tile_rows";      ///< may be left out
constexpr const char* measured_key = "measured_products"; ///< may be left out

constexpr std::array<const char*, all_data_types.size()> peak_keys = {"peak_bf16_in_flop_per_s",
                                                                      "peak_int8_in_flop_per_s"};
constexpr std::array<const char*, all_launch_kinds.size()> launch_keys = {
    "launch_all_gather_in_s", "launch_reduce_scatter_in_s", "launch_send_receive_in_s",
    "launch_multiply_in_s"};

/// Reads {"value": .., "source": ".."} under a key; `read` turns the value into what it counts.
template <class T, class Read>
Sourced<T> sourced(JsonReader& file, const std::string& key, Read read) {
    JsonReader part = file.object(key);
    Sourced<T> field{read(part), part.text("source")};
    part.no_other_keys();
    return field;
}

template <class T>
Sourced<T> sourced_number(JsonReader& file, const std::string& key, double least, double most) {
    return sourced<T>(file, key, [&](JsonReader& part) { return T(part.number("value", least, most)); });
}

template <class T>
Sourced<T> sourced_whole(JsonReader& file, const std::string& key, std::int64_t least, std::int64_t most) {
    return sourced<T>(file, key, [&](JsonReader& part) { return T(part.whole("value", least, most)); });
}

Sourced<Time> sourced_time(JsonReader& file, const std::string& key) {
    return sourced<Time>(file, key,
                         [](JsonReader& part) { return seconds(part.number("value", 0.0, most_latency)); });
}

/// {"values": ["8192x6144x768 302 us", ..], "source": ".."}
std::vector<MeasuredProduct> read_measured(JsonReader& part) {
    std::vector<MeasuredProduct> products;
    for (const std::string& words : part.text_list("values")) {
        const Result<MeasuredProduct> product = parse_measured_product(words);
        if (product) {
            products.push_back(*product);
        } else {
            part.note(product.error());
        }
    }
    return products;
}

void read_chip(JsonReader& file, Hardware& hardware) {
    for (std::size_t type = 0; type < peak_keys.size(); ++type) {
        hardware.peak[type] = sourced_number<FlopRate>(file, peak_keys[type], 0.0, most_flop_rate);
        const double peak = hardware.peak[type].value.value();
        file.expect(peak == 0.0 || peak >= least_flop_rate, peak_keys[type],
                    fmt::format("must be 0 (not supported) or at least {:g}", least_flop_rate));
    }
    const bool multiplies = hardware.peak[0].value.value() > 0.0 || hardware.peak[1].value.value() > 0.0;
    file.expect(multiplies, peak_keys[0], "must be above 0 where no other data type is supported");
    hardware.effective_fraction =
        sourced_number<double>(file, "effective_fraction_of_peak", least_fraction, 1.0);
    hardware.hbm = sourced_whole<Bytes>(file, "hbm_capacity_in_bytes", 1, most_memory);
    hardware.hbm_bandwidth =
        sourced_number<Bandwidth>(file, "hbm_bandwidth_in_bytes_per_s", least_bandwidth, most_bandwidth);
    hardware.on_chip_memory = sourced_whole<Bytes>(file, "on_chip_memory_in_bytes", 0, most_memory);
    hardware.cores = sourced_whole<std::int64_t>(file, "cores", 1, most_cores);
    hardware.systolic_array =
        sourced_whole<std::int64_t>(file, "systolic_array_rows", 1, most_systolic_array);
    if (file.has(tile_key)) {
        hardware.output_tile = sourced_whole<std::int64_t>(file, tile_key, 0, most_tile);
    }
    if (file.has(measured_key)) {
        hardware.measured_products = sourced<std::vector<MeasuredProduct>>(file, measured_key, read_measured);
        for (const MeasuredProduct& product : hardware.measured_products.value) {
            file.expect(rate(product) <= hardware.peak[0].value, measured_key,
                        fmt::format("tells of {} at {}, above the peak of {}; a slower one was expected",
                                    text(product), text(rate(product)), text(hardware.peak[0].value)));
        }
    }
}

void read_interconnect(JsonReader& file, Hardware& hardware) {
    hardware.torus_axes = sourced_whole<std::int64_t>(file, "torus_axes", 1, 3);
    hardware.links_per_axis = sourced_whole<std::int64_t>(file, "links_per_axis", 2, 2);
    hardware.link_bandwidth =
        sourced_number<Bandwidth>(file, "link_bandwidth_in_bytes_per_s", least_bandwidth, most_bandwidth);
    hardware.sync = sourced_time(file, "sync_in_s");
    for (std::size_t kind = 0; kind < launch_keys.size(); ++kind) {
        hardware.launch[kind] = sourced_time(file, launch_keys[kind]);
    }
}

template <class T>
nlohmann::ordered_json written(const T& value, const std::string& source) {
    return {{"value", value}, {"source", source}};
}

template <class T>
nlohmann::ordered_json written(const Sourced<T>& field) {
    if constexpr (std::is_same_v<T, Time>) {
        // Divided, not scaled by 1e-12, so that 5 us are written as 5e-06 and not as a number beside it.
        return written(static_cast<double>(field.value.value()) / 1e12, field.source);
    } else if constexpr (std::is_arithmetic_v<T>) {
        return written(field.value, field.source);
    } else {
        return written(field.value.value(), field.source);
    }
}

} // namespace

std::string_view name(DataType type) {
    return type == DataType::bf16 ? "bf16" : "int8";
}

Result<DataType> parse_data_type(std::string_view words) {
    for (const DataType type : all_data_types) {
        if (words == name(type)) {
            return type;
        }
    }
    return refuse(fmt::format("\"{}\" is not a data type; the two are bf16 and int8.", shortened(words)));
}

std::string_view name(LaunchKind kind) {
    constexpr std::array<std::string_view, all_launch_kinds.size()> names = {"all_gather", "reduce_scatter",
                                                                             "send_receive", "multiply"};
    return names[static_cast<std::size_t>(kind)];
}

Result<Hardware> read_hardware(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader file(*parsed, origin);
    const std::int64_t version = file.whole(version_key, 1, std::numeric_limits<std::int32_t>::max());
    file.expect(
        version <= hardware_version, version_key,
        fmt::format("is {}, but this program reads files up to version {}", version, hardware_version));
    Hardware hardware;
    hardware.name = file.text("name");
    file.expect(!hardware.name.empty(), "name", "is empty; a name was expected");
    hardware.title = file.text("title");
    read_chip(file, hardware);
    read_interconnect(file, hardware);
    file.no_other_keys();
    if (!file.ok()) {
        return refuse(*file.finding());
    }
    return hardware;
}

std::string write_hardware(const Hardware& hardware) {
    nlohmann::ordered_json file;
    file[version_key] = hardware_version;
    file["name"] = hardware.name;
    file["title"] = hardware.title;
    for (std::size_t type = 0; type < peak_keys.size(); ++type) {
        file[peak_keys[type]] = written(hardware.peak[type]);
    }
    file["effective_fraction_of_peak"] = written(hardware.effective_fraction);
    file["hbm_capacity_in_bytes"] = written(hardware.hbm);
    file["hbm_bandwidth_in_bytes_per_s"] = written(hardware.hbm_bandwidth);
    file["on_chip_memory_in_bytes"] = written(hardware.on_chip_memory);
    file["cores"] = written(hardware.cores);
    file["systolic_array_rows"] = written(hardware.systolic_array);
    if (hardware.output_tile != Sourced<std::int64_t>{}) {
        file[tile_key] = written(hardware.output_tile);
    }
    if (hardware.measured_products != Sourced<std::vector<MeasuredProduct>>{}) {
        nlohmann::ordered_json& part = file[measured_key];
        part["values"] = nlohmann::ordered_json::array();
        for (const MeasuredProduct& product : hardware.measured_products.value) {
            part["values"].push_back(text(product));
        }
        part["source"] = hardware.measured_products.source;
    }
    file["torus_axes"] = written(hardware.torus_axes);
    file["links_per_axis"] = written(hardware.links_per_axis);
    file["link_bandwidth_in_bytes_per_s"] = written(hardware.link_bandwidth);
    file["sync_in_s"] = written(hardware.sync);
    for (std::size_t kind = 0; kind < launch_keys.size(); ++kind) {
        file[launch_keys[kind]] = written(hardware.launch[kind]);
    }
    // A name typed on a command line need not be UTF-8.
    return file.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<Hardware> checked(const Hardware& hardware) {
    return read_hardware(write_hardware(hardware),
                         fmt::format("The hardware \"{}\"", shortened(hardware.name)));
}

const std::vector<Hardware>& hardware_presets() {
    static const std::vector<Hardware> presets = [] {
        std::vector<Hardware> read;
        for (const EmbeddedFile& file : embedded_hardware()) {
            const Result<Hardware> hardware = read_hardware(file.text, std::string(file.name));
            assert(hardware && "a preset that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return presets;
}

Result<Hardware> hardware_preset(std::string_view name) {
    std::string names;
    for (const Hardware& hardware : hardware_presets()) {
        if (hardware.name == name) {
            return hardware;
        }
        names += (names.empty() ? "" : ", ") + hardware.name;
    }
    return refuse(
        fmt::format("There is no hardware called \"{}\"; the names are {}.", shortened(name), names));
}

} // namespace meshslice
