#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// GPT-3 175B, batch 1024 of 2048 tokens, on b200-nvs8.
PlanQuestion question() {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    scenario.hardware = *machine_preset("b200-nvs8");
    scenario.planning.chips = 32;
    scenario.plan.split = {"1d"};
    return *plan_question(scenario);
}

/// dp 2 x pp 2 x tp 8x1, the tensor-parallel group in a domain of its own.
Plan two_by_two() {
    Plan plan;
    plan.data = plan.pipeline = 2;
    plan.tensor1 = plan.placement.tensor1 = 8;
    return plan;
}

TEST(ChosenPlan, ChipsOfADomainAreInTheOrderOfTheirGroups) {
    const Placement placement{2, 1, 4, 1};
    EXPECT_EQ(chips_together(placement), 8);
    EXPECT_EQ(chip_in_domain(placement, 0), PlanChip{});
    EXPECT_EQ(chip_in_domain(placement, 1), (PlanChip{1, 0, 0, 0}));
    EXPECT_EQ(chip_in_domain(placement, 5), (PlanChip{1, 0, 2, 0}));
    EXPECT_EQ(chip_in_domain({2, 3, 1, 2}, 6 + 4), (PlanChip{0, 2, 0, 1}));
}

/// A stage has 48 layers of 12 x 12288^2 weights (and a few biases), an eighth of them on each chip, in two
/// bytes: 21.7 GB. Of two chips each sends half of that twice. A micro-batch of 2048 x 12288 values in two
/// bytes goes on from 8 chips; 512 of them go.
TEST(ChosenPlan, TrafficIsCountedByHand) {
    const auto places = plan_places({question(), two_by_two()});
    ASSERT_TRUE(places) << places.error().sentence;
    EXPECT_FALSE(places->torus);
    EXPECT_EQ(places->domain, 8);
    const GroupTraffic& tensor = places->of_group(PlanGroup::tensor);
    EXPECT_EQ(tensor.chips, 8);
    EXPECT_EQ(tensor.together, 8);
    EXPECT_GT(tensor.sent, 0);
    EXPECT_EQ(tensor.leaves, 0) << "all of it stays in the domain";
    const GroupTraffic& data = places->of_group(PlanGroup::data);
    const double weights = 48.0 * 12 * 12288 * 12288 * 2 / 8;
    EXPECT_NEAR(data.sent, weights, 0.001 * weights);
    EXPECT_EQ(data.leaves, data.sent);
    const GroupTraffic& pipeline = places->of_group(PlanGroup::pipeline);
    EXPECT_EQ(pipeline.chips, 2);
    EXPECT_NEAR(pipeline.sent, 512.0 * 2048 * 12288 * 2 / 8, 1);
    EXPECT_NEAR(pipeline.leaves, pipeline.sent, 1);
}

/// A domain of two of the four chips of a data-parallel ring sends out what one of them sends.
TEST(ChosenPlan, HalfOfARingOfPairsLeavesTheirDomains) {
    Plan plan = two_by_two();
    plan.tensor1 = plan.placement.tensor1 = 4;
    plan.data = 4;
    plan.placement.data = 2;
    const auto places = plan_places({question(), plan});
    ASSERT_TRUE(places) << places.error().sentence;
    const GroupTraffic& data = places->of_group(PlanGroup::data);
    EXPECT_EQ(data.chips, 4);
    EXPECT_EQ(data.together, 2);
    EXPECT_DOUBLE_EQ(data.leaves, data.sent / 2);
}

TEST(ChosenPlan, TheTimelineIsTheSimulatedStep) {
    const ChosenPlan chosen{question(), two_by_two()};
    const auto timeline = plan_timeline(chosen);
    ASSERT_TRUE(timeline) << timeline.error().sentence;
    EXPECT_EQ(timeline->shape.stages, 2);
    EXPECT_EQ(timeline->shape.micro_batches, 512);
    EXPECT_EQ(timeline->of, chosen);
    const auto run = simulate_plan(*plan_model(chosen.question), chosen.plan);
    ASSERT_TRUE(run);
    EXPECT_EQ(*timeline->run, *run);
    EXPECT_NEAR(timeline->estimated, in_seconds(run->time()), 0.05 * timeline->estimated);
}

TEST(ChosenPlan, TooManyPassesAreNotDrawn) {
    ChosenPlan chosen{question(), two_by_two()};
    chosen.question.batch = 4'000'000; // 2 stages x 2,000,000 micro-batches, there and back
    const auto timeline = plan_timeline(chosen);
    ASSERT_FALSE(timeline);
    EXPECT_THAT(timeline.error().sentence, HasSubstr("at most 2000000 are drawn"));
}

TEST(ChosenPlan, WhatNoPlanCanBeIsRefused) {
    ChosenPlan chosen{question(), two_by_two()};
    chosen.plan.pipeline = 97; // of 96 layers
    EXPECT_FALSE(plan_timeline(chosen));
    EXPECT_FALSE(plan_places(chosen));
    chosen.question.machine.vector_rate.value = FlopRate(0);
    EXPECT_FALSE(plan_model(chosen.question));
}

} // namespace
} // namespace meshslice
