// What a user fixes of a plan, how many of the chips a run takes, and a batch that is too small for them.

#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/fixed_parts.h"
#include "core/plan/search/loaded_plan.h"
#include "core/plan/search/plan_question.h"
#include "core/report/plan/plan_headline.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan/plan_words.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// GPT-3 175B on A100s in domains of 4.
Scenario run_of(std::int64_t chips, std::int64_t batch) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("a100-nvs4");
    scenario.planning.chips = chips;
    scenario.batch = batch;
    scenario.plan.split = {"1d", "1f1b", "none", "1"};
    return scenario;
}

PlanAnswer answer_to(const Scenario& scenario) {
    const Result<PlanAnswer> found = answer(*plan_question(scenario), 8);
    EXPECT_TRUE(found) << (found ? "" : found.error().sentence);
    return found.value_or(PlanAnswer{});
}

std::string refusal_of(const Scenario& scenario) {
    const Result<void> sound = check_fixed_parts(*plan_question(scenario));
    return sound ? std::string() : sound.error().sentence;
}

TEST(AskedParts, AGridIsReadFromItsSides) {
    EXPECT_EQ(parse_grid("8x1"), (GridSides{8, 1}));
    EXPECT_EQ(parse_grid("8"), (GridSides{8, 1}));
    EXPECT_EQ(parse_grid("8xany"), (GridSides{8, 0}));
    EXPECT_EQ(parse_grid("anyx4"), (GridSides{0, 4}));
    EXPECT_EQ(parse_grid("auto"), GridSides{});
    for (const char* wrong : {"", "8x", "x8", "8x0", "-1x2", "8y1", "8x1x1", "anyxx4"}) {
        const Result<GridSides> read = parse_grid(wrong);
        ASSERT_FALSE(read) << wrong;
        EXPECT_THAT(read.error().sentence, HasSubstr("such as 8x1, or 8xany")) << wrong;
    }
    for (const char* same : {"8x1", "8xany", "anyx4", "any"}) {
        EXPECT_EQ(text(*parse_grid(same)), same);
    }
}

/// Every plan that is ranked has what is fixed, whichever part it is, and a file keeps it.
TEST(AskedParts, EachIsAFieldThatAllPlansHave) {
    const Scenario free = run_of(128, 64);
    const auto all_have = [&](std::string_view key, const char* words, auto has) {
        Scenario fixed = free;
        ASSERT_TRUE(set_text(scenario_field(key), fixed, words, "It"));
        const PlanAnswer found = answer_to(fixed);
        EXPECT_FALSE(found.search.ranked.empty()) << key;
        for (const RankedPlan& one : found.plans()) {
            EXPECT_TRUE(has(one.plan)) << key;
        }
        EXPECT_EQ(read_scenario(write_scenario(fixed), "file"), fixed) << key;
        EXPECT_THAT(fixed_words(fixed.plan.split), Not(IsEmpty()));
    };
    all_have("planning.dp", "4", [](const Plan& plan) { return plan.data == 4; });
    all_have("planning.pp", "16", [](const Plan& plan) { return plan.pipeline == 16; });
    all_have("planning.tp", "8x1", [](const Plan& plan) { return plan.tensor1 == 8; });
    all_have("planning.micro_batch", "2", [](const Plan& plan) { return plan.micro_batch == 2; });
    all_have("planning.schedule", "gpipe",
             [](const Plan& plan) { return plan.schedule.kind == PipelineKind::gpipe; });
    all_have("planning.recompute", "full",
             [](const Plan& plan) { return plan.recompute == Recompute::full; });
    all_have("planning.zero", "2", [](const Plan& plan) { return plan.zero == 2 || plan.data == 1; });
    all_have("planning.overlap_tensor", "on", [](const Plan& plan) { return plan.tensor_overlap; });
    Scenario summa = free;
    summa.plan.split.strategy = "summa";
    summa.plan.split.panels = 16;
    for (const RankedPlan& one : answer_to(summa).search.ranked) {
        EXPECT_EQ(one.plan.panels, 16);
    }
}

