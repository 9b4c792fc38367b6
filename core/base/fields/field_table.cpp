#include "core/base/fields/field_table.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

bool unlimited(const FieldRow& row) {
    return row.most >= std::numeric_limits<std::int64_t>::max() / 2;
}

/// "0.5", "2500".
std::string number(double value) {
    return fmt::format("{:.15g}", value);
}

/// A number of `bare` units that reads back as the quantity to the last digit, as short as that goes: "0.5".
/// Where no number of them does (a change of units may skip a value), one in the unit itself: "3e-08 s".
std::string number_of(double quantity, double bare, std::string_view unit) {
    const double near = quantity / bare;
    for (const double value : {near, std::nextafter(near, 0.0), std::nextafter(near, HUGE_VAL)}) {
        for (const int digits : {15, 16, 17}) {
            const std::string words = fmt::format("{:.{}g}", value, digits);
            if (parse_quantity(words, "", bare) == quantity) {
                return words;
            }
        }
    }
    return fmt::format("{:.17g} {}", quantity, unit);
}

std::string number_expected(const FieldRow& row) {
    if (!row.range.empty()) {
        return row.range;
    }
    if (row.kind == FieldKind::whole) {
        return unlimited(row) ? say("a whole number from {} on", row.least)
                              : say("a whole number from {} to {}", row.least, row.most);
    }
    const auto bound = [&](double value) {
        return row.unit.empty() ? number(value) : si_text(value, row.unit);
    };
    return row.highest == std::numeric_limits<double>::max()
               ? say("at least {}", bound(row.lowest))
               : say("{} to {}", bound(row.lowest), bound(row.highest));
}

bool within(const FieldRow& row, std::int64_t value) {
    return value >= row.least && value <= row.most;
}

bool holds(const FieldRow& row, const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        return !row.word.empty();
    }
    if (const auto* factor = std::get_if<Factor>(&value)) {
        return row.factors && factor->times > 0.0;
    }
    switch (row.kind) {
    case FieldKind::whole: {
        if (const auto* sides = std::get_if<std::vector<std::int64_t>>(&value)) {
            return row.sides && sides->size() == 2 && (*sides)[0] >= 1 && (*sides)[1] >= 1 &&
                   (*sides)[0] <= row.most / (*sides)[1] && within(row, (*sides)[0] * (*sides)[1]);
        }
        const auto* whole = std::get_if<std::int64_t>(&value);
        return whole != nullptr && within(row, *whole);
    }
    case FieldKind::quantity: {
        const auto* quantity = std::get_if<double>(&value);
        return quantity != nullptr && *quantity >= row.lowest && *quantity <= row.highest;
    }
    case FieldKind::choice: {
        const auto* word = std::get_if<std::string>(&value);
        return word != nullptr &&
               (std::ranges::find(row.choices, *word, &FieldChoice::word) != row.choices.end() ||
                std::ranges::find(row.accepted, *word) != row.accepted.end());
    }
    case FieldKind::text: return std::holds_alternative<std::string>(value);
    case FieldKind::flag: return std::holds_alternative<bool>(value);
    case FieldKind::whole_list: {
        const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
        return list != nullptr &&
               std::ranges::all_of(*list, [&](std::int64_t one) { return within(row, one); });
    }
    case FieldKind::flag_list: return std::holds_alternative<std::vector<bool>>(value);
    case FieldKind::text_list: return std::holds_alternative<std::vector<std::string>>(value);
    case FieldKind::part:
        return std::holds_alternative<std::string>(value) || std::holds_alternative<JsonPart>(value);
    }
    return false;
}

tl::unexpected<Error> wrong(const FieldRow& row, std::string_view who, std::string_view words) {
    return refuse(row.example.empty()
                      ? say("{} is \"{}\"; expected {}.", who, shortened(words), expectation(row))
                      : say("{} is \"{}\"; expected {}, such as {}.", who, shortened(words), expectation(row),
                            row.example));
}

/// "a; b", as text() writes them.
std::vector<std::string> texts_of(std::string_view words) {
    std::vector<std::string> texts;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(';'), words.size());
        const std::string_view one = words.substr(0, end);
        const std::size_t first = std::min(one.find_first_not_of(' '), one.size());
        texts.emplace_back(one.substr(first));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return texts;
}

