#include "core/hardware/edit.h"

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/hardware/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr std::string_view edited = "Edited; ";
constexpr std::string_view name_suffix = "-edited";
constexpr std::string_view title_suffix = ", edited";
constexpr std::size_t most_named = 3;

/// A number of an axis' links as one of the hardware.
Field<Hardware> of_axis(const Field<TorusLinks>& row, int axis) {
    Field<Hardware> field{row, {}, {}};
    field.key = fmt::format("{}_of_axis_{}", row.key, axis + 1);
    field.name = fmt::format("{} of axis {}", row.name, axis + 1);
    field.get = [&row, axis](const Hardware& hardware) {
        return row.get(hardware.network.torus_links(axis));
    };
    field.set = [&row, axis](Hardware& hardware, const FieldValue& value) {
        return row.set(hardware.network.torus_links(axis), value);
    };
    field.source = [&row, axis](Hardware& hardware) -> std::string& {
        return row.source(hardware.network.torus_links(axis));
    };
    field.objection = [axis](const Hardware& hardware) {
        const int axes = hardware.network.torus_axes();
        return axis < axes ? std::string()
                           : fmt::format("The links of {} form a torus of {} {}.", hardware.title, axes,
                                         axes == 1 ? "axis" : "axes");
    };
    return field;
}

/// Numbers that files, checks and sentences know, and that may be more than one.
bool editable(const FieldRow& row) {
    const bool number =
        row.kind == FieldKind::quantity || (row.kind == FieldKind::whole && row.least < row.most);
    return row.sourced && number;
}

const Field<TorusLinks>& link_bandwidth_row() {
    return level_fields(TorusLinks{}).back();
}

double as_double(const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

/// So many times a number: of whole ones whole again, of bytes the nearest.
Result<FieldValue> times(const Field<Hardware>& number, const FieldValue& base, double factor) {
    const double product = as_double(base) * factor;
    const std::string words = fmt::format("{} of {}", factor_text(factor), text(number, base));
    if (as_double(base) == 0.0) {
        return refuse(fmt::format("The {} has no factor: it is {}. A value was expected.", number.name,
                                  text(number, base)));
    }
    if (number.kind == FieldKind::quantity) {
        return FieldValue(factor == 1.0 ? as_double(base) : product);
    }
    const double rounded = std::round(product);
    if ((number.unit.empty() && std::abs(product - rounded) > 1e-9 * product) || rounded > 0x1p62) {
        return refuse(fmt::format("The {} is a whole number, and {} is {:.7g}; another factor was expected.",
                                  number.name, words, product));
    }
    return FieldValue(static_cast<std::int64_t>(rounded));
}

/// "x 0.5" where that is short and exact; else the value.
std::string change_text(const Field<Hardware>& number, const FieldValue& before, const FieldValue& now) {
    const double base = as_double(before);
    if (base > 0.0) {
        const std::string factor = fmt::format("{:.3g}", as_double(now) / base);
        const double read =
            *parse_quantity(factor, "").or_else([](const Error&) { return Result<double>(0); });
        const bool usual = read >= 0.001 && read < 1000;
        if (usual && std::abs(read * base - as_double(now)) <= 1e-9 * as_double(now)) {
            return "x " + factor;
        }
    }
    return text(number, now);
}

/// Name and title as the numbers are: the preset's where none differs.
void name_after(Hardware& hardware, const Hardware& preset) {
    const std::vector<EditedNumber> all = edits(hardware);
    hardware.name = preset.name;
    hardware.title = preset.title;
    hardware.based_on.clear();
    if (all.empty()) {
        return;
    }
    hardware.name += name_suffix;
    hardware.based_on = preset.name;
    hardware.title += ", " + text(all);
}

void said_once(std::string& words, std::string_view suffix) {
    words += words.ends_with(suffix) ? std::string_view() : suffix;
}

/// The edits of all axes as one, where they are alike.
void join_axes(std::vector<EditedNumber>& all, const Hardware& hardware) {
    const auto axes = static_cast<std::size_t>(hardware.network.torus_axes());
    const auto of_links = [](const EditedNumber& one) {
        return one.key.starts_with(link_bandwidth_row().key);
    };
    const auto first = std::ranges::find_if(all, of_links);
    const auto count = static_cast<std::size_t>(all.end() - first);
    const bool alike = std::all_of(first, all.end(), [&](const EditedNumber& one) {
        return one.value == first->value && one.preset == first->preset && one.change == first->change;
    });
    if (axes > 0 && count == axes && alike) {
        first->key = link_bandwidth_row().key;
        first->name = link_bandwidth_row().name;
        all.erase(first + 1, all.end());
    }
}

} // namespace

