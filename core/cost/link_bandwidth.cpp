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

Bandwidth rearranged_link_bandwidth(const Network& network, const Torus& torus, Axis axis) {
    const auto which = static_cast<std::size_t>(axis);
    const TorusAxis& along = torus.axes()[which];
    const std::array<bool, 3> used = used_axes(torus);
    const auto last = static_cast<int>(std::find(used.rbegin(), used.rend(), true) - used.rbegin());
    const bool in_turn = static_cast<int>(used.size()) - last > network.torus_axes();
    const auto of = [&](std::size_t mesh_axis) {
        const auto place =
            in_turn ? std::count(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(mesh_axis), true)
                    : static_cast<std::ptrdiff_t>(mesh_axis);
        return network.link_bandwidth(static_cast<int>(place));
    };
    if (!along.winds()) {
        assert(along.size > 1);
        return of(which);
    }
    std::optional<Bandwidth> slowest;
    for (std::size_t k = 0; k < used.size(); ++k) {
        if (along.through[k]) {
            slowest = std::min(slowest.value_or(of(k)), of(k));
        }
    }
    return *slowest;
}

} // namespace meshslice
