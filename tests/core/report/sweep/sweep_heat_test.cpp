#include "core/question/catalogue/step_points.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_heat.h"
#include "core/report/sweep/sweep_table.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Sweep sweep_of(const std::vector<const char*>& varied) {
    Sweep sweep = sweep_of_steps(default_scenario(), {});
    for (const char* words : varied) {
        sweep.fields.push_back(*parse_vary(*sweep.over, sweep.scenario, words));
    }
    return sweep;
}

/// A cell for each pair: the field with more values from left to right, numbers growing upwards.
TEST(SweepHeat, HasACellForEachPair) {
    const Sweep sweep = sweep_of({"links=x0.5,x1", "batch=64,128,7"});
    std::vector<SweepPoint> points(6);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].values = values_at(sweep, k);
        points[k].numbers["flop_utilization"] = 0.1 * static_cast<double>(k + 1);
    }
    points[0].objection = "No.";
    points[5].numbers["fits"] = false;
    const HeatMap map = sweep_heat(sweep, points, "title");
    EXPECT_EQ(map.x, "batch");
    EXPECT_EQ(map.y, "link bandwidth");
    EXPECT_THAT(map.columns, ElementsAre("7", "64", "128"));
    EXPECT_THAT(map.rows, ElementsAre("x 1", "x 0.5"));
    ASSERT_EQ(map.cells.size(), 6u);
    EXPECT_EQ(map.cell(0, 1).value, 0.1 * 4) << "links x 1, batch 64";
    EXPECT_EQ(map.cell(0, 1).item, 3);
    EXPECT_EQ(map.best, 2u) << "batch 128 with x 1; batch 7 does not fit";
    EXPECT_TRUE(map.cell(0, 0).open);
    EXPECT_EQ(map.cell(1, 1).value, std::nullopt);
    EXPECT_EQ(heat_text(map, 4), "batch 64, link bandwidth x 0.5\ndoes not run\nNo.");
    EXPECT_THAT(map.notes, ElementsAre("Does not run with link bandwidth x 0.5, batch 64: No."));
    points.resize(2); // still running
    const HeatMap growing = sweep_heat(sweep, points, "title");
    EXPECT_FALSE(growing.cell(0, 1).done);
    EXPECT_EQ(growing.best, 5u);
}

/// 3 ms next to 4 are a quarter less; 10.8 next to 4 are 2.7 times as long, not 170% more.
TEST(SweepHeat, LongerTimesAreTimesAsLong) {
    const Sweep sweep = sweep_of({"batch=8,16"});
    std::vector<SweepPoint> points(2), of_a(2);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].values = of_a[k].values = values_at(sweep, k);
        of_a[k].numbers["time_s"] = 4e-3;
    }
    points[0].numbers["time_s"] = 3e-3;
    points[1].numbers["time_s"] = 10.8e-3;
    EXPECT_EQ(sweep_difference(sweep, points, of_a),
              "B against A takes 25% less time with batch 8, 2.7 times as long with batch 16.");
}

/// 3 where A takes 4 is a quarter less, 3 where it takes 2 half as much again; what A does not run has no
/// number.
TEST(SweepHeat, SaysHowMuchMoreBTakes) {
    const Sweep sweep = sweep_of({"batch=64,128", "links=x0.5,x1"});
    std::vector<SweepPoint> points(4);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].values = values_at(sweep, k);
        points[k].numbers["time_s"] = 3e-6;
    }
    std::vector<SweepPoint> of_a = points;
    of_a[0].numbers["time_s"] = 4e-6; // batch 64, links x 0.5
    of_a[1].numbers["time_s"] = 2e-6; // batch 64, links x 1
    of_a[2].objection = "No.";        // batch 128, links x 0.5
    const HeatMap map = sweep_heat_against(sweep, points, of_a, "title");
    EXPECT_THAT(map.rows, ElementsAre("x 1", "x 0.5"));
    EXPECT_NEAR(*map.cell(1, 0).value, -0.25, 1e-12);
    EXPECT_NEAR(*map.cell(0, 0).value, 0.5, 1e-12);
    EXPECT_EQ(heat_number(map, map.cell(0, 0)), "+50%");
    EXPECT_EQ(map.cell(1, 1).value, std::nullopt);
    EXPECT_THAT(map.cell(1, 1).detail, HasSubstr("A does not run."));
    EXPECT_EQ(map.cell(0, 1).value, 0.0);
    EXPECT_EQ(map.best, 2u) << "batch 64 with x 0.5";
    // The same as lines: one for each factor of the links, solid of B and dashed of A, and the difference.
    const Chart chart = sweep_chart_against(sweep, points, sweep, of_a, "title");
    ASSERT_EQ(chart.panels.size(), 2u);
    const std::vector<ChartSeries>& times = chart.panels[0].series;
    ASSERT_EQ(times.size(), 4u);
    EXPECT_EQ(times[0].name, times[2].name);
    EXPECT_TRUE(times[2].dashed && !times[0].dashed);
    EXPECT_EQ(times[0].points.size(), 2u);
    EXPECT_EQ(times[2].points.size(), 1u) << "A does not run with batch 128 and x 0.5";
    const ChartPanel& more = chart.panels[1];
    ASSERT_EQ(more.series.size(), 2u);
    ASSERT_EQ(more.series[0].points.size(), 1u);
    EXPECT_NEAR(more.series[0].points[0].y, -0.25, 1e-12);
    EXPECT_NEAR(more.series[1].points[0].y, 0.5, 1e-12);
    EXPECT_LE(more.y.low.value(), -0.25);
    EXPECT_GE(more.y.high.value(), 0.5);
    EXPECT_THAT(chart.notes, testing::Contains("Solid: B. Dashed: A."));
}

