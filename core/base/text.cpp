#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

constexpr std::string_view thin_space = "\u2009";

struct Prefix {
    std::string_view symbol;
    double factor;
};

constexpr std::array<Prefix, 11> si_prefixes = {{{"E", 1e18},
                                                 {"P", 1e15},
                                                 {"T", 1e12},
                                                 {"G", 1e9},
                                                 {"M", 1e6},
                                                 {"k", 1e3},
                                                 {"", 1.0},
                                                 {"m", 1e-3},
                                                 {"\u00b5", 1e-6},
                                                 {"n", 1e-9},
                                                 {"p", 1e-12}}};

constexpr std::array<Prefix, 6> binary_prefixes = {
    {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50}, {"Ei", 0x1p60}}};

/// The value rounded to three significant digits, so that 999.9 is seen as 1000 before a prefix is chosen. By
/// way of decimal text, because scaling by powers of ten would leave 999.9999999 where 1000 is meant.
double rounded_to_three_digits(double value) {
    const std::string words = fmt::format("{:.2e}", value);
    double rounded = value;
    std::from_chars(words.data(), words.data() + words.size(), rounded);
    return rounded;
}

std::string three_digits(double value) {
    const double size = std::abs(value);
    const int decimals = size == 0.0 || size >= 100.0 ? 0 : size >= 10.0 ? 1 : size >= 1.0 ? 2 : 3;
    return fmt::format("{:.{}f}", value, decimals);
}

std::string_view trimmed(std::string_view words) {
    const auto first = words.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos) {
        return {};
    }
    return words.substr(first, words.find_last_not_of(" \t\n\r") - first + 1);
}

/// What the words after a number multiply it by: a prefix and the unit, or nothing at all.
std::optional<double> factor_of(std::string_view words, std::string_view unit) {
    if (words.empty()) {
        return 1.0;
    }
    if (!words.ends_with(unit)) {
        return std::nullopt;
    }
    const std::string_view symbol = words.substr(0, words.size() - unit.size());
    // Keyboards have neither the micro sign nor the Greek letter.
    const bool micro = symbol == "u" || symbol == "\u03bc";
    for (const Prefix& prefix : si_prefixes) {
        if (symbol == prefix.symbol || (micro && prefix.factor == 1e-6)) {
            return prefix.factor;
        }
    }
    for (const Prefix& prefix : binary_prefixes) {
        if (symbol == prefix.symbol) {
            return prefix.factor;
        }
    }
    return std::nullopt;
}

} // namespace

std::string si_text(double value, std::string_view unit) {
    const double rounded = rounded_to_three_digits(value);
    if (rounded == 0.0 || !std::isfinite(rounded)) {
        return fmt::format("{}{}{}", rounded == 0.0 ? 0.0 : rounded, thin_space, unit); // no "-0"
    }
    // A discrete count has no thousandth part: 3 bytes, never 3000 mB.
    const bool discrete = unit == "B" || unit == "FLOP";
    if (discrete && std::abs(rounded) < 1000.0 && value == std::round(value)) {
        return fmt::format("{:.0f}{}{}", value, thin_space, unit);
    }
    for (const Prefix& prefix : si_prefixes) {
        const bool last = discrete ? prefix.factor == 1.0 : prefix.factor == si_prefixes.back().factor;
        if (std::abs(rounded) >= prefix.factor || last) {
            return fmt::format("{}{}{}{}", three_digits(rounded / prefix.factor), thin_space, prefix.symbol,
                               unit);
        }
    }
    return {};
}

std::string text(Time time) {
    const double value = in_seconds(time);
    // Kiloseconds are nobody's unit.
    return std::abs(rounded_to_three_digits(value)) >= 1000.0 ? fmt::format("{:.0f}{}s", value, thin_space)
                                                              : si_text(value, "s");
}
std::string text(Bytes bytes) {
    return si_text(static_cast<double>(bytes.value()), "B");
}
std::string text(Flop flop) {
    return si_text(static_cast<double>(flop.value()), "FLOP");
}
std::string text(Bandwidth bandwidth) {
    return si_text(bandwidth.value(), "B/s");
}
std::string text(FlopRate rate) {
    return si_text(rate.value(), "FLOP/s");
}

std::string number_text(double value) {
    const double rounded = rounded_to_three_digits(value);
    const double size = std::abs(rounded);
    if (size != 0.0 && (size < 1e-3 || size >= 1e7)) {
        return fmt::format("{:.2e}", rounded);
    }
    return fmt::format("{:.7g}", rounded); // seven digits, or 1234567 would show an exponent
}

std::string percent_text(double share) {
    const double percent = share * 100.0;
    return fmt::format("{:.{}f}%", percent, std::abs(percent) >= 9.95 || percent == 0.0 ? 0 : 1);
}

std::string shortened(std::string_view words) {
    constexpr std::size_t most = 60;
    if (words.size() <= most) {
        return std::string(words);
    }
    std::size_t end = most - 3;
    while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0u) == 0x80u) {
        --end; // a byte that continues a UTF-8 character
    }
    return fmt::format("{}...", words.substr(0, end));
}

Result<double> parse_quantity(std::string_view words, std::string_view unit) {
    const std::string_view whole = trimmed(words);
    const auto not_a_quantity = [&] {
        return refuse(
            fmt::format("\"{}\" is not a quantity in {}: write a number and a unit, such as \"{}{}\".",
                        shortened(words), unit, unit == "s" ? "5 u" : "45 G", unit));
    };
    // from_chars, not strtod: no locale, no hexadecimal.
    double value = 0.0;
    const auto [end, status] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    if (whole.empty() || status != std::errc()) {
        return not_a_quantity();
    }
    std::string_view rest = trimmed(whole.substr(static_cast<std::size_t>(end - whole.data())));
    for (const std::string_view space :
         {thin_space, std::string_view("\u202f"), std::string_view("\u00a0")}) {
        if (rest.starts_with(space)) {
            rest.remove_prefix(space.size());
        }
    }
    const std::optional<double> factor = factor_of(rest, unit);
    if (!factor || !std::isfinite(value * *factor)) {
        return not_a_quantity();
    }
    return value * *factor;
}

Result<std::int64_t> parse_whole(std::string_view words) {
    const std::string_view digits = trimmed(words);
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool only_digits = status != std::errc::invalid_argument && end == digits.data() + digits.size() &&
                             digits.front() != '-';
    if (!only_digits) {
        return refuse(
            fmt::format("\"{}\" is not a whole number written with digits only.", shortened(words)));
    }
    if (status == std::errc::result_out_of_range) {
        return refuse(fmt::format("{} is too large a number to count with.", shortened(digits)));
    }
    return value;
}

} // namespace meshslice
