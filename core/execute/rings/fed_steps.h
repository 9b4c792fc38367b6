#pragma once

#include "core/execute/chips.h"
#include "core/execute/link_loads.h"
#include "core/program/fed_chunk.h"

#include <vector>

namespace meshslice {

/// The chunks of what a GEMM makes for the collective that it feeds, before it makes any; by chip.
[[nodiscard]] std::vector<FedProgress> waiting_chunks(const Program& program, const Fusion& fusion);

/// Says to `watcher`, step by step, what the trackers of all chips saw in one run of a GEMM and the
/// collective that it feeds. Puts into the chips' memory what lay there after each step, and counts what
/// links carried. For std::int64_t, float and double.
template <class Number>
void tell_fed_steps(const Program& program, const Fusion& fusion, TileEvents<Number> events,
                    Chips<Number>& chips, LinkLoads& loads, ExecutionWatcher<Number>& watcher);

} // namespace meshslice
