#pragma once

#include "core/figure/chart.h"

namespace meshslice {

/// Lines over categories, drawn as their values are: where all categories are whole numbers, ascending, or
/// the axis names values for all of them, the marks stand at these, on a logarithmic axis where the last is
/// more than ten times the first; where they are names, marks are not joined, as nothing lies between two
/// names. A panel with bars or without lines stays.
[[nodiscard]] ChartPanel place_lines(ChartPanel panel);

} // namespace meshslice
