#include "tests/core/plan/plan_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::ElementsAre;

/// Choices of a search: 96 layers in 16 stages are 6 of each, so 2, 3 and 6 chunks; and only where
/// micro-batches come in rounds of 16.
TEST(PlanChoices, AreThoseThatAPlanTakes) {
    const TrainingRun run = run_of("gpt3-175b", 96);
    const PlanChoices any = plan_choices({}).value();
    Plan plan = plan_of(TensorStrategy::one_d, {2, 16, 1, 1}, 1, 1, {}); // 48 micro-batches
    const auto chunks = [&] {
        std::vector<std::int64_t> all;
        for (const PipelineSchedule& one : schedules_of(any, run, plan)) {
            all.push_back(one.chunks);
        }
        return all;
    };
    EXPECT_THAT(chunks(), ElementsAre(1, 2, 3, 6));
    plan.micro_batch = 2; // 24 of them
    EXPECT_THAT(chunks(), ElementsAre(1));
    plan = plan_of(TensorStrategy::one_d, {96, 1, 8, 1}, 1, 1, {}); // one stage
    EXPECT_THAT(chunks(), ElementsAre(1));
    EXPECT_THAT(any.recomputes, ElementsAre(Recompute::none, Recompute::attention, Recompute::full));
    EXPECT_THAT(zero_levels_of(any, plan), ElementsAre(0, 1, 2, 3));
    plan.data = 1; // nobody to share with
    EXPECT_THAT(zero_levels_of(any, plan), ElementsAre(0));
    plan.strategy = TensorStrategy::two_d; // chips of the same rows
    plan.tensor2 = 2;
    EXPECT_THAT(zero_levels_of(any, plan), ElementsAre(0, 1, 2, 3));
}

TEST(PlanChoices, AreReadStrictly) {
    const PlanChoices some = plan_choices({"interleaved:3,1f1b,interleaved:3", "full,none", "3,1"}).value();
    EXPECT_FALSE(some.interleaved);
    EXPECT_THAT(some.schedules, ElementsAre(PipelineSchedule{PipelineKind::interleaved, 3},
                                            PipelineSchedule{PipelineKind::one_f_one_b, 1}));
    EXPECT_THAT(some.recomputes, ElementsAre(Recompute::full, Recompute::none));
    EXPECT_THAT(some.zero_levels, ElementsAre(3, 1));
    const PlanChoices chunks = plan_choices({"interleaved", "none", "1"}).value();
    EXPECT_TRUE(chunks.interleaved);
    EXPECT_THAT(chunks.schedules, testing::IsEmpty());
    EXPECT_EQ(plan_choices({"1f1b", "none", "1"}).value(), PlanChoices());
    for (const ChoiceWords& wrong : {ChoiceWords{"", "none", "1"}, ChoiceWords{"1f1b,", "none", "1"},
                                     ChoiceWords{"1f1b", "some", "1"}, ChoiceWords{"1f1b", "none", "4"},
                                     ChoiceWords{"1f1b", "none", "-1"}, ChoiceWords{"Any", "none", "1"}}) {
        EXPECT_FALSE(plan_choices(wrong)) << wrong.schedule << wrong.recompute << wrong.zero;
    }
}

/// What a user expects of the best plan: chunks cut the bubble of few micro-batches to a fraction, and what
/// does not fit does with recomputation.
TEST(PlanSearch, FindsScheduleRecomputationAndZero) {
    const PlanModel model = model_of("gpt3-175b", "b200-nvs8", 256, ModelRules::exact);
    PlanSpace space = space_of(1024, {TensorStrategy::one_d});
    const double published = search_plans(model, space, 1)->ranked.front().reading.time.total;
    space.choices = plan_choices({}).value();
    const PlanSearch found = search_plans(model, space, 10).value();
    const RankedPlan& best = found.ranked.front();
    EXPECT_LT(best.reading.time.total, 0.8 * published);
    EXPECT_EQ(best.plan.schedule.kind, PipelineKind::interleaved);
    // Fixed one by one, the same plan is found, and alone it is as it is in the search.
    space.choices =
        plan_choices({text(best.plan.schedule), name(best.plan.recompute), std::to_string(best.plan.zero)})
            .value();
    EXPECT_EQ(search_plans(model, space, 1)->ranked.front(), best);
    Plan bare = best.plan;
    bare.schedule = {};
    bare.recompute = Recompute::none;
    EXPECT_EQ(fastest_plan(model, bare, {true, true, plan_choices({}).value()}).value(), best);

    Machine less = *machine_preset("h100-nvs8");
    less.hbm.value = Bytes(80'000'000'000);
    const PlanModel small = PlanModel::of(run_of("llama-3-70b", 512), less, ModelRules::exact).value();
    PlanSpace few = space_of(16, {TensorStrategy::one_d});
    EXPECT_EQ(search_plans(small, few, 1)->feasible, 0);
    few.choices = plan_choices({}).value();
    const PlanSearch fits = search_plans(small, few, 1).value();
    ASSERT_GT(fits.feasible, 0);
    EXPECT_NE(fits.ranked.front().plan.recompute, Recompute::none);
}

} // namespace
} // namespace meshslice::test
