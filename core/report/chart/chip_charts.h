#pragma once

#include "core/execute/chip/systolic_array.h"
#include "core/execute/chip/warp.h"
#include "core/figure/chart.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// The cells of a systolic array after the cycle that is looked at, each with its sum.
[[nodiscard]] Chart cell_chart(const SystolicRun& run);
/// The share of cells that multiply, cycle by cycle, with the cycle that is looked at.
[[nodiscard]] Chart systolic_use_chart(const SystolicRun& run, const SystolicTime& time);
/// Lanes against cycles: which are active and which are masked.
[[nodiscard]] Chart warp_chart(const std::vector<WarpBranch>& branches, std::int64_t before,
                               std::int64_t after);

} // namespace meshslice
