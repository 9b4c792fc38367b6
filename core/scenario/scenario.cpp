#include "core/scenario/scenario.h"

#include "core/base/text.h"
#include "core/cost/tiled_product.h"
#include "core/gemm/algorithms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

namespace meshslice {
namespace {

/// More sequences, tokens in one sequence or rows in a block than any run has had; products of them still fit
/// 64 bits.
constexpr std::int64_t most_batch = std::int64_t{1} << 24;
constexpr std::int64_t most_sequence = std::int64_t{1} << 24;
constexpr std::int64_t most_block = std::int64_t{1} << 16;
constexpr std::int64_t most_slices = most_dimension;
constexpr std::int64_t most_packets = 4096; ///< a stream of more would be all synchronisation

Result<void> within(std::string_view what, std::int64_t value, std::int64_t most) {
    if (value < 1 || value > most) {
        return refuse(
            fmt::format("The {} is {}; a whole number from 1 to {} was expected.", what, value, most));
    }
    return {};
}

} // namespace

Result<Torus> Scenario::torus() const {
    std::vector<TorusAxis> axes;
    for (std::size_t k = 0; k < mesh.size(); ++k) {
        const bool closed = k >= wraps.size() || wraps[k];
        axes.push_back({mesh[k], closed || folded, !closed && folded});
    }
    return Torus::create(std::move(axes));
}

Scenario default_scenario() {
    Scenario scenario;
    const Result<Transformer> model = model_preset("gpt3-175b");
    const Result<Hardware> hardware = hardware_preset("tpu-v4-paper");
    assert(model && hardware);
    scenario.model = *model;
    scenario.hardware = *hardware;
    return scenario;
}

Result<Scenario> checked(const Scenario& scenario) {
    std::vector<Result<void>> checks = {within("batch", scenario.batch, most_batch),
                                        within("sequence length", scenario.sequence, most_sequence),
                                        within("block size", scenario.block, most_block)};
    if (scenario.slices) {
        checks.push_back(within("slice count", *scenario.slices, most_slices));
    }
    if (scenario.packets) {
        checks.push_back(within("number of packets", *scenario.packets, most_packets));
    }
    for (const Result<void>& check : checks) {
        if (!check) {
            return refuse(check.error());
        }
    }
    if (const auto model = checked(scenario.model); !model) {
        return refuse(model.error());
    }
    if (const auto hardware = checked(scenario.hardware); !hardware) {
        return refuse(hardware.error());
    }
    if (const Result<Torus> torus = scenario.torus(); !torus) {
        return refuse(torus.error());
    }
    if (const auto known = conditions(*scenario.torus(), scenario.faults); !known) {
        return refuse(known.error());
    }
    if (scenario.gemm) {
        if (const auto shape = checked(scenario.gemm->shape); !shape) {
            return refuse(shape.error());
        }
    }
    if (const auto known = algorithm(scenario.algorithm); !known) {
        return refuse(known.error());
    }
    if (const auto known = algorithm(scenario.compare); !scenario.compare.empty() && !known) {
        return refuse(known.error());
    }
    if (static_cast<std::int64_t>(scenario.mesh.size()) > scenario.hardware.torus_axes.value) {
        std::vector<std::string_view> enough;
        for (const Hardware& preset : hardware_presets()) {
            if (preset.torus_axes.value >= static_cast<std::int64_t>(scenario.mesh.size())) {
                enough.push_back(preset.name);
            }
        }
        return refuse(fmt::format(
            "The mesh has {} axes; the links of {} make a torus of {}. Hardware with as many: {}.",
            scenario.mesh.size(), scenario.hardware.title, scenario.hardware.torus_axes.value,
            fmt::join(enough, ", ")));
    }
    if (scenario.hardware.peak_rate(scenario.schedule.type).value() <= 0) {
        return refuse(fmt::format("{} does not multiply {}; choose another data type.",
                                  scenario.hardware.title, name(scenario.schedule.type)));
    }
    if (scenario.schedule.chip == ChipModel::tiled &&
        output_tile(scenario.hardware, scenario.schedule.type) == 0) {
        return refuse(fmt::format(
            "{} says neither how much on-chip memory it has nor how large a tile its cores keep, so its "
            "products cannot be told tile by tile; let its chips work at a constant rate, or give its file "
            "an output_tile_rows.",
            scenario.hardware.title));
    }
    return scenario;
}

} // namespace meshslice
