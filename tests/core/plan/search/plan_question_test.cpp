#include "core/machine/catalogue.h"
#include "core/plan/search/plan_question.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_lines.h"
#include "core/scenario/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::Not;

Scenario planned(const char* machine, std::int64_t chips, const SplitAsked& split) {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    scenario.hardware = *machine_preset(machine);
    scenario.planning.chips = chips;
    scenario.plan.split = split;
    return scenario;
}

TEST(PlanQuestion, DependsOnTheModelNotOnTheMesh) {
    Scenario other = planned("a100-nvs4", 512, {"1d"});
    const auto question = plan_question(other);
    other.mesh = {4, 4};
    other.plan.slices = 4;
    ASSERT_TRUE(question && plan_question(other));
    EXPECT_EQ(*plan_question(other), *question);
    other.gemm.emplace();
    ASSERT_FALSE(plan_question(other));
}

TEST(PlanQuestion, AnswersWithThePlansThatFitFirst) {
    const auto found = answer(*plan_question(planned("a100-nvs4", 512, {"1d"})), 5);
    ASSERT_TRUE(found) << found.error().sentence;
    EXPECT_TRUE(found->fits());
    EXPECT_EQ(found->capacity, 80e9);
    EXPECT_EQ(found->best(), found->search.ranked.front());
    EXPECT_EQ(found->best().plan.chips(), 512);
    const auto plans = found->plans();
    EXPECT_GE(plans.size(), 5u);
    for (std::size_t k = 0; k < plans.size(); ++k) { // each once
        EXPECT_EQ(std::ranges::count(plans, plans[k]), 1) << k;
    }
    for (const RankedPlan& one : found->search.frontier) {
        EXPECT_EQ(std::ranges::count(plans, one), 1);
    }
}

/// A new scenario has 32 x 8 chips of TPU v4.
TEST(PlanQuestion, SaysWhereThePlansAreForAnotherNumberOfChips) {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    EXPECT_EQ(plan_question(scenario)->chips, 256);
    EXPECT_EQ(other_chips_note(scenario), "");
    scenario.planning.chips = 128;
    EXPECT_EQ(
        other_chips_note(scenario),
        "These plans are for 128 chips; the headline and the other views show the 256 chips of the mesh.");
    // With a plan and a batch of its own the mesh is its tensor-parallel group's, if it is as large as that.
    scenario.planning.chips = 1024;
    scenario.planning.batch = 64;
    scenario.plan.loaded.emplace();
    scenario.plan.loaded->tensor1 = 32;
    scenario.plan.loaded->tensor2 = 4;
    EXPECT_THAT(other_chips_note(scenario), HasSubstr("show the 256 chips of the mesh."));
    scenario.plan.loaded->tensor2 = 8;
    EXPECT_THAT(other_chips_note(scenario), HasSubstr("show one tensor-parallel group, 256 chips."));
    scenario.gemm.emplace();
    EXPECT_EQ(other_chips_note(scenario), "") << "one GEMM has no plans";
}

/// Where HBM is faster a plan takes less time: plans are for the scenario's own machine.
TEST(PlanQuestion, CountsWithEditedNumbers) {
    Scenario scenario = planned("a100-nvs4", 512, {"1d"});
    const double before = answer(*plan_question(scenario), 1)->best().reading.time.total;
    scenario.hardware.hbm_bandwidth.value = Bandwidth(2 * scenario.hardware.hbm_bandwidth.value.value());
    EXPECT_LT(answer(*plan_question(scenario), 1)->best().reading.time.total, before);
}

TEST(PlanQuestion, StrategiesFollowTheMachine) {
    EXPECT_EQ(runs_on({"2d"}, *machine_preset("tpu-v4-paper")), SplitAsked{})
        << "2D runs in fast domains alone";
    EXPECT_EQ(runs_on({"1d"}, *machine_preset("tpu-v4-paper")), SplitAsked{"1d"});
}

/// A ring of GPUs is one chip with its neighbours, whose vectors have no rate.
TEST(PlanQuestion, RefusesAMachineWithoutVectors) {
    const Result<PlanQuestion> question = plan_question(planned("t3-paper", 8, {"all"}));
    ASSERT_FALSE(question);
    EXPECT_THAT(question.error().sentence,
                HasSubstr("known rate of vectors, which GPU, as in the T3 paper lacks"));
}