const std::vector<Field<Hardware>>& hardware_numbers() {
    static const std::vector<Field<Hardware>> numbers = [] {
        std::vector<Field<Hardware>> made;
        std::ranges::copy_if(hardware_fields(), std::back_inserter(made), editable);
        for (int axis = 0; axis < Network::most_torus_axes; ++axis) {
            made.push_back(of_axis(link_bandwidth_row(), axis));
        }
        return made;
    }();
    return numbers;
}

const Field<Hardware>& hardware_number(std::string_view key) {
    const Field<Hardware>* number = field_of(hardware_numbers(), key);
    assert(number != nullptr && "a key of hardware_fields()");
    return *number;
}

const Field<Hardware>& link_number(int axis) {
    return hardware_numbers()[hardware_numbers().size() -
                              static_cast<std::size_t>(Network::most_torus_axes - axis)];
}

const Hardware* origin(const Hardware& hardware) {
    const auto& presets = hardware_presets();
    const std::string& name = hardware.based_on.empty() ? hardware.name : hardware.based_on;
    const auto preset = std::ranges::find(presets, name, &Hardware::name);
    return preset == presets.end() ? nullptr : &*preset;
}

Result<void> edit(Hardware& hardware, const Field<Hardware>& number, const FieldValue& value) {
    const Hardware* preset = origin(hardware);
    if (const std::string missing = number.objection ? number.objection(hardware) : std::string();
        !missing.empty()) {
        return refuse(fmt::format("There is no {}: {}", number.name, missing));
    }
    const bool comparable = preset != nullptr && number.applies(*preset);
    const FieldValue before = number.get(hardware);
    FieldValue next = value;
    if (const auto* factor = std::get_if<Factor>(&value)) {
        const Result<FieldValue> product =
            times(number, comparable ? number.get(*preset) : before, factor->times);
        if (!product) {
            return refuse(product.error());
        }
        next = *product;
    }
    if (const Result<void> own = fits(number, next); !own) {
        return own;
    }
    if (const Result<void> set = number.set(hardware, next); !set) {
        return set;
    }
    next = number.get(hardware); // to the picosecond
    std::string& source = number.source(hardware);
    if (comparable) {
        Hardware copy = *preset;
        const FieldValue theirs = number.get(copy);
        source = next == theirs ? number.source(copy)
                                : fmt::format("{}{} has {}: {}", edited, preset->title, text(number, theirs),
                                              number.source(copy));
    } else if (next != before && !source.starts_with(edited)) {
        source = fmt::format("{}before it was {}: {}", edited, text(number, before), source);
    }
    if (preset != nullptr) {
        name_after(hardware, *preset);
    } else if (next != before) {
        said_once(hardware.name, name_suffix);
        said_once(hardware.title, title_suffix);
    }
    return {};
}

std::string text(const std::vector<EditedNumber>& edits) {
    std::vector<std::string> words;
    for (const EditedNumber& one : edits) {
        if (words.size() == most_named) {
            words.push_back(fmt::format("{} more edited", edits.size() - most_named));
            break;
        }
        words.push_back(fmt::format("{} {}", one.name, one.change));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<EditedNumber> edits(const Hardware& hardware) {
    std::vector<EditedNumber> all;
    const Hardware* preset = origin(hardware);
    if (preset == nullptr) {
        return all;
    }
    Hardware copy = hardware;
    for (const Field<Hardware>& number : hardware_numbers()) {
        if (!number.applies(hardware) || !number.applies(*preset)) {
            continue;
        }
        const FieldValue now = number.get(hardware);
        const FieldValue theirs = number.get(*preset);
        if (now != theirs) {
            all.push_back({number.key, number.name, text(number, now), text(number, theirs),
                           change_text(number, theirs, now), as_double(now), as_double(theirs),
                           number.source(copy)});
        }
    }
    join_axes(all, hardware);
    return all;
}

} // namespace meshslice
