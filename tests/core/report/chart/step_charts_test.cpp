#include "core/report/chart/step_charts.h"
#include "tests/core/support/round_hardware.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A small model, 2 x 256 tokens, on 2 x 2 chips of round numbers.
Scenario small_scenario() {
    Scenario scenario = default_scenario();
    scenario.model.name = "small";
    scenario.model.layers = 2;
    scenario.model.hidden = 512;
    scenario.model.heads = 8;
    scenario.model.kv_heads = 8;
    scenario.model.head_size = 64;
    scenario.model.feed_forward = 2048;
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.batch = 2;
    scenario.sequence = 256;
    return scenario;
}

/// C = A B of 256 x 512 x 128 alone.
Scenario one_ring_gemm() {
    Scenario scenario = small_scenario();
    scenario.gemm = SingleGemm{{256, 512, 128}, Dataflow::OS};
    return scenario;
}

std::vector<TrainingStep> steps_of(const Scenario& scenario, const std::vector<std::string>& algorithms) {
    std::vector<TrainingStep> steps;
    for (const std::string& algorithm : algorithms) {
        steps.push_back(training_step(scenario, algorithm, Depth::simulate).value());
    }
    return steps;
}

std::vector<std::string> names(const ChartPanel& panel) {
    std::vector<std::string> all;
    for (const ChartSeries& one : panel.series) {
        all.push_back(one.name);
    }
    return all;
}

/// A chip multiplies 128 x 256 x 128 in 2 x 4 194 304 FLOP / 10^12 FLOP/s = 8.388608 us. Before, half of its
/// 32 768 bytes of B goes each way along the columns: 10 us launch + 1 us synchronization + 16.384 us; and of
/// its 16 384 bytes of A along the rows at the same time: 10 + 1 + 8.192 us. The core waits for the longer
/// one.
TEST(BreakdownChart, HasTheTimesOfOneGemm) {
    const std::vector<TrainingStep> steps = steps_of(one_ring_gemm(), {"collective"});
    const Chart chart = breakdown_chart(steps, "A finding");
    EXPECT_EQ(chart.title, "A finding");
    ASSERT_THAT(chart.panels, SizeIs(1)) << "one GEMM is the whole step";
    const ChartPanel& panel = chart.panels[0];
    EXPECT_THAT(names(panel), ElementsAre("multiply", "launch", "core waits: exposed communication", "launch",
                                          "synchronization", "transfer, both axes"));
    std::vector<double> microseconds;
    for (const ChartSeries& one : panel.series) {
        ASSERT_THAT(one.values, SizeIs(1)) << one.name;
        microseconds.push_back(one.values[0].value() * 1e6);
        EXPECT_EQ(one.kind, SeriesKind::stack);
        EXPECT_EQ(one.thin, microseconds.size() > 3) << one.name;
    }
    const auto about = [](double value) { return DoubleNear(value, 1e-6); };
    EXPECT_THAT(microseconds,
                ElementsAre(about(8.388608), about(0), about(27.384), about(20), about(2), about(24.576)));
    EXPECT_THAT(panel.y.categories, ElementsAre("")) << "nothing to tell it from";
    EXPECT_THAT(panel.y.groups, ElementsAre("OS 256x512x128"));
    EXPECT_THAT(panel.y.items, ElementsAre(0));
    // 27.384 / (8.388608 + 27.384) = 76.5%.
    EXPECT_THAT(panel.y.remarks, ElementsAre(HasSubstr("waits 77%")));
}

/// Along one axis there is one colour, and nothing is added up.
TEST(BreakdownChart, TransfersOfOneAxisHaveItsColour) {
    for (const bool rows : {true, false}) {
        Scenario scenario = one_ring_gemm();
        scenario.mesh = rows ? std::vector<std::int32_t>{4, 1} : std::vector<std::int32_t>{1, 4};
        const Chart chart = breakdown_chart(steps_of(scenario, {"collective"}), "A finding");
        const ChartSeries& transfer = chart.panels[0].series.back();
        EXPECT_EQ(transfer.name, "transfer");
        EXPECT_EQ(transfer.role, rows ? Role::transferVertical : Role::transferHorizontal);
        EXPECT_FALSE(transfer.second);
    }
}

