#pragma once

#include "core/base/quantity.h"

#include <vector>

namespace meshslice {

/// When something crosses the links of one direction of a ring.
struct Crossing {
    Time begin, end;
};

/// What crosses the links of a ring in one direction: what its chips send that way, and the ways home of what
/// they send the other way.
struct RingTraffic {
    std::vector<Crossing> own, home;
};

/// In the order of their times, those that touch joined.
void join(std::vector<Crossing>& crossings);

/// When a transfer ends that begins at `begin` and takes `alone` if it has its link to itself. While others
/// cross the link, it moves at `shared_pace` (1: as fast as alone). `others`: joined.
[[nodiscard]] Time end_among(const std::vector<Crossing>& others, Time begin, Time alone, double shared_pace);

} // namespace meshslice
