#include "core/search/vary.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/machine/catalogue.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace meshslice {
namespace {

std::string_view without_spaces(std::string_view words) {
    const auto first = words.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : words.substr(first, words.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> split(std::string_view words, char sign) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0;;) {
        const std::size_t to = std::min(words.find(sign, from), words.size());
        parts.push_back(without_spaces(words.substr(from, to - from)));
        if (to == words.size()) {
            return parts;
        }
        from = to + 1;
    }
}

/// A number, or a factor, as a number.
std::optional<double> as_number(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* quantity = std::get_if<double>(&value)) {
        return *quantity;
    }
    const auto* factor = std::get_if<Factor>(&value);
    return factor != nullptr ? std::optional(factor->times) : std::nullopt;
}

/// The number as a value of the same kind as another.
FieldValue like(const FieldValue& other, double number) {
    if (std::holds_alternative<std::int64_t>(other)) {
        return static_cast<std::int64_t>(std::llround(number));
    }
    return std::holds_alternative<Factor>(other) ? FieldValue(Factor{number}) : FieldValue(number);
}

/// "5 GB/s", "5 us": the number in the unit that the field usually has.
std::string in_usual_unit(const FieldRow& row, std::string_view number) {
    return fmt::format("{} {}", number, row.form_unit.empty() ? "G" + row.unit : row.form_unit);
}

/// What leads from one value of a range to the next.
struct Stride {
    bool multiplies = false;
    double by = 1.0;
};

Result<Stride> parse_stride(const FieldRow& row, const FieldValue& first, std::string_view words) {
    if (is_factor(words)) {
        return parse_factor(words).and_then([&](double by) -> Result<Stride> {
            return by > 1.0
                       ? Result<Stride>(Stride{true, by})
                       : refuse(say("the step {} never reaches the end; expected one above x1, such as x2",
                                    shortened(words)));
        });
    }
    const bool factor = std::holds_alternative<Factor>(first);
    const bool with_unit = !factor && row.kind == FieldKind::quantity && !row.unit.empty();
    const std::string examples = with_unit ? "x2 or +" + in_usual_unit(row, "5") : "x2 or +8";
    if (words.empty()) {
        return refuse(say("the range has no step; expected one such as {} after it, as in :x2", examples));
    }
    const std::string_view number = words.substr(words.starts_with('+') ? 1 : 0);
    const Result<double> by =
        row.kind == FieldKind::whole
            ? parse_count(number).map([](std::int64_t n) { return static_cast<double>(n); })
            : parse_quantity(number, factor ? std::string() : row.unit);
    const bool bare = with_unit && parse_quantity(number, "").has_value();
    if (!words.starts_with('+') || !by || bare) {
        return refuse(say("the step is \"{}\"; expected one such as {}", shortened(words), examples));
    }
    return *by > 0.0
               ? Result<Stride>(Stride{false, *by})
               : refuse(say("the step {} never reaches the end; expected one above 0", shortened(words)));
}

/// A factor without its sign is one that somebody means.
constexpr double most_bare_factor = 16.0;

bool has_unit(const FieldRow& row) {
    return row.kind == FieldKind::quantity && !row.unit.empty();
}

/// Who takes the values, as sentences begin, and whether one of them has a unit.
struct Taker {
    std::string_view who;
    const ReadFile& read_file;
    bool units = false;
};

/// A range without a step goes through its numbers one by one, where they are so few.
constexpr double most_one_by_one = 16;

/// One value of the list. A number without a unit is a factor where the row takes them and no other value has
/// a unit, or 0.
Result<FieldValue> parse_item(const FieldRow& row, std::string_view words, const Taker& taker) {
    if (row.kind == FieldKind::part && taker.read_file && looks_like_a_file(words)) {
        const std::string path(words);
        return taker.read_file(path).map([&](std::string text) {
            return FieldValue(JsonPart{std::move(text), path});
        });
    }
    const Result<double> bare = parse_quantity(words, "");
    if (!has_unit(row) || !bare || *bare == 0.0) {
        return parse(row, words, taker.who);
    }
    const bool usual = *bare >= 1.0 / most_bare_factor && *bare <= most_bare_factor;
    if (row.factors && usual && !taker.units) {
        return FieldValue(Factor{*bare});
    }
    const std::string shown = shortened(words);
    return refuse(say("{} is \"{}\", which needs a unit{}, such as \"{}\"{}.", taker.who, shown,
                      row.factors && usual ? said(" because another value has one") : std::string(),
                      in_usual_unit(row, shown),
                      row.factors ? say(", or a factor, such as \"x {}\"", shown) : std::string()));
}

