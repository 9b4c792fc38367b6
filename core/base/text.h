#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace meshslice {

/// Text forms of quantities: three significant digits, an SI prefix (k = 10^3, M = 10^6, G = 10^9 ...; binary
/// prefixes are never used here) and a thin space (U+2009) before the unit.
/// `text(seconds(0.0142))` is "14.2 ms".
[[nodiscard]] std::string text(Time time);
[[nodiscard]] std::string text(Bytes bytes);
[[nodiscard]] std::string text(Flop flop);
[[nodiscard]] std::string text(Bandwidth bandwidth);
[[nodiscard]] std::string text(FlopRate rate);
/// Of numbers that may be more than a Time or Bytes counts, in whole picoseconds and bytes:
/// `seconds_text(1e9)` is "1e+09 s", `bytes_text(1.5e20)` is "150 EB".
[[nodiscard]] std::string seconds_text(double seconds);
[[nodiscard]] std::string bytes_text(double bytes);

/// `value` in the given unit with an SI prefix, for example `si_text(8.1e11, "B/s")`.
/// With other digits than three, 4 to 15, where close values must look different.
[[nodiscard]] std::string si_text(double value, std::string_view unit, int digits = 3);

/// Three significant digits without exponent for ordinary sizes: 0.0123, 1.5, 155 648 is "156000".
[[nodiscard]] std::string number_text(double value);

/// A share as percent: no decimals from 10% on, one below ("71%", "8.4%").
[[nodiscard]] std::string percent_text(double share);

/// How far one number is from another: "+3.5%", "-43.8%"; "0.0%" of less than can be seen.
[[nodiscard]] std::string deviation_text(double share);

/// As a sentence begins; of letters of English alone.
[[nodiscard]] std::string capitalized(std::string words);

/// At most 60 bytes of `words`, for an error that quotes them: a longer text is cut between two characters
/// and ends in "...".
[[nodiscard]] std::string shortened(std::string_view words);

} // namespace meshslice