/// Thick bars add up to the time, thin ones to the communication, of every GEMM and of the whole step.
TEST(BreakdownChart, BarsAddUp) {
    const std::vector<TrainingStep> steps = steps_of(small_scenario(), {"meshslice", "collective"});
    const Chart chart = breakdown_chart(steps, {});
    ASSERT_THAT(chart.panels, SizeIs(2));
    const ChartPanel& whole = chart.panels[0];
    ASSERT_THAT(whole.y.categories, ElementsAre("MeshSlice", "Collective"));
    EXPECT_THAT(whole.y.items, ElementsAre(-1, -1)) << "a whole step cannot be selected";
    for (std::size_t step = 0; step < 2; ++step) {
        EXPECT_THAT(stack_sum(whole, step).value(), DoubleEq(in_seconds(steps[step].time)));
        EXPECT_THAT(stack_sum(whole, step, true).value(),
                    DoubleEq(in_seconds(steps[step].usage.communication())));
    }
    const ChartPanel& each = chart.panels[1];
    ASSERT_THAT(each.y.categories, SizeIs(24));
    for (std::size_t k = 0; k < each.y.categories.size(); ++k) {
        const std::size_t step = k % 2; // the same GEMM of both steps is next to each other
        const GemmResult& gemm = steps[step].gemms[k / 2];
        EXPECT_EQ(each.y.groups[k], gemm.title());
        EXPECT_EQ(each.y.categories[k], whole.y.categories[step]);
        EXPECT_EQ(each.y.items[k], static_cast<int>(step * 12 + k / 2));
        EXPECT_THAT(stack_sum(each, k).value(), DoubleEq(in_seconds(gemm.time)));
        EXPECT_THAT(stack_sum(each, k, true).value(), DoubleEq(in_seconds(gemm.usage.communication())));
        EXPECT_THAT(each.y.details[k], HasSubstr(gemm.title()));
    }
}

/// Four experts of the same GEMM: their times are added up.
TEST(BreakdownChart, CountsEveryExpert) {
    Scenario scenario = small_scenario();
    scenario.model.experts = 4;
    scenario.model.experts_per_token = 2;
    const std::vector<TrainingStep> steps = steps_of(scenario, {"collective"});
    const GemmResult& ff1 = steps[0].gemms[6];
    ASSERT_EQ(ff1.gemm.copies, 4);
    const Chart chart = breakdown_chart(steps, {});
    ASSERT_THAT(chart.panels, SizeIs(2));
    EXPECT_THAT(stack_sum(chart.panels[1], 6).value(), DoubleEq(in_seconds(ff1.time)));
    EXPECT_THAT(stack_sum(chart.panels[1], 6, true).value(),
                DoubleEq(4 * in_seconds(ff1.usage.communication())));
}

TEST(BreakdownChart, OfNothingIsEmpty) {
    EXPECT_THAT(breakdown_chart({}, "Why").panels, IsEmpty());
}

/// The rules that have a name: roofs and the ridge.
std::vector<ChartSeries> named_rules(const ChartPanel& panel) {
    std::vector<ChartSeries> rules;
    std::ranges::copy_if(panel.series, std::back_inserter(rules), [](const ChartSeries& one) {
        return one.kind == SeriesKind::rule && !one.name.empty();
    });
    return rules;
}
std::vector<ChartSeries> marks(const ChartPanel& panel) {
    std::vector<ChartSeries> all;
    std::ranges::copy_if(panel.series, std::back_inserter(all),
                         [](const ChartSeries& one) { return one.kind == SeriesKind::points; });
    return all;
}

