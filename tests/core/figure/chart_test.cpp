#include "core/figure/chart.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::ElementsAre;

/// Two categories: 1 and 2 ms on top of 3 ms and nothing; published 5 ms for the first.
ChartPanel stacked() {
    ChartPanel panel{"GPT-3", {"algorithm"}, {"time", ChartUnit::seconds}};
    panel.x.categories = {"Wang", "Cannon"};
    panel.series = {{"compute", SeriesKind::stack, {0.001, 0.002}},
                    {"waits", SeriesKind::stack, {0.003, std::nullopt}}};
    return panel;
}

TEST(Chart, AddsStacksUp) {
    const ChartPanel panel = stacked();
    EXPECT_DOUBLE_EQ(*stack_sum(panel, 0), 0.004);
    EXPECT_DOUBLE_EQ(*stack_sum(panel, 1), 0.002);
    EXPECT_FALSE(stack_sum(panel, 0, true)) << "there is no thin stack";
    // From the smallest part to the highest sum.
    EXPECT_EQ(value_range(panel, false), std::pair(0.001, 0.004));
}

TEST(Chart, LeavesOutWhatDoesNotRun) {
    const ChartPanel panel = stacked();
    EXPECT_THAT(points_of(panel, panel.series[1]), ElementsAre(ChartPoint{0, 0.003}));
    EXPECT_EQ(not_running({panel}), "waits does not run for Cannon.");
    ChartPanel over_chips = panel;
    over_chips.x.where = "on {} chips";
    over_chips.x.categories = {"16", "32"};
    EXPECT_EQ(not_running({over_chips}), "waits does not run on 32 chips.");
    EXPECT_EQ(not_running({panel, over_chips}),
              "GPT-3: waits does not run for Cannon. GPT-3: waits does not run on 32 chips.");
}

TEST(Chart, LogarithmicAxesLeaveZeroOut) {
    ChartPanel panel{"", {"x", ChartUnit::none, true}, {"y", ChartUnit::none, true}};
    panel.series = {{"a", SeriesKind::points, {}, {{0, 5}, {2, 0}, {3, 7}}}};
    EXPECT_EQ(value_range(panel, true), std::pair(2.0, 3.0));
    EXPECT_EQ(value_range(panel, false), std::pair(5.0, 7.0));
    panel.series.clear();
    EXPECT_FALSE(value_range(panel, true));
}

TEST(Chart, WritesValuesWithThreeDigitsAndTheirUnit) {
    EXPECT_EQ(value_text(ChartUnit::share, 0.8214), "82.1%");
    EXPECT_EQ(value_text(ChartUnit::ratio, 1.7249), "1.72\u00d7");
    EXPECT_EQ(value_text(ChartUnit::ratio, 3.8), "3.80\u00d7");
    EXPECT_EQ(axis_unit(ChartUnit::seconds, 0.02), std::pair(1e-3, std::string("ms")));
    EXPECT_EQ(axis_name({"FLOP utilization", ChartUnit::share}, 1), "FLOP utilization (%)");
    EXPECT_EQ(axis_name({"FLOP per byte", ChartUnit::flop_per_byte, true}, 1), "FLOP per byte (log scale)");
}

TEST(Chart, SaysWhatAMarkIsAndWhereItIsPublished) {
    ChartPanel panel = stacked();
    panel.series[0].hollow = true;
    panel.series[0].source = "MeshSlice, ISCA 2025";
    panel.x.details = {"more", ""};
    const std::string words = mark_text(panel, panel.series[0], points_of(panel, panel.series[0]).front());
    EXPECT_THAT(words, testing::StartsWith("compute\nalgorithm Wang: 1.00"));
    EXPECT_THAT(words, testing::EndsWith("s\nPublished: MeshSlice, ISCA 2025\nmore"));
}

/// A value that has a name on its axis is called by it; an outline says what is wrong with it.
TEST(Chart, CallsValuesByTheirNames) {
    ChartPanel panel{{}, {"link bandwidth"}, {"time", ChartUnit::seconds}};
    panel.x.names = {{0.5, "x 0.5"}, {1, "x 1"}};
    ChartSeries line{"MeshSlice", SeriesKind::line};
    line.points = {{0.5, 1e-3, {}, "does not fit", 0, 0, true}};
    EXPECT_THAT(mark_text(panel, line, line.points[0]),
                testing::AllOf(testing::StartsWith("MeshSlice\nlink bandwidth: x 0.5\ntime: 1.00"),
                               testing::EndsWith("ms\ndoes not fit")));
    EXPECT_EQ(value_text(panel.x, 0.7), "0.7") << "without a name";
    panel.x = {"algorithm"};
    panel.x.categories = {"Wang", "Cannon"};
    line.points.clear();
    line.values = {1.0, 2.0};
    line.open = {false, true};
    line.details = {"", "does not fit"};
    const std::vector<ChartPoint> points = points_of(panel, line);
    EXPECT_FALSE(points[0].open);
    EXPECT_TRUE(points[1].open);
    EXPECT_EQ(points[1].detail, "does not fit");
}

TEST(Chart, HasATableWithUnitsInItsColumns) {
    ChartPanel panel = stacked();
    panel.series[1].hollow = true;
    panel.series[1].name = "compute";
    const Table rows = table("Times", {panel});
    EXPECT_THAT(rows.columns, ElementsAre("panel", "algorithm", "compute_s", "compute published_s"));
    ASSERT_EQ(rows.rows.size(), 2u);
    EXPECT_EQ(rows.rows[1][3], Table::Cell(std::string()));
}

} // namespace
} // namespace meshslice
