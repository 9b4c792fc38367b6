#pragma once

#include "core/base/result.h"
#include "core/model/gemm.h"
#include "core/program/chunk_order.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a caller may choose about a distributed GEMM beyond its shape and dataflow. An algorithm ignores the
/// options that it does not take.
struct GemmOptions {
    std::int64_t slices = 1;  ///< S, or the iterations to which a loop is unrolled
    std::int64_t block = 1;   ///< B of Algorithm 2: columns (rows) that stay together when a shard is sliced
    std::int64_t packets = 0; ///< of a streamed panel, at most; 0: as many as the ring has chips
    /// The axis whose collective is taken apart; none: of the closed rings whose chips S divides, the one
    /// with more traffic.
    std::optional<Axis> decomposed = {};
    /// Rows (and columns) of the tile that a work-group makes of a GEMM which feeds a collective.
    std::int64_t tile = 128;
    /// In which each chip makes the chunks of such a GEMM.
    ChunkOrder chunk_order = ChunkOrder::staggered;

    bool operator==(const GemmOptions&) const = default;
};

enum class OptionId : std::uint8_t { slices, block, packets, decomposed };
inline constexpr std::array all_options = {OptionId::slices, OptionId::block, OptionId::packets,
                                           OptionId::decomposed};

/// What an algorithm that takes the option does: "slice", "stream packets". A scenario's field table has the
/// keys, labels and flags.
[[nodiscard]] std::string_view verb(OptionId id);

/// The value of an option as a number (an axis by its number); none where `options` leave it open. The slice
/// count and the block are never open.
[[nodiscard]] std::optional<std::int64_t> value(const GemmOptions& options, OptionId id);
void set_value(GemmOptions& options, OptionId id, std::int64_t value);

/// How an algorithm takes a value that it is given.
enum class Taken : std::uint8_t {
    exactly, ///< a value that does not work is refused
    at_most, ///< it bounds an unrolled loop (paper, section 4.2): the largest value up to it that works
};

/// One option of one algorithm.
struct OptionSpec {
    OptionId id = OptionId::slices;
    Taken taken = Taken::exactly;
    /// The values that work for this GEMM with the other options as given: the preferred one first where two
    /// are equally good, ascending where a given value is a bound. Null where there is nothing to search: the
    /// value is always given.
    Result<std::vector<std::int64_t>> (*values)(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                                const GemmOptions& options) = nullptr;

    bool operator==(const OptionSpec&) const = default;
};

/// The values to try: for a given value what the algorithm makes of it, otherwise all that work.
[[nodiscard]] Result<std::vector<std::int64_t>> values_to_try(const OptionSpec& option,
                                                              const GemmShape& shape, Dataflow dataflow,
                                                              const Torus& torus, const GemmOptions& options,
                                                              std::optional<std::int64_t> given);

} // namespace meshslice
