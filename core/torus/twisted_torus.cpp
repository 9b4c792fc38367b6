#include "core/torus/twisted_torus.h"

#include "core/base/say.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace meshslice {

bool TwistedTorus::has_shape(std::vector<std::int32_t> mesh) {
    std::ranges::sort(mesh);
    return mesh.size() == 3 && mesh[2] == 2 * mesh[0] && (mesh[1] == mesh[0] || mesh[1] == mesh[2]);
}

Result<TwistedTorus> TwistedTorus::create(const std::vector<std::int32_t>& mesh, const Machine& machine) {
    const std::int64_t side = machine.pod.ring_axis.value;
    if (side == 0 || side * side * side != machine.pod.ring_mesh.value || machine.network.torus_axes() != 3) {
        return refuse(say("{} has no cubes behind optical switches, which make a twist; tpu-v4 and tpu-v5p "
                          "have.",
                          machine.title));
    }
    const bool whole = std::ranges::all_of(mesh, [&](std::int32_t axis) { return axis % side == 0; });
    if (!has_shape(mesh) || !whole) {
        return refuse(say("{} cannot be twisted; expected k x k x 2k or k x 2k x 2k with k a multiple of {}, "
                          "such as {}x{}x{}.",
                          fmt::format("{}", fmt::join(mesh, "x")), side, side, side, 2 * side));
    }
    if (const Result<void> fits = fits_pod(machine.pod, mesh, machine.title); !fits) {
        return refuse(fits.error());
    }
    std::array<std::int32_t, 3> sizes{mesh[0], mesh[1], mesh[2]};
    std::ranges::sort(sizes);
    return TwistedTorus(sizes);
}

TwistedTorus::TwistedTorus(std::array<std::int32_t, 3> sizes)
    : sizes_(sizes), short_axes_(sizes[1] == sizes[0] ? 2 : 1) {
    for (const std::int32_t away : distances()) {
        longest_ = std::max(longest_, away);
        all_ += away;
    }
}

std::int32_t TwistedTorus::neighbour(std::int32_t chip, int axis, bool forward) const {
    std::array<std::int32_t, 3> place{chip / (sizes_[1] * sizes_[2]), chip / sizes_[2] % sizes_[1],
                                      chip % sizes_[2]};
    const auto at = static_cast<std::size_t>(axis);
    place[at] += forward ? 1 : -1;
    const bool leaves = place[at] < 0 || place[at] == sizes_[at];
    place[at] = (place[at] + sizes_[at]) % sizes_[at];
    if (leaves && axis < short_axes_) {
        for (std::size_t along = static_cast<std::size_t>(short_axes_); along < 3; ++along) {
            place[along] = (place[along] + sizes_[along] / 2) % sizes_[along];
        }
    }
    return (place[0] * sizes_[1] + place[1]) * sizes_[2] + place[2];
}

std::vector<std::int32_t> TwistedTorus::distances() const {
    std::vector<std::int32_t> away(static_cast<std::size_t>(chips()), -1);
    std::vector<std::int32_t> reached = {0};
    away[0] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k) {
        const std::int32_t chip = reached[k];
        for (int axis = 0; axis < 3; ++axis) {
            for (const bool forward : {false, true}) {
                const std::int32_t next = neighbour(chip, axis, forward);
                if (away[static_cast<std::size_t>(next)] < 0) {
                    away[static_cast<std::size_t>(next)] = away[static_cast<std::size_t>(chip)] + 1;
                    reached.push_back(next);
                }
            }
        }
    }
    return away;
}

std::int64_t TwistedTorus::all_straight_ways() const {
    // Along a ring of an even number of chips a fourth of it on average, as sizes are multiples of 2.
    std::int64_t all = 0;
    for (const std::int32_t size : sizes_) {
        all += std::int64_t{chips()} * size / 4;
    }
    return all;
}

double TwistedTorus::all_to_all_gain() const {
    // A link of the long axis bears half of what its ring does; here each of six links bears the same.
    const double straight = static_cast<double>(chips()) * sizes_[2] / 4 / 2;
    return straight / (static_cast<double>(all_) / 6);
}

} // namespace meshslice
