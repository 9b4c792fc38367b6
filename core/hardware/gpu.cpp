#include "core/hardware/gpu.h"

#include "core/base/embedded_resources.h"
#include "core/base/listing.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/hardware/hardware.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace meshslice {

bool feeds_gpu_rings(const Hardware& hardware) {
    const Gpu& gpu = hardware.gpu;
    const int axes = hardware.network.torus_axes();
    return gpu.workgroups.value > 0 && gpu.near_memory_cost.value > 0 && gpu.reduction_share.value > 0 &&
           gpu.unit_bandwidth.value > Bandwidth(0) && hardware.output_tile.value > 0 &&
           (axes == 1 || axes == 2);
}

bool is_gpu_ring(const Hardware& hardware) {
    return feeds_gpu_rings(hardware) && hardware.network.torus_axes() == 1;
}

Result<void> makes_gpu_torus(const Hardware& hardware) {
    return feeds_gpu_rings(hardware) && hardware.network.torus_axes() == 2
               ? Result<void>()
               : refuse(say("{} is no torus of GPUs whose memory adds up what arrives; hardware such as {} "
                            "was expected.",
                            hardware.title, "t3-torus"));
}

Result<void> makes_gpu_ring(const Hardware& hardware) {
    return is_gpu_ring(hardware)
               ? Result<void>()
               : refuse(say("{} is no ring of GPUs whose memory adds up what arrives; hardware such as {} "
                            "was expected.",
                            hardware.title, papers_gpu().name));
}

const std::vector<Hardware>& gpu_presets() {
    static const std::vector<Hardware> presets = [] {
        std::vector<Hardware> read;
        for (const EmbeddedFile& file : embedded_gpus()) {
            const Result<Hardware> hardware = read_hardware(file.text, std::string(file.name));
            assert(hardware && "a GPU that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return presets;
}

const Hardware& papers_gpu() {
    const auto found = std::ranges::find(gpu_presets(), "t3-paper", &Hardware::name);
    assert(found != gpu_presets().end() && "the paper's GPU comes with the program");
    return *found;
}

Result<Hardware> gpu_preset(std::string_view name) {
    const auto found = std::ranges::find(gpu_presets(), name, &Hardware::name);
    if (found != gpu_presets().end()) {
        return *found;
    }
    std::vector<std::string> names;
    for (const Hardware& one : gpu_presets()) {
        names.push_back(one.name);
    }
    return refuse(
        say("There is no ring of GPUs called \"{}\"; there are {}.", shortened(name), listed(names)));
}

} // namespace meshslice
