#pragma once

#include "core/figure/chart.h"

namespace meshslice {

/// Lines over categories, drawn as their values are. Where all categories are numbers with one unit ("8",
/// "0.5", "500 ns"), each once and in any order, or the axis names values for all of them, the marks stand at
/// these. The axis is logarithmic where the largest is more than ten times the least. Where they are names,
/// marks are not joined, as nothing lies between two names. A panel with bars or without lines stays.
[[nodiscard]] ChartPanel place_lines(ChartPanel panel);

} // namespace meshslice
