#include "core/search/vary.h"

#include "core/base/listing.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
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

/// What leads from one value of a range to the next.
struct Stride {
    bool multiplies = false;
    double by = 1.0;
};

Result<Stride> parse_stride(const FieldRow& row, const FieldValue& first, std::string_view words,
                            double bare) {
    if (is_factor(words)) {
        return parse_factor(words).and_then([&](double by) -> Result<Stride> {
            return by > 1.0 ? Result<Stride>(Stride{true, by})
                            : refuse(fmt::format("the step {} leads nowhere; one such as x2 was expected",
                                                 shortened(words)));
        });
    }
    if (!words.starts_with('+')) {
        return refuse(
            fmt::format("the step \"{}\" is none; one such as x2 or +8 was expected", shortened(words)));
    }
    const std::string_view number = words.substr(1);
    const bool factor = std::holds_alternative<Factor>(first);
    const Result<double> by =
        row.kind == FieldKind::whole
            ? parse_count(number).map([](std::int64_t n) { return static_cast<double>(n); })
            : parse_quantity(number, factor ? std::string() : row.unit, factor ? 1.0 : bare);
    if (!by || *by <= 0.0) {
        return refuse(
            fmt::format("the step \"{}\" leads nowhere; one such as +8 was expected", shortened(words)));
    }
    return Stride{false, *by};
}

/// One value; `as_factors`: a factor without its sign.
Result<FieldValue> parse_item(const FieldRow& row, std::string_view words, std::string_view who, double bare,
                              bool as_factors) {
    return parse(row, as_factors ? fmt::format("x{}", words) : std::string(words), who, bare);
}

/// "8:512:x2".
Result<std::vector<FieldValue>> parse_range(const FieldRow& row, const std::vector<std::string_view>& parts,
                                            std::string_view who, double bare, bool as_factors) {
    const Result<FieldValue> first = parse_item(row, parts[0], who, bare, as_factors);
    const Result<FieldValue> last = parse_item(row, parts[1], who, bare, as_factors);
    if (!first || !last) {
        return refuse(!first ? first.error() : last.error());
    }
    const std::optional<double> from = as_number(*first);
    const std::optional<double> to = as_number(*last);
    if (!from || !to || first->index() != last->index()) {
        return refuse(fmt::format("{}: a range goes from a number to another of its kind; "
                                  "\"{}\" to \"{}\" does not.",
                                  who, shortened(parts[0]), shortened(parts[1])));
    }
    const std::string_view words = parts.size() > 2               ? parts[2]
                                   : row.kind == FieldKind::whole ? std::string_view("+1")
                                                                  : std::string_view();
    const Result<Stride> stride = parse_stride(row, *first, words, bare);
    if (!stride) {
        return refuse(fmt::format("{}: {}.", who, stride.error().sentence));
    }
    std::vector<FieldValue> values;
    const double rounding = 1e-9 * std::abs(*to);
    for (int k = 0;; ++k) { // Each from the first, so that rounding does not add up.
        const double value = stride->multiplies ? *from * std::pow(stride->by, k) : *from + k * stride->by;
        if (value > *to + rounding || values.size() > most_values || (value <= 0.0 && stride->multiplies)) {
            break;
        }
        FieldValue next = like(*first, value);
        if (values.empty() || values.back() != next) {
            values.push_back(std::move(next));
        }
    }
    if (values.empty()) {
        return refuse(fmt::format("{}: the range from {} to {} is empty; a range goes upwards.", who,
                                  shortened(parts[0]), shortened(parts[1])));
    }
    return values;
}

Result<std::vector<FieldValue>> parse_list(const FieldRow& row, const std::vector<std::string_view>& items,
                                           std::string_view who, double bare, bool as_factors) {
    std::vector<FieldValue> values;
    for (const std::string_view item : items) {
        const std::vector<std::string_view> range = split(item, ':');
        if (range.size() > 3) {
            return refuse(fmt::format("{}: \"{}\" is no range; one such as 8:512:x2 was expected.", who,
                                      shortened(item)));
        }
        if (range.size() > 1) {
            auto part = parse_range(row, range, who, bare, as_factors);
            if (!part) {
                return refuse(part.error());
            }
            std::ranges::move(*part, std::back_inserter(values));
            continue;
        }
        Result<FieldValue> value = parse_item(row, item, who, bare, as_factors);
        if (!value) {
            return refuse(value.error());
        }
        values.push_back(*std::move(value));
    }
    return values;
}

