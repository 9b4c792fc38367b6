#pragma once

#include "core/base/result.h"
#include "core/torus/torus.h"

#include <vector>

namespace meshslice {

/// A closed walk through all chips, each the neighbour of the one before and the first that of the last: the
/// ring on which algorithms of one ring run. To and fro along the lines of one axis, where that comes home;
/// else it winds round the torus. Refused where there is none (an odd number of chips, none of whose axes is
/// closed, or one open line).
[[nodiscard]] Result<std::vector<Chip>> ring_through(const Torus& torus);

/// Such a walk, or, where there is none and an axis of the torus is a folded ring, one that ends where it
/// ends: a ring folded onto the way it goes.
struct Walk {
    std::vector<Chip> chips;
    bool folded = false;
};
[[nodiscard]] Result<Walk> walk_through(const Torus& torus);
/// Whether it is folded, from the sizes of the axes alone: no chip is visited. Refused as the walk is.
[[nodiscard]] Result<bool> walk_is_folded(const Torus& torus);

} // namespace meshslice
