#include "ui/charts/axis.h"

#include <QLineF>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(ChartAxis, MapsLinearly) {
    const ChartAxis axis{0, 10, 100, 300, false};
    EXPECT_DOUBLE_EQ(axis.pixel(0), 100);
    EXPECT_DOUBLE_EQ(axis.pixel(5), 200);
    EXPECT_DOUBLE_EQ(axis.value(250), 7.5);
}

TEST(ChartAxis, MapsLogarithmicallyAndUpward) {
    const ChartAxis axis{1, 100, 400, 0, true};
    EXPECT_DOUBLE_EQ(axis.pixel(1), 400);
    EXPECT_DOUBLE_EQ(axis.pixel(10), 200);
    EXPECT_DOUBLE_EQ(axis.pixel(100), 0);
    EXPECT_NEAR(axis.value(axis.pixel(37)), 37, 1e-9);
    EXPECT_DOUBLE_EQ(axis.pixel(0), 400); // has no place of its own
    EXPECT_DOUBLE_EQ(axis.pixel(-3), 400);
}

TEST(ChartAxis, SurvivesNothingToShow) {
    EXPECT_DOUBLE_EQ((ChartAxis{5, 5, 10, 20, false}.pixel(7)), 10);
    EXPECT_DOUBLE_EQ((ChartAxis{0, 5, 10, 10, false}.value(7)), 0);
}

TEST(AxisTicks, AreWrittenInTheUnit) {
    const auto ticks = axisTicks({50e12, 400e12, 0, 300, true}, 30, 1e12);
    ASSERT_EQ(ticks.size(), 3u); // 50, 100, 200
    EXPECT_DOUBLE_EQ(ticks[1].value, 100e12);
    EXPECT_EQ(ticks[1].label, QStringLiteral("100"));
    const auto small = axisTicks({0, 1, 0, 300, false}, 60);
    EXPECT_EQ(small[1].label, QStringLiteral("0.2"));
}

TEST(CutTo, LeavesWhatIsInside) {
    const QRectF area(0, 0, 10, 10);
    EXPECT_EQ(cutTo(area, {-5, 5}, {15, 5}), QLineF(0, 5, 10, 5));
    EXPECT_EQ(cutTo(area, {2, 2}, {4, 4}), QLineF(2, 2, 4, 4));
    EXPECT_EQ(cutTo(area, {-5, -5}, {20, 20}), QLineF(0, 0, 10, 10));
    EXPECT_TRUE(cutTo(area, {-5, 20}, {15, 20}).isNull());
    EXPECT_TRUE(cutTo(area, {-5, 1}, {-1, 9}).isNull());
}

} // namespace
} // namespace meshslice::ui
