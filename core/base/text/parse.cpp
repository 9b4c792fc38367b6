#include "core/base/text/parse.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace meshslice {
namespace {

struct FactorPrefix {
    std::string_view symbol;
    double factor;
};

/// Taken only of counts that are not bytes.
constexpr std::string_view billion = "B";

/// Longer symbols first, so that "Mi" is not taken for "M". Keyboards have neither the micro sign nor the
/// Greek letter.
constexpr std::array<FactorPrefix, 20> prefixes = {
    {{"Ki", 0x1p10},   {"Mi", 0x1p20},   {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50},
     {"Ei", 0x1p60},   {"E", 1e18},      {"P", 1e15},    {"T", 1e12},    {"G", 1e9},
     {billion, 1e9},   {"M", 1e6},       {"k", 1e3},     {"m", 1e-3},    {"u", 1e-6},
     {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"n", 1e-9},    {"p", 1e-12},   {"", 1.0}}};

/// Longer times, in seconds.
constexpr std::array<FactorPrefix, 3> longer_times = {{{"min", 60}, {"h", 3600}, {"d", 86400}}};

/// Deeper parentheses than anybody types, and shallow enough for the stack.
constexpr int most_depth = 32;
constexpr std::size_t most_length = 256;

/// Doubles count one by one up to here.
constexpr double most_exact = 0x1p53;

/// A number on its way: exact where it is whole and has stayed within 64 bits.
struct Number {
    double value = 0.0;
    std::optional<std::int64_t> whole;
    int units = 0; ///< 1: in the unit, 0: a bare number
};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80u;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<std::int64_t> as_whole(double value) {
    return value == std::floor(value) && std::abs(value) <= most_exact
               ? std::optional(static_cast<std::int64_t>(value))
               : std::nullopt;
}

/// So many units. Of a millionth or the like by division, as only its inverse is exact: 45 us is 4.5e-05 s to
/// the last digit.
double scaled(double value, double unit) {
    const double inverse = std::round(1.0 / unit);
    const bool exact = unit < 1.0 && std::abs(inverse * unit - 1.0) < 1e-12;
    return exact ? value / inverse : value * unit;
}

Number product(const Number& a, const Number& b) {
    Number result{a.value * b.value, std::nullopt, a.units + b.units};
    std::int64_t exact = 0;
    if (a.whole && b.whole && !__builtin_mul_overflow(*a.whole, *b.whole, &exact)) {
        result.whole = exact;
    }
    return result;
}

Number sum(const Number& a, const Number& b, bool minus) {
    Number result{minus ? a.value - b.value : a.value + b.value, std::nullopt, a.units};
    std::int64_t exact = 0;
    if (a.whole && b.whole &&
        !(minus ? __builtin_sub_overflow(*a.whole, *b.whole, &exact)
                : __builtin_add_overflow(*a.whole, *b.whole, &exact))) {
        result.whole = exact;
    }
    return result;
}

Number quotient(const Number& a, const Number& b) {
    Number result{a.value / b.value, std::nullopt, a.units - b.units};
    if (a.whole && b.whole && *b.whole > 0 && *a.whole % *b.whole == 0) {
        result.whole = *a.whole / *b.whole;
    }
    return result;
}

Number power(const Number& base, const Number& exponent) {
    Number result{std::pow(base.value, exponent.value), std::nullopt, 0};
    if (base.whole && exponent.whole && *exponent.whole >= 0 && *exponent.whole <= 64) {
        Number exact{1.0, 1, 0};
        for (std::int64_t k = 0; k < *exponent.whole; ++k) {
            exact = product(exact, {base.value, base.whole, 0});
        }
        result.whole = exact.whole;
    }
    return result;
}

/// Recursive descent over one text; nothing where some part of it is wrong.
class Calculation {
  public:
    Calculation(std::string_view words, std::string_view unit, Billions billions = Billions::refused)
        : rest_(words), unit_(unit), billions_(billions) {}

    std::optional<Number> result() {
        const std::optional<Number> number = expression(0);
        skip_spaces();
        return number && rest_.empty() && std::isfinite(number->value) ? number : std::nullopt;
    }
    /// Whether some number had the unit written after it.
    [[nodiscard]] bool named_unit() const { return named_unit_; }

  private:
    void skip_spaces() {
        constexpr std::array<std::string_view, 7> spaces = {" ",      "\t",     "\n",    "\r",
                                                            "\u2009", "\u202f", "\u00a0"};
        for (bool found = may_be_space(); found;) {
            found = false;
            for (const std::string_view space : spaces) {
                if (rest_.starts_with(space)) {
                    rest_.remove_prefix(space.size());
                    found = true;
                }
            }
        }
    }

