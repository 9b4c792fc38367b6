// Lines over categories that are numbers, or names.

#include "core/figure/place_lines.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::Field;

ChartPanel panel_of(std::vector<std::string> categories) {
    ChartPanel panel;
    panel.x.label = "chips";
    panel.x.categories = std::move(categories);
    ChartSeries series{"time", SeriesKind::line};
    series.values = {3, std::nullopt, 1};
    panel.series = {series};
    return panel;
}

/// 8, 64 and 256 chips stand at their numbers, the first two 3 doublings apart and the last two 2: a
/// logarithmic axis. What is missing between two marks is not bridged.
TEST(PlaceLines, PutsNumbersAtTheirValues) {
    const ChartPanel placed = place_lines(panel_of({"8", "64", "256"}));
    EXPECT_TRUE(placed.x.categories.empty());
    EXPECT_TRUE(placed.x.logarithmic);
    EXPECT_THAT(placed.x.names,
                ElementsAre(std::pair(8.0, "8"), std::pair(64.0, "64"), std::pair(256.0, "256")));
    EXPECT_THAT(placed.series[0].points, ElementsAre(Field(&ChartPoint::x, 8), Field(&ChartPoint::x, 256)));
    EXPECT_TRUE(placed.series[0].points[1].apart);
    EXPECT_TRUE(placed.series[0].values.empty());
    EXPECT_FALSE(place_lines(panel_of({"2", "4", "8"})).x.logarithmic) << "less than ten times";
}

TEST(PlaceLines, DoesNotJoinNames) {
    for (const std::vector<std::string>& names : {std::vector<std::string>{"16x16", "32x8", "64x4"},
                                                  {"1d", "2d", "3d"},
                                                  {"8 GB", "16 GB", "32 MB"},
                                                  {"8", "16", "8"}}) {
        const ChartPanel placed = place_lines(panel_of(names));
        EXPECT_EQ(placed.series[0].kind, SeriesKind::points) << names[1];
        EXPECT_EQ(placed.x.categories.size(), 3u);
    }
}

/// The first and the last of 2, 1 and 0.5 have a mark; from left to right that of 0.5 comes first.
TEST(PlaceLines, TakesNumbersInAnyOrderWithDecimalsAndAUnit) {
    const ChartPanel placed = place_lines(panel_of({"2", "1", "0.5"}));
    EXPECT_EQ(placed.series[0].kind, SeriesKind::line);
    EXPECT_THAT(placed.series[0].points, ElementsAre(Field(&ChartPoint::x, 0.5), Field(&ChartPoint::x, 2)));
    EXPECT_EQ(placed.series[0].points[0].y, 1.0);
    EXPECT_TRUE(placed.series[0].points[1].apart);
    EXPECT_LT(*placed.x.low, 0.5);
    EXPECT_GT(*placed.x.high, 2);
    const ChartPanel units = place_lines(panel_of({"100 GB/s", "50 GB/s", "200 GB/s"}));
    EXPECT_THAT(units.x.names, ElementsAre(std::pair(50.0, "50 GB/s"), std::pair(100.0, "100 GB/s"),
                                           std::pair(200.0, "200 GB/s")));
    EXPECT_EQ(place_lines(panel_of({"10%", "20%", "50%"})).series[0].kind, SeriesKind::line);
}

/// "500 ns" is a name, and 5e-7 its value.
TEST(PlaceLines, TakesValuesThatTheAxisNames) {
    ChartPanel panel = panel_of({"0 ns", "500 ns", "1 us"});
    panel.x.names = {{0, "0 ns"}, {5e-7, "500 ns"}, {1e-6, "1 us"}};
    const ChartPanel placed = place_lines(panel);
    EXPECT_EQ(placed.series[0].kind, SeriesKind::line);
    EXPECT_THAT(placed.series[0].points, ElementsAre(Field(&ChartPoint::x, 0), Field(&ChartPoint::x, 1e-6)));
    EXPECT_EQ(placed.x.names.size(), 3u);
}

} // namespace
} // namespace meshslice
