#include "core/evidence/measured_scenario.h"
#include "core/plan/search/fixed_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

Result<Scenario> loaded(const char* id) {
    const TrainingRow* row = measured_run(id);
    EXPECT_NE(row, nullptr) << id;
    return measured_scenario(*row, default_scenario());
}

/// MPT-70B on 256 H100 by llm-foundry, fully sharded, 2048 samples of 2048 tokens, 8 at a time, recomputed.
TEST(MeasuredScenario, HasWhatTheRowSays) {
    const Result<Scenario> scenario = loaded("T0002");
    ASSERT_TRUE(scenario) << scenario.error().sentence;
    EXPECT_EQ(scenario->model.layers, 80);
    EXPECT_EQ(scenario->model.hidden, 8192);
    EXPECT_EQ(scenario->model.feed_forward, 32768);
    EXPECT_FALSE(scenario->model.gated);
    EXPECT_TRUE(scenario->model.tied_embeddings) << "64.86e9 parameters have one embedding";
    EXPECT_THAT(scenario->hardware.name, HasSubstr("h100"));
    EXPECT_EQ(scenario->chips(), 256);
    EXPECT_EQ(scenario->batch, 2048);
    EXPECT_EQ(scenario->sequence, 2048);
    const SplitAsked& split = scenario->plan.split;
    EXPECT_EQ(split.data, 256);
    EXPECT_EQ(split.pipeline, 1);
    EXPECT_EQ(split.tensor, "1x1");
    EXPECT_EQ(split.micro_batch, 8);
    EXPECT_EQ(split.zero, "3");
    EXPECT_EQ(split.recompute, "full");
    EXPECT_NEAR(scenario->planning.measured_step.value_or(0), 15.8187, 0.2);
}

/// A row is loaded, or a sentence says why it is not; most rows are, whatever they multiply in. What is
/// loaded can be planned.
TEST(MeasuredScenario, EveryRowIsLoadedOrSaysWhyNot) {
    std::map<std::string, int> refused;
    int taken = 0, in_few_bits = 0;
    for (const TrainingRow& row : measured_training()) {
        SCOPED_TRACE(row.id);
        const Result<Scenario> scenario = measured_scenario(row, default_scenario());
        if (!scenario) {
            EXPECT_THAT(scenario.error().sentence, testing::EndsWith("."));
            ++refused[scenario.error().sentence];
            continue;
        }
        ++taken;
        in_few_bits += row.bits < 16 ? 1 : 0;
        EXPECT_EQ(bits(multiplied(scenario->planning.recipe)), row.bits);
        EXPECT_EQ(scenario->chips(), std::llround(row.chips));
        EXPECT_EQ(measured_chip(scenario->hardware), row.chip);
        EXPECT_EQ(scenario->model.layers, std::llround(row.layers));
        EXPECT_EQ(scenario->model.hidden, std::llround(row.hidden));
        EXPECT_EQ(scenario->model.experts, std::max(1LL, std::llround(row.experts)));
        EXPECT_EQ(scenario->batch * scenario->sequence, std::llround(row.tokens()));
        const Result<PlanQuestion> asked = plan_question(*scenario);
        ASSERT_TRUE(asked) << asked.error().sentence;
        const Result<void> fixed = check_fixed_parts(*asked);
        EXPECT_TRUE(fixed) << fixed.error().sentence;
    }
    for (const auto& [why, rows] : refused) {
        RecordProperty(why, rows);
    }
    const auto all = measured_training().size();
    EXPECT_GT(taken, all * 7 / 10);
    EXPECT_GT(in_few_bits, all / 4);
}

TEST(MeasuredScenario, SaysWhyNot) {
    for (const TrainingRow& row : measured_training()) {
        if (row.fine_tuning && row.reason.empty()) {
            EXPECT_THAT(measured_scenario(row, default_scenario()).error().sentence,
                        HasSubstr("It is a fine-tuning run"));
        }
    }
    EXPECT_EQ(measured_run("none of them"), nullptr);
}

} // namespace
} // namespace meshslice
