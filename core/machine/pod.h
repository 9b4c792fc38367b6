#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/machine/sourced.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

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

} // namespace meshslice