Result<FieldValue> parse_by_kind(const FieldRow& row, std::string_view words, std::string_view who,
                                 double bare) {
    switch (row.kind) {
    case FieldKind::whole: {
        if (const std::size_t cross = words.find('x'); row.sides && cross != std::string_view::npos) {
            const Result<std::int64_t> first = parse_whole(words.substr(0, cross)),
                                       second = parse_whole(words.substr(cross + 1));
            const FieldValue both = std::vector{first.value_or(0), second.value_or(0)};
            return holds(row, both) ? Result<FieldValue>(both) : wrong(row, who, words);
        }
        const Result<std::int64_t> whole =
            parse_count(words, row.unit == "B" ? Billions::refused : Billions::taken);
        return whole && within(row, *whole) ? Result<FieldValue>(*whole) : wrong(row, who, words);
    }
    case FieldKind::quantity: {
        const bool percent = row.unit.empty() && words.ends_with('%');
        const Result<double> quantity = percent ? parse_quantity(words.substr(0, words.size() - 1), "", 0.01)
                                                : parse_quantity(words, row.unit, bare);
        if (!quantity && !row.example.empty()) {
            return wrong(row, who, words);
        }
        if (!quantity) {
            std::string sentence = quantity.error().sentence;
            if (row.factors && sentence.ends_with(said("."))) {
                sentence.resize(sentence.size() - said(".").size());
                sentence = say("{}, or a factor such as x 0.5.", sentence);
            }
            return refuse(std::string(who) + said(": ") + sentence);
        }
        return holds(row, *quantity) ? Result<FieldValue>(*quantity) : wrong(row, who, words);
    }
    case FieldKind::flag:
        if (words != "on" && words != "off") {
            return wrong(row, who, words);
        }
        return FieldValue(words == "on");
    case FieldKind::choice: {
        const FieldValue word{std::string(words)};
        return holds(row, word) ? Result<FieldValue>(word) : wrong(row, who, words);
    }
    case FieldKind::text:
    case FieldKind::part: return FieldValue(std::string(words));
    case FieldKind::text_list: return texts_of(words);
    case FieldKind::whole_list:
    case FieldKind::flag_list: break;
    }
    return wrong(row, who, words); // lists have a text form of their own
}

} // namespace

std::string expectation(const FieldRow& row) {
    std::vector<std::string> options;
    const bool phrase = row.word.find(' ') != std::string::npos; // quoted and last, as it is read in a list
    if (!row.word.empty() && !phrase) {
        options.push_back(row.word);
    }
    switch (row.kind) {
    case FieldKind::whole:
    case FieldKind::quantity:
        options.push_back(number_expected(row));
        if (row.sides) {
            options.push_back(said("two sides such as 4x8"));
        }
        break;
    case FieldKind::choice:
        for (const FieldChoice& choice : row.choices) {
            options.push_back(choice.word);
        }
        break;
    case FieldKind::text: options.push_back(said("a text")); break;
    case FieldKind::flag: return said("on or off");
    case FieldKind::whole_list: return say("a list of whole numbers from {} to {}", row.least, row.most);
    case FieldKind::flag_list: return said("a list of true and false");
    case FieldKind::text_list: return said("a list of short texts");
    case FieldKind::part: return said("a name or an object {...}");
    }
    if (row.factors) {
        options.push_back(said("a factor of the preset's such as x 0.5"));
    }
    if (phrase) {
        options.push_back(fmt::format("\"{}\"", row.word));
    }
    return listed(options, "or");
}

Result<void> fits(const FieldRow& row, const FieldValue& value) {
    if (holds(row, value)) {
        return {};
    }
    const std::string quotes = row.kind == FieldKind::choice ? "\"" : "";
    return refuse(say("The {} is {}{}{}; expected {}.", said(row.name), quotes, shortened(text(row, value)),
                      quotes, expectation(row)));
}

Result<FieldValue> parse(const FieldRow& row, std::string_view words, std::string_view who, double bare) {
    if (!row.word.empty() && words == row.word) {
        return FieldValue();
    }
    if (row.factors && is_factor(words)) {
        const Result<double> times = parse_factor(words);
        return times ? Result<FieldValue>(Factor{*times})
                     : refuse(std::string(who) + said(": ") + times.error().sentence);
    }
    return row.from_text ? row.from_text(words) : parse_by_kind(row, words, who, bare);
}

Result<FieldValue> multiplied(const FieldRow& row, const FieldValue& now, double factor,
                              std::string_view who) {
    const auto* whole = std::get_if<std::int64_t>(&now);
    const auto* quantity = std::get_if<double>(&now);
    if (whole == nullptr && quantity == nullptr) {
        return refuse(
            say("{} is {}, which has no multiple; expected {}.", who, text(row, now), expectation(row)));
    }
    const double product = factor * (whole != nullptr ? static_cast<double>(*whole) : *quantity);
    constexpr double most_exact = 0x1p53;
    const bool right = whole == nullptr || (product == std::round(product) && product <= most_exact);
    FieldValue value = product;
    if (whole != nullptr && right) {
        value = static_cast<std::int64_t>(product);
    }
    if (!right || !holds(row, value)) {
        return refuse(say("{} would be {}; expected {}.", who, number(product), expectation(row)));
    }
    return value;
}

std::string text(const FieldRow& row, const FieldValue& value, double bare) {
    if (std::holds_alternative<std::monostate>(value)) {
        return row.word;
    }
    if (row.to_text) {
        return row.to_text(value);
    }
    struct Words {
        const FieldRow& row;
        double bare;
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(bool on) const { return on ? "on" : "off"; }
        std::string operator()(std::int64_t whole) const { return fmt::format("{}", whole); }
        std::string operator()(double quantity) const { return number_of(quantity, bare, row.unit); }
        std::string operator()(const std::string& words) const { return words; }
        std::string operator()(const std::vector<std::int64_t>& list) const {
            return fmt::format("{}", fmt::join(list, row.sides ? "x" : ", "));
        }
        std::string operator()(const std::vector<bool>& list) const {
            return fmt::format("{}", fmt::join(list, ", "));
        }
        std::string operator()(const std::vector<std::string>& list) const {
            return fmt::format("{}", fmt::join(list, "; "));
        }
        std::string operator()(const JsonPart& part) const { return part.origin; }
        std::string operator()(Factor factor) const { return factor_text(factor.times); }
    };
    return std::visit(Words{row, bare}, value);
}

} // namespace meshslice
