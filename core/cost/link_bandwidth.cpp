#include "core/cost/link_bandwidth.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace meshslice {
namespace {

/// The axes of the mesh by whose links a torus sends.
std::array<bool, 3> used_axes(const Torus& torus) {
    std::array<bool, 3> used{};
    for (int k = 0; k < torus.axis_count(); ++k) {
        const TorusAxis& axis = torus.axes()[static_cast<std::size_t>(k)];
        used[static_cast<std::size_t>(k)] |= !axis.winds() && axis.size > 1;
        for (std::size_t other = 0; axis.winds() && other < used.size(); ++other) {
            used[other] |= axis.through[other];
        }
    }
    return used;
}

} // namespace

std::vector<int> machine_axes(const Network& network, const Torus& torus, Axis axis) {
    const auto which = static_cast<std::size_t>(axis);
    const TorusAxis& along = torus.axes()[which];
    const std::array<bool, 3> used = used_axes(torus);
    const auto last = static_cast<int>(std::find(used.rbegin(), used.rend(), true) - used.rbegin());
    const bool in_turn = static_cast<int>(used.size()) - last > network.torus_axes();
    const auto of = [&](std::size_t mesh_axis) {
        const auto before = used.begin() + static_cast<std::ptrdiff_t>(mesh_axis);
        return static_cast<int>(in_turn ? std::count(used.begin(), before, true)
                                        : static_cast<std::ptrdiff_t>(mesh_axis));
    };
    if (!along.winds()) {
        assert(along.size > 1);
        return {of(which)};
    }
    std::vector<int> axes;
    for (std::size_t k = 0; k < used.size(); ++k) {
        if (along.through[k]) {
            axes.push_back(of(k));
        }
    }
    return axes;
}

Bandwidth slowest_link_bandwidth(const Network& network, const std::vector<int>& machine_axes) {
    Bandwidth slowest = network.link_bandwidth(machine_axes.front());
    for (const int axis : machine_axes) {
        slowest = std::min(slowest, network.link_bandwidth(axis));
    }
    return slowest;
}

} // namespace meshslice
