// The numbers of the machine as fields of a scenario: another way to edit its hardware.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/machine/fields.h"
#include "core/machine/ring_stores.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

struct FormUnit {
    std::string_view unit;
    const char* shown;
    double scale;
};
/// In which a form shows the numbers of today's chips without powers of ten.
constexpr std::array<FormUnit, 4> form_units = {
    {{"FLOP/s", "TFLOP/s", 1e12}, {"B/s", "GB/s", 1e9}, {"B", "GB", 1e9}, {"s", "µs", 1e-6}}};

/// "hbm_bandwidth" of "hbm_bandwidth_in_bytes_per_s".
std::string without_unit(const std::string& key) {
    return key.substr(0, key.find("_in_"));
}

std::string flag_of(std::string key) {
    std::ranges::replace(key, '_', '-');
    return "--" + key;
}

/// What a row of the form and the command line has of a number of the hardware.
FieldRow row_of(const FieldRow& number, std::string key, std::string name) {
    FieldRow row = number;
    row.flag = flag_of(key);
    row.key = std::move(key);
    row.name = std::move(name);
    row.label = capitalized(row.name);
    row.group = hardware_group;
    row.help += " A factor such as x 0.5 is of what the preset has; x 1 is the preset's own.";
    row.stored = false;
    row.required = false;
    row.sourced = false;
    row.greyed = true;
    row.factors = true;
    row.to_text = {}; // which rounds
    row.tags = of_time;
    if (row.kind == FieldKind::whole && !row.unit.empty()) { // bytes, typed with their unit
        row.kind = FieldKind::quantity;
        row.lowest = static_cast<double>(row.least);
        row.highest = static_cast<double>(row.most);
    }
    const auto form = std::ranges::find(form_units, row.unit, &FormUnit::unit);
    if (form != form_units.end()) {
        row.form_unit = form->shown;
        row.form_scale = form->scale;
    }
    if (row.key == "on_chip_memory") { // a thousandth of the HBM, and a power of two
        row.form_unit = "MiB";
        row.form_scale = 0x1p20;
    }
    row.flag_help = fmt::format("{}|xFACTOR: {}{}", row.unit.empty() ? "N" : "QUANTITY", row.name,
                                row.unit.empty() ? "" : fmt::format(", in {}", row.unit));
    return row;
}

/// Between the number's own kind and the row's.
FieldValue shown(const FieldRow& row, const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && row.kind == FieldKind::quantity ? FieldValue(static_cast<double>(*whole))
                                                               : value;
}
FieldValue stored(const FieldRow& number, const FieldValue& value) {
    const auto* quantity = std::get_if<double>(&value);
    return quantity != nullptr && number.kind == FieldKind::whole
               ? FieldValue(static_cast<std::int64_t>(std::llround(*quantity)))
               : value;
}

Field<Scenario> number_row(const Field<Machine>& number, std::string key, std::string name) {
    Field<Scenario> row{row_of(number, std::move(key), std::move(name)), {}, {}};
    row.get = [&number, kind = FieldRow(row)](const Scenario& scenario) {
        return number.applies(scenario.hardware) ? shown(kind, number.get(scenario.hardware)) : FieldValue();
    };
    row.set = [&number](Scenario& scenario, const FieldValue& value) {
        return edit(scenario.hardware, number, stored(number, value));
    };
    row.source = [&number](Scenario& scenario) -> std::string& { return number.source(scenario.hardware); };
    if (number.objection) {
        row.objection = [&number](const Scenario& scenario) { return number.objection(scenario.hardware); };
    }
    return row;
}

const Field<Machine>& peak_number(const Scenario& scenario) {
    return machine_number(fmt::format("peak_{}_in_flop_per_s", name(scenario.assume.schedule.type)));
}

/// Of the data type that the scenario computes with.
Field<Scenario> peak_row() {
    Field<Scenario> row = number_row(peak_number(Scenario{}), "peak", "peak");
    row.help = "In the scenario's data type. " + row.help;
    row.get = [](const Scenario& scenario) { return peak_number(scenario).get(scenario.hardware); };
    row.set = [](Scenario& scenario, const FieldValue& value) {
        return edit(scenario.hardware, peak_number(scenario), value);
    };
    row.source = [](Scenario& scenario) -> std::string& {
        return peak_number(scenario).source(scenario.hardware);
    };
    return row;
}

/// Of all axes together.
Field<Scenario> links_row() {
    Field<Scenario> row = number_row(link_number(0), "links", "link bandwidth");
    row.help = "One way, of the links along all axes. " + row.help;
    row.word = row.word_label = "by axis"; // where they differ, and stay as they are
    row.greyed = false;                    // hidden where there are none
    row.get = [](const Scenario& scenario) {
        const Network& network = scenario.hardware.network;
        return network.torus_axes() > 0 && network.axes_alike()
                   ? FieldValue(network.link_bandwidth(0).value())
                   : FieldValue();
    };
    row.set = [](Scenario& scenario, const FieldValue& value) -> Result<void> {
        if (std::holds_alternative<std::monostate>(value)) {
            return {};
        }
        Result<void> edited = edit(scenario.hardware, link_number(0), value);
        for (int axis = 1; edited && axis < scenario.hardware.network.torus_axes(); ++axis) {
            edited = edit(scenario.hardware, link_number(axis), value);
        }
        return edited;
    };
    return row;
}

