#include "core/scenario/meshes.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshslice {
namespace {

std::vector<Mesh> arrangements(std::int32_t chips, bool layered) {
    std::vector<std::int32_t> divisors;
    for (std::int32_t size = 1; size <= chips; ++size) {
        if (chips % size == 0) {
            divisors.push_back(size);
        }
    }
    std::vector<Mesh> meshes;
    for (const std::int32_t layers : divisors) {
        if (!layered && layers > 1) {
            break;
        }
        for (const std::int32_t columns : divisors) {
            if (chips / layers % columns == 0) {
                meshes.push_back({chips / layers / columns, columns});
                if (layered) {
                    meshes.back().push_back(layers);
                }
            }
        }
    }
    return meshes;
}

} // namespace

std::int64_t chips_of(const Mesh& mesh) {
    return std::accumulate(mesh.begin(), mesh.end(), std::int64_t{1}, std::multiplies<>());
}

int linked_axes(const Mesh& mesh) {
    return static_cast<int>(std::ranges::count_if(mesh, [](std::int32_t size) { return size > 1; }));
}

std::vector<Mesh> meshes_for(const Machine& hardware, const Algorithm& algorithm, std::int32_t chips) {
    const int axes = hardware.network.torus_axes();
    const bool layered = algorithm.torus_axes == 3;
    const std::int64_t most = hardware.pod.chips.value;
    if ((layered && axes < 3) || (most > 0 && chips > most)) {
        return {};
    }
    std::vector<Mesh> meshes = arrangements(chips, layered);
    std::erase_if(meshes, [&](const Mesh& mesh) {
        return linked_axes(mesh) > axes || !fits_pod(hardware.pod, mesh, hardware.title);
    });
    return meshes;
}

std::string no_torus(const Machine& hardware) {
    return say(
        "A GEMM or a block runs on a torus, which {} does not have; {} have one. Plans of training runs "
        "can be made for it.",
        hardware.title, names_of(presets_that(is_plain_torus)));
}

std::string no_mesh(const Machine& hardware, const Algorithm& algorithm) {
    const int axes = hardware.network.torus_axes();
    if (axes == 0) {
        return no_torus(hardware);
    }
    if (axes >= algorithm.torus_axes && algorithm.torus_axes < 3) {
        return say("{} has no mesh of so many chips.", hardware.title);
    }
    return axes < 3 ? say("{} needs a torus of three axes; that of {} has {}.", algorithm.title,
                          hardware.title, axes)
                    : say("{} needs layers of chips; one chip makes none.", algorithm.title);
}

Result<void> checked(const Mesh& mesh, const Machine& hardware) {
    const int axes = hardware.network.torus_axes();
    const int linked = linked_axes(mesh);
    if (linked <= axes) {
        const Result<void> fits = fits_pod(hardware.pod, mesh, short_title(hardware));
        if (fits) {
            return {};
        }
        std::vector<std::string> others;
        for (const Mesh& other : arrangements(static_cast<std::int32_t>(chips_of(mesh)), mesh.size() == 3)) {
            if (linked_axes(other) <= axes && fits_pod(hardware.pod, other, hardware.title)) {
                others.push_back(fmt::format("{}", fmt::join(other, "x")));
            }
        }
        return others.empty() ? fits
                              : refuse(say("{} Meshes of {} chips that it has: {}.", fits.error().sentence,
                                           chips_of(mesh), fmt::join(others, ", ")));
    }
    std::vector<std::string_view> enough;
    for (const Machine& preset : machine_presets()) {
        if (is_plain_torus(preset) && preset.network.torus_axes() >= linked) {
            enough.push_back(preset.name);
        }
    }
    if (axes == 0) {
        return refuse(no_torus(hardware));
    }
    std::string refusal =
        say("The mesh {} needs links along {} axes; {} has them along {}. Hardware "
            "with {}: {}.",
            fmt::join(mesh, "x"), linked, hardware.title, axes, linked, fmt::join(enough, ", "));
    if (const Mesh ring{static_cast<std::int32_t>(chips_of(mesh))};
        axes == 1 && fits_pod(hardware.pod, ring, hardware.title)) {
        refusal += said(" ") + say("A mesh of as many chips that it has: {}.", ring.front());
    }
    return refuse(std::move(refusal));
}

} // namespace meshslice