/// Whether one of the values or the ends of ranges is a quantity with its unit.
bool names_unit(const FieldRow& row, const std::vector<std::string_view>& items) {
    return has_unit(row) && std::ranges::any_of(items, [&](std::string_view item) {
               return std::ranges::any_of(split(item, ':'), [&](std::string_view words) {
                   return !is_factor(words) && words != row.word && parse_quantity(words, row.unit) &&
                          !parse_quantity(words, "");
               });
           });
}

Error too_many(std::string_view who) {
    return {say("{} takes at most {} values.", who, most_values)};
}

/// "8:512:x2".
Result<std::vector<FieldValue>> parse_range(const FieldRow& row, const std::vector<std::string_view>& parts,
                                            const Taker& taker) {
    const std::string_view who = taker.who;
    const Result<FieldValue> first = parse_item(row, parts[0], taker);
    const Result<FieldValue> last = parse_item(row, parts[1], taker);
    if (!first || !last) {
        return refuse(!first ? first.error() : last.error());
    }
    const std::optional<double> from = as_number(*first);
    const std::optional<double> to = as_number(*last);
    if (!from || !to || first->index() != last->index()) {
        return refuse(say("{}: a range goes from a number to another of its kind; "
                          "\"{}\" to \"{}\" does not.",
                          who, shortened(parts[0]), shortened(parts[1])));
    }
    const bool one_by_one = row.kind == FieldKind::whole && *to - *from < most_one_by_one;
    const std::string_view words = parts.size() > 2 ? parts[2]
                                   : one_by_one     ? std::string_view("+1")
                                                    : std::string_view();
    const Result<Stride> stride = parse_stride(row, *first, words);
    if (!stride) {
        return refuse(fmt::format("{}: {}.", who, stride.error().sentence));
    }
    if (*from > *to) {
        return refuse(say("{}: the range from {} to {} is empty; a range goes upwards.", who,
                          shortened(parts[0]), shortened(parts[1])));
    }
    if (stride->multiplies && *from <= 0.0) {
        return refuse(say("{}: the range begins at {}, and {} times that is the same; expected a first value "
                          "above 0, or a step such as +8.",
                          who, shortened(parts[0]), stride->by));
    }
    std::vector<FieldValue> values;
    const double rounding = 1e-9 * std::abs(*to);
    for (std::size_t k = 0; k <= most_values; ++k) { // Each from the first, so that rounding does not add up.
        const auto steps = static_cast<double>(k);
        const double value =
            stride->multiplies ? *from * std::pow(stride->by, steps) : *from + steps * stride->by;
        if (value > *to + rounding) {
            return values;
        }
        FieldValue next = like(*first, value);
        if (values.empty() || values.back() != next) {
            values.push_back(std::move(next));
        }
    }
    return values.size() > most_values
               ? Result<std::vector<FieldValue>>(refuse(too_many(who)))
               : refuse(say("{}: the step {} is too small: it gives the same value again.", who, words));
}

Result<std::vector<FieldValue>> parse_list(const FieldRow& row, const std::vector<std::string_view>& items,
                                           std::string_view who, const ReadFile& read_file) {
    const Taker taker{who, read_file, names_unit(row, items)};
    const bool colons = row.pattern.find(':') != std::string::npos; // "interleaved:12"
    std::vector<FieldValue> values;
    for (const std::string_view item : items) {
        const std::vector<std::string_view> range = colons ? std::vector{item} : split(item, ':');
        if (range.size() > 3) {
            return refuse(say("{}: \"{}\" has too many colons; expected a range such as 8:512:x2.", who,
                              shortened(item)));
        }
        if (range.size() > 1) {
            auto part = parse_range(row, range, taker);
            if (!part) {
                return refuse(part.error());
            }
            std::ranges::move(*part, std::back_inserter(values));
            continue;
        }
        Result<FieldValue> value = parse_item(row, item, taker);
        if (!value) {
            return refuse(value.error());
        }
        values.push_back(*std::move(value));
    }
    return values;
}

/// A preset that there is, for example.
Result<void> can_be_set(const Field<Scenario>& field, const std::vector<FieldValue>& values) {
    for (const FieldValue& value : values) {
        Scenario scenario = default_scenario();
        if (const Result<void> set = field.set(scenario, value); !set) {
            return set;
        }
    }
    return {};
}

