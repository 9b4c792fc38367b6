#include "core/machine/fields.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace meshslice {
namespace {

// The limits keep every time, of a transfer as of a GEMM, within the nine million seconds that picoseconds
// can count, for any work a mesh of such chips is sensibly given; real chips stay far inside them.
constexpr double least_flop_rate = 1e9;   ///< per second: one core of a small computer
constexpr double least_vector_rate = 1e6; ///< per second: a microcontroller
constexpr double most_flop_rate = 1e18;   ///< a thousand of today's chips in one
constexpr double least_fraction = 1e-3;   ///< of the peak; less is a chip that does not work
constexpr double least_bandwidth = 1e6;   ///< bytes per second: an early local network
constexpr double most_bandwidth = 1e16;
constexpr double most_power = 1e5;   ///< W
constexpr double most_latency = 1.0; ///< seconds, for one launch or one hop
constexpr std::int64_t most_memory = std::int64_t{1} << 50;
constexpr std::int64_t most_cores = 4096;
constexpr std::int64_t most_systolic_array = 65'536;
constexpr std::int64_t most_tile = 1 << 20;
constexpr std::int64_t most_switched_chips = 65'536;
constexpr double least_nics = 1.0 / 1024; ///< per chip: a thousand chips share one
constexpr double most_nics = 1024;
constexpr std::int64_t most_workgroups = 64; ///< of a compute unit, at once
constexpr double most_update_cost = 100;     ///< plain writes in the time of one update

/// What a row has of a number, so that a file, a check and a sentence can ask it.
template <class Number>
FieldValue to_field(const Number& number) {
    if constexpr (std::is_same_v<Number, Time>) {
        return in_seconds(number);
    } else if constexpr (std::is_arithmetic_v<Number>) {
        return number;
    } else {
        return number.value();
    }
}

template <class Number>
void from_field(Number& number, const FieldValue& value) {
    if constexpr (std::is_same_v<Number, Time>) {
        number = seconds(std::get<double>(value));
    } else if constexpr (std::is_same_v<Number, Bytes> || std::is_integral_v<Number>) {
        number = Number(std::get<std::int64_t>(value));
    } else {
        number = Number(std::get<double>(value));
    }
}

template <class Number>
std::string shown(const Number& number) {
    if constexpr (std::is_integral_v<Number>) {
        return fmt::format("{}", number);
    } else if constexpr (std::is_same_v<Number, double>) {
        return fmt::format("{:g}", number);
    } else {
        return text(number);
    }
}

/// A number with a source. `access` returns the member of a T, const or not.
template <class T, class Access>
Field<T> sourced_field(FieldRow row, Access access) {
    using Number = std::remove_cvref_t<decltype(access(std::declval<T&>()).value)>;
    constexpr bool whole = std::is_integral_v<Number> || std::is_same_v<Number, Bytes>;
    row.kind = whole ? FieldKind::whole : FieldKind::quantity;
    row.sourced = true;
    if (row.name.empty()) {
        row.name = row.label;
    }
    if constexpr (std::is_same_v<Number, Bytes>) {
        row.unit = "B";
    }
    if (!row.to_text) {
        row.to_text = [](const FieldValue& value) {
            Number number{};
            from_field(number, value);
            return shown(number);
        };
    }
    Field<T> field{std::move(row), {}, {}};
    field.get = [access](const T& value) { return to_field(access(value).value); };
    field.set = [access](T& value, const FieldValue& given) -> Result<void> {
        from_field(access(value).value, given);
        return {};
    };
    field.source = [access](T& value) -> std::string& { return access(value).source; };
    return field;
}

/// A row with a range, of whole numbers or of others.
FieldRow row(std::string key, std::string label, std::int64_t least, std::int64_t most) {
    FieldRow row;
    row.key = std::move(key);
    row.label = std::move(label);
    row.least = least;
    row.most = most;
    return row;
}
FieldRow row(std::string key, std::string label, double lowest, double highest, std::string unit = {}) {
    FieldRow row;
    row.key = std::move(key);
    row.label = std::move(label);
    row.lowest = lowest;
    row.highest = highest;
    row.unit = std::move(unit);
    return row;
}
/// What it is called in a sentence, where its label is long.
FieldRow named(std::string name, FieldRow row) {
    row.name = std::move(name);
    return row;
}
FieldRow helped(FieldRow row, std::string help) {
    row.help = std::move(help);
    return row;
}
/// 0 is not a number of these but says something.
template <class Number>
FieldRow with_zero(FieldRow row, std::string words) {
    row.to_text = [words = std::move(words)](const FieldValue& value) {
        Number number{};
        from_field(number, value);
        return number == Number{} ? words : shown(number);
    };
    return row;
}
FieldRow tagged(unsigned tags, FieldRow row) {
    row.tags |= tags;
    return row;
}
FieldRow percent(FieldRow row, const std::string& zero = "0%") {
    row.to_text = [zero](const FieldValue& value) {
        const double share = std::get<double>(value);
        return share > 0 ? percent_text(share) : zero;
    };
    return row;
}
/// A file may leave it out, and then it is the default.
template <class T, class Access>
Field<T> optional_field(Field<T> field, Access access) {
    field.required = false;
    field.omitted = [access](const T& value) {
        return access(value) == std::remove_cvref_t<decltype(access(value))>{};
    };
    return field;
}

Field<Machine> name_field(FieldRow row, std::string Machine::*member) {
    row.name = row.key;
    const bool must = row.required;
    Field<Machine> field = text_field<Machine>(
        std::move(row), [member](auto& hardware) -> auto& { return hardware.*member; });
    field.set = [set = field.set, key = field.key, must](Machine& machine,
                                                         const FieldValue& value) -> Result<void> {
        const auto* words = std::get_if<std::string>(&value);
        const Result<void> named =
            words == nullptr || (words->empty() && !must) ? Result<void>() : check_name(*words);
        return named ? set(machine, value) : refuse(fmt::format("The {} {}.", key, named.error().sentence));
    };
    return field;
}

Field<Machine> peak_field(DataType type) {
    const auto access = [type](auto& hardware) -> auto& {
        return hardware.peak[type];
    };
    auto field = sourced_field<Machine>(
        with_zero<FlopRate>(
            named(fmt::format("peak in {}", name(type)),
                  helped(row(fmt::format("peak_{}_in_flop_per_s", name(type)),
                             fmt::format("peak, dense, {}", name(type)), 0.0, most_flop_rate, "FLOP/s"),
                         "Floating-point operations per second, without sparsity.")),
            "not supported"),
        access);
    if (type != DataType::bf16 && type != DataType::int8) {
        field = optional_field(std::move(field), access);
        field.tags |= of_no_step; // Programs multiply the other two.
    }
    const std::string words = field.name;
    field.check = [access, words](const Machine& hardware) -> Result<void> {
        const bool multiplies = std::ranges::any_of(
            hardware.peak.of, [](const Sourced<FlopRate>& rate) { return rate.value > FlopRate(0); });
        if (!multiplies) {
            return refuse(
                fmt::format("The {} must be above 0 where no other data type is supported.", words));
        }
        const double peak = access(hardware).value.value();
        if (peak != 0.0 && peak < least_flop_rate) {
            return refuse(fmt::format("The {} is {}; expected 0 (not supported) or at least {}.", words,
                                      text(FlopRate(peak)), text(FlopRate(least_flop_rate))));
        }
        return {};
    };
    return field;
}

/// 0 and left out where it is not known.
Field<Machine> vector_field() {
    const auto access = [](auto& chip) -> auto& {
        return chip.vector_rate;
    };
    Field<Machine> field = optional_field(
        sourced_field<Machine>(
            with_zero<FlopRate>(
                named("vector rate",
                      tagged(of_no_step,
                             helped(row("vector_rate_in_flop_per_s", "peak of vector operations, bf16", 0.0,
                                        most_flop_rate, "FLOP/s"),
                                    "Of norms, activations and softmax, which are not matrix products."))),
                "not known"),
            access),
        access);
    field.check = [](const Machine& hardware) -> Result<void> {
        const double rate = hardware.vector_rate.value.value();
        if (rate != 0.0 && rate < least_vector_rate) {
            return refuse(fmt::format("The vector rate is {}; expected 0 (not known) or at least {}.",
                                      text(FlopRate(rate)), text(FlopRate(least_vector_rate))));
        }
        return {};
    };
    return field;
}

/// "all-gather" of "all gather".
std::string hyphenated(std::string words) {
    std::ranges::replace(words, ' ', '-');
    return words;
}

Field<Machine> launch_field(const std::string& key, const char* words, Sourced<Time> LaunchTimes::*member) {
    return sourced_field<Machine>(
        named(fmt::format("{} launch", hyphenated(words)),
              helped(row(fmt::format("launch_{}_in_s", key), fmt::format("launch, {}", words), 0.0,
                         most_latency, "s"),
                     "Once per operation, before anything moves or multiplies.")),
        [member](auto& hardware) -> auto& { return hardware.launch.*member; });
}

/// ["8192x6144x768 302 us", ..]
Field<Machine> measured_field() {
    FieldRow row;
    row.key = "measured_products";
    row.name = row.label = "measured GEMMs";
    row.help = "How long GEMMs took on a chip of this kind, in bf16; where there are any, they decide.";
    row.kind = FieldKind::text_list;
    row.sourced = true;
    row.to_text = [](const FieldValue& value) {
        return fmt::format("{}", std::get<std::vector<std::string>>(value).size());
    };
    Field<Machine> field{std::move(row), {}, {}};
    field.get = [](const Machine& hardware) {
        std::vector<std::string> words;
        for (const MeasuredProduct& product : hardware.measured_products.value) {
            words.push_back(text(product));
        }
        return FieldValue(std::move(words));
    };
    field.set = [](Machine& hardware, const FieldValue& value) -> Result<void> {
        std::vector<MeasuredProduct> products;
        for (const std::string& words : std::get<std::vector<std::string>>(value)) {
            const Result<MeasuredProduct> product = parse_measured_product(words);
            if (!product) {
                return refuse(product.error());
            }
            products.push_back(*product);
        }
        hardware.measured_products.value = std::move(products);
        return {};
    };
    field.source = [](Machine& hardware) -> std::string& { return hardware.measured_products.source; };
    field.check = [](const Machine& hardware) -> Result<void> {
        for (const MeasuredProduct& product : hardware.measured_products.value) {
            if (rate(product) > hardware.peak_rate(DataType::bf16)) {
                return refuse(fmt::format(
                    "A measured GEMM, {}, ran at {}, above the peak of {}; expected a slower one.",
                    text(product), text(rate(product)), text(hardware.peak_rate(DataType::bf16))));
            }
        }
        return {};
    };
    return optional_field(
        std::move(field), [](auto& hardware) -> auto& { return hardware.measured_products; });
}

/// A number of the pod; 0 and left out where it is not known.
Field<Machine> pod_field(const char* key, const char* name, const char* label, const char* help,
                         Sourced<std::int64_t> Pod::*member) {
    const auto access = [member](auto& chip) -> auto& {
        return chip.pod.*member;
    };
    return optional_field(
        sourced_field<Machine>(
            with_zero<std::int64_t>(
                named(name, helped(row(key, label, std::int64_t{0}, most_switched_chips), help)),
                "not known"),
            access),
        access);
}

/// A number of RingStores; 0 and left out where it is not known. A chip gets the part with
/// its first number; see drop_unknown_stores().
template <class Number>
Field<Machine> stores_field(FieldRow row, Sourced<Number> RingStores::*member) {
    const auto access = [member](auto& chip) -> auto& {
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(chip)>>) {
            return chip.stores().*member;
        } else {
            return (chip.ring_stores ? *chip.ring_stores : chip.ring_stores.emplace()).*member;
        }
    };
    row.tags |= of_ring_stores;
    return optional_field(sourced_field<Machine>(with_zero<Number>(std::move(row), "not known"), access),
                          access);
}

