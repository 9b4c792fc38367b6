#pragma once

#include <compare>
#include <cstdint>

namespace meshslice {

/// A number that knows what it counts, so that bytes are never added to seconds. The unit of each alias is
/// written next to it; a bare number enters by the explicit constructor and leaves by `value()`.
template <class Tag, class Number>
class Quantity {
  public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(Number value) : value_(value) {}

    [[nodiscard]] constexpr Number value() const { return value_; }

    constexpr auto operator<=>(const Quantity&) const = default;

    constexpr Quantity& operator+=(Quantity other) { return value_ += other.value_, *this; }
    constexpr Quantity& operator-=(Quantity other) { return value_ -= other.value_, *this; }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Quantity a, Number times) { return Quantity(a.value_ * times); }
    friend constexpr Quantity operator*(Number times, Quantity a) { return Quantity(a.value_ * times); }

  private:
    Number value_{};
};

using Time = Quantity<struct TimeTag, std::int64_t>;     ///< picoseconds
using Bytes = Quantity<struct BytesTag, std::int64_t>;   ///< bytes
using Flop = Quantity<struct FlopTag, std::int64_t>;     ///< floating-point operations; a multiply-add is two
using Bandwidth = Quantity<struct BandwidthTag, double>; ///< bytes per second, in one direction
using FlopRate = Quantity<struct FlopRateTag, double>;   ///< floating-point operations per second

/// Rounds to the nearest picosecond; beyond +-4.6e6 s (2^62 ps) it stays there. `value` must be finite.
[[nodiscard]] Time seconds(double value);
[[nodiscard]] constexpr double in_seconds(Time time) {
    return static_cast<double>(time.value()) / 1e12;
}

/// The time that moving `bytes` at `bandwidth` takes, to the nearest picosecond, but at least one for any
/// work.
[[nodiscard]] Time operator/(Bytes bytes, Bandwidth bandwidth);
/// The time that `flop` operations at `rate` take, to the nearest picosecond.
[[nodiscard]] Time operator/(Flop flop, FlopRate rate);

/// What share `part` is of `whole`; 0 when the whole is nothing.
[[nodiscard]] constexpr double ratio(Time part, Time whole) {
    return whole.value() == 0 ? 0.0 : static_cast<double>(part.value()) / static_cast<double>(whole.value());
}

} // namespace meshslice
