#pragma once

#include "core/figure/chart.h"

#include <cstddef>
#include <vector>

namespace meshslice {

/// How many shapes of marks there are; a series beyond them has one of them again.
inline constexpr std::size_t mark_shapes = 8;

/// A corner of a mark, in half of the mark's size around its middle; y grows downwards.
struct MarkCorner {
    double x = 0;
    double y = 0;
};
/// The outline of a series' mark, by the series' place among the others: circle (no corners), square,
/// diamond, triangle, plus, dash, cross, triangle upside down. All are seen equally well and differ without
/// colour.
[[nodiscard]] std::vector<MarkCorner> mark_outline(std::size_t shape);

/// Which shape marks a series: its place among the panel's names, so that published values have the shape of
/// ours. Limits have no marks and do not count.
[[nodiscard]] std::size_t mark_shape(const ChartPanel& panel, const ChartSeries& series);

} // namespace meshslice
