#include "core/machine/gpu.h"

#include "core/base/embedded_resources.h"
#include "core/base/listing.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/machine.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string>

namespace meshslice {

namespace {

/// A number that hardware has if its memory adds up what arrives, in words; 0 stands for not known.
struct NeededNumber {
    std::string name;
    double is = 0;
    double papers = 0; ///< the paper's
};
std::array<NeededNumber, 5> needed_numbers(const Machine& hardware) {
    const auto of = [](const Machine& one) {
        return std::array{static_cast<double>(one.gpu.workgroups.value), one.gpu.near_memory_cost.value,
                          one.gpu.reduction_share.value, one.gpu.unit_bandwidth.value.value(),
                          static_cast<double>(one.output_tile.value)};
    };
    const auto is = of(hardware), papers = of(papers_gpu());
    return {{{said("number of work-groups"), is[0], papers[0]},
             {said("near-memory cost"), is[1], papers[1]},
             {said("reduction share"), is[2], papers[2]},
             {said("unit bandwidth"), is[3], papers[3]},
             {said("output tile"), is[4], papers[4]}}};
}

/// Of hardware that has most of these numbers, what is missing.
std::optional<std::string> missing_number(const Machine& hardware) {
    const auto numbers = needed_numbers(hardware);
    const auto known = [](const NeededNumber& one) { return one.is > 0; };
    if (std::ranges::count_if(numbers, known) < 3) { // another kind of hardware; many have an output tile
        return std::nullopt;
    }
    const auto missing = std::ranges::find_if_not(numbers, known);
    return missing == numbers.end()
               ? std::nullopt
               : std::optional(say("The {} is 0, which stands for not known; memory that adds up what "
                                   "arrives needs a number above 0, such as the {:.6g} of {}.",
                                   missing->name, missing->papers, papers_gpu().name));
}

} // namespace

bool feeds_gpu_rings(const Machine& hardware) {
    const Gpu& gpu = hardware.gpu;
    const int axes = hardware.network.torus_axes();
    return gpu.workgroups.value > 0 && gpu.near_memory_cost.value > 0 && gpu.reduction_share.value > 0 &&
           gpu.unit_bandwidth.value > Bandwidth(0) && hardware.output_tile.value > 0 &&
           (axes == 1 || axes == 2);
}

bool is_gpu_ring(const Machine& hardware) {
    return feeds_gpu_rings(hardware) && hardware.network.torus_axes() == 1;
}

Result<void> makes_gpu_torus(const Machine& hardware) {
    if (const std::optional<std::string> missing = missing_number(hardware)) {
        return refuse(*missing);
    }
    return feeds_gpu_rings(hardware) && hardware.network.torus_axes() == 2
               ? Result<void>()
               : refuse(say("{} is no torus of GPUs whose memory adds up what arrives; hardware such as {} "
                            "was expected.",
                            hardware.title, "t3-torus"));
}

Result<void> makes_gpu_ring(const Machine& hardware) {
    if (const std::optional<std::string> missing = missing_number(hardware)) {
        return refuse(*missing);
    }
    return is_gpu_ring(hardware)
               ? Result<void>()
               : refuse(say("{} is no ring of GPUs whose memory adds up what arrives; hardware such as {} "
                            "was expected.",
                            hardware.title, papers_gpu().name));
}

const std::vector<Machine>& gpu_presets() {
    static const std::vector<Machine> presets = [] {
        std::vector<Machine> read;
        for (const EmbeddedFile& file : embedded_gpus()) {
            const Result<Machine> hardware = read_machine(file.text, std::string(file.name));
            assert(hardware && "a GPU that comes with the program must be readable");
            if (hardware) {
                read.push_back(*hardware);
            }
        }
        return read;
    }();
    return presets;
}

const Machine& papers_gpu() {
    const auto found = std::ranges::find(gpu_presets(), "t3-paper", &Machine::name);
    assert(found != gpu_presets().end() && "the paper's GPU comes with the program");
    return *found;
}

Result<Machine> gpu_preset(std::string_view name) {
    const auto found = std::ranges::find(gpu_presets(), name, &Machine::name);
    if (found != gpu_presets().end()) {
        return *found;
    }
    std::vector<std::string> names;
    for (const Machine& one : gpu_presets()) {
        names.push_back(one.name);
    }
    return refuse(
        say("There is no ring of GPUs called \"{}\"; there are {}.", shortened(name), listed(names)));
}

} // namespace meshslice
