#include "core/machine/slice_sums.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshslice {

Result<SliceSums> slice_sums(const std::vector<std::int32_t>& mesh, const Machine& hardware, DataType type) {
    const Pod& pod = hardware.pod;
    if (const Result<void> fits = fits_pod(pod, mesh, hardware.title); !fits) {
        return refuse(fits.error());
    }
    SliceSums sums;
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
