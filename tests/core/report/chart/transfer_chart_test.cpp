// Transfers as a chart: the slice with its ways, and the parts of the way.

#include "core/cost/collective/transfer.h"
#include "core/machine/catalogue.h"
#include "core/report/chart/transfer_chart.h"
#include "tests/core/question/transfer_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Drawn {
    TransferAsked asked;
    Transfer found;
    Chart chart;
};
Drawn drawn(const TransferTexts& typed, const char* hardware = "tpu-v5e") {
    const Machine chips = machine_preset(hardware).value();
    const TransferAsked asked = read_transfer(typed).value();
    const Transfer found = transfer(asked, chips).value();
    return {asked, found, transfer_chart(asked, found, chips)};
}
const ChartSeries& series(const ChartPanel& panel, const std::string& name) {
    return *std::ranges::find(panel.series, name, &ChartSeries::name);
}
std::set<std::pair<double, double>> places(const ChartSeries& of) {
    std::set<std::pair<double, double>> all;
    for (const ChartPoint& point : of.points) {
        all.emplace(point.x, point.y);
    }
    return all;
}

/// The first axis goes down: (0, 0) is on top.
TEST(TransferChart, ShowsTheWaysFromChipToChip) {
    const Drawn one = drawn({"X=4,Y=4", "0,0", "3,3", "2*8*128*8192", "", ""});
    EXPECT_EQ(one.chart.title, "16.8\u2009MB, (0, 0) to (3, 3) on TPU v5e: 192\u2009µs, bound by links");
    ASSERT_EQ(one.chart.panels.size(), 2u);
    const ChartPanel& slice = one.chart.panels[0];
    EXPECT_EQ(places(series(slice, "chip")).size(), 16u);
    EXPECT_EQ(series(slice, "from").points[0].y, 3);
    EXPECT_EQ(series(slice, "to").points[0].x, 3);
    EXPECT_EQ(series(slice, "way 2").points.size(), 7u);
    EXPECT_EQ(one.chart.panels[1].x.categories.size(), one.found.stages.size());
    EXPECT_THAT(one.chart.notes[0], HasSubstr("First byte after 6 x 1.00"));
    EXPECT_EQ(transfer_table(one.asked, one.found).rows.size(), 2u);
}

/// Every chip has a place of its own, whatever axes of one chip stand between the others; so has every hop.
TEST(TransferChart, GivesEveryChipAPlace) {
    for (const TransferTexts& typed :
         {TransferTexts{"A=1,B=1,C=1,D=4,E=4", "0,0,0,1,2", "0,0,0,3,0", "1 MB", "", ""},
          TransferTexts{"X=1,Y=4,Z=4", "0,0,0", "0,3,3", "1 MB", "", ""},
          TransferTexts{"X=16", "chips", "3", "1 MB", "", ""},
          TransferTexts{"X=1,Y=16", "hosts", "0,3", "1 MB", "", ""}}) {
        const Drawn one = drawn(typed);
        const ChartPanel& slice = one.chart.panels[0];
        EXPECT_EQ(static_cast<std::int64_t>(places(slice.series.front()).size()), one.asked.slice.devices());
        EXPECT_TRUE(slice.series.front().name.starts_with("chip"));
        for (const ChartSeries& way : slice.series) {
            if (way.name.starts_with("way ")) {
                EXPECT_EQ(places(way).size(), way.points.size());
            }
        }
        for (const ChartPoint& point : series(slice, "to").points) {
            EXPECT_GE(point.x, slice.x.low.value());
            EXPECT_LE(point.x, slice.x.high.value());
            EXPECT_LE(point.y, slice.y.high.value());
        }
    }
}

/// Along a third axis, and round the end of a ring, a way leaves its chip and comes in at the next one: a
/// line at either end, and none between.
TEST(TransferChart, BreaksWaysThatJump) {
    const Drawn third = drawn({"X=4,Y=4,Z=4", "0,0,0", "0,0,2", "1 MB", "", ""}, "tpu-v5p");
    ASSERT_EQ(third.found.ways.size(), 2u) << "a ring of 4: both ways round";
    const std::vector<ChartPoint>& points = series(third.chart.panels[0], "way 1").points;
    ASSERT_EQ(points.size(), 7u);
    std::vector<bool> apart;
    std::ranges::transform(points, std::back_inserter(apart), &ChartPoint::apart);
    EXPECT_THAT(apart, ElementsAre(false, false, true, false, false, true, false));
    EXPECT_THAT(points[1].detail, HasSubstr("next place along Z"));
    const Drawn ring = drawn({"X=16", "0", "15", "1 MB", "", ""});
    EXPECT_EQ(series(ring.chart.panels[0], "way 1").points.size(), 4u);
    EXPECT_LT(series(ring.chart.panels[0], "way 1").points[1].x, 0);
    EXPECT_GT(series(ring.chart.panels[0], "way 1").points[2].x, 15);
    // The two links of a ring of two chips are seen as two.
    const Drawn two = drawn({"X=2", "0", "1", "1 MB", "", ""}, "tpu-v4-paper");
    ASSERT_EQ(two.found.ways.size(), 2u);
    EXPECT_NE(series(two.chart.panels[0], "way 1").points[0].y,
              series(two.chart.panels[0], "way 2").points[0].y);
}

} // namespace
} // namespace meshslice
