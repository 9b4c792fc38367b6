#pragma once

#include "core/hardware/hardware.h"
#include "core/program/pipelining.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// How a chip is modelled.
enum class ChipModel : std::uint8_t {
    by_hardware,   ///< tile by tile where the hardware says how large its tiles are, else at a constant rate
    constant_rate, ///< products at the effective FLOP/s, memory never in the way: the cost model (3.2.2)
    tiled,         ///< products tile by tile, HBM shared with slicing and links: the simulator (4.1)
};
inline constexpr std::array all_chip_models = {ChipModel::by_hardware, ChipModel::constant_rate,
                                               ChipModel::tiled};
[[nodiscard]] std::string_view name(ChipModel model); ///< "by-hardware", "constant-rate", "tiled"

/// The choices that turn a program into a run, apart from the hardware.
struct Schedule {
    DataType type = DataType::bf16;
    RingMode ring = RingMode::both_ways;
    Prefetch prefetch;
    ChipModel chip = ChipModel::by_hardware;

    bool operator==(const Schedule&) const = default;
};

/// Whether chips of this hardware are modelled tile by tile.
[[nodiscard]] bool tiled(const Schedule& schedule, const Hardware& hardware);

} // namespace meshslice
