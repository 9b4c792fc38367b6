#include "core/cost/mesh_links.h"

#include "core/base/say.h"

namespace meshslice {

Result<std::vector<MeshLinks>> links_of(const NamedMesh& slice, const Machine& hardware) {
    if (hardware.network.torus_axes() == 0) {
        return refuse(say("{} joins its chips by switches, not by the axes of a torus; tpu-v5e has a torus.",
                          hardware.title));
    }
    std::vector<std::int32_t> sides;
    for (const MeshAxis& axis : slice.axes) {
        if (axis.size > 1) {
            sides.push_back(static_cast<std::int32_t>(axis.size));
        }
    }
    if (static_cast<int>(sides.size()) > hardware.network.torus_axes()) {
        return refuse(say("{} has {} axes of more than one chip, and {} has only {}.", text(slice),
                          sides.size(), hardware.title, hardware.network.torus_axes()));
    }
    if (!sides.empty()) { // one chip fits everywhere
        if (const Result<void> fits = fits_pod(hardware.pod, sides, hardware.title); !fits) {
            return refuse(fits.error());
        }
    }
    std::vector<MeshLinks> all;
    int machine_axis = 0;
    for (const MeshAxis& axis : slice.axes) {
        MeshLinks& links = all.emplace_back();
        links.along.chips = axis.size;
        if (axis.size > 1) {
            links.closes = closes(hardware.pod, axis.size, slice.devices());
            links.along.ring = links.closes;
            links.along.link = hardware.network.link_bandwidth(machine_axis++);
        }
    }
    return all;
}

} // namespace meshslice
