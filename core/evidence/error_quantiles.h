#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace meshslice {

/// The value at a place between 0 and size - 1 of sorted ones, between two neighbours in proportion.
[[nodiscard]] inline double value_at(const std::vector<double>& sorted, double place) {
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] * (1 - part) + sorted[above] * part;
}

/// The value that so large a share of sorted ones does not exceed.
[[nodiscard]] inline double quantile(const std::vector<double>& sorted, double share) {
    return value_at(sorted, share * static_cast<double>(sorted.size() - 1));
}

/// The same with the correction for few of them (split conformal prediction: Papadopoulos et al. 2002).
[[nodiscard]] inline double conformal(const std::vector<double>& sorted, double share) {
    const auto count = static_cast<double>(sorted.size());
    return value_at(sorted, std::clamp(share * (count + 1) - 1, 0.0, count - 1));
}

} // namespace meshslice
