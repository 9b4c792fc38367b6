#pragma once

#include "core/base/result.h"
#include "core/hardware/hardware.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace meshslice {

/// How a collective uses a closed ring.
enum class RingMode : std::uint8_t {
    both_ways, ///< half of every shard travels each way round
    one_way,   ///< whole shards travel forward; the backward links stay idle
};
[[nodiscard]] std::string_view name(RingMode mode); ///< "both", "one-way"
[[nodiscard]] Result<RingMode> parse_ring_mode(std::string_view words);

/// How many iterations ahead of its use a temporary of the loop may be made: each has depth + 1 buffers.
/// Depth 1 is double buffering: the next slice's communication overlaps this slice's multiplication. At depth
/// 0 nothing is made ahead, so they take turns (but for Cannon's sums, which travel beside the next product).
struct Prefetch {
    static constexpr std::int64_t without_bound = std::numeric_limits<std::int64_t>::max() - 1;

    std::int64_t depth = 1;

    [[nodiscard]] bool unbounded() const { return depth == without_bound; }
    bool operator==(const Prefetch&) const = default;
};
[[nodiscard]] std::string text(Prefetch prefetch); ///< "1", "unbounded"
[[nodiscard]] Result<Prefetch> parse_prefetch(std::string_view words);

/// How a chip is told to work.
enum class ChipModel : std::uint8_t {
    by_hardware,   ///< tile by tile where the hardware says how large its tiles are, else at a constant rate
    constant_rate, ///< products at the effective FLOP/s, memory never in the way: the cost model (3.2.2)
    tiled,         ///< products tile by tile, HBM shared with slicing and links: the simulator (4.1)
};
inline constexpr std::array all_chip_models = {ChipModel::by_hardware, ChipModel::constant_rate,
                                               ChipModel::tiled};
[[nodiscard]] std::string_view name(ChipModel model); ///< "by-hardware", "constant-rate", "tiled"
[[nodiscard]] Result<ChipModel> parse_chip_model(std::string_view words);

/// The choices that turn a program into a run, apart from the hardware.
struct Schedule {
    DataType type = DataType::bf16;
    RingMode ring = RingMode::both_ways;
    Prefetch prefetch;
    ChipModel chip = ChipModel::by_hardware;

    bool operator==(const Schedule&) const = default;
};

/// Whether chips of this hardware are told tile by tile.
[[nodiscard]] bool tiled(const Schedule& schedule, const Hardware& hardware);

} // namespace meshslice
