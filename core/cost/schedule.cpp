#include "core/cost/schedule.h"

namespace meshslice {

std::string_view name(ChipModel model) {
    constexpr std::array<std::string_view, all_chip_models.size()> names = {"by-hardware", "constant-rate",
                                                                            "tiled"};
    return names[static_cast<std::size_t>(model)];
}

bool tiled(const Schedule& schedule, const Hardware& hardware) {
    return schedule.chip == ChipModel::tiled ||
           (schedule.chip == ChipModel::by_hardware && hardware.output_tile.value > 0);
}

} // namespace meshslice