std::vector<Field<Machine>> made_hardware_fields() {
    const auto output_tile = [](auto& chip) -> auto& {
        return chip.output_tile;
    };
    const auto pcie = [](auto& chip) -> auto& {
        return chip.pcie;
    };
    const auto power = [](auto& chip) -> auto& {
        return chip.power;
    };
    const auto attention = [](auto& chip) -> auto& {
        return chip.attention_fraction;
    };
    std::vector<Field<Machine>> fields = {
        name_field({.key = "name", .name = {}}, &Machine::name),
        name_field({.key = "title", .name = {}}, &Machine::title),
        name_field({.key = based_on_key, .required = false, .name = {}}, &Machine::based_on),
        peak_field(DataType::bf16),
        peak_field(DataType::int8),
        peak_field(DataType::fp32),
        peak_field(DataType::tf32),
        peak_field(DataType::fp16),
        peak_field(DataType::fp8),
        peak_field(DataType::fp4),
        peak_field(DataType::int4),
        vector_field(),
        sourced_field<Machine>(
            named("effective fraction",
                  percent(helped(row("effective_fraction_of_peak",
                                     "share of the peak that a large GEMM reaches", least_fraction, 1.0),
                                 "On one chip, with nothing to wait for."))),
            [](auto& chip) -> auto& { return chip.effective_fraction; }),
        optional_field(
            sourced_field<Machine>(
                percent(tagged(of_no_step,
                               helped(row("attention_fraction_of_peak", "attention fraction", 0.0, 1.0),
                                      "What attention reaches on one chip, in plans; 0: as a large GEMM.")),
                        "as a large GEMM"),
                attention),
            attention),
        sourced_field<Machine>(
            named("HBM capacity", helped(row("hbm_capacity_in_bytes", "HBM (high-bandwidth memory)",
                                             std::int64_t{1}, most_memory),
                                         "Its size, of one chip.")),
            [](auto& chip) -> auto& { return chip.hbm; }),
        sourced_field<Machine>(
            helped(
                row("hbm_bandwidth_in_bytes_per_s", "HBM bandwidth", least_bandwidth, most_bandwidth, "B/s"),
                "Read or written."),
            [](auto& chip) -> auto& { return chip.hbm_bandwidth; }),
        optional_field(
            sourced_field<Machine>(
                with_zero<Bandwidth>(
                    tagged(of_no_step,
                           helped(row("pcie_in_bytes_per_s", "PCIe of a chip", 0.0, most_bandwidth, "B/s"),
                                  "Between a chip and its host, one way: for transfers from hosts.")),
                    "not known"),
                pcie),
            pcie),
        optional_field(
            sourced_field<Machine>(
                with_zero<double>(
                    tagged(of_no_step, helped(row("power_in_w", "power of a chip", 0.0, most_power, "W"),
                                              "The most that it draws (TDP), with its memory: for the energy "
                                              "of a training.")),
                    "not known"),
                power),
            power),
        sourced_field<Machine>(
            named("on-chip memory",
                  with_zero<Bytes>(helped(row("on_chip_memory_in_bytes", "on-chip memory, all cores",
                                              std::int64_t{0}, most_memory),
                                          "Of all cores together; 0 where the source does not say."),
                                   "not known")),
            [](auto& chip) -> auto& { return chip.on_chip_memory; }),
        sourced_field<Machine>(
            named("number of cores", helped(row("cores", "cores of a chip", std::int64_t{1}, most_cores),
                                            "They split the work of a GEMM. Of a GPU: its compute units.")),
            [](auto& chip) -> auto& { return chip.cores; }),
        sourced_field<Machine>(
            named("systolic array", helped(row("systolic_array_rows", "rows of a systolic array",
                                               std::int64_t{1}, most_systolic_array),
                                           "Its rows, and as many columns, of one matrix unit.")),
            [](auto& chip) -> auto& { return chip.systolic_array; }),
        optional_field(
            sourced_field<Machine>(
                named("output tile", helped(row("output_tile_rows", "rows of a core's output tile",
                                                std::int64_t{0}, most_tile),
                                            "And columns, of the tile of a GEMM that one core, or a "
                                            "work-group of a GPU, keeps; 0: as "
                                            "large as its memory allows.")),
                output_tile),
            output_tile),
        measured_field(),
        sourced_field<Machine>(
            named("synchronization",
                  helped(row("sync_in_s", "synchronization, per ring step", 0.0, most_latency, "s"),
                         "Two neighbours agree that a transfer may start.")),
            [](auto& chip) -> auto& { return chip.sync; }),
        launch_field("all_gather", "all gather", &LaunchTimes::gather),
        launch_field("reduce_scatter", "reduce scatter", &LaunchTimes::scatter),
        launch_field("send_receive", "send receive", &LaunchTimes::send),
        launch_field("multiply", "multiply", &LaunchTimes::multiply),
        pod_field("pod_in_chips", "largest torus", "chips of the largest torus",
                  "Larger meshes are refused; 0: not known.", &Pod::chips),
        pod_field("longest_axis_in_chips", "longest axis", "chips along an axis, at most",
                  "Longer axes are refused; 0: not known.", &Pod::longest_axis),
        pod_field("ring_axis_multiple_in_chips", "ring axis multiple", "an axis is a ring at multiples of",
                  "Chips along the axis; other axes have no wrap-around link. 0: every axis is a ring.",
                  &Pod::ring_axis),
        pod_field(
            "ring_mesh_multiple_in_chips", "ring mesh multiple", "axes are rings in meshes of multiples of",
            "Chips of the mesh; smaller meshes have no wrap-around links. 0: any mesh.", &Pod::ring_mesh),
        pod_field("host_in_chips", "chips of a host", "chips of a host",
                  "That one CPU host feeds over PCIe; no time has it. 0: not known.", &Pod::host),
        stores_field(
            named("number of work-groups", helped(row("workgroups_per_core", "work-groups of a compute unit",
                                                      std::int64_t{0}, most_workgroups),
                                                  "That run at once, each with one output tile.")),
            &RingStores::workgroups),
        stores_field(named("link flight time",
                           helped(row("link_flight_in_s", "flight time of a link", 0.0, most_latency, "s"),
                                  "Of a byte to its receiver; the link is free meanwhile.")),
                     &RingStores::link_flight),
        stores_field(
            named("near-memory cost",
                  helped(row("near_memory_cost", "cost of a near-memory update", 0.0, most_update_cost),
                         "Of an update that memory adds by itself, in plain writes.")),
            &RingStores::near_memory_cost),
        stores_field(named("reduction share",
                           helped(row("reduction_share_of_hbm_bandwidth",
                                      "share of the HBM bandwidth that a reduction reaches", 0.0, 1.0),
                                  "A reduction by the compute units.")),
                     &RingStores::reduction_share),
        stores_field(
            named("unit bandwidth", tagged(of_no_step, helped(row("unit_bandwidth_in_bytes_per_s",
                                                                  "memory bandwidth of a compute unit", 0.0,
                                                                  most_bandwidth, "B/s"),
                                                              "Of one that runs a collective."))),
            &RingStores::unit_bandwidth),
    };
    fields[2].omitted = [](const Machine& hardware) { return hardware.based_on.empty(); };
    fields.front().check = [](const Machine& hardware) -> Result<void> {
        return hardware.name.empty() ? refuse("The name is empty; expected a name.") : Result<void>();
    };
    return fields;
}

