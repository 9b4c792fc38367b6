#pragma once

#include <cstdint>
#include <string>

namespace meshslice {

/// A hundred times the largest cluster.
inline constexpr std::int64_t most_planned_chips = std::int64_t{1} << 24;

/// What a training run is planned for: the cluster, how many of its chips, and how products may be split over
/// a tensor-parallel group.
struct Planning {
    std::string cluster = "b200-nvs8"; ///< as cluster() reads it
    std::int64_t chips = 1024;
    std::string strategy = "all"; ///< "1d", "2d", "summa" or "all"; on a torus "summa" is the engine's

    bool operator==(const Planning&) const = default;
};

} // namespace meshslice