std::vector<const Field<Scenario>*> called(std::string_view name) {
    const auto same = [](std::string_view a, std::string_view b) {
        return std::ranges::equal(a, b, [](char x, char y) {
            return x == y || ((x == '-' || x == '_') && (y == '-' || y == '_'));
        });
    };
    std::vector<const Field<Scenario>*> fields;
    for (const Field<Scenario>& field : scenario_fields()) {
        const std::string_view flag =
            field.flag.empty() ? std::string_view() : std::string_view(field.flag).substr(2);
        if (can_vary(field) && (same(field.key, name) || (!flag.empty() && same(flag, name)))) {
            fields.push_back(&field);
        }
    }
    return fields;
}

} // namespace

bool can_vary(const FieldRow& row) {
    const bool lists = row.kind == FieldKind::flag_list || row.kind == FieldKind::text_list;
    return !lists && row.kind != FieldKind::text && !row.flag.empty();
}

Result<Vary> parse_values(const Field<Scenario>& field, std::string_view words, double bare) {
    const std::string who = field.flag;
    const std::vector<std::string_view> items = split(words, ',');
    auto values = parse_list(field, items, who, bare, false);
    if (!values && field.factors) { // "0.5,1,2" of a bandwidth
        const bool all_refused = std::ranges::none_of(
            items, [&](std::string_view item) { return parse(field, item, who, bare).has_value(); });
        auto factors = parse_list(field, items, who, bare, true);
        if (all_refused && factors) {
            values = std::move(factors);
        }
    }
    if (!values) {
        return refuse(values.error());
    }
    if (values->size() > most_values) {
        return refuse(
            fmt::format("{} would take more than {} values; fewer were expected.", who, most_values));
    }
    return Vary{field.key, *std::move(values)};
}

Result<Vary> parse_vary(const Scenario& scenario, std::string_view words) {
    const std::size_t sign = words.find('=');
    const std::string_view name = without_spaces(words.substr(0, sign));
    const auto fields = called(name);
    if (fields.empty()) {
        std::vector<std::string> names;
        for (const Field<Scenario>& field : scenario_fields()) {
            if (can_vary(field) && std::ranges::find(names, field.flag.substr(2)) == names.end()) {
                names.push_back(field.flag.substr(2));
            }
        }
        return refuse(
            fmt::format("\"{}\" is no field that can vary; {} can.", shortened(name), listed(names)));
    }
    if (sign == std::string_view::npos) {
        return refuse(
            fmt::format("\"{}\" says no values; NAME=VALUES was expected, such as batch=8:512:x2 or "
                        "links=x0.5,x1,x2.",
                        shortened(words)));
    }
    const auto applying =
        std::ranges::find_if(fields, [&](const Field<Scenario>* field) { return field->applies(scenario); });
    return parse_values(applying == fields.end() ? *fields.front() : **applying, words.substr(sign + 1));
}

std::string suggested_values(const Field<Scenario>& field, const Scenario& scenario) {
    if (field.factors) {
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
    if (field.kind == FieldKind::choice || field.kind == FieldKind::part) {
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
        return fmt::format("{0:.6g} {3}, {1:.6g} {3}, {2:.6g} {3}", base / 2, base, base * 2, field.unit);
    }
    const auto* whole = std::get_if<std::int64_t>(&value);
    const std::int64_t now = whole != nullptr ? std::max<std::int64_t>(*whole, 1) : 8;
    const std::int64_t from = std::max(field.least, now / 8);
    const std::int64_t to = std::min(field.most, now * 4);
    return fmt::format("{}:{}:x2", std::max<std::int64_t>(from, 1), to);
}

std::string value_words(const FieldRow& row, const FieldValue& value) {
    const auto* quantity = std::get_if<double>(&value);
    return quantity != nullptr && !row.unit.empty() ? si_text(*quantity, row.unit) : text(row, value);
}

} // namespace meshslice
