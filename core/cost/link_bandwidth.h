#pragma once

#include "core/base/quantity.h"
#include "core/hardware/network.h"
#include "core/torus/torus.h"

#include <cassert>
#include <cstddef>

namespace meshslice {

/// The same as `link_bandwidth` where an axis winds, or the mesh has more axes than the machine.
[[nodiscard]] Bandwidth rearranged_link_bandwidth(const Network& network, const Torus& torus, Axis axis);

/// Of one healthy link, one way, along an axis of more than one chip. The axes of a mesh are those of the
/// machine, in the same order; where the machine has fewer, those with more than one chip take the machine's
/// in turn, so that 1 x 8 runs on a machine of one axis. A ring that winds through several axes goes as fast
/// as the slowest of them: every step waits for its slowest link.
[[nodiscard]] inline Bandwidth link_bandwidth(const Network& network, const Torus& torus, Axis axis) {
    const auto which = static_cast<std::size_t>(axis);
    const TorusAxis& along = torus.axes()[which];
    // The usual case, asked for every operation of every estimate.
    if (!along.winds() && torus.axis_count() <= network.torus_axes()) {
        assert(along.size > 1);
        return network.link_bandwidth(static_cast<int>(which));
    }
    return rearranged_link_bandwidth(network, torus, axis);
}

} // namespace meshslice
