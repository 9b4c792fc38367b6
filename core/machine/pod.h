#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/sourced.h"
#include "core/machine/data_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

struct Machine;

/// What a job can get of a pod, the chips that the torus joins (How to Scale Your Model, chapter 2). 0
/// everywhere: not known, so every mesh can be had and all its axes are rings.
struct Pod {
    Sourced<std::int64_t> chips;        ///< of the largest torus
    Sourced<std::int64_t> longest_axis; ///< chips along an axis, at most
    /// An axis is a closed ring where its chips are a multiple of this: 16, the whole axis, on TPU v5e; 4,
    /// the side of a cube behind optical switches, on TPU v4 and v5p.
    Sourced<std::int64_t> ring_axis;
    /// And those of the mesh a multiple of this: 64, a whole cube, on TPU v4 and v5p.
    Sourced<std::int64_t> ring_mesh;
    Sourced<std::int64_t> host; ///< chips of one host

    bool operator==(const Pod&) const = default;
};

/// Whether an axis of a mesh of `chips` chips is a ring. One chip needs no link to be one.
[[nodiscard]] bool closes(const Pod& pod, std::int64_t axis, std::int64_t chips);

/// Refuses a mesh that is larger than the pod. `title`: of the hardware.
[[nodiscard]] Result<void> fits_pod(const Pod& pod, const std::vector<std::int32_t>& mesh,
                                    const std::string& title);

/// What a slice of a pod adds up to (How to Scale Your Model, chapter 2).
struct PodSliceSums {
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
[[nodiscard]] Result<PodSliceSums> slice_sums(const std::vector<std::int32_t>& mesh, const Machine& hardware,
                                              DataType type);

} // namespace meshslice
