#include "core/machine/catalogue.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/plan_question.h"
#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

/// GPT-3 175B, batch 1024, on 512 chips: 8 copies of 16 stages of 4 chips.
ChosenPlan plan_of_gpt3(bool overlap) {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    scenario.hardware = *machine_preset("a100-nvs4");
    scenario.planning.chips = 512;
    Plan plan;
    plan.data = 8;
    plan.pipeline = 16;
    plan.tensor1 = 4;
    plan.placement = {4, 1, 1, 1};
    plan.tensor_overlap = plan.data_overlap = overlap;
    return {plan_question(scenario).value(), plan};
}

TEST(PlanExplanation, WhatOverlapsHidesAndWhatDoesNotHidesNothing) {
    const ChosenPlan apart = plan_of_gpt3(false);
    const PlanModel model = plan_model(apart.question).value();
    EXPECT_THAT(hidden_words(model, apart.plan), IsEmpty());
    const std::vector<std::string> words = hidden_words(model, plan_of_gpt3(true).plan);
    ASSERT_FALSE(words.empty());
    EXPECT_THAT(words.front(), StartsWith("Hidden: "));
    EXPECT_THAT(words.front(), HasSubstr(" of data-parallel communication; compute could hide "));
    EXPECT_THAT(words.front(), HasSubstr(" these transfers take ")) << "and no others";
}

/// 96 layers on 16 stages, 175e9 weights on A100s: compute is the largest part, and twice its rate saves
/// most.
TEST(PlanExplanation, SayWhatBoundsAPlanAndWhatItHides) {
    const auto said_of = plan_limits(plan_of_gpt3(true));
    ASSERT_TRUE(said_of);
    ASSERT_GE(said_of->explanation.size(), 2u);
    EXPECT_THAT(said_of->explanation.front(), StartsWith("Largest part: compute, "));
    EXPECT_THAT(
        said_of->explanation.front(),
        HasSubstr(" With the same plan the ideal time of a sample would be less with: twice the FLOP/s "));
    EXPECT_THAT(said_of->explanation.front(), HasSubstr(" It would be more with: half the FLOP/s "));
    EXPECT_THAT(said_of->explanation[1], StartsWith("Hidden: "));
    const auto alone = plan_limits(plan_of_gpt3(false));
    ASSERT_TRUE(alone);
    for (const std::string& paragraph : alone->explanation) {
        EXPECT_THAT(paragraph, testing::Not(StartsWith("Hidden: "))) << "nothing is hidden";
    }
}

/// Of 72 chips that share a switch 64 hold 1024 in 16 domains, 1152 chips; one after the other they fill 15.
TEST(PlanExplanation, SaysWhatOfADomainStaysIdle) {
    ChosenPlan chosen = plan_of_gpt3(true);
    chosen.question.machine = *machine_preset("b200-nvs72");
    chosen.question.chips = 1024;
    chosen.plan.data = 256;
    chosen.plan.pipeline = 1;
    chosen.plan.placement = {4, 1, 16, 1};
    const PlanModel model = plan_model(chosen.question).value();
    const std::string note =
        "Domains: the 1024 chips of this plan stand in 16 fast domains of 72 chips and leave 128 of their "
        "1152 "
        "chips idle. Its FLOP utilization is over all 1152; another placement needs fewer domains.";
    EXPECT_EQ(domains_words(model, chosen.plan), note);
    EXPECT_EQ(plan_limits(chosen).value().explanation.back(), note) << "the window says it too";
    chosen.question.chips = 576; // 8 x 72, in domains of 4 x 18
    chosen.plan.data = 144;
    chosen.plan.placement = {4, 1, 18, 1};
    EXPECT_EQ(domains_words(model, chosen.plan), "");
}

TEST(PlanExplanation, APlanForOtherChipsIsRefused) {
    ChosenPlan chosen = plan_of_gpt3(true);
    chosen.plan.data = 16;
    const auto refused = plan_limits(chosen);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("1024 chips"));
}

} // namespace
} // namespace meshslice
