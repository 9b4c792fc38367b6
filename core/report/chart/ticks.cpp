#include "core/report/chart/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice {
namespace {

/// Powers of ten and their ticks come from floating point; what is off by less than this share is on the
/// spot.
constexpr double slack = 1e-9;

} // namespace

double nice_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least) + slack));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit * power >= least * (1 - slack)) {
            return digit * power;
        }
    }
    return 10 * power;
}

std::int64_t nice_step(std::int64_t least) {
    std::int64_t power = 1;
    while (true) {
        for (const std::int64_t digit : {1, 2, 5}) {
            // Beyond this the next power would not fit; nobody looks at more than 58 days of picoseconds.
            if (digit * power >= least || power >= 1'000'000'000'000'000'000) {
                return digit * power;
            }
        }
        power *= 10;
    }
}

std::vector<double> linear_ticks(double low, double high, int most) {
    std::vector<double> ticks;
    if (!(high > low) || most < 1) {
        return ticks;
    }
    const double step = nice_step((high - low) / most);
    const auto first = static_cast<std::int64_t>(std::ceil(low / step - slack));
    const auto last = static_cast<std::int64_t>(std::floor(high / step + slack));
    for (std::int64_t k = first; k <= last; ++k) {
        ticks.push_back(static_cast<double>(k) * step);
    }
    return ticks;
}

std::vector<double> log_ticks(double low, double high, int most) {
    if (!(low > 0) || !(high > low)) {
        return {};
    }
    const int first = static_cast<int>(std::floor(std::log10(low) + slack));
    const int last = static_cast<int>(std::ceil(std::log10(high) - slack));
    const auto within = [&](auto digits) {
        std::vector<double> ticks;
        for (int power = first; power <= last; ++power) {
            for (const double digit : digits) {
                const double tick = digit * std::pow(10.0, power);
                if (tick >= low * (1 - slack) && tick <= high * (1 + slack)) {
                    ticks.push_back(tick);
                }
            }
        }
        return ticks;
    };
    std::vector<double> ticks = within(std::array{1.0, 2.0, 5.0});
    if (static_cast<int>(ticks.size()) > most) {
        const std::vector<double> decades = within(std::array{1.0});
        return decades.size() >= 2 ? decades : ticks;
    }
    return ticks;
}

int decimals_for(double step) {
    return step <= 0 ? 0 : std::clamp(-static_cast<int>(std::floor(std::log10(step) + slack)), 0, 12);
}

} // namespace meshslice