/// 128 chips and a batch of 64 are powers of two.
TEST(AskedParts, OneThatNoPlanHasIsRefusedWithWhatPlansHave) {
    Scenario scenario = run_of(128, 64);
    EXPECT_EQ(refusal_of(scenario), "");
    scenario.plan.split.data = 3;
    EXPECT_THAT(refusal_of(scenario), HasSubstr("as 1, 2 or 4 does"));
    scenario.plan.split.data = 16; // 4 samples of each copy
    scenario.plan.split.micro_batch = 8;
    EXPECT_THAT(refusal_of(scenario), AllOf(HasSubstr("a micro-batch of 8"), HasSubstr("2 or 4 does")));
    scenario.plan.split.micro_batch = 4;
    EXPECT_EQ(refusal_of(scenario), "");
    scenario.plan.split = {"summa"};
    scenario.plan.split.panels = 7; // 12288 does not divide by it
    EXPECT_THAT(refusal_of(scenario), HasSubstr("No SUMMA grid on 128 chips has 7 panels; it may have "));
}

/// The other parts of a pinned plan stay, except the sizes where one of them is changed: they make up for
/// it.
TEST(AskedParts, ArePinnedAroundAnEdit) {
    Plan plan;
    plan.data = 4;
    plan.pipeline = 8;
    plan.tensor1 = 4;
    plan.micro_batch = 2;
    plan.recompute = Recompute::full;
    plan.zero = 2;
    const SplitAsked split = fixed_around({"1d"}, plan, "planning.zero");
    EXPECT_EQ(fixed_words(split), "dp 4, pp 8, tp 4x1, micro-batch 2, schedule 1f1b, recomputation full");
    const SplitAsked sizes = fixed_around({"1d"}, plan, "planning.dp");
    EXPECT_EQ(fixed_words(sizes), "recomputation full, ZeRO 2");
    SplitAsked with = split;
    with.fits_only = true;
    EXPECT_EQ(fixed_words(freed(with)), "");
    EXPECT_EQ(freed(with).strategy, "1d");
    EXPECT_TRUE(freed(with).fits_only);
}

/// 16 chips of 80 GB hold 1280 GB; 175e9 weights with gradients and Adam's state are 16 bytes each.
TEST(AskedParts, OnlyPlansThatFit) {
    Scenario scenario = run_of(128, 64);
    const auto fits = [](const RankedPlan& one) { return one.reading.fits; };
    scenario.plan.split.fits_only = true;
    EXPECT_TRUE(std::ranges::all_of(answer_to(scenario).search.ranked, fits));
    scenario.planning.chips = 16;
    const Result<PlanAnswer> none = answer(*plan_question(scenario), 8);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence,
                AllOf(HasSubstr("No plan of GPT-3 175B on 16 chips fits"), HasSubstr("What would fit: ")));
}

/// 128 chips share a batch of 100 among 1, 2 or 4 copies; 100 chips among up to 100, 125 among 25.
TEST(AskedParts, FewerChipsMayBeFaster) {
    Scenario scenario = run_of(128, 100);
    const PlanAnswer all = answer_to(scenario);
    EXPECT_EQ(all.question.chips, 128);
    EXPECT_FALSE(all.taken);
    scenario.plan.split.fewer_chips = true;
    const PlanAnswer found = answer_to(scenario);
    ASSERT_TRUE(found.taken);
    EXPECT_EQ(found.taken->asked, 128);
    EXPECT_EQ(found.question.chips, found.taken->taken);
    EXPECT_LE(found.taken->taken, 128);
    EXPECT_LE(found.best().reading.time.total, all.best().reading.time.total);
    EXPECT_EQ(found.best().plan.chips(), found.taken->taken);
    if (found.taken->taken != 128) {
        EXPECT_THAT(
            chips_taken_words(*found.taken),
            HasSubstr(std::to_string(found.taken->taken) + " of 128 chips: with all of them a step takes "));
    }
    ChosenPlan chosen{*plan_question(scenario), found.best().plan};
    EXPECT_TRUE(read_chosen_plan(chosen)) << "a plan of fewer chips can be pinned";
}

/// With 100 copies of one chip each none of them waits for another stage.
TEST(AskedParts, ChipsWorthTryingAreWholePipelinesOfCopiesThatShareTheBatch) {
    const TrainingRun run = *training_run(*model_preset("gpt3-175b"), 2048, 100);
    PlanSpace space;
    space.chips = 128;
    const std::vector<std::int64_t> numbers = chips_worth_trying(run, space);
    EXPECT_EQ(numbers.front(), 128);
    EXPECT_NE(std::ranges::find(numbers, 100), numbers.end()) << "100 copies";
    for (const std::int64_t chips : numbers) {
        EXPECT_LE(chips, 128);
    }
}

