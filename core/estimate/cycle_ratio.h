#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// `to` may not start its turn s before `from`, which takes `time`, has finished its turn s - `distance`.
struct CycleEdge {
    std::size_t from = 0;
    std::size_t to = 0;
    Time time;
    std::int64_t distance = 0;
};

/// How long one turn of a loop lasts in the steady state: the largest, over all cycles of the graph, of the
/// cycle's time over its distance (the maximum cycle ratio of a max-plus system), rounded up to a picosecond.
/// Every cycle must have a distance above 0. 0 for a graph without cycles.
[[nodiscard]] Time largest_cycle_ratio(std::size_t nodes, const std::vector<CycleEdge>& edges);

} // namespace meshslice
