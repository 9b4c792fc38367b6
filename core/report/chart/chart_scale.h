#pragma once

#include "core/figure/chart.h"
#include "core/report/chart/svg/pixel_axis.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The span of a panel's axis of values over these pixels: a linear one from zero to the end of a step, as
/// long in all panels that count the same unit over categories; a logarithmic one with room around the data.
[[nodiscard]] PixelAxis scaled(const Chart& chart, const ChartPanel& panel, bool along_x, double begin,
                               double end);

/// Those of the axis' own names that have room next to each other on it, given the width of a text: of values
/// at equal distances every second, third, ... one, of others from the lowest on what does not touch the one
/// before.
[[nodiscard]] std::vector<Tick> named_ticks(const ChartAxis& axis, const PixelAxis& scale,
                                            const std::function<double(std::string_view)>& width);

/// Every how many categories of a panel of lines have their names below them, where each has this much room:
/// as many as fit. Bars all have theirs.
[[nodiscard]] std::size_t category_stride(const ChartPanel& panel, double room,
                                          const std::function<double(std::string_view)>& width);

/// Where the lines of categories stand along their axis, in steps of `per_category`, and how many steps the
/// axis has. Groups stand one step apart.
struct CategoryPlaces {
    std::vector<int> at;
    int steps = 0;
    int per_category = 1;
};
[[nodiscard]] CategoryPlaces category_places(const ChartAxis& axis);

} // namespace meshslice