/// A sweep whose pictures show an expected time and an ideal one, as those of plans do.
Sweep with_expected_times(const std::vector<const char*>& varied) {
    Sweep sweep = sweep_of(varied);
    Question over = *sweep.over;
    SweptQuestion swept = *over.swept;
    swept.measures = {{"expected_s", "expected time", ChartUnit::seconds, Better::less},
                      {"time_s", "ideal time", ChartUnit::seconds, Better::less}};
    over.swept = std::make_shared<const SweptQuestion>(std::move(swept));
    sweep.over = std::make_shared<const Question>(std::move(over));
    return sweep;
}

std::vector<SweepPoint> points_of(const Sweep& sweep, const char* path, double seconds) {
    std::vector<SweepPoint> points(sweep.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].values = values_at(sweep, k);
        points[k].numbers[path] = seconds;
    }
    return points;
}

/// Of B 4 s are expected, ideal are 2; of A, ideal 3 s, nothing is expected.
struct OneExpected {
    explicit OneExpected(const std::vector<const char*>& varied)
        : sweep(with_expected_times(varied))
        , b(points_of(sweep, "time_s", 2))
        , a(points_of(sweep, "time_s", 3)) {
        for (SweepPoint& point : b) {
            point.numbers["expected_s"] = 4.0;
        }
    }
    Sweep sweep;
    std::vector<SweepPoint> b, a;
};

TEST(SweepReference, IsDrawnInThePanelOfItsNumber) {
    const OneExpected made({"batch=64,128"});
    Chart chart = sweep_chart(made.sweep, made.b, "");
    add_reference(chart, made.sweep, made.b, made.sweep, made.a);
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].series.size(), 1u) << "B's expected times alone";
    ASSERT_EQ(chart.panels[1].series.size(), 2u);
    EXPECT_EQ(chart.panels[1].series[1].points.front().y, 3.0) << "A's ideal time next to B's";
    EXPECT_THAT(chart.notes, testing::Contains("A has no expected time."));
}

/// 2 s next to 3: the time that both have.
TEST(SweepReference, IsComparedByATimeThatBothHave) {
    const OneExpected made({"batch=64,128", "links=x0.5,x1"});
    const Chart chart = sweep_chart_against(made.sweep, made.b, made.sweep, made.a, "");
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].y.label, "ideal time");
    EXPECT_EQ(chart.panels[0].series.size(), 4u);
    EXPECT_NEAR(chart.panels[1].series[0].points[0].y, -1.0 / 3, 1e-12);
    const HeatMap map = sweep_heat_against(made.sweep, made.b, made.a, "");
    EXPECT_NEAR(*map.cell(0, 0).value, -1.0 / 3, 1e-12);
    EXPECT_THAT(sweep_difference(made.sweep, made.b, made.a), HasSubstr("33% less time"));
}

TEST(SweepReference, IsLeftOutWhereTheyShareNoTime) {
    OneExpected made({"batch=64,128", "links=x0.5,x1"});
    made.a = points_of(made.sweep, "memory_bytes", 3);
    const Chart chart = sweep_chart_against(made.sweep, made.b, made.sweep, made.a, "");
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].series.size(), 2u) << "B's lines";
    EXPECT_THAT(chart.notes, testing::Contains("A has no expected time."));
    const HeatMap map = sweep_heat_against(made.sweep, made.b, made.a, "");
    EXPECT_EQ(map.cell(0, 0).value, std::nullopt);
    EXPECT_THAT(map.cell(0, 0).detail, HasSubstr("A has no expected time."));
}

} // namespace
} // namespace meshslice