    /// Cheaply; nearly all characters are plain ones, and nearly all numbers end the text.
    [[nodiscard]] bool may_be_space() const {
        return !rest_.empty() && (rest_.front() <= ' ' || static_cast<unsigned char>(rest_.front()) >= 0x80u);
    }

    bool take(std::string_view sign) {
        skip_spaces();
        if (!rest_.starts_with(sign)) {
            return false;
        }
        rest_.remove_prefix(sign.size());
        return true;
    }

    std::optional<Number> expression(int depth) {
        std::optional<Number> left = term(depth);
        while (left) {
            const bool minus = take("-");
            if (!minus && !take("+")) {
                break;
            }
            const std::optional<Number> right = term(depth);
            if (!right || right->units != left->units) {
                return std::nullopt;
            }
            left = sum(*left, *right, minus);
        }
        return left;
    }

    std::optional<Number> term(int depth) {
        std::optional<Number> left = factor(depth);
        while (left) {
            const bool times = take("*") || take("\u00d7");
            if (!times && !take("/")) {
                break;
            }
            const std::optional<Number> right = factor(depth);
            if (!right || (!times && right->value == 0.0)) {
                return std::nullopt;
            }
            left = times ? product(*left, *right) : quotient(*left, *right);
            if (left->units < 0 || left->units > 1) {
                return std::nullopt;
            }
        }
        return left;
    }

    std::optional<Number> factor(int depth) {
        if (take("-")) {
            skip_spaces();
            const std::optional<Number> number = rest_.starts_with("-") ? std::nullopt : raised(depth);
            return number ? std::optional(sum({0.0, 0, number->units}, *number, true)) : std::nullopt;
        }
        return raised(depth);
    }

    std::optional<Number> raised(int depth) {
        const std::optional<Number> base = primary(depth);
        if (!base || !take("^")) {
            return base;
        }
        const std::optional<Number> exponent = depth < most_depth ? factor(depth + 1) : std::nullopt;
        return exponent && exponent->units == 0 && base->units == 0 ? std::optional(power(*base, *exponent))
                                                                    : std::nullopt;
    }

    std::optional<Number> primary(int depth) {
        skip_spaces();
        if (take("(")) {
            const std::optional<Number> inside = depth < most_depth ? expression(depth + 1) : std::nullopt;
            return inside && take(")") ? with_unit(*inside) : std::nullopt;
        }
        // from_chars, not strtod: no locale, no hexadecimal. It would take "inf" and a sign.
        if (rest_.empty() || !(is_digit(rest_.front()) || rest_.front() == '.')) {
            return std::nullopt;
        }
        Number number;
        const char* const end = rest_.data() + rest_.size();
        const auto [stop, status] = std::from_chars(rest_.data(), end, number.value);
        if (status != std::errc()) {
            return std::nullopt;
        }
        std::int64_t digits = 0;
        const auto [whole_stop, whole_status] = std::from_chars(rest_.data(), end, digits);
        if (whole_stop == stop && whole_status == std::errc()) {
            number.whole = digits;
        } else if (whole_stop != stop) {
            number.whole = as_whole(number.value);
        }
        rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
        return with_unit(number);
    }

    /// The number times the prefix and unit that follow it, if any.
    std::optional<Number> with_unit(Number number) {
        if (rest_.empty()) {
            return number;
        }
        const std::string_view before = rest_;
        skip_spaces();
        if (unit_ == "s") {
            for (const FactorPrefix& longer : longer_times) {
                if (is_next(longer.symbol, {})) {
                    return times(number, longer.symbol.size(), longer.factor);
                }
            }
        }
        for (const FactorPrefix& prefix : prefixes) {
            const bool refused = prefix.symbol == billion && billions_ == Billions::refused;
            const std::size_t size = prefix.symbol.size() + unit_.size();
            if (!refused && size > 0 && is_next(prefix.symbol, unit_)) {
                return times(number, size, prefix.factor);
            }
        }
        rest_ = before;
        return number;
    }
    /// Both together, as a whole word.
    [[nodiscard]] bool is_next(std::string_view prefix, std::string_view unit) const {
        if (!rest_.starts_with(prefix) || !rest_.substr(prefix.size()).starts_with(unit)) {
            return false;
        }
        const std::string_view after = rest_.substr(prefix.size() + unit.size());
        return after.empty() || !(is_letter(after.front()) || is_digit(after.front()));
    }
    std::optional<Number> times(Number number, std::size_t letters, double factor) {
        if (number.units != 0) {
            return std::nullopt;
        }
        rest_.remove_prefix(letters);
        const double value = scaled(number.value, factor);
        number = product(number, {factor, as_exact(factor), 0});
        number.value = value;
        if (!number.whole) {
            number.whole = as_whole(number.value);
        }
        number.units = unit_.empty() ? 0 : 1;
        named_unit_ = named_unit_ || !unit_.empty();
        return number;
    }

