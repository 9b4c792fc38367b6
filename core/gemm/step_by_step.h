#pragma once

#include "core/program/writer.h"

#include <cstdint>
#include <functional>

namespace meshslice {

/// Wang's decomposition of a collective over P chips into SendRecv steps that overlap with partial GEMMs
/// (MeshSlice paper, section 2.3.4), half of every shard each way round a closed ring. 2D, 1D and FSDP
/// algorithms share it.
struct Decomposed {
    Axis axis;
    Dimension dimension;         ///< that the chunks of the ring make up
    std::int64_t chips = 1;      ///< P, of the ring
    std::int64_t iterations = 1; ///< a divisor of P: P, or fewer where the loop is unrolled (section 4.2)

    /// The SendRecvs of one iteration, and the chunks that it multiplies at once.
    [[nodiscard]] std::int64_t unrolled() const { return chips / iterations; }
};

/// A gather taken apart: the chunks at hand travel on round the ring while they are multiplied. `product(at
/// hand, turns)` uses it; turn 0 is the chip's own shard.
void gather_step_by_step(ProgramWriter& chip, ValueId shard, const Decomposed& ring,
                         const std::function<void(ValueId, Turns)>& product);

/// A scatter taken apart: partial sums go round the ring and end where they belong; each chip adds its
/// `product(turns)`.
void scatter_step_by_step(ProgramWriter& chip, ValueId result, const Decomposed& ring,
                          const std::function<ValueId(Turns)>& product);

} // namespace meshslice
