#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace meshslice {

namespace {

/// Work that is there takes time: rounding never makes it free, so nobody wins by cutting it into dust.
Time at_least_one_picosecond(std::int64_t work, double rate) {
    const Time time = seconds(static_cast<double>(work) / rate);
    return work > 0 ? std::max(time, Time(1)) : time;
}

} // namespace

Time seconds(double value) {
    // Half of what 64 bits hold, some 53 days: two of them still add up.
    constexpr double most = 0x1p62;
    return Time(std::llround(std::clamp(value * 1e12, -most, most)));
}

Time operator/(Bytes bytes, Bandwidth bandwidth) {
    return at_least_one_picosecond(bytes.value(), bandwidth.value());
}

Time operator/(Flop flop, FlopRate rate) {
    return at_least_one_picosecond(flop.value(), rate.value());
}

} // namespace meshslice
