#include "core/machine/pod.h"

#include "core/base/say.h"
#include "core/machine/machine.h"

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

Result<PodSliceSums> slice_sums(const std::vector<std::int32_t>& mesh, const Machine& hardware,
                                DataType type) {
    const Pod& pod = hardware.pod;
    if (const Result<void> fits = fits_pod(pod, mesh, hardware.title); !fits) {
        return refuse(fits.error());
    }
    PodSliceSums sums;
    sums.chips = std::accumulate(mesh.begin(), mesh.end(), std::int64_t{1}, std::multiplies<>());
    sums.hosts = pod.host.value > 0 ? (sums.chips + pod.host.value - 1) / pod.host.value : 0;
    const std::int64_t side = pod.ring_axis.value;
    const bool whole = mesh.size() == 3 && side > 0 && side * side * side == pod.ring_mesh.value &&
                       std::ranges::all_of(mesh, [&](std::int32_t axis) { return axis % side == 0; });
    sums.cubes = whole ? sums.chips / pod.ring_mesh.value : 0;
    sums.cores = sums.chips * hardware.cores.value;
    const auto chips = static_cast<double>(sums.chips);
    sums.flop_per_s = chips * hardware.peak_rate(type).value();
    sums.hbm_bytes = chips * static_cast<double>(hardware.hbm.value.value());
    sums.hbm_bytes_per_s = chips * hardware.hbm_bandwidth.value.value();
    for (const std::int32_t axis : mesh) {
        sums.rings.push_back(closes(pod, axis, sums.chips));
    }
    return sums;
}

} // namespace meshslice