/// Nothing is known to join pods of TPU v4.
TEST(PlanQuestion, MoreChipsThanTheLargestTorusAreRefusedByNumber) {
    const auto many = answer(*plan_question(planned("tpu-v4", 8192, {"all"})), 1);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().sentence, "The largest torus of TPU v4 has 4096 chips, and 8192 were asked for.");
}

TEST(PlanQuestion, RefusesWhatLeavesNoPlan) {
    const auto prime = answer(*plan_question(planned("a100-nvs4", 97, {"all"})), 5);
    ASSERT_FALSE(prime); // 96 heads, 96 layers
    EXPECT_THAT(prime.error().sentence, HasSubstr("a multiple of 97 there is one"));
}

/// The bars of a plan that fits add up to its time; of those that do not there is one, of another series.
TEST(PlanCharts, BarsAddUpToTheTimeOfTheStep) {
    for (const std::int64_t chips : {512, 16}) {
        const auto found = answer(*plan_question(planned("a100-nvs4", chips, {"all"})), 6);
        ASSERT_TRUE(found);
        const Chart chart = plan_bars(*found);
        const ChartPanel& panel = chart.panels.front();
        ASSERT_EQ(panel.y.categories.size(), 6u);
        for (std::size_t k = 0; k < 6; ++k) {
            const auto sum = stack_sum(panel, k);
            ASSERT_TRUE(sum);
            EXPECT_NEAR(*sum, found->search.ranked[k].reading.time.total, *sum * 1e-9);
            EXPECT_EQ(panel.y.items[k], static_cast<int>(k));
        }
        EXPECT_EQ(panel.series.back().role == Role::exposed, chips == 16);
        EXPECT_THAT(chart.title, chips == 16 ? HasSubstr("Nothing fits") : HasSubstr("of peak"));
    }
}

/// From left to right more memory and less time.
TEST(PlanCharts, TheFrontierFalls) {
    const auto found = answer(*plan_question(planned("a100-nvs4", 512, {"all"})), 6);
    ASSERT_TRUE(found);
    const Chart chart = plan_frontier_chart(*found);
    const auto line = std::ranges::find(chart.panels[0].series, SeriesKind::line, &ChartSeries::kind);
    ASSERT_NE(line, chart.panels[0].series.end());
    // Those that take more than four times as long as the best are left out.
    const auto near = std::ranges::count_if(found->search.frontier, [&](const RankedPlan& one) {
        return one.reading.time.total <= 4 * found->best().reading.time.total;
    });
    ASSERT_GT(near, 1);
    ASSERT_LT(near, std::ssize(found->search.frontier));
    ASSERT_EQ(std::ssize(line->points), near);
    ASSERT_EQ(chart.notes.size(), 1u);
    EXPECT_THAT(chart.notes[0], HasSubstr("are left out; the table has them."));
    for (std::size_t k = 1; k < line->points.size(); ++k) {
        EXPECT_GT(line->points[k].x, line->points[k - 1].x);
        EXPECT_LE(line->points[k].y, line->points[k - 1].y);
    }
}

TEST(PlanningFields, FilesHaveThemOnlyWhereTheySayMore) {
    EXPECT_THAT(write_scenario(default_scenario()), Not(HasSubstr("planning")));
    const Scenario scenario = planned("h200-nvs72", 144, {"summa"});
    const std::string file = write_scenario(scenario);
    EXPECT_THAT(file, HasSubstr("\"h200-nvs72\""));
    const auto read = read_scenario(file, "a file");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, scenario);
}

