#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <gtest/gtest.h>

#include <limits>

namespace meshslice::ui {
namespace {

TEST(TimeScale, MapsBothWays) {
    // 200 pixels from x = 50 show 1000 to 2000 ps: 5 ps a pixel.
    const TimeScale scale{{Time(1000), Time(2000)}, 50, 200};
    EXPECT_DOUBLE_EQ(scale.x(Time(1000)), 50);
    EXPECT_DOUBLE_EQ(scale.x(Time(1500)), 150);
    EXPECT_EQ(scale.pixel(Time(1012)), 52); // 52.4
    EXPECT_EQ(scale.pixel(Time(1013)), 53); // 52.6
    EXPECT_EQ(scale.time(150), Time(1500));
    EXPECT_EQ(scale.time(49), Time(995)); // outside
    EXPECT_DOUBLE_EQ(scale.picosecondsPerPixel(), 5);
}

TEST(TimeScale, RoundTripsEveryPixel) {
    const TimeScale scale{{Time(987'654'321'012'345), Time(987'654'321'912'345)}, 150, 997};
    for (int x = 150; x < 150 + 997; ++x) {
        EXPECT_EQ(scale.pixel(scale.time(x)), x);
    }
}

TEST(TimeScale, SurvivesNoWidthAndNoRange) {
    EXPECT_DOUBLE_EQ((TimeScale{{Time(0), Time(10)}, 7, 0}.x(Time(5))), 7);
    EXPECT_EQ((TimeScale{{Time(3), Time(10)}, 7, 0}.time(100)), Time(3));
    EXPECT_DOUBLE_EQ((TimeScale{{Time(5), Time(5)}, 7, 100}.x(Time(9))), 7);
    EXPECT_EQ((TimeScale{{Time(5), Time(5)}, 7, 100}.time(50)), Time(5));
}

TEST(TimeScale, FarAwayStillFitsAnInt) {
    const TimeScale scale{{Time(0), Time(1)}, 0, 4000};
    EXPECT_EQ(scale.pixel(Time(std::numeric_limits<std::int64_t>::max())), 4000 + 2000);
    EXPECT_EQ(scale.pixel(Time(std::numeric_limits<std::int64_t>::min() / 2)), -2000);
}

constexpr TimeRange whole{Time(0), microseconds(100)};

TEST(Ranges, ZoomKeepsThePointUnderTheCursor) {
    const TimeRange range = zoomed({microseconds(20), microseconds(60)}, microseconds(30), 0.5, whole);
    EXPECT_EQ(range, (TimeRange{microseconds(25), microseconds(45)}));
    EXPECT_EQ(zoomed(range, microseconds(30), 1000, whole), whole);
    // As close as a nanosecond.
    EXPECT_EQ(length(zoomed(range, microseconds(30), 1e-12, whole)), least_range);
}

TEST(Ranges, PanStopsAtTheEnds) {
    const TimeRange range{microseconds(20), microseconds(60)};
    EXPECT_EQ(panned(range, microseconds(10), whole), (TimeRange{microseconds(30), microseconds(70)}));
    EXPECT_EQ(panned(range, microseconds(90), whole), (TimeRange{microseconds(60), microseconds(100)}));
    EXPECT_EQ(panned(range, microseconds(-90), whole), (TimeRange{Time(0), microseconds(40)}));
}

TEST(Ranges, WithinIsNeverEmpty) {
    EXPECT_EQ(within({microseconds(90), microseconds(130)}, whole),
              (TimeRange{microseconds(90), microseconds(100)}));
    EXPECT_EQ(within({microseconds(130), microseconds(150)}, whole), whole);
    EXPECT_EQ(within({}, whole), whole);
    EXPECT_EQ(length(within({microseconds(50), microseconds(50) + Time(1)}, whole)), least_range);
    EXPECT_EQ(within({microseconds(100) - Time(1), microseconds(100)}, whole),
              (TimeRange{microseconds(100) - least_range, microseconds(100)}));
}

} // namespace
} // namespace meshslice::ui
