#pragma once

#include "core/figure/heat_map.h"
#include "core/question/sweep.h"

#include <string>
#include <vector>

namespace meshslice {

/// The first measure of the question over the values of both fields of a sweep: a number, else the field with
/// more values, from left to right; numbers grow to the right and upwards. `points` may be the first of a
/// sweep that still runs. A click on a cell selects the place of its point among the points.
[[nodiscard]] HeatMap sweep_heat(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                 std::string title);
/// The same, with how much more time B takes than A in each cell; below zero where it takes less, none where
/// A does not run. `of_a` are A's points, all of them.
[[nodiscard]] HeatMap sweep_heat_against(const Sweep& sweep, const std::vector<SweepPoint>& points,
                                         const std::vector<SweepPoint>& of_a, std::string title);

} // namespace meshslice
