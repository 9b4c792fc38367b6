#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// What people type for numbers. All three refuse a text as a whole: no part of a refused text counts.
///
/// Prefixes: k, M, G, T, P, E are 10^3 ... 10^18 and m, u (or the micro sign), n, p are 10^-3 ... 10^-12;
/// Ki, Mi, Gi, Ti, Pi, Ei are 2^10 ... 2^60. So "8k" is 8000 and "8Ki" is 8192. Their letter case matters.
/// Expressions: + - * / ^ and parentheses, such as "2*64", "(3+1)*2^10" or "2 us + 500 ns".

/// Reads a quantity in `unit` ("B/s", "s"; "" for a number without one): "45 GB/s", "4.5e10 B/s", "16 GiB",
/// "2*13 us"; of seconds also "10 min", "2 h", "3 d". A text that names no unit is in `bare` units: "45e9" is
/// 45e9 of the base unit unless the reader says otherwise.
[[nodiscard]] Result<double> parse_quantity(std::string_view words, std::string_view unit, double bare = 1.0);

/// A quantity in the unit, as it may be typed: "90 GB/s", "5 us".
[[nodiscard]] std::string example_quantity(std::string_view unit);

/// Whether a B after a count is a billion, 10^9, as in "300B tokens"; where bytes are counted it is not.
enum class Billions : std::uint8_t { refused, taken };

/// Reads a whole number, also as an expression: "128", "8k", "2*64". Exact up to 64 bits; refuses fractions.
[[nodiscard]] Result<std::int64_t> parse_count(std::string_view words, Billions billions = Billions::refused);

/// Reads a whole number written with digits only; refuses everything else, and what does not fit 64 bits.
[[nodiscard]] Result<std::int64_t> parse_whole(std::string_view words);

/// Whether a text means a factor rather than a number: "x 0.5", "x2", "0.5x", "\u00d7 1/3", "*2", "/2".
[[nodiscard]] bool is_factor(std::string_view words);
/// The factor of such a text, an expression above 0.
[[nodiscard]] Result<double> parse_factor(std::string_view words);
/// "x 0.5", which `parse_factor` reads as the same number.
[[nodiscard]] std::string factor_text(double factor);

} // namespace meshslice
