#pragma once

#include "core/figure/chart.h"
#include "core/report/chart/pixel_axis.h"

namespace meshslice {

/// The span of a panel's axis of values over these pixels: a linear one from zero to the end of a step, as
/// long in all panels that count the same unit over categories; a logarithmic one with room around the data.
[[nodiscard]] PixelAxis scaled(const Chart& chart, const ChartPanel& panel, bool along_x, double begin,
                               double end);

/// Where the lines of categories stand along their axis, in steps of `per_category`, and how many steps the
/// axis has. Groups stand one step apart.
struct CategoryPlaces {
    std::vector<int> at;
    int steps = 0;
    int per_category = 1;
};
[[nodiscard]] CategoryPlaces category_places(const ChartAxis& axis);

} // namespace meshslice
