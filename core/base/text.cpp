#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace meshslice {
namespace {

constexpr std::string_view thin_space = "\u2009";

struct SiPrefix {
    std::string_view symbol;
    double factor;
};

constexpr std::array<SiPrefix, 11> si_prefixes = {{{"E", 1e18},
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

/// The value rounded to so many significant digits, so that 999.9 is seen as 1000 before a prefix is chosen.
/// By way of decimal text, because scaling by powers of ten would leave 999.9999999 where 1000 is meant.
double rounded_to_digits(double value, int digits) {
    const std::string words = fmt::format("{:.{}e}", value, digits - 1);
    double rounded = value;
    std::from_chars(words.data(), words.data() + words.size(), rounded);
    return rounded;
}

std::string in_digits(double value, int digits) {
    const double size = std::abs(value);
    const int decimals = size == 0.0 || size >= 100.0 ? 0 : size >= 10.0 ? 1 : size >= 1.0 ? 2 : 3;
    return fmt::format("{:.{}f}", value, decimals + digits - 3);
}

} // namespace

std::string si_text(double value, std::string_view unit, int digits) {
    const double rounded = rounded_to_digits(value, digits);
    if (rounded == 0.0 || !std::isfinite(rounded)) {
        return fmt::format("{}{}{}", rounded == 0.0 ? 0.0 : rounded, thin_space, unit); // no "-0"
    }
    // A discrete count has no thousandth part: 3 bytes, never 3000 mB.
    const bool discrete = unit == "B" || unit == "FLOP";
    if (discrete && std::abs(rounded) < 1000.0 && value == std::round(value)) {
        return fmt::format("{:.0f}{}{}", value, thin_space, unit);
    }
    for (const SiPrefix& prefix : si_prefixes) {
        const bool last = discrete ? prefix.factor == 1.0 : prefix.factor == si_prefixes.back().factor;
        if (std::abs(rounded) >= prefix.factor || last) {
            return fmt::format("{}{}{}{}", in_digits(rounded / prefix.factor, digits), thin_space,
                               prefix.symbol, unit);
        }
    }
    return {};
}

std::string text(Time time) {
    const double value = in_seconds(time);
    // Nobody counts in kiloseconds.
    return std::abs(rounded_to_digits(value, 3)) >= 1000.0 ? fmt::format("{:.0f}{}s", value, thin_space)
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

std::string seconds_text(double value) {
    constexpr double countable = 4e6; // of the nine million that picoseconds count
    return std::abs(value) < countable ? text(seconds(value)) : fmt::format("{:.3g}{}s", value, thin_space);
}

std::string bytes_text(double bytes) {
    return si_text(std::round(bytes), "B");
}

std::string number_text(double value) {
    const double rounded = rounded_to_digits(value, 3);
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

std::string deviation_text(double share) {
    constexpr double none = 0.0005; // "-0.0%" is none
    return std::abs(share) < none ? "0.0%" : fmt::format("{:+.1f}%", 100 * share);
}

std::string capitalized(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') {
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    }
    return words;
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

} // namespace meshslice
