#include "core/base/quantity.h"

#include <cmath>

namespace meshslice {

Time seconds(double value) {
    return Time(std::llround(value * 1e12));
}

Time operator/(Bytes bytes, Bandwidth bandwidth) {
    return seconds(static_cast<double>(bytes.value()) / bandwidth.value());
}

Time operator/(Flop flop, FlopRate rate) {
    return seconds(static_cast<double>(flop.value()) / rate.value());
}

} // namespace meshslice
