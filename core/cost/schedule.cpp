#include "core/cost/schedule.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

std::string_view name(RingMode mode) {
    return mode == RingMode::both_ways ? "both" : "one-way";
}

Result<RingMode> parse_ring_mode(std::string_view words) {
    for (const RingMode mode : {RingMode::both_ways, RingMode::one_way}) {
        if (words == name(mode)) {
            return mode;
        }
    }
    return refuse(fmt::format("\"{}\" is not a way to use a ring; the two are both and one-way.", words));
}

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

std::string text(Prefetch prefetch) {
    return prefetch.unbounded() ? "unbounded" : fmt::format("{}", prefetch.depth);
}

Result<Prefetch> parse_prefetch(std::string_view words) {
    if (words == "unbounded") {
        return Prefetch{Prefetch::without_bound};
    }
    const Result<std::int64_t> depth = parse_whole(words);
    if (!depth || *depth < 0 || *depth >= Prefetch::without_bound) {
        return refuse(fmt::format(
            "The prefetch depth \"{}\" is neither a whole number from 0 on nor \"unbounded\".", words));
    }
    return Prefetch{*depth};
}

} // namespace meshslice
