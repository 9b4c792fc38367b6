#include "core/plan/search/advice/plan_scaling.h"
#include "core/report/plan/plan_charts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PlanQuestion question(std::int64_t chips) {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    scenario.hardware = *machine_preset("a100-nvs4");
    scenario.planning.chips = chips;
    scenario.plan.split = {"1d"};
    return *plan_question(scenario);
}

TEST(PlanScaling, NumbersOfChipsAreDoubledAroundTheGivenOne) {
    EXPECT_THAT(chips_around(512), ElementsAre(64, 128, 256, 512, 1024, 2048, 4096));
    EXPECT_THAT(chips_around(12), ElementsAre(3, 6, 12, 24, 48, 96));
    EXPECT_THAT(chips_around(1), ElementsAre(1, 2, 4, 8));
    EXPECT_EQ(chips_around(most_planned_chips).back(), most_planned_chips);
}

/// 64 chips of 80 GB are 5.1 TB, more than 16 bytes for each of 175e9 parameters; 8 are not.
TEST(PlanScaling, EachNumberHasTheBestPlanOfItsOwnSearch) {
    const auto found = plan_scaling(question(64));
    ASSERT_TRUE(found) << found.error().sentence;
    ASSERT_EQ(found->points.size(), 7u);
    for (const PlanAtChips& point : found->points) {
        PlanQuestion alone = question(point.chips);
        const auto own = answer(alone, 1);
        ASSERT_TRUE(own && point.best) << point.chips;
        EXPECT_EQ(*point.best, own->best()) << point.chips;
    }
    EXPECT_FALSE(found->points.front().best->reading.fits) << "8 chips";
    EXPECT_TRUE(found->points.back().best->reading.fits) << "512 chips";

    const Chart chart = plan_scaling_chart(*found);
    EXPECT_THAT(chart.title, HasSubstr("times the chips"));
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto& series = chart.panels[0].series;
    ASSERT_EQ(series.size(), 3u);
    EXPECT_EQ(series[0].kind, SeriesKind::rule);
    // Along it, time x chips stays the same.
    EXPECT_DOUBLE_EQ(series[0].points[0].x * series[0].points[0].y,
                     series[0].points[1].x * series[0].points[1].y);
    EXPECT_EQ(series[1].role, Role::exposed);
    EXPECT_TRUE(series[1].points.front().open);
    EXPECT_EQ(series[1].points.size() + series[2].points.size(), 7u);
    EXPECT_EQ(series[2].points.back().x, 512);
    const Plan& last = found->points.back().best->plan;
    EXPECT_EQ(series[2].points.back().label,
              fmt::format("1D: dp {} x pp {} x tp {}x1", last.data, last.pipeline, last.tensor1));
    EXPECT_EQ(plan_scaling_table(*found).rows.size(), 7u);
}

/// 97 chips divide neither the batch nor the heads of the model, and are more than its layers.
TEST(PlanScaling, WhereThereIsNoPlanItIsSaid) {
    const auto found = plan_scaling(question(97));
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->points.front().best);
    EXPECT_FALSE(found->points.front().objection.empty());
    const Chart chart = plan_scaling_chart(*found);
    ASSERT_FALSE(chart.notes.empty());
    EXPECT_THAT(chart.notes[0], HasSubstr("no plan for 97"));
}

TEST(PlanScaling, Stops) {
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    const auto found = plan_scaling(question(64), control);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