/// A pipeline of p stages and m micro-batches waits for (p - 1) of m + p - 1 passes: the more micro-batches,
/// the less.
TEST(AskedParts, ABatchTooSmallForTheChipsIsSaid) {
    const PlanAnswer small = answer_to(run_of(512, 16));
    ASSERT_TRUE(small.larger_batch);
    EXPECT_EQ(small.larger_batch->chips_of_a_sample, 32);
    EXPECT_GT(small.larger_batch->batch, 16);
    EXPECT_GT(small.larger_batch->utilization, small.best().reading.utilization);
    EXPECT_THAT(batch_finding(small), AllOf(HasSubstr("Batch 16 leaves 32 chips a sample: with batch "),
                                            HasSubstr(" the same plan would reach ")));
    const Scenario larger = run_of(512, small.larger_batch->batch);
    const ChosenPlan same{*plan_question(larger), small.best().plan};
    EXPECT_NEAR(read_chosen_plan(same)->reading.utilization, small.larger_batch->utilization, 1e-12)
        << "what is promised is what the plan has there";
    EXPECT_FALSE(answer_to(run_of(64, 4096)).larger_batch) << "4096 samples keep 64 chips busy";
}

/// What the group takes alone, what is computed again and the rest are the step.
TEST(AskedParts, AGroupAloneIsPartOfTheStep) {
    Scenario scenario = run_of(128, 64);
    scenario.plan.split.tensor = "4x1";
    scenario.plan.split.recompute = "full";
    const PlanAnswer found = answer_to(scenario);
    const Result<PlanModel> model = plan_model(found.question);
    const std::string words = group_words(*model, found.best());
    EXPECT_THAT(words, AllOf(HasSubstr("A step of " + seconds_text(found.best().reading.time.total) + ": "),
                             HasSubstr(" in the blocks of its tensor-parallel group, "),
                             HasSubstr(" to compute them again, "), HasSubstr(" for the rest.")));
    RankedPlan alone = found.best();
    alone.plan.tensor1 = 1;
    EXPECT_EQ(group_words(*model, alone), "") << "one chip is not a group";
}

TEST(PlanHeadline, SaysTheTimeFirstOrThatItDoesNotFit) {
    Scenario scenario = run_of(512, 1024);
    scenario.planning.tokens = 1'000'000'000'000;
    const PlanHeadline headline = plan_headline(answer_to(scenario));
    EXPECT_TRUE(headline.fits);
    EXPECT_THAT(headline.big, testing::EndsWith(" a step"));
    EXPECT_THAT(headline.small,
                AllOf(HasSubstr(" of peak (MFU); "), HasSubstr(" of 80.0\u2009GB per chip; 512 chips; "),
                      HasSubstr(" for 1.00\u2009T tokens; 1D: dp "), HasSubstr(", ZeRO 1")));
    scenario.planning.chips = 16;
    const PlanHeadline none = plan_headline(answer_to(scenario));
    EXPECT_FALSE(none.fits);
    EXPECT_THAT(none.big, testing::StartsWith("does not fit: "));
    EXPECT_THAT(none.small, HasSubstr(" a step; "));
}

TEST(PlanHeadline, SectionsSayWhyFirstAndTheDifferencesFromA) {
    const PlanAnswer found = answer_to(run_of(512, 1024));
    const std::vector<PlanSection> best = plan_sections(found, found.best());
    EXPECT_EQ(best.front().heading, "Why");
    EXPECT_THAT(best.front().lines.front(), HasSubstr("the largest part is compute, "));
    const RankedPlan& second = found.search.ranked.at(1);
    const PlansOfA of_a{"A", found};
    const std::vector<PlanSection> beside = plan_sections(found, second, of_a);
    EXPECT_EQ(beside[1].heading, "Against A");
    EXPECT_EQ(beside[1].lines, part_differences(second, found.best()));
    // Each part's difference, added up, is the step's.
    RankedPlan slower = found.best();
    slower.reading.time.bubble += 1;
    slower.reading.time.data -= 0.25;
    slower.reading.time.total += 0.75;
    EXPECT_THAT(part_differences(slower, found.best()),
                testing::ElementsAre("1.00\u2009s more pipeline bubble",
                                     "250\u2009ms less data-parallel communication"));
}

} // namespace
} // namespace meshslice