/// 10^12 FLOP/s over HBM's 10^12 B/s: the ridge is at 1 FLOP per byte; over a link's 10^9 B/s at 1000. Both
/// roofs and the ridge's line meet there, and the slanted one rises from the axis with its bandwidth.
TEST(RooflineChart, RoofsMeetAtTheRidge) {
    const Scenario scenario = one_ring_gemm();
    const Chart chart = roofline_chart(steps_of(scenario, {"collective"}), scenario, "A finding");
    EXPECT_EQ(chart.title, "A finding");
    ASSERT_THAT(chart.panels, SizeIs(2));
    const double ridges[] = {1, 1000};
    const double bandwidths[] = {1e12, 1e9};
    for (std::size_t k = 0; k < 2; ++k) {
        const ChartPanel& panel = chart.panels[k];
        EXPECT_TRUE(panel.x.logarithmic && panel.y.logarithmic);
        const std::vector<ChartSeries> rules = named_rules(panel);
        ASSERT_THAT(rules, SizeIs(3));
        const ChartPoint ridge{ridges[k], 1e12};
        EXPECT_EQ(rules[0].points.back(), ridge) << rules[0].name;
        EXPECT_EQ(rules[0].points.front().x, panel.x.low);
        EXPECT_DOUBLE_EQ(rules[0].points.front().y, bandwidths[k] * *panel.x.low);
        EXPECT_EQ(rules[1].points.front(), ridge) << rules[1].name;
        EXPECT_EQ(rules[1].points.back(), (ChartPoint{*panel.x.high, 1e12}));
        EXPECT_EQ(rules[2].points.back(), ridge) << rules[2].name;
        EXPECT_EQ(rules[2].points.front(), (ChartPoint{ridges[k], *panel.y.low}));
        EXPECT_TRUE(rules[2].dashed);
        EXPECT_THAT(rules[2].name, HasSubstr("ridge"));
    }
}

/// A chip's 8 388 608 FLOP need 163 840 bytes of HBM: 51.2 FLOP per byte, right of the ridge at 1, under the
/// flat roof. They need 16 384 bytes of its busiest link: 512, left of the ridge at 1000, so that the slanted
/// roof bounds it: 512 GFLOP/s. It takes 8.388608 + 27.384 us: 234.5 GFLOP/s.
TEST(RooflineChart, AGemmBoundByLinksIsUnderTheSlantedRoof) {
    const Scenario scenario = one_ring_gemm();
    const Chart chart = roofline_chart(steps_of(scenario, {"collective"}), scenario, {});
    const std::vector<ChartSeries> chip = marks(chart.panels.at(0));
    const std::vector<ChartSeries> links = marks(chart.panels.at(1));
    ASSERT_THAT(chip, SizeIs(1));
    ASSERT_THAT(links, SizeIs(1));
    ASSERT_THAT(chip[0].points, SizeIs(1));
    ASSERT_THAT(links[0].points, SizeIs(1));
    const ChartPoint& one = chip[0].points[0];
    const ChartPoint& other = links[0].points[0];
    EXPECT_DOUBLE_EQ(one.x, 51.2);
    EXPECT_THAT(one.detail, HasSubstr("under peak bf16: "));
    EXPECT_DOUBLE_EQ(other.x, 512);
    EXPECT_THAT(other.detail, HasSubstr("under one link, one way: "));
    for (const ChartPoint& point : {one, other}) {
        EXPECT_NEAR(point.y, 8388608 / 35.772608e-6, 1e6);
        EXPECT_DOUBLE_EQ(point.weight, 1) << "all of the step";
        EXPECT_EQ(point.item, 0);
        EXPECT_EQ(point.label, "OS 256x512x128");
    }
    EXPECT_LT(other.y, 1e9 * other.x) << "below the slanted roof";
}

