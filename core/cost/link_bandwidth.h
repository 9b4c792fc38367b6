#pragma once

#include "core/base/quantity.h"
#include "core/machine/network.h"
#include "core/torus/torus.h"

#include <cassert>
#include <cstddef>
#include <vector>

namespace meshslice {

/// The machine's axes, counted from 0, over whose links a torus sends along an axis of more than one chip.
/// The axes of a mesh are those of the machine, in the same order; where the machine has fewer, those with
/// more than one chip take the machine's in turn, so that 1 x 8 runs on a machine of one axis. A ring may
/// wind through several.
[[nodiscard]] std::vector<int> machine_axes(const Network& network, const Torus& torus, Axis axis);

/// Of the slowest of several.
[[nodiscard]] Bandwidth slowest_link_bandwidth(const Network& network, const std::vector<int>& machine_axes);

/// Of one healthy link, one way, along an axis of more than one chip: that of the slowest of its
/// machine_axes, because every step of a ring waits for the slowest link.
[[nodiscard]] inline Bandwidth link_bandwidth(const Network& network, const Torus& torus, Axis axis) {
    const auto which = static_cast<std::size_t>(axis);
    const TorusAxis& along = torus.axes()[which];
    // The usual case, asked for every operation of every estimate.
    if (!along.winds() && torus.axis_count() <= network.torus_axes()) {
        assert(along.size > 1);
        return network.link_bandwidth(static_cast<int>(which));
    }
    return slowest_link_bandwidth(network, machine_axes(network, torus, axis));
}

} // namespace meshslice
