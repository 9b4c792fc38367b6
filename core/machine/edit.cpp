#include "core/machine/edit.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/machine/catalogue.h"
#include "core/machine/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr std::string_view edited = "Edited; ";
constexpr std::string_view edited_from = "Edited; before it was ";
constexpr std::string_view name_suffix = "-edited";
constexpr std::string_view title_suffix = ", edited";
constexpr std::size_t most_named = 3;

/// A number of an axis' links as one of the hardware.
Field<Machine> of_axis(const Field<TorusLinks>& row, int axis) {
    Field<Machine> field{row, {}, {}};
    constexpr std::array<const char*, Network::most_torus_axes> ways = {"vertical", "horizontal", "third"};
    field.key = fmt::format("{}_{}", ways[static_cast<std::size_t>(axis)], row.key);
    constexpr std::array<const char*, Network::most_torus_axes> names = {"vertical {}", "horizontal {}",
                                                                         "{} of the third axis"};
    field.name = fmt::format(fmt::runtime(names[static_cast<std::size_t>(axis)]), row.name);
    field.get = [&row, axis](const Machine& hardware) { return row.get(hardware.network.torus_links(axis)); };
    field.set = [&row, axis](Machine& hardware, const FieldValue& value) {
        return row.set(hardware.network.torus_links(axis), value);
    };
    field.source = [&row, axis](Machine& hardware) -> std::string& {
        return row.source(hardware.network.torus_links(axis));
    };
    field.objection = [axis](const Machine& hardware) {
        const int axes = hardware.network.torus_axes();
        return axis < axes ? std::string()
               : axes == 0 ? say("{} has switches, no links along axes; domain-bandwidth and "
                                 "network-bandwidth are theirs.",
                                 hardware.title)
               : axes == 1 ? say("The links of {} form a torus of 1 axis.", hardware.title)
                           : say("The links of {} form a torus of {} axes.", hardware.title, axes);
    };
    return field;
}

/// The fast domain, or the network around all; null where there is none.
Level* switch_of(Machine& hardware, bool domain) {
    const Level* const found = domain ? switched_domain(hardware.network) : outer_network(hardware.network);
    std::vector<Level>& levels = hardware.network.levels;
    return found == nullptr ? nullptr : &levels[static_cast<std::size_t>(found - levels.data())];
}

/// A number of one of them as one of the hardware.
Field<Machine> of_switch(const Field<Level>& row, std::string key, std::string name, bool domain) {
    Field<Machine> field{row, {}, {}};
    field.key = std::move(key);
    field.name = std::move(name);
    field.get = [&row, domain](const Machine& hardware) {
        return row.get(domain ? *switched_domain(hardware.network) : *outer_network(hardware.network));
    };
    field.set = [&row, domain](Machine& hardware, const FieldValue& value) {
        return row.set(*switch_of(hardware, domain), value);
    };
    field.source = [&row, domain](Machine& hardware) -> std::string& {
        return row.source(*switch_of(hardware, domain));
    };
    field.objection = [domain](const Machine& hardware) {
        const Level* const found =
            domain ? switched_domain(hardware.network) : outer_network(hardware.network);
        return found != nullptr ? std::string()
               : domain         ? say("{} has no fast domain behind a switch.", hardware.title)
                                : say("{} has no switched network around all chips.", hardware.title);
    };
    return field;
}

/// Of both kinds, by the keys of a level in a file.
std::vector<Field<Machine>> switch_numbers() {
    struct Number {
        std::string_view key;
        const char* of_domain; ///< names
        const char* of_network;
    };
    constexpr std::array<Number, 4> numbers = {
        {{"port_bandwidth_in_bytes_per_s", "domain bandwidth", "network bandwidth"},
         {"ports_per_chip", "domain ports", "network ports"},
         {"latency_in_s", "domain latency", "network latency"},
         {"efficiency", "domain efficiency", "network efficiency"}}};
    std::vector<Field<Machine>> made;
    for (const bool domain : {true, false}) {
        for (const Number& number : numbers) {
            std::string key(number.key);
            key = (domain ? "domain_" : "network_") + key.substr(key.starts_with("port_") ? 5 : 0);
            made.push_back(of_switch(*field_of(switch_fields(), number.key), key,
                                     domain ? number.of_domain : number.of_network, domain));
        }
    }
    return made;
}

/// Numbers that files, checks and sentences know, and that may be more than one.
bool editable(const FieldRow& row) {
    const bool number =
        row.kind == FieldKind::quantity || (row.kind == FieldKind::whole && row.least < row.most);
    return row.sourced && number;
}

const Field<TorusLinks>& link_bandwidth_row() {
    return link_fields().back();
}