/// Twelve GEMMs of two algorithms: a mark's weight is the GEMM's share of its step's time, its item the step
/// and the GEMM, and a line leads from each compared mark to the scenario's own of the same GEMM.
TEST(RooflineChart, HasAMarkPerGemmAndStep) {
    const Scenario scenario = small_scenario();
    const std::vector<TrainingStep> steps = steps_of(scenario, {"meshslice", "collective"});
    const Chart chart = roofline_chart(steps, scenario, {});
    ASSERT_THAT(chart.panels, SizeIs(2));
    for (const ChartPanel& panel : chart.panels) {
        const std::vector<ChartSeries> series = marks(panel);
        ASSERT_THAT(series, SizeIs(2));
        EXPECT_TRUE(series[0].emphasized);
        EXPECT_FALSE(series[1].emphasized);
        for (std::size_t step = 0; step < 2; ++step) {
            ASSERT_THAT(series[step].points, SizeIs(12));
            double sum = 0;
            for (std::size_t k = 0; k < 12; ++k) {
                const ChartPoint& point = series[step].points[k];
                const GemmResult& gemm = steps[step].gemms[k];
                EXPECT_EQ(point.label, gemm.title());
                EXPECT_EQ(point.item, static_cast<int>(step * 12 + k));
                EXPECT_DOUBLE_EQ(point.weight, in_seconds(gemm.time) / in_seconds(steps[step].time));
                EXPECT_GT(point.x, *panel.x.low);
                EXPECT_LT(point.x, *panel.x.high);
                EXPECT_GT(point.y, *panel.y.low);
                EXPECT_LT(point.y, *panel.y.high);
                sum += point.weight;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
        std::size_t lines = 0;
        std::size_t arrows = 0;
        for (const ChartSeries& one : panel.series) {
            if (one.kind == SeriesKind::rule && one.name.empty()) {
                ASSERT_THAT(one.points, testing::AnyOf(SizeIs(2), SizeIs(7))) << "with the tip of an arrow";
                if (one.points.size() == 7) { // behind the tip, on both sides of the line
                    EXPECT_EQ(one.points[1], one.points[3]);
                    EXPECT_EQ(one.points[1], one.points[5]);
                    EXPECT_NE(one.points[2], one.points[4]);
                    const double up = one.points[6].y - one.points[0].y;
                    EXPECT_GT((one.points[1].y - one.points[2].y) * up +
                                  (one.points[1].y - one.points[4].y) * up,
                              0);
                    ++arrows;
                }
                const auto is_at = [](const ChartPoint& end) {
                    return [end](const ChartPoint& mark) { return mark.x == end.x && mark.y == end.y; };
                };
                EXPECT_TRUE(std::ranges::any_of(series[1].points, is_at(one.points.front())));
                EXPECT_TRUE(std::ranges::any_of(series[0].points, is_at(one.points.back())));
                ++lines;
            }
        }
        EXPECT_EQ(lines, 12u);
        EXPECT_GT(arrows, 0u) << "where the two are far enough apart";
    }
}

/// A 256 x 512 x 128 GEMM on one chip: 33 554 432 FLOP take 33.55 us at 10^12 FLOP/s, its 458 752 bytes
/// 458.75 us at 10^9 B/s. Where memory is left out of the time, the mark is above the roof, an outline, and
/// the key says why; where it is counted, it is on the roof.
TEST(RooflineChart, AMarkAboveItsRoofIsAnOutline) {
    Scenario scenario = one_ring_gemm();
    scenario.mesh = {1, 1};
    scenario.hardware.hbm_bandwidth.value = Bandwidth(1e9);
    for (const ChipModel chip : {ChipModel::constant_rate, ChipModel::roofline}) {
        scenario.assume.schedule.chip = chip;
        const Chart chart = roofline_chart(steps_of(scenario, {"collective"}), scenario, {});
        const ChartPoint point = marks(chart.panels.at(0)).at(0).points.at(0);
        const bool above = chip == ChipModel::constant_rate;
        EXPECT_NEAR(point.y, above ? 1e12 : 33554432 / 458.752e-6, 1e6);
        EXPECT_EQ(point.open, above);
        EXPECT_EQ(point.detail.find("above its roof") != std::string::npos, above);
        EXPECT_EQ(chart.notes.at(0).find("Outlined: above its roof") != std::string::npos, above);
    }
}

/// One chip sends nothing: no mark under the links' roof.
TEST(RooflineChart, OneChipHasNoLinks) {
    Scenario scenario = small_scenario();
    scenario.mesh = {1, 1};
    const Chart chart = roofline_chart(steps_of(scenario, {"meshslice"}), scenario, {});
    ASSERT_THAT(chart.panels, SizeIs(2));
    EXPECT_THAT(marks(chart.panels[0]).at(0).points, SizeIs(12));
    EXPECT_THAT(marks(chart.panels[1]).at(0).points, IsEmpty());
}

} // namespace
} // namespace meshslice
