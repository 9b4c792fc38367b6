#pragma once

#include "core/execute/chips.h"

#include <vector>

namespace meshslice {

/// The collective of a fusion on all rings of its axis, fed by what its GEMM `made` on every chip, chunks end
/// to end, by run and chip. `sums` becomes what each chip keeps, by run and chip. Where
/// `events` are wanted, all chips take their steps together (see run_tracked_stores()), and the events name
/// chips of the torus. For std::int64_t, float and double.
template <class Number>
[[nodiscard]] FusedStores
feed_rings(const Program& program, const Schedule& schedule, const Fusion& fusion, const TrackedRing& how,
           std::vector<std::vector<std::vector<Number>>> made,
           std::vector<std::vector<std::vector<Number>>>& sums, TileEvents<Number>* events = nullptr);

} // namespace meshslice
