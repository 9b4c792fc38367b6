#pragma once

#include "core/figure/chart.h"
#include "core/search/landscape.h"

#include <string>
#include <vector>

namespace meshslice {

/// Where the time of a cell that runs goes: a bar per layer (forward and both backward passes together) or,
/// of a GEMM on its own, that one.
[[nodiscard]] Chart cell_chart(const Landscape& landscape, const LandscapeCell& cell, std::string title);

/// A cell of a landscape and what it is called there.
struct NamedCell {
    const Landscape* landscape;
    const LandscapeCell* cell;
    std::string name; ///< "A"
};
/// The same of several cells that run: under each layer a bar for each of them.
[[nodiscard]] Chart cells_chart(const std::vector<NamedCell>& cells, std::string title);

} // namespace meshslice