Field<Scenario> axis_row(int axis) {
    constexpr std::array<const char*, Network::most_torus_axes> ways = {"vertical", "horizontal", "third"};
    const char* const way = ways[static_cast<std::size_t>(axis)];
    Field<Scenario> row = number_row(link_number(axis), fmt::format("links_{}", way),
                                     axis == 2 ? "third axis' links" : fmt::format("{} links", way));
    row.greyed = false; // hidden where there are none
    row.objection = [axis, torus = row.objection](const Scenario& scenario) {
        const std::string missing = torus(scenario);
        const bool used = static_cast<std::size_t>(axis) < scenario.mesh.size();
        return !missing.empty() || used
                   ? missing
                   : say("The mesh has {} axes and leaves the machine's others alone.", scenario.mesh.size());
    };
    row.help = fmt::format("Bandwidth of one link along the machine's {} axis, one way. {}", way, row.help);
    return row;
}

/// Of the chip's own numbers those that a plan's step and memory are made of, where GEMMs are a roofline.
bool counts_in_plans(std::string_view key) {
    constexpr std::array keys = {"effective_fraction_of_peak", "hbm_capacity", "hbm_bandwidth", "sync",
                                 "launch_"};
    return std::ranges::any_of(keys, [&](std::string_view one) { return key.starts_with(one); });
}

/// Why a number that makes tiles has no effect.
std::string not_tiled(const Scenario& scenario) {
    return tiled(scenario.assume.schedule, scenario.hardware)
               ? std::string()
               : say("The chip model is {}; only the tiled one counts it.",
                     name(chip_model(scenario.assume.schedule, scenario.hardware)));
}

/// Why a number that makes stages of work-groups has no effect.
std::string not_staged(const Scenario& scenario) {
    if (!feeds_rings(scenario.hardware)) {
        return makes_fed_ring(scenario.hardware).error().sentence;
    }
    return staged(scenario.assume.schedule, scenario.hardware)
               ? std::string()
               : say("The chip model is {}; GEMMs made in stages count it, with by-hardware.",
                     name(scenario.assume.schedule.chip));
}

/// Compute units make tiles too, as many at once as there are.
std::string makes_no_tiles(const Scenario& scenario) {
    return staged(scenario.assume.schedule, scenario.hardware) ? std::string() : not_tiled(scenario);
}

std::string tile_is_given(const Scenario& scenario) {
    const std::string objection = not_tiled(scenario);
    return objection.empty() && scenario.hardware.output_tile.value > 0
               ? said("The hardware says how large the output tile of a core is.")
               : objection;
}

std::string tile_is_not_asked_for(const Scenario& scenario) {
    return scenario.assume.schedule.chip == ChipModel::by_hardware ? std::string() : not_tiled(scenario);
}

} // namespace

std::vector<Field<Scenario>> hardware_rows() {
    std::vector<Field<Scenario>> rows = {peak_row(), links_row()};
    for (Field<Scenario>& row : rows) {
        row.tags |= of_a_plan;
    }
    for (int axis = 0; axis < Network::most_torus_axes; ++axis) {
        rows.push_back(axis_row(axis));
    }
    for (const Field<Machine>& number : machine_numbers()) {
        const bool links = &number >= &link_number(0);
        const bool of_switch = number.key.starts_with("domain_") || number.key.starts_with("network_");
        const bool only_plans = of_switch || number.key.starts_with("vector_rate");
        const bool of_no_row = (number.tags & of_no_step) != 0 && !only_plans;
        if (links || number.key.starts_with("peak_") || of_no_row) {
            continue;
        }
        rows.push_back(number_row(number, without_unit(number.key), number.name));
        if (only_plans) {
            rows.back().tags = of_a_plan | of_plans;
        } else if (counts_in_plans(number.key)) {
            rows.back().tags |= of_a_plan;
        }
        if (of_switch) {
            rows.back().greyed = false; // hidden where there is none
        }
        if ((number.tags & of_ring_stores) != 0) {
            rows.back().objection = not_staged;
            rows.back().absent = [](const Scenario& scenario) { return !feeds_rings(scenario.hardware); };
        }
    }
    using Objection = std::string (*)(const Scenario&);
    constexpr std::array<std::pair<std::string_view, Objection>, 4> only_of_tiles = {
        {{"cores", makes_no_tiles},
         {"systolic_array_rows", not_tiled},
         {"on_chip_memory", tile_is_given},
         {"output_tile_rows", tile_is_not_asked_for}}};
    for (Field<Scenario>& row : rows) {
        const auto* const found = std::ranges::find(only_of_tiles, std::string_view(row.key),
                                                    [](const auto& one) { return one.first; });
        if (found != only_of_tiles.end()) {
            row.objection = found->second;
        }
    }
    return rows;
}

} // namespace meshslice
