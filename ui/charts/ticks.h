#pragma once

#include <cstdint>
#include <vector>

namespace meshslice::ui {

/// The smallest of 1, 2, 5 times a power of ten that is at least `least` (> 0).
[[nodiscard]] double niceStep(double least);
[[nodiscard]] std::int64_t niceStep(std::int64_t least);

/// The multiples of a nice step within [low, high], at most about `most` of them.
[[nodiscard]] std::vector<double> linearTicks(double low, double high, int most);
/// 1, 2 and 5 times the powers of ten within [low, high]; where that would be more than `most`, 1 alone.
/// Empty unless 0 < low < high.
[[nodiscard]] std::vector<double> logTicks(double low, double high, int most);

/// How many decimals a multiple of `step` needs.
[[nodiscard]] int decimalsFor(double step);

} // namespace meshslice::ui