FieldRow bandwidth_row(const char* key, const char* label) {
    return row(key, label, least_bandwidth, most_bandwidth, "B/s");
}
FieldRow latency_row() {
    return helped(row("latency_in_s", "latency of one step", 0.0, most_latency, "s"),
                  "From one chip to another, in addition to the bytes over the bandwidth.");
}
FieldRow efficiency_row() {
    return percent(
        helped(row("efficiency", "share of the bandwidth that a large transfer reaches", least_fraction, 1.0),
               "What protocols and switches leave of the bandwidth."));
}

constexpr std::array<const char*, Network::most_torus_axes> axis_names{"vertical", "horizontal", "third"};

/// Of axes `first` to `end`, which are equal and counted from 0: "torus, 2 axes", "torus, vertical axis".
std::string axes_words(std::size_t first, std::size_t end, std::size_t axes) {
    return end - first == 1 && axes > 1 ? say("torus, {} axis", said(axis_names[first]))
           : end - first == 1           ? said("torus, 1 axis")
                                        : say("torus, {} axes", end - first);
}

template <class T>
void add_facts(std::vector<MachineFact>& all, const std::vector<Field<T>>& fields, const std::string& of,
               T value, const T* preset) {
    for (const Field<T>& field : fields) {
        if (field.sourced && !(field.omitted && field.omitted(value))) {
            const FieldValue ours = preset != nullptr ? field.get(*preset) : FieldValue();
            const bool differs = preset != nullptr && ours != field.get(value);
            all.push_back({of.empty() ? field.label : of + said(field.label), text(field, field.get(value)),
                           field.source(value), field.help, differs ? text(field, ours) : std::string()});
        }
    }
}

} // namespace

