#include "core/report/chart/svg/pixel_axis.h"

#include "core/report/chart/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {

double PixelAxis::pixel(double value) const {
    if (!(high > low)) {
        return begin;
    }
    const double share = logarithmic ? (value > 0 ? std::log(value / low) / std::log(high / low) : 0.0)
                                     : (value - low) / (high - low);
    return begin + share * (end - begin);
}

double PixelAxis::value(double pixel) const {
    if (end == begin) {
        return low;
    }
    const double share = (pixel - begin) / (end - begin);
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

double PixelAxis::clamped(double value) const {
    return std::clamp(value, low, high);
}

std::vector<Tick> axis_ticks(const PixelAxis& axis, double spacing, double unit) {
    const int most = std::max(1, static_cast<int>(std::abs(axis.end - axis.begin) / spacing));
    const double low = axis.low / unit;
    const double high = axis.high / unit;
    std::vector<double> values =
        axis.logarithmic ? log_ticks(low, high, most) : linear_ticks(low, high, most);
    // Less than a factor of five shows too few of 1, 2, 5; there the steps of a linear axis serve better.
    bool by_powers = axis.logarithmic;
    if (axis.logarithmic && values.size() < 2 && low > 0) {
        by_powers = false;
        values = linear_ticks(low, high, std::min(most, 6));
    }
    const double step = values.size() > 1 ? values[1] - values[0] : high - low;
    std::vector<Tick> ticks;
    for (const double value : values) {
        // 0.05, 0.1, 1: by powers of ten every value has the digits that it needs itself.
        const int decimals = decimals_for(by_powers ? value : step);
        // A point and no grouping: the same picture in every country, and the same numbers as in the tables.
        ticks.push_back({value * unit, fmt::format("{:.{}f}", value, decimals)});
    }
    return ticks;
}

} // namespace meshslice