/// What a scenario fixes, no plan of its answer has otherwise; files keep it.
TEST(PlanningFields, FixWhatASearchTries) {
    const auto times = [](const Scenario& scenario) {
        const auto found = answer(*plan_question(scenario), 5);
        EXPECT_TRUE(found) << (found ? "" : found.error().sentence);
        return found->best().reading.time.total;
    };
    Scenario scenario = planned("a100-nvs4", 64, {"1d"});
    scenario.batch = 64;
    const double any = times(scenario);
    for (const auto& [field, word] :
         {std::pair("planning.schedule", "1f1b"), std::pair("planning.recompute", "full"),
          std::pair("planning.zero", "3")}) {
        ASSERT_TRUE(set_text(scenario_field(field), scenario, word, field)) << field;
        const auto read = read_scenario(write_scenario(scenario), "a file");
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_EQ(*read, scenario);
        EXPECT_GE(times(scenario), any);
    }
    const auto found = answer(*plan_question(scenario), 5);
    for (const RankedPlan& one : found->plans()) {
        EXPECT_EQ(one.plan.schedule, PipelineSchedule());
        EXPECT_EQ(one.plan.recompute, Recompute::full);
        EXPECT_EQ(one.plan.zero, 3);
        EXPECT_THAT(plan_name(one.plan), HasSubstr("layers recomputed"));
    }
    EXPECT_FALSE(set_text(scenario_field("planning.recompute"), scenario, "some", "recomputation"));
    EXPECT_FALSE(set_text(scenario_field("planning.zero"), scenario, "4", "ZeRO"));
    EXPECT_FALSE(set_text(scenario_field("planning.schedule"), scenario, "interleaved:x", "schedule"));
}

/// Several words with commas between them: the best of both, and files keep them.
TEST(PlanningFields, TakeLists) {
    Scenario scenario = planned("b200-nvs8", 64, {"all"});
    scenario.batch = 64;
    const auto time = [&](const char* schedule, const char* recompute, const char* zero) {
        for (const auto& [field, word] :
             {std::pair("planning.schedule", schedule), std::pair("planning.recompute", recompute),
              std::pair("planning.zero", zero)}) {
            EXPECT_TRUE(set_text(scenario_field(field), scenario, word, field)) << word;
        }
        const auto read = read_scenario(write_scenario(scenario), "a file");
        EXPECT_TRUE(read && *read == scenario) << schedule;
        return answer(*plan_question(scenario), 5)->best().reading.time.total;
    };
    EXPECT_EQ(time("1f1b,interleaved:2", "none,attention", "0,1"),
              std::min({time("1f1b", "none", "0"), time("1f1b", "none", "1"), time("1f1b", "attention", "0"),
                        time("1f1b", "attention", "1"), time("interleaved:2", "none", "0"),
                        time("interleaved:2", "none", "1"), time("interleaved:2", "attention", "0"),
                        time("interleaved:2", "attention", "1")}));
    EXPECT_FALSE(set_text(scenario_field("planning.zero"), scenario, "1,,2", "ZeRO"));
    std::string file = write_scenario(planned("b200-nvs8", 64, {"all", "1f1b,gpipe"}));
    EXPECT_THAT(file, HasSubstr("\"1f1b,gpipe\""));
    file.replace(file.find("1f1b,gpipe"), 10, "1f1b,zigzag");
    const auto refused = read_scenario(file, "a file");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("The schedule is \"zigzag\""));
}

/// On a torus the strategy may be an algorithm of ours.
TEST(PlanningFields, TakeAnAlgorithmOfATorus) {
    Scenario scenario = planned("tpu-v5p", 16, {"meshslice"});
    scenario.model = *model_preset("llama-3-70b");
    scenario.sequence = 8192;
    scenario.batch = 16;
    const auto read = read_scenario(write_scenario(scenario), "a file");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, scenario);
    const auto found = answer(*plan_question(*read), 5);
    ASSERT_TRUE(found) << found.error().sentence;
    for (const RankedPlan& one : found->plans()) {
        EXPECT_EQ(strategy_name(one.plan), "meshslice");
    }
    scenario.hardware = *machine_preset("b200-nvs8");
    const auto elsewhere = answer(*plan_question(scenario), 5);
    ASSERT_FALSE(elsewhere);
    EXPECT_THAT(elsewhere.error().sentence, HasSubstr("expected 1d, 2d, summa or all in fast domains"));
}

TEST(PlanningFields, RefuseWhatIsNone) {
    Scenario scenario = default_scenario();
    EXPECT_FALSE(set_text(scenario_field("planning.chips"), scenario, "0", "chips"));
    EXPECT_FALSE(set_text(scenario_field("planning.strategy"), scenario, "3d", "strategy"));
    EXPECT_EQ(scenario, default_scenario());
}

} // namespace
} // namespace meshslice
