#pragma once

#include "core/cost/traffic/memory_policy.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/machine/machine.h"
#include "core/program/pipelining.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// How a chip is modelled.
enum class ChipModel : std::uint8_t {
    by_hardware,   ///< tiled where the hardware says how large its tiles are, else roofline
    roofline,      ///< a GEMM takes the longer of its FLOP at the effective rate and its bytes in HBM
    constant_rate, ///< GEMMs at the effective FLOP/s, memory left out: the paper's cost model (3.2.2)
    tiled,         ///< GEMMs tile by tile, HBM shared with slicing and links: the paper's simulator (4.1)
};
inline constexpr std::array all_chip_models = {ChipModel::by_hardware, ChipModel::roofline,
                                               ChipModel::constant_rate, ChipModel::tiled};
/// "by-hardware", "roofline", "constant-rate", "tiled"
[[nodiscard]] std::string_view name(ChipModel model);

/// The choices that turn a program into a run, apart from the hardware.
struct Schedule {
    DataType type = DataType::bf16;
    RingMode ring = RingMode::both_ways;
    Prefetch prefetch;
    ChipModel chip = ChipModel::by_hardware;
    /// On rings of GPUs: who adds up what a reduce-scatter brings, where no GEMM feeds it (never `fused`),
    /// and how memory serves one that does.
    Reduction reduction = Reduction::by_units;
    MemoryPolicy arbitration = MemoryPolicy::communication_aware;
    /// There: compute units that run collectives which no GEMM feeds, and that GEMMs do without. 0: such
    /// collectives take none.
    std::int64_t units_for_communication = 0;

    bool operator==(const Schedule&) const = default;
};

/// How chips of this hardware are modelled: never `by_hardware`.
[[nodiscard]] ChipModel chip_model(const Schedule& schedule, const Machine& hardware);
/// Whether GEMMs are made in stages by work-groups (see WorkgroupProduct), as on a ring of GPUs that nothing
/// else is said of. chip_model() is then the nearest there is, roofline.
[[nodiscard]] bool staged(const Schedule& schedule, const Machine& hardware);
/// Whether chips of this hardware are modelled tile by tile.
[[nodiscard]] bool tiled(const Schedule& schedule, const Machine& hardware);

} // namespace meshslice
