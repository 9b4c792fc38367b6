#include "core/plan/torus_placement.h"

#include "core/base/say.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace meshslice {
namespace {

std::vector<std::int32_t> torus_shape(const TorusAxes& axes, int count) {
    std::vector<std::int32_t> shape;
    for (int k = 0; k < count; ++k) {
        shape.push_back(static_cast<std::int32_t>(
            std::min<std::int64_t>(chips_along(axes[static_cast<std::size_t>(k)]), 1 << 30)));
    }
    return shape;
}

std::int64_t product(const TorusAxes& axes, std::int64_t Placement::*group) {
    std::int64_t chips = 1;
    for (const Placement& axis : axes) {
        chips *= axis.*group;
    }
    return chips;
}

/// How many axes hold more than one chip of the group.
std::int64_t spread(const TorusAxes& axes, std::int64_t Placement::*group) {
    return std::ranges::count_if(axes, [&](const Placement& axis) { return axis.*group > 1; });
}

std::int64_t all_chips(const TorusAxes& axes) {
    std::int64_t chips = 1;
    for (const Placement& axis : axes) {
        chips *= chips_along(axis);
    }
    return chips;
}

/// Splits `left` chips of the data-parallel group over the axes from `axis` on.
void split_data(TorusAxes& axes, std::size_t axis, std::size_t count, std::int64_t left,
                const std::function<void()>& visit) {
    if (axis + 1 == count) {
        axes[axis].data = left;
        visit();
        axes[axis].data = 1;
        return;
    }
    for (const std::int64_t here : divisors(left)) {
        axes[axis].data = here;
        split_data(axes, axis + 1, count, left / here, visit);
    }
    axes[axis].data = 1;
}

} // namespace

std::int64_t chips_along(const Placement& axis) {
    return axis.tensor1 * axis.tensor2 * axis.pipeline * axis.data;
}

Result<void> check_torus(const Plan& plan, const Machine& hardware) {
    const TorusAxes& axes = plan.axes;
    const bool held = product(axes, &Placement::tensor1) == plan.tensor1 &&
                      product(axes, &Placement::tensor2) == plan.tensor2 &&
                      product(axes, &Placement::data) * plan.tori() == plan.data &&
                      product(axes, &Placement::pipeline) == plan.pipeline;
    const bool apart = spread(axes, &Placement::tensor1) <= 1 && spread(axes, &Placement::tensor2) <= 1 &&
                       spread(axes, &Placement::pipeline) <= 1 &&
                       std::ranges::none_of(
                           axes, [](const Placement& axis) { return axis.tensor1 > 1 && axis.tensor2 > 1; });
    const int count = hardware.network.torus_axes();
    const bool there = std::all_of(axes.begin() + count, axes.end(),
                                   [](const Placement& axis) { return chips_along(axis) == 1; });
    if (!held || !apart || !there) {
        return refuse(say("The axes {} do not hold the plan {} on a torus of {} axes.", placement_text(plan),
                          text(plan), count));
    }
    if (plan.tori() > 1 && !joins_tori(hardware)) {
        return refuse(say("The axes {} are those of several tori, which nothing joins on {}.",
                          placement_text(plan), hardware.title));
    }
    return fits_pod(hardware.pod, torus_shape(axes, count), hardware.title);
}

namespace {

/// On one torus, of which `plan` has the chips.
std::vector<TorusAxes> placements_on_one(const Plan& plan, const Machine& hardware) {
    std::vector<TorusAxes> all;
    const auto count = static_cast<std::size_t>(hardware.network.torus_axes());
    // A group of one chip lies nowhere: on the first axis, to count it once.
    const auto places = [&](std::int64_t chips) { return chips > 1 ? count : 1; };
    for (std::size_t first = 0; first < places(plan.tensor1); ++first) {
        for (std::size_t second = 0; second < places(plan.tensor2); ++second) {
            if (plan.tensor1 > 1 && plan.tensor2 > 1 && first == second) {
                continue;
            }
            for (std::size_t stages = 0; stages < places(plan.pipeline); ++stages) {
                TorusAxes axes{};
                axes[first].tensor1 = plan.tensor1;
                axes[second].tensor2 = plan.tensor2;
                axes[stages].pipeline = plan.pipeline;
                split_data(axes, 0, count, plan.data, [&] {
                    // All axes are alike: of those that only change places, the one in order.
                    if (std::is_sorted(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(count),
                                       std::greater<>()) &&
                        fits_pod(hardware.pod, torus_shape(axes, static_cast<int>(count)), hardware.title)) {
                        all.push_back(axes);
                    }
                });
            }
        }
    }
    return all;
}

} // namespace

bool joins_tori(const Machine& machine) {
    return machine.network.torus_axes() > 0 && outer_network(machine.network) != nullptr;
}

std::vector<TorusAxes> torus_placements(const Plan& plan, const Machine& hardware) {
    const std::int64_t pod = hardware.pod.chips.value;
    if (!joins_tori(hardware) || pod == 0 || plan.chips() <= pod) {
        return placements_on_one(plan, hardware);
    }
    for (const std::int64_t tori : divisors(plan.data)) {
        Plan of_one = plan;
        of_one.data = plan.data / tori;
        if (of_one.chips() > pod) {
            continue;
        }
        if (std::vector<TorusAxes> all = placements_on_one(of_one, hardware); !all.empty()) {
            return all;
        }
    }
    return {};
}

GridRings grid_rings(const Plan& plan, const Pod& pod) {
    GridRings rings;
    const std::int64_t chips = all_chips(plan.axes);
    for (const Placement& axis : plan.axes) {
        const bool alone = axis.pipeline * axis.data == 1;
        const bool ring = alone && closes(pod, chips_along(axis), chips);
        rings.tensor1 = rings.tensor1 && (axis.tensor1 == 1 || ring);
        rings.tensor2 = rings.tensor2 && (axis.tensor2 == 1 || ring);
    }
    return rings;
}

ChipGroup tensor_group_on_torus(const Plan& plan, const Pod& pod, int side) {
    const std::int64_t chips = side == 0 ? plan.tensor1 : plan.tensor2;
    const GridRings rings = grid_rings(plan, pod);
    ChipGroup group{chips};
    group.within.fill(chips);
    group.along[0] = {static_cast<std::int32_t>(chips), 1, side == 0 ? rings.tensor1 : rings.tensor2};
    return group;
}

ChipGroup data_group_on_torus(const Plan& plan, const Pod& pod) {
    ChipGroup group{plan.data};
    group.within.fill(plan.data / plan.tori());
    const std::int64_t chips = all_chips(plan.axes);
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
        const Placement& axis = plan.axes[k];
        group.along[k] = {static_cast<std::int32_t>(axis.data),
                          static_cast<std::int32_t>(axis.tensor1 * axis.tensor2 * axis.pipeline),
                          closes(pod, chips_along(axis), chips)};
    }
    return group;
}

std::int64_t hops_between_stages(const Plan& plan) {
    for (const Placement& axis : plan.axes) {
        if (axis.pipeline > 1) {
            return axis.tensor1 * axis.tensor2;
        }
    }
    return 1;
}

bool data_passes_tensor_links(const Plan& plan) {
    return std::ranges::any_of(
        plan.axes, [](const Placement& axis) { return axis.data > 1 && axis.tensor1 * axis.tensor2 > 1; });
}

} // namespace meshslice
