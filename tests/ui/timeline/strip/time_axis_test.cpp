#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/strip/time_axis.h"

#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using ::testing::ElementsAre;

constexpr QChar thin(0x2009);

TEST(TimeAxis, ChoosesUnitByZoom) {
    struct Case {
        std::int64_t picoseconds;
        const char16_t* unit;
        std::int64_t step;
    };
    // 1000 pixels, ticks at least 100 apart: a tenth of the range, rounded up to 1, 2 or 5.
    for (const Case& one :
         {Case{3'000'000'000'000, u"s", 500'000'000'000}, Case{14'200'000'000, u"ms", 2'000'000'000},
          Case{999'000'000, u"µs", 100'000'000}, Case{40'000, u"ns", 5'000}, Case{700, u"ps", 100}}) {
        const TimeScale scale{{Time(0), Time(one.picoseconds)}, 0, 1000};
        const TimeAxis axis = TimeAxis::choose(scale, 100);
        EXPECT_EQ(axis.unitName, QString::fromUtf16(one.unit));
        EXPECT_EQ(axis.step, Time(one.step)) << one.picoseconds;
    }
}

TEST(TimeAxis, TicksAreMultiplesWithinTheRange) {
    const TimeScale scale{{microseconds(13), microseconds(53)}, 0, 400};
    const TimeAxis axis = TimeAxis::choose(scale, 80); // 40 us / 5: 8, so steps of 10
    EXPECT_THAT(axis.ticks(scale.range),
                ElementsAre(microseconds(20), microseconds(30), microseconds(40), microseconds(50)));
    EXPECT_TRUE(axis.ticks({}).empty());
    // Without room there are no ticks to speak of, however long the range.
    const TimeScale narrow{{Time(0), microseconds(1'000'000)}, 0, 0};
    EXPECT_LE(TimeAxis::choose(narrow, 80).ticks(narrow.range).size(), 2u);
}

TEST(TimeAxis, LabelsTellTicksApart) {
    TimeAxis axis;
    axis.unit = Time(1'000'000'000); // ms
    axis.step = Time(500'000'000);
    EXPECT_EQ(axis.tickLabel(Time(1'500'000'000)), QStringLiteral("1.5"));
    EXPECT_EQ(axis.tickLabel(Time(2'000'000'000)), QStringLiteral("2.0"));
    axis.unit = microseconds(1);
    axis.step = microseconds(2);
    EXPECT_EQ(axis.tickLabel(microseconds(9'204)), QStringLiteral("9204"));
    EXPECT_EQ(axis.tickLabel(microseconds(14'204)),
              QString(QStringLiteral("14") + thin + QStringLiteral("204")));
}

TEST(TimeAxis, ReadOutIsAsExactAsAPixel) {
    // 10 us over 1000 pixels: 10 ns a pixel, so two decimals of a microsecond.
    const TimeScale scale{{microseconds(14'200), microseconds(14'210)}, 0, 1000};
    const TimeAxis axis = TimeAxis::choose(scale, 100);
    EXPECT_EQ(axis.readOut(microseconds(14'203) + Time(123'456), scale),
              QString(QStringLiteral("14") + thin + QStringLiteral("203.12") + thin + QStringLiteral("µs")));
}

TEST(PreciseTime, UsesTheTimesOwnUnit) {
    EXPECT_EQ(preciseTime(microseconds(14'203), Time(100'000)),
              QString(QStringLiteral("14.2030") + thin + QStringLiteral("ms")));
    EXPECT_EQ(preciseTime(Time(0), Time(0)), QString(QStringLiteral("0") + thin + QStringLiteral("s")));
    EXPECT_EQ(preciseTime(Time(7), Time(0)), QString(QStringLiteral("7") + thin + QStringLiteral("ps")));
}

} // namespace
} // namespace meshslice::ui