    static std::optional<std::int64_t> as_exact(double factor) {
        return factor >= 1.0 ? std::optional(static_cast<std::int64_t>(factor)) : std::nullopt;
    }

    std::string_view rest_;
    std::string_view unit_;
    Billions billions_;
    bool named_unit_ = false;
};

std::string_view trimmed(std::string_view words) {
    const auto first = words.find_first_not_of(" \t\n\r");
    if (first == std::string_view::npos) {
        return {};
    }
    return words.substr(first, words.find_last_not_of(" \t\n\r") - first + 1);
}

constexpr std::array<std::string_view, 3> times_signs = {"x", "X", "\u00d7"};

/// What is left of a factor without its sign; none where it has none.
std::optional<std::string_view> without_times_sign(std::string_view words) {
    const std::string_view bare = trimmed(words);
    for (const std::string_view sign : times_signs) {
        if (bare.starts_with(sign)) {
            return bare.substr(sign.size());
        }
        if (bare.ends_with(sign)) {
            return bare.substr(0, bare.size() - sign.size());
        }
    }
    return std::nullopt;
}

} // namespace

bool is_factor(std::string_view words) {
    return without_times_sign(words).has_value() || trimmed(words).starts_with('*') ||
           trimmed(words).starts_with('/');
}

Result<double> parse_factor(std::string_view words) {
    const std::string_view bare = trimmed(words);
    std::optional<std::string_view> number = without_times_sign(words);
    const bool divides = bare.starts_with('/'); // No expression begins with these two.
    if (divides || bare.starts_with('*')) {
        number = bare.substr(1);
    }
    const Result<double> read = number ? parse_quantity(*number, "") : refuse("");
    if (!read || *read <= 0.0 || (divides && !std::isfinite(1.0 / *read))) {
        return refuse(
            say("\"{}\" is not a factor above 0; write one such as x 0.5, x 2 or x 1/3.", shortened(bare)));
    }
    return divides ? 1.0 / *read : *read;
}

std::string factor_text(double factor) {
    return fmt::format("x {:.15g}", factor);
}

std::string example_quantity(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, const char*>, 4> examples = {
        {{"s", "5 us"}, {"B", "16 GB"}, {"B/s", "90 GB/s"}, {"FLOP/s", "200 TFLOP/s"}}};
    for (const auto& [of, example] : examples) {
        if (of == unit) {
            return example;
        }
    }
    return fmt::format("{}{}", "45 G", unit);
}

Result<double> parse_quantity(std::string_view words, std::string_view unit, double bare) {
    Calculation calculation(words.substr(0, most_length + 1), unit);
    const std::optional<Number> number = words.size() <= most_length ? calculation.result() : std::nullopt;
    // A quantity over another is a bare number: "4 us / 2 us" is not a time.
    const bool meant = number && (number->units == 1) == calculation.named_unit();
    const double scale = number && number->units == 0 ? bare : 1.0;
    if (!meant || !std::isfinite(scaled(number->value, scale))) {
        if (unit.empty()) {
            return refuse(
                say("\"{}\" is not a number: write one such as \"0.5\".", shortened(trimmed(words))));
        }
        return refuse(say("\"{}\" is not a quantity in {}: write a number and a unit, such as \"{}\".",
                          shortened(trimmed(words)), unit, example_quantity(unit)));
    }
    return scaled(number->value, scale);
}

Result<std::int64_t> parse_count(std::string_view words, Billions billions) {
    const std::string quoted = shortened(trimmed(words));
    Calculation calculation(words.substr(0, most_length + 1), "", billions);
    const std::optional<Number> number = words.size() <= most_length ? calculation.result() : std::nullopt;
    if (!number) {
        return refuse(say(
            "\"{}\" is not a whole number; write one such as 128, 8k (8000), 8Ki (8192) or 2*64.", quoted));
    }
    if (const auto whole = number->whole ? number->whole : as_whole(number->value)) {
        return *whole;
    }
    return refuse(std::abs(number->value) > most_exact
                      ? say("\"{}\" is too large a number to count with.", quoted)
                      : say("\"{}\" is {:.7g}, which is not a whole number.", quoted, number->value));
}

Result<std::int64_t> parse_whole(std::string_view words) {
    const std::string_view digits = trimmed(words);
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool only_digits = status != std::errc::invalid_argument && end == digits.data() + digits.size() &&
                             digits.front() != '-';
    if (!only_digits) {
        return refuse(say("\"{}\" is not a whole number written with digits only.", shortened(words)));
    }
    if (status == std::errc::result_out_of_range) {
        return refuse(say("{} is too large a number to count with.", shortened(digits)));
    }
    return value;
}

} // namespace meshslice