/// The digits of a quantity or a factor in a table.
constexpr int usual_digits = 3;
constexpr int most_digits = 15;

std::string with_digits(const FieldRow& row, const FieldValue& value, int digits) {
    if (const auto* factor = std::get_if<Factor>(&value)) {
        return fmt::format("x {:.{}g}", factor->times, digits + 1);
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        const auto choice = std::ranges::find(row.choices, *word, &FieldChoice::word);
        if (choice != row.choices.end() && !choice->label.empty()) {
            return choice->label;
        }
        const std::string title = row.key == "hardware" ? preset_title(*word) : std::string();
        return title.empty() ? *word : title;
    }
    const auto* quantity = std::get_if<double>(&value);
    return quantity != nullptr && !row.unit.empty() ? si_text(*quantity, row.unit, digits) : text(row, value);
}

/// "500 ns", as it is typed.
std::string typed(double quantity, std::string_view unit) {
    constexpr std::array<std::pair<double, std::string_view>, 9> prefixes = {{{1e15, "P"},
                                                                              {1e12, "T"},
                                                                              {1e9, "G"},
                                                                              {1e6, "M"},
                                                                              {1e3, "k"},
                                                                              {1, ""},
                                                                              {1e-3, "m"},
                                                                              {1e-6, "u"},
                                                                              {1e-9, "n"}}};
    for (const auto& [factor, prefix] : prefixes) {
        if (quantity >= factor * 0.9999999) {
            return fmt::format("{:.6g} {}{}", quantity / factor, prefix, unit);
        }
    }
    return fmt::format("{:.6g} p{}", quantity / 1e-12, unit);
}

} // namespace

bool can_vary(const FieldRow& row) {
    const bool lists = row.kind == FieldKind::flag_list || row.kind == FieldKind::text_list;
    return !lists && !row.flag.empty();
}

Result<Vary> parse_values(const FieldRow& row, std::string_view words, std::string_view who,
                          const ReadFile& read_file) {
    const std::string_view taker = who.empty() ? std::string_view(row.flag) : who;
    auto values = parse_list(row, split(words, ','), taker, read_file);
    if (!values) {
        return refuse(values.error());
    }
    return values->size() > most_values ? Result<Vary>(refuse(too_many(taker)))
                                        : Result<Vary>(Vary{row.key, *std::move(values)});
}

Result<Vary> parse_values(const Field<Scenario>& field, std::string_view words, std::string_view who,
                          const ReadFile& read_file) {
    Result<Vary> vary = parse_values(static_cast<const FieldRow&>(field), words, who, read_file);
    if (vary && field.kind == FieldKind::part) {
        if (const Result<void> known = can_be_set(field, vary->values); !known) {
            return refuse(known.error());
        }
    }
    return vary;
}

Result<std::pair<std::string_view, std::string_view>> name_and_values(std::string_view words) {
    const std::size_t sign = words.find('=');
    if (sign == std::string_view::npos) {
        return refuse(
            say("\"{}\" has no values; expected NAME=VALUES, such as batch=8:512:x2 or links=x0.5,x1,x2.",
                shortened(words)));
    }
    return std::pair(without_spaces(words.substr(0, sign)), words.substr(sign + 1));
}

bool is_called(const FieldRow& row, std::string_view name) {
    const auto same = [&](std::string_view own) {
        return std::ranges::equal(own, name, [](char x, char y) {
            return x == y || ((x == '-' || x == '_') && (y == '-' || y == '_'));
        });
    };
    return same(row.key) || (row.flag.starts_with("--") && same(std::string_view(row.flag).substr(2)));
}

bool takes_factors(const Field<Scenario>& field, const Scenario& scenario) {
    Scenario preset = scenario;
    return field.factors && (!field.applies(scenario) || field.set(preset, Factor{1.0}).has_value());
}

std::string nothing_to_vary(const Field<Scenario>& field, const Scenario& scenario) {
    if (const std::string why = field.objection ? field.objection(scenario) : std::string(); !why.empty()) {
        return why;
    }
    // 0 s is a time like any other; a 0 of anything else says that it is not known.
    const bool unknown = field.factors && field.unit != "s" && as_number(field.get(scenario)) == 0.0 &&
                         !takes_factors(field, scenario);
    return unknown ? say("The hardware says nothing about the {}; there are no values around it.", field.name)
                   : std::string();
}

