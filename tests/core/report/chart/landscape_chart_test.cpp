#include "core/report/chart/landscape_chart.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

constexpr Time ms(std::int64_t count) {
    return Time(count * 1'000'000'000);
}

/// Two layers, the first with two passes: 3 + 1 and 2 + 2 ms add up to 5 and 3; the second, 4 ms, waits for
/// nothing.
TEST(CellChart, AddsThePassesOfALayer) {
    Landscape land;
    for (const char* layer : {"QKV", "QKV", "FF1"}) {
        Gemm gemm;
        gemm.layer = layer;
        land.gemms.push_back(gemm);
    }
    LandscapeCell cell;
    cell.products = {{1, ms(4), ms(3)}, {1, ms(4), ms(2)}, {1, ms(4), ms(4)}};
    const Chart chart = cell_chart(land, cell, "4x2, S = 1: 12 ms");
    ASSERT_EQ(chart.panels.size(), 1u);
    const ChartPanel& panel = chart.panels[0];
    EXPECT_EQ(panel.title, "4x2, S = 1: 12 ms");
    EXPECT_EQ(panel.y.categories, (std::vector<std::string>{"QKV", "FF1"}));
    ASSERT_EQ(panel.series.size(), 2u);
    EXPECT_DOUBLE_EQ(*panel.series[0].values[0], 0.005);
    EXPECT_DOUBLE_EQ(*panel.series[1].values[0], 0.003);
    EXPECT_DOUBLE_EQ(*panel.series[0].values[1], 0.004);
    EXPECT_DOUBLE_EQ(*panel.series[1].values[1], 0);
    EXPECT_EQ(panel.series[1].role, Role::exposed);
}

/// A has a layer QKV of 4 ms, 3 of them multiplying, B QKV and FF1: three bars, those of a layer together.
TEST(CellChart, PutsTheCellsOfALayerTogether) {
    Landscape one;
    Gemm gemm;
    gemm.layer = "QKV";
    one.gemms.push_back(gemm);
    Landscape two = one;
    gemm.layer = "FF1";
    two.gemms.push_back(gemm);
    LandscapeCell a;
    a.products = {{1, ms(4), ms(3)}};
    LandscapeCell b;
    b.products = {{1, ms(2), ms(2)}, {1, ms(7), ms(5)}};
    const ChartPanel panel = cells_chart({{&one, &a, "A"}, {&two, &b, "B"}}, "both").panels.at(0);
    EXPECT_EQ(panel.y.categories, (std::vector<std::string>{"A", "B", "B"}));
    EXPECT_EQ(panel.y.groups, (std::vector<std::string>{"QKV", "QKV", "FF1"}));
    EXPECT_EQ(panel.series[0].values, (std::vector<std::optional<double>>{0.003, 0.002, 0.005}));
    EXPECT_EQ(panel.series[1].values, (std::vector<std::optional<double>>{0.001, 0.0, 0.002}));
}

} // namespace
} // namespace meshslice
