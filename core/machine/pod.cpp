#include "core/machine/pod.h"

#include "core/base/say.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshslice {

bool closes(const Pod& pod, std::int64_t axis, std::int64_t chips) {
    const auto divides = [](std::int64_t part, std::int64_t whole) { return part == 0 || whole % part == 0; };
    return axis == 1 || (divides(pod.ring_axis.value, axis) && divides(pod.ring_mesh.value, chips));
}

Result<void> fits_pod(const Pod& pod, const std::vector<std::int32_t>& mesh, const std::string& title) {
    const auto chips = std::accumulate(mesh.begin(), mesh.end(), std::int64_t{1}, std::multiplies<>());
    if (pod.chips.value > 0 && chips > pod.chips.value) {
        return refuse(say("The mesh {} has {} chips; the largest torus of {} has {}.", fmt::join(mesh, "x"),
                          chips, title, pod.chips.value));
    }
    const std::int64_t longest = *std::ranges::max_element(mesh);
    if (pod.longest_axis.value > 0 && longest > pod.longest_axis.value) {
        return refuse(say("The mesh {} has {} chips along an axis; {} has up to {}.", fmt::join(mesh, "x"),
                          longest, title, pod.longest_axis.value));
    }
    return {};
}

} // namespace meshslice
