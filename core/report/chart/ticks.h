#pragma once

#include <cstdint>
#include <vector>

namespace meshslice {

/// The smallest of 1, 2, 5 times a power of ten that is at least `least` (> 0).
[[nodiscard]] double nice_step(double least);
[[nodiscard]] std::int64_t nice_step(std::int64_t least);

/// The multiples of a nice step within [low, high], at most about `most` of them.
[[nodiscard]] std::vector<double> linear_ticks(double low, double high, int most);
/// 1, 2 and 5 times the powers of ten within [low, high]; where that would be more than `most`, 1 alone.
/// Empty unless 0 < low < high.
[[nodiscard]] std::vector<double> log_ticks(double low, double high, int most);

/// How many decimals a multiple of `step` needs.
[[nodiscard]] int decimals_for(double step);

} // namespace meshslice
