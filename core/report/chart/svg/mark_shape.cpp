#include "core/report/chart/svg/mark_shape.h"

#include <algorithm>
#include <numbers>

namespace meshslice {
namespace {

/// Of arms as wide as a third of their length.
const std::vector<MarkCorner> plus = {{-0.33, -1},   {0.33, -1},   {0.33, -0.33}, {1, -0.33},
                                      {1, 0.33},     {0.33, 0.33}, {0.33, 1},     {-0.33, 1},
                                      {-0.33, 0.33}, {-1, 0.33},   {-1, -0.33},   {-0.33, -0.33}};

std::vector<MarkCorner> turned(const std::vector<MarkCorner>& corners) {
    constexpr double half = std::numbers::sqrt2 / 2;
    std::vector<MarkCorner> out;
    for (const auto& [x, y] : corners) {
        out.push_back({half * (x - y), half * (x + y)});
    }
    return out;
}

} // namespace

std::vector<MarkCorner> mark_outline(std::size_t shape) {
    switch (shape % mark_shapes) {
    case 0: return {};
    case 1: return {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    case 2: return {{0, -1.1}, {1.1, 0}, {0, 1.1}, {-1.1, 0}};
    case 3: return {{0, -1.1}, {1.1, 1}, {-1.1, 1}};
    case 4: return plus;
    case 5: return {{-1.1, -0.5}, {1.1, -0.5}, {1.1, 0.5}, {-1.1, 0.5}};
    case 6: return turned(plus);
    default: return {{0, 1.1}, {1.1, -1}, {-1.1, -1}};
    }
}

std::size_t mark_shape(const ChartPanel& panel, const ChartSeries& series) {
    const auto same = std::ranges::find(panel.series, series.name, &ChartSeries::name);
    return static_cast<std::size_t>(std::count_if(
        panel.series.begin(), same, [](const ChartSeries& one) { return one.kind != SeriesKind::rule; }));
}

} // namespace meshslice
