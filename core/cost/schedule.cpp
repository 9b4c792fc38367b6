#include "core/cost/schedule.h"

namespace meshslice {

std::string_view name(ChipModel model) {
    constexpr std::array<std::string_view, all_chip_models.size()> names = {"by-hardware", "roofline",
                                                                            "constant-rate", "tiled"};
    return names[static_cast<std::size_t>(model)];
}

std::string_view name(MemoryPolicy policy) {
    constexpr std::array<std::string_view, all_memory_policies.size()> names = {
        "ideal", "round-robin", "communication-aware", "compute-first"};
    return names[static_cast<std::size_t>(policy)];
}

bool staged(const Schedule& schedule, const Machine& hardware) {
    return schedule.chip == ChipModel::by_hardware && feeds_rings(hardware);
}

ChipModel chip_model(const Schedule& schedule, const Machine& hardware) {
    if (schedule.chip != ChipModel::by_hardware) {
        return schedule.chip;
    }
    if (staged(schedule, hardware)) {
        return ChipModel::roofline;
    }
    return hardware.output_tile.value > 0 ? ChipModel::tiled : ChipModel::roofline;
}

bool tiled(const Schedule& schedule, const Machine& hardware) {
    return chip_model(schedule, hardware) == ChipModel::tiled;
}

} // namespace meshslice
