#pragma once

#include "core/program/writer.h"

#include <cstdint>
#include <functional>

namespace meshslice {

/// Wang's decomposition of a collective over P chips into SendRecv steps that overlap with partial products
/// (MeshSlice paper, section 2.3.4), half of every shard each way round a closed ring. 2D, 1D and FSDP
/// algorithms share it.

/// A gather taken apart: what is at hand goes on round the ring while it is multiplied. `product(at hand,
/// turn)` uses it; turn 0 is the chip's own shard.
void gather_step_by_step(ProgramWriter& chip, ValueId shard, Axis axis, Dimension dimension, std::int64_t P,
                         const std::function<void(ValueId, Turn)>& product);

/// A scatter taken apart: partial sums go round the ring and end where they belong; each chip adds its
/// `product(turn)`.
void scatter_step_by_step(ProgramWriter& chip, ValueId result, Axis axis, Dimension dimension, std::int64_t P,
                          const std::function<ValueId(Turn)>& product);

} // namespace meshslice
