#include "core/report/chart/svg/pixel_axis.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(PixelAxis, MapsLinearly) {
    const PixelAxis axis{0, 10, 100, 300, false};
    EXPECT_DOUBLE_EQ(axis.pixel(0), 100);
    EXPECT_DOUBLE_EQ(axis.pixel(5), 200);
    EXPECT_DOUBLE_EQ(axis.value(250), 7.5);
}

TEST(PixelAxis, MapsLogarithmicallyAndUpward) {
    const PixelAxis axis{1, 100, 400, 0, true};
    EXPECT_DOUBLE_EQ(axis.pixel(1), 400);
    EXPECT_DOUBLE_EQ(axis.pixel(10), 200);
    EXPECT_DOUBLE_EQ(axis.pixel(100), 0);
    EXPECT_NEAR(axis.value(axis.pixel(37)), 37, 1e-9);
    EXPECT_DOUBLE_EQ(axis.pixel(0), 400); // has no place of its own
    EXPECT_DOUBLE_EQ(axis.pixel(-3), 400);
}

TEST(PixelAxis, SurvivesNothingToShow) {
    EXPECT_DOUBLE_EQ((PixelAxis{5, 5, 10, 20, false}.pixel(7)), 10);
    EXPECT_DOUBLE_EQ((PixelAxis{0, 5, 10, 10, false}.value(7)), 0);
}

TEST(AxisTicks, AreWrittenInTheUnit) {
    const auto ticks = axis_ticks({50e12, 400e12, 0, 300, true}, 30, 1e12);
    ASSERT_EQ(ticks.size(), 3u); // 50, 100, 200
    EXPECT_DOUBLE_EQ(ticks[1].value, 100e12);
    EXPECT_EQ(ticks[1].label, "100");
    // 0.01 to 10 by 1, 2, 5: no digits that say nothing.
    const auto wide = axis_ticks({0.01, 10, 0, 600, true}, 30);
    ASSERT_EQ(wide.size(), 10u);
    EXPECT_EQ(wide[0].label, "0.01");
    EXPECT_EQ(wide[3].label, "0.1");
    EXPECT_EQ(wide[9].label, "10");
    const auto small = axis_ticks({0, 1, 0, 300, false}, 60);
    EXPECT_EQ(small[1].label, "0.2");
}

} // namespace
} // namespace meshslice