double as_double(const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

/// So many times a number: of whole ones whole again, of bytes the nearest.
Result<FieldValue> times(const Field<Machine>& number, const FieldValue& base, double factor) {
    const double product = as_double(base) * factor;
    const std::string words = say("{0} of {1}", factor_text(factor), text(number, base));
    if (as_double(base) == 0.0) {
        return refuse(
            say("The {} has no factor: it is {}. Expected a value.", said(number.name), text(number, base)));
    }
    if (!std::isfinite(product)) {
        return refuse(
            say("The {} is too large with {}; expected a smaller factor.", number.name, factor_text(factor)));
    }
    if (number.kind == FieldKind::quantity) {
        return FieldValue(factor == 1.0 ? as_double(base) : product);
    }
    const double rounded = std::round(product);
    if ((number.unit.empty() && std::abs(product - rounded) > 1e-9 * product) || rounded > 0x1p62) {
        return refuse(say("The {} is a whole number, and {} is {:.7g}; expected another factor.", number.name,
                          words, product));
    }
    return FieldValue(static_cast<std::int64_t>(rounded));
}

/// "x 0.5" where that is short and exact; else the value.
std::string change_text(const Field<Machine>& number, const FieldValue& before, const FieldValue& now) {
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

void said_once(std::string& words, std::string_view suffix) {
    words += words.ends_with(suffix) ? std::string_view() : suffix;
}

/// The edits of all axes as one, where they are alike.
void join_axes(std::vector<EditedNumber>& all, const Machine& hardware) {
    const auto axes = static_cast<std::size_t>(hardware.network.torus_axes());
    const auto of_links = [](const EditedNumber& one) { return one.key.ends_with(link_bandwidth_row().key); };
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

/// The numbers that differ from the preset's.
std::vector<EditedNumber> edits_from(const Machine& preset, const Machine& hardware) {
    std::vector<EditedNumber> all;
    Machine copy = hardware;
    for (const Field<Machine>& number : machine_numbers()) {
        if (!number.applies(hardware) || !number.applies(preset)) {
            continue;
        }
        const FieldValue now = number.get(hardware);
        const FieldValue theirs = number.get(preset);
        if (now != theirs) {
            all.push_back({number.key, number.name, text(number, now), text(number, theirs),
                           change_text(number, theirs, now), as_double(now), as_double(theirs),
                           number.source(copy)});
        }
    }
    join_axes(all, hardware);
    return all;
}

/// What name and title say of the numbers that differ from the preset's.
struct SaidOfEdits {
    std::string_view of_name;
    std::string of_title;
};
SaidOfEdits said_of_edits(const Machine& preset, const Machine& hardware) {
    const InEnglish in_files;
    const std::vector<EditedNumber> all = edits_from(preset, hardware);
    return all.empty() ? SaidOfEdits() : SaidOfEdits{name_suffix, ", " + text(all)};
}

void take_off(std::string& words, std::string_view suffix) {
    words.resize(words.size() - (words.ends_with(suffix) ? suffix.size() : 0));
}

} // namespace

const std::vector<Field<Machine>>& machine_numbers() {
    static const std::vector<Field<Machine>> numbers = [] {
        std::vector<Field<Machine>> made;
        std::ranges::copy_if(machine_fields(), std::back_inserter(made), editable);
        std::ranges::move(switch_numbers(), std::back_inserter(made));
        for (int axis = 0; axis < Network::most_torus_axes; ++axis) {
            made.push_back(of_axis(link_bandwidth_row(), axis));
        }
        return made;
    }();
    return numbers;
}

const Field<Machine>& machine_number(std::string_view key) {
    const Field<Machine>* number = field_of(machine_numbers(), key);
    assert(number != nullptr && "a key of hardware_fields()");
    return *number;
}

const Field<Machine>& link_number(int axis) {
    return machine_numbers()[machine_numbers().size() -
                             static_cast<std::size_t>(Network::most_torus_axes - axis)];
}

bool same_numbers(const Machine& one, const Machine& other) {
    return std::ranges::all_of(machine_numbers(), [&](const Field<Machine>& number) {
        return number.applies(one) == number.applies(other) &&
               (!number.applies(one) || number.get(one) == number.get(other));
    });
}

std::optional<Machine> origin(const Machine& hardware) {
    const bool said = !hardware.based_on.empty();
    Result<Machine> preset = machine_preset(said ? hardware.based_on : hardware.name);
    return preset && (said || same_numbers(*preset, hardware)) ? std::optional(*std::move(preset))
                                                               : std::nullopt;
}

Machine told_apart(Machine hardware) {
    const Result<Machine> preset = machine_preset(hardware.name);
    if (!hardware.based_on.empty() || !preset) {
        return hardware;
    }
    // Older files say nothing of the network that joins pods.
    const bool other = std::ranges::any_of(machine_numbers(), [&](const Field<Machine>& number) {
        return number.applies(*preset) && number.applies(hardware) &&
               number.get(*preset) != number.get(hardware);
    });
    if (!other) {
        return hardware;
    }
    hardware.based_on = hardware.name;
    const SaidOfEdits said = said_of_edits(*origin(hardware), hardware);
    hardware.name += name_suffix;
    hardware.title += said.of_title.empty() ? std::string(title_suffix) : said.of_title;
    return hardware;
}

std::string short_title(const Machine& hardware) {
    const std::optional<Machine> preset = origin(hardware);
    return !preset || preset->title == hardware.title ? hardware.title : preset->title + " (edited)";
}

Result<void> edit(Machine& hardware, const Field<Machine>& number, const FieldValue& value) {
    const std::optional<Machine> preset = origin(hardware);
    if (const std::string missing = number.objection ? number.objection(hardware) : std::string();
        !missing.empty()) {
        return refuse(say("There is no {}: {}", number.name, missing));
    }
    const bool comparable = preset && number.applies(*preset);
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
    const SaidOfEdits said = preset ? said_of_edits(*preset, hardware) : SaidOfEdits();
    Result<void> taken = number.set(hardware, next);
    if (taken && number.check) {
        taken = number.check(hardware);
    }
    if (!taken) {
        static_cast<void>(number.set(hardware, before));
        drop_unknown_stores(hardware);
        return taken;
    }
    next = number.get(hardware); // to the picosecond
    std::string& source = number.source(hardware);
    if (comparable) {
        Machine copy = *preset;
        const FieldValue theirs = number.get(copy);
        source = next == theirs ? number.source(copy)
                                : fmt::format("{}{} has {}: {}", edited, preset->title, text(number, theirs),
                                              number.source(copy));
    } else if (next != before && !source.starts_with(edited)) {
        source = fmt::format("{}{}: {}", edited_from, text(number, before), source);
    }
    if (preset) {
        take_off(hardware.name, said.of_name);
        take_off(hardware.title, said.of_title);
        const SaidOfEdits now = said_of_edits(*preset, hardware);
        const bool is_preset = hardware.name == preset->name && now.of_name.empty();
        hardware.based_on = is_preset ? std::string() : preset->name;
        hardware.name += now.of_name;
        hardware.title += now.of_title;
    } else if (next != before) {
        said_once(hardware.name, name_suffix);
        said_once(hardware.title, title_suffix);
    }
    drop_unknown_stores(hardware);
    return {};
}

std::string text(const std::vector<EditedNumber>& edits) {
    std::vector<std::string> words;
    for (const EditedNumber& one : edits) {
        if (words.size() == most_named) {
            words.push_back(say("{} more edited", edits.size() - most_named));
            break;
        }
        words.push_back(fmt::format("{} {}", said(one.name), one.change));
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

std::vector<EditedNumber> edits(const Machine& hardware) {
    const std::optional<Machine> preset = origin(hardware);
    return preset ? edits_from(*preset, hardware) : std::vector<EditedNumber>();
}

std::vector<EditedNumber> edits_of_no_preset(const Machine& hardware) {
    std::vector<EditedNumber> all;
    if (origin(hardware)) {
        return all;
    }
    Machine copy = hardware;
    for (const Field<Machine>& number : machine_numbers()) {
        if (!number.applies(hardware)) {
            continue;
        }
        const std::string& source = number.source(copy);
        if (source.starts_with(edited_from)) {
            const std::string before =
                source.substr(edited_from.size(), source.find(": ") - edited_from.size());
            const FieldValue now = number.get(hardware);
            all.push_back({number.key, number.name, text(number, now), before, text(number, now),
                           as_double(now), parse_quantity(before, number.unit).value_or(0.0), source, false});
        }
    }
    join_axes(all, hardware);
    return all;
}

Result<void> edit_alike(Machine& hardware, const Machine& edited) {
    if (!edits_of_no_preset(edited).empty()) {
        return refuse(
            say("The edits of {} are of no preset and cannot be made on other hardware.", edited.title));
    }
    for (const EditedNumber& one : edits(edited)) {
        const Field<Machine>* own = field_of(machine_numbers(), one.key);
        const int axes =
            own != nullptr ? 1 : std::max(1, hardware.network.torus_axes()); // those of all links
        for (int axis = 0; axis < axes; ++axis) {
            const Field<Machine>& number = own != nullptr ? *own : link_number(axis);
            const FieldValue value = (own != nullptr ? *own : link_number(0)).get(edited);
            const Result<double> factor = parse_factor(one.change);
            const Result<void> done = edit(hardware, number, factor ? FieldValue(Factor{*factor}) : value);
            if (!done) {
                return done;
            }
        }
    }
    return {};
}

} // namespace meshslice
