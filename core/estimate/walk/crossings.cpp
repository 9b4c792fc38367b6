#include "core/estimate/walk/crossings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace meshslice {

void join(std::vector<Crossing>& crossings) {
    std::ranges::sort(crossings, {}, &Crossing::begin);
    std::size_t kept = 0;
    for (const Crossing& next : crossings) {
        if (kept > 0 && next.begin <= crossings[kept - 1].end) {
            crossings[kept - 1].end = std::max(crossings[kept - 1].end, next.end);
        } else {
            crossings[kept++] = next;
        }
    }
    crossings.resize(kept);
}

Time end_among(const std::vector<Crossing>& others, Time begin, Time alone, double shared_pace) {
    Time now = begin;
    Time left = alone;
    auto other = std::ranges::upper_bound(others, begin, {}, &Crossing::end);
    for (; other != others.end() && left > Time(0); ++other) {
        const Time free = std::max(Time(0), other->begin - now);
        if (free >= left) {
            break;
        }
        left -= free;
        now += free;
        const auto slowed = Time(std::llround(static_cast<double>(left.value()) / shared_pace));
        const Time both = std::min(slowed, other->end - now);
        left -= both == slowed ? left : Time(std::llround(static_cast<double>(both.value()) * shared_pace));
        now += both;
    }
    return now + left;
}

} // namespace meshslice