std::string suggested_values(const Field<Scenario>& field, const Scenario& scenario) {
    if (takes_factors(field, scenario)) {
        return "x 0.25:x 4:x 2";
    }
    const FieldValue value = field.get(scenario);
    std::vector<std::string> words;
    if (field.key == "mesh") {
        for (const MeshChoice& choice : mesh_choices(scenario)) {
            words.push_back(fmt::format("{}", fmt::join(choice.mesh, "x")));
        }
        return fmt::format("{}", fmt::join(words, ", "));
    }
    if (field.kind == FieldKind::flag) {
        return "off, on";
    }
    if (field.kind == FieldKind::choice || field.kind == FieldKind::part || field.kind == FieldKind::text) {
        if (!field.word.empty()) {
            words.push_back(field.word);
        }
        for (const FieldChoice& choice : field.choices) {
            words.push_back(choice.word);
        }
        return fmt::format("{}", fmt::join(words, ", "));
    }
    if (const auto* quantity = std::get_if<double>(&value); quantity != nullptr && !field.unit.empty()) {
        const double base = *quantity > 0.0 ? *quantity : 1e-6;
        return fmt::format("{}, {}, {}", typed(base / 2, field.unit), typed(base, field.unit),
                           typed(base * 2, field.unit));
    }
    if (field.kind == FieldKind::quantity && has_unit(field)) {
        return values_form(field); // nothing around its word
    }
    if (field.kind == FieldKind::quantity && !field.factors) {
        const std::string form = values_form(field);
        return form.substr(0, form.find(" or "));
    }
    const auto* whole = std::get_if<std::int64_t>(&value);
    const std::int64_t now = std::max<std::int64_t>(whole != nullptr                ? *whole
                                                    : field.key == "planning.chips" ? scenario.chips()
                                                                                    : 8,
                                                    1);
    const std::int64_t from = std::max(field.least, now / 8);
    const std::int64_t to = std::min(field.most, now * 4);
    return fmt::format("{}:{}:x2", std::max<std::int64_t>(from, 1), to);
}

std::string values_form(const Field<Scenario>& field) {
    if (field.key == "mesh") {
        return "4x4, 8x8, 16x16";
    }
    if (has_unit(field)) {
        const std::string list =
            fmt::format("{}, {}", in_usual_unit(field, "10"), in_usual_unit(field, "20"));
        return field.factors ? "x 0.25:x 4:x 2 or " + list : list;
    }
    switch (field.kind) {
    case FieldKind::whole: return "8:512:x2 or 8, 16, 32";
    case FieldKind::quantity:
        return field.factors       ? "x 0.25:x 4:x 2 or 0.5, 1"
               : field.lowest >= 1 ? "1:4:x2 or 1, 2"
                                   : "0.25:1:x2 or 0.5, 1";
    case FieldKind::flag: return "off, on";
    default: {
        std::vector<std::string> words;
        for (const FieldChoice& choice : field.choices) {
            if (words.size() < 2) {
                words.push_back(choice.word);
            }
        }
        return fmt::format("{}", fmt::join(words, ", "));
    }
    }
}

std::optional<std::vector<double>> value_numbers(const Vary& vary) {
    std::vector<double> numbers;
    for (const FieldValue& value : vary.values) {
        const std::optional<double> number = as_number(value);
        if (!number || value.index() != vary.values.front().index()) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

bool are_multiplied(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() < 3 || numbers.front() <= 0.0) {
        return false;
    }
    // How much longer the longest distance is than the shortest.
    const auto uneven = [&](auto distance) {
        double least = distance(numbers[0], numbers[1]);
        double most = least;
        for (std::size_t k = 1; k < numbers.size(); ++k) {
            least = std::min(least, distance(numbers[k - 1], numbers[k]));
            most = std::max(most, distance(numbers[k - 1], numbers[k]));
        }
        return most / least;
    };
    return uneven([](double a, double b) { return std::log(b / a); }) <
           uneven([](double a, double b) { return b - a; });
}

std::vector<std::string> value_words(const FieldRow& row, const std::vector<FieldValue>& values) {
    const auto written = [&](int digits) {
        std::vector<std::string> words;
        for (const FieldValue& value : values) {
            words.push_back(with_digits(row, value, digits));
        }
        return words;
    };
    const auto different = [](const std::vector<std::string>& words) {
        return std::set<std::string>(words.begin(), words.end()).size();
    };
    const std::size_t all = different(written(most_digits));
    int digits = usual_digits;
    while (digits < most_digits && different(written(digits)) < all) {
        ++digits;
    }
    return written(digits);
}

} // namespace meshslice
