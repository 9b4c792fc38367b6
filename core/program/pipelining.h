#pragma once

#include "core/base/result.h"

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
/// 0 nothing is made ahead, so the two take turns (except Cannon's sums, which travel during the next
/// multiplication).
struct Prefetch {
    static constexpr std::int64_t without_bound = std::numeric_limits<std::int64_t>::max() - 1;

    std::int64_t depth = 1;

    [[nodiscard]] bool unbounded() const { return depth == without_bound; }
    bool operator==(const Prefetch&) const = default;
};
[[nodiscard]] std::string text(Prefetch prefetch); ///< "1", "unbounded"

} // namespace meshslice
