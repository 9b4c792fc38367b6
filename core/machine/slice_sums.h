#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// What a slice of a pod adds up to (How to Scale Your Model, chapter 2).
struct SliceSums {
    std::int64_t chips = 0;
    std::int64_t hosts = 0; ///< also those that are not full; 0: not known
    /// Behind optical switches, 4x4x4 chips each; 0 where there are none, or the slice is not made of whole
    /// ones.
    std::int64_t cubes = 0;
    std::int64_t cores = 0;
    double flop_per_s = 0, hbm_bytes = 0, hbm_bytes_per_s = 0;
    std::vector<bool> rings; ///< whether each axis is one
};
/// Refuses a mesh that is larger than the pod.
[[nodiscard]] Result<SliceSums> slice_sums(const std::vector<std::int32_t>& mesh, const Machine& hardware,
                                           DataType type);

} // namespace meshslice