const std::vector<Field<Machine>>& machine_fields() {
    static const std::vector<Field<Machine>> fields = made_hardware_fields();
    return fields;
}

const std::vector<Field<TorusLinks>>& link_fields() {
    static const std::vector<Field<TorusLinks>> fields = {
        sourced_field<TorusLinks>(
            helped(row("links", "links of a chip", std::int64_t{2}, std::int64_t{2}),
                   "One to the neighbour on either side."),
            [](auto& axis) -> auto& { return axis.links; }),
        sourced_field<TorusLinks>(
            named("link bandwidth",
                  helped(bandwidth_row("link_bandwidth_in_bytes_per_s", "bandwidth of one link, one way"),
                         "Between two neighbours.")),
            [](auto& axis) -> auto& { return axis.bandwidth; }),
    };
    return fields;
}

const std::vector<Field<Level>>& switch_fields() {
    static const std::vector<Field<Level>> fields = [] {
        std::vector<Field<Level>> made = {
            sourced_field<Level>(
                with_zero<std::int64_t>(
                    named("number of units",
                          helped(row("units", "chips, or units of the level within", std::int64_t{0},
                                     most_switched_chips),
                                 "Each as near to every other; none: as many as there are.")),
                    "any number"),
                [](auto& level) -> auto& { return level.units; }),
            sourced_field<Level>(
                named("number of ports",
                      helped(row("ports_per_chip", "links or NICs (network interfaces) of a chip", least_nics,
                                 most_nics),
                             "Below 1 where chips share one.")),
                [](auto& level) -> auto& { return level.ports; }),
            sourced_field<Level>(
                bandwidth_row("port_bandwidth_in_bytes_per_s", "bandwidth of one port, one way"),
                [](auto& level) -> auto& { return level.bandwidth; }),
            sourced_field<Level>(
                latency_row(), [](auto& level) -> auto& { return level.latency; }),
            sourced_field<Level>(
                efficiency_row(), [](auto& level) -> auto& { return level.efficiency; }),
            flag_field<Level>(
                {.key = "reduces",
                 .required = false,
                 .name = "reduction in the switch",
                 .help = "Whether the switch adds up what passes it, so that an all-reduce sends all once."},
                [](auto& level) -> auto& { return level.reduces; }),
        };
        made.front().required = false;
        made.front().omitted = [](const Level& level) { return level.units.value == 0; };
        made.back().omitted = [](const Level& level) { return !level.reduces; };
        return made;
    }();
    return fields;
}

std::vector<MachineFact> facts(const Machine& hardware) {
    std::vector<MachineFact> all;
    const std::optional<Machine> origin_of = origin(hardware);
    const Machine* const preset = origin_of ? &*origin_of : nullptr;
    add_facts(all, machine_fields(), {}, hardware, preset);
    const std::vector<Level>& levels = hardware.network.levels;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const bool comparable = preset != nullptr && k < preset->network.levels.size() &&
                                preset->network.levels[k].kind == levels[k].kind;
        const Level* const other = comparable ? &preset->network.levels[k] : nullptr;
        const std::vector<TorusLinks>& axes = levels[k].axes;
        for (std::size_t first = 0; first < axes.size();) {
            std::size_t end = first + 1;
            while (end < axes.size() && axes[end] == axes[first]) {
                ++end;
            }
            add_facts(all, link_fields(), axes_words(first, end, axes.size()) + ": ", axes[first],
                      other != nullptr && first < other->axes.size() ? &other->axes[first] : nullptr);
            first = end;
        }
        if (levels[k].kind == LevelKind::switched) {
            add_facts(all, switch_fields(), title(levels[k]) + ": ", levels[k], other);
        }
    }
    return all;
}

} // namespace meshslice
