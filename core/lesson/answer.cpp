#include "core/lesson/answer.h"

#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace meshslice {
namespace {

constexpr std::string_view times_sign = "\u00d7";

std::string_view without_spaces(std::string_view words) {
    const std::size_t begin = words.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view()
                                           : words.substr(begin, words.find_last_not_of(" \t") - begin + 1);
}

/// Without these letters at its beginning or end.
std::string_view without(std::string_view words, std::string_view letters) {
    if (words.starts_with(letters)) {
        words.remove_prefix(letters.size());
    } else if (words.ends_with(letters)) {
        words.remove_suffix(letters.size());
    }
    return without_spaces(words);
}

/// Counts, of which a bare number can only be one thing.
bool is_count(std::string_view unit) {
    return unit == "B" || unit == "FLOP" || unit == "FLOP/B";
}

/// "8 copies": a number, and what is counted, in a word of small letters that is not a unit ("ms").
std::string_view without_noun(std::string_view words) {
    const std::size_t space = words.find_last_of(" \t");
    constexpr std::size_t shortest_noun = 4; // rows, hops
    const bool noun =
        space != std::string_view::npos && words.size() - space > shortest_noun &&
        std::ranges::all_of(words.substr(space + 1), [](unsigned char c) { return std::islower(c) != 0; });
    return noun ? without_spaces(words.substr(0, space)) : words;
}

/// "2 GFLOPs" and "16 Mbytes" with the units as they are read.
std::string in_units(std::string_view words, std::string_view unit) {
    constexpr std::array<std::array<std::string_view, 3>, 4> said = {
        {{"FLOP", "FLOPs", "FLOP"}, {"FLOP", "FLOPS", "FLOP"}, {"B", "bytes", "B"}, {"B", "byte", "B"}}};
    for (const auto& [of, ends, read] : said) {
        if (unit == of && words.ends_with(ends)) {
            return std::string(words.substr(0, words.size() - ends.size())) + std::string(read);
        }
    }
    return std::string(words);
}

} // namespace

TypedAnswer read_answer(std::string_view words, std::string_view unit) {
    words = without_spaces(words);
    const bool share = unit == "%";
    const bool factor = unit == "x";
    if (share) {
        words = without(words, "%");
    } else if (factor) {
        words = without(without(without(words, times_sign), "x"), "times");
    }
    const std::string_view measured = share || factor ? std::string_view() : unit;
    Result<double> number = parse_quantity(words, "");
    if (!measured.empty() && number && !is_count(measured)) {
        return {TypedAnswer::Kind::without_unit, *number};
    }
    if (unit.empty() && !number) {
        number = parse_quantity(without_noun(words), "");
    }
    const Result<double> quantity =
        measured.empty() || number ? number : parse_quantity(in_units(words, measured), measured);
    return quantity ? TypedAnswer{TypedAnswer::Kind::number, share ? *quantity / 100 : *quantity}
                    : TypedAnswer{TypedAnswer::Kind::none, 0};
}

Verdict judge(const LessonQuestion& question, double typed, double answer) {
    const double allowed = question.tolerance * std::abs(answer) * (1 + 1e-9); // rounding
    if (std::abs(typed - answer) <= allowed) {
        return Verdict::right;
    }
    if (typed * answer > 0) {
        const double thousands = std::round(std::log10(typed / answer) / 3);
        if (thousands != 0 && std::abs(typed * std::pow(1e3, -thousands) - answer) <= allowed) {
            return Verdict::other_prefix;
        }
    }
    return typed < answer ? Verdict::too_small : Verdict::too_large;
}

std::string answer_text(double value, std::string_view unit) {
    if (unit == "%") {
        return percent_text(value);
    }
    if (unit == "x") {
        return number_text(value) + "x";
    }
    if (unit == "s") {
        return seconds_text(value);
    }
    if (unit == "B") {
        return bytes_text(value);
    }
    // Counts are said to the last one: 16384 rows are not "16400".
    return !unit.empty()                                         ? si_text(value, unit)
           : value == std::round(value) && std::abs(value) < 1e9 ? fmt::format("{:.0f}", value)
                                                                 : number_text(value);
}

std::string answer_example(std::string_view unit) {
    return unit.empty()       ? "128"
           : unit == "FLOP/B" ? "100 FLOP/B"
           : unit == "%"      ? "50%"
           : unit == "x"      ? "2x"
                              : example_quantity(unit);
}

} // namespace meshslice
