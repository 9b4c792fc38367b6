#pragma once

#include "core/program/writer.h"

namespace meshslice {

/// The rounds of Cannon's algorithm (all P in Cannon itself, a share of them in every layer of 2.5D): skew,
/// multiply and shift `rounds` times, and bring the sums home to `C`. Layer z of the third axis, if there is
/// one, begins rounds x z shards further on.
void cannon_rounds(ProgramWriter& chip, Dataflow dataflow, std::int64_t rounds, ValueId C);

} // namespace meshslice
