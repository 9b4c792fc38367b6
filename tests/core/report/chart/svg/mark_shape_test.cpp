#include "core/report/chart/svg/mark_shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace meshslice {
namespace {

/// As many shapes as there are algorithms but one, no two with the same corners, all of about one size.
TEST(MarkShape, NoTwoAreAlike) {
    std::set<std::vector<std::pair<double, double>>> seen;
    for (std::size_t shape = 0; shape < mark_shapes; ++shape) {
        std::vector<std::pair<double, double>> corners;
        double reach = shape == 0 ? 1 : 0;
        for (const MarkCorner& one : mark_outline(shape)) {
            corners.emplace_back(one.x, one.y);
            reach = std::max({reach, std::abs(one.x), std::abs(one.y)});
        }
        EXPECT_TRUE(seen.insert(corners).second) << shape;
        EXPECT_NEAR(reach, 1, 0.15) << shape;
    }
    EXPECT_TRUE(mark_outline(0).empty());
    EXPECT_TRUE(mark_outline(mark_shapes).empty());
}

/// Published values have the shape of ours, and limits have none.
TEST(MarkShape, IsThePlaceAmongTheNames) {
    ChartPanel panel;
    panel.series = {{"peak", SeriesKind::rule}, {"SUMMA"}, {"Wang"}, {"SUMMA"}};
    EXPECT_EQ(mark_shape(panel, panel.series[1]), 0u);
    EXPECT_EQ(mark_shape(panel, panel.series[2]), 1u);
    EXPECT_EQ(mark_shape(panel, panel.series[3]), 0u);
}

} // namespace
} // namespace meshslice
