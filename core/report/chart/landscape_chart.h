#pragma once

#include "core/figure/chart.h"
#include "core/search/landscape.h"

#include <string>

namespace meshslice {

/// Where the time of a cell that runs goes: a bar per layer (forward and both backward passes together) or,
/// of a GEMM on its own, that one.
[[nodiscard]] Chart cell_chart(const Landscape& landscape, const LandscapeCell& cell, std::string title);

} // namespace meshslice
