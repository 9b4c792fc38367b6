#include "core/cost/schedule.h"

#include <fmt/format.h>

namespace meshslice {

std::string_view name(ChipModel model) {
    constexpr std::array<std::string_view, all_chip_models.size()> names = {"by-hardware", "constant-rate",
                                                                            "tiled"};
    return names[static_cast<std::size_t>(model)];
}

Result<ChipModel> parse_chip_model(std::string_view words) {
    for (const ChipModel model : all_chip_models) {
        if (words == name(model)) {
            return model;
        }
    }
    return refuse(fmt::format(
        "\"{}\" is not a model of a chip; by-hardware, constant-rate or tiled was expected.", words));
}

bool tiled(const Schedule& schedule, const Hardware& hardware) {
    return schedule.chip == ChipModel::tiled ||
           (schedule.chip == ChipModel::by_hardware && hardware.output_tile.value > 0);
}

} // namespace meshslice
