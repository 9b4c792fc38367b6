#pragma once

#include "core/cost/schedule.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/program/program.h"

namespace meshslice {

/// What all runs of an operation move in the DRAM of a chip, on average over the chips, without what GEMMs
/// read: dram_traffic() operation by operation. A GEMM writes its result and a fused one all but the chunk
/// that its stores send; what a chip sends is read, twice where it is the sum of two, and what it gets is
/// written. A reduce-scatter round a ring reads its own copy alone at first and two to leave the last sum.
[[nodiscard]] DramTraffic dram_traffic(const Program& program, OperationId id, const Schedule& schedule);

/// Of all operations together.
[[nodiscard]] DramTraffic dram_traffic(const Program& program, const Schedule& schedule);

} // namespace meshslice
