#include "core/evidence/expected_plan.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_ranking.h"
#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

PlanQuestion asked_on(const char* machine, const char* model, std::int64_t chips) {
    Scenario scenario = default_scenario();
    scenario.model = *model_preset(model);
    scenario.sequence = 2048;
    scenario.batch = 64;
    scenario.hardware = *machine_preset(machine);
    scenario.planning.chips = chips;
    return *plan_question(scenario);
}

PlanSearch searched(const PlanQuestion& question, std::size_t top) {
    const PlanModel model = plan_model(question).value();
    return search_plans(model, *plan_space(question, model), top, {}, ranked_by(question)).value();
}

/// Of a search that keeps everything by ideal time, each plan's expectation alone says which is first; a
/// search by expected time finds that one although it reads few.
TEST(RankedBy, FindsTheFastestExpectedOfAllPlans) {
    for (const char* strategy : {"1d", "2d"}) {
        PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16);
        question.split.strategy = strategy;
        const PlanModel model = plan_model(question).value();
        const PlanSpace space = *plan_space(question, model);
        std::map<decltype(split(Plan())), double> least;
        const std::vector<PipelineSchedule> schedules = {{PipelineKind::one_f_one_b, 1},
                                                         {PipelineKind::interleaved, 2},
                                                         {PipelineKind::interleaved, 4},
                                                         {PipelineKind::interleaved, 8},
                                                         {PipelineKind::interleaved, 16}};
        for (const Recompute recompute : {Recompute::none, Recompute::attention, Recompute::full}) {
            for (const int zero : {0, 1, 2, 3}) {
                for (const PipelineSchedule& schedule : schedules) {
                    for (std::int64_t micro_batch = 1; micro_batch <= 64; micro_batch *= 2) {
                        PlanSpace part = space;
                        part.choices = {{schedule}, false, {recompute}, {zero}};
                        part.fixed.micro_batch = micro_batch;
                        const auto found = search_plans(model, part, 1000); // each split once
                        for (const RankedPlan& one : found ? found->ranked : std::vector<RankedPlan>()) {
                            const ExpectedStep its = expected_of(question, one);
                            // Where no chips hold the same weights all levels of ZeRO are one.
                            const bool counted = zero == 0 || shares_weights(one.plan);
                            if (counted && one.reading.fits && its.known()) {
                                double& known = least.try_emplace(split(one.plan), its.seconds).first->second;
                                known = std::min(known, its.seconds);
                            }
                        }
                    }
                }
            }
        }
        std::vector<double> all;
        for (const auto& [its, seconds] : least) {
            all.push_back(seconds);
        }
        std::ranges::sort(all);
        ASSERT_GE(all.size(), 5U);
        const PlanSearch found = searched(question, 5);
        ASSERT_EQ(found.ranked.size(), 5U);
        ASSERT_EQ(found.expected_splits.size(), all.size()) << strategy;
        for (std::size_t k = 0; k < all.size(); ++k) {
            EXPECT_DOUBLE_EQ(found.expected_splits[k], all[k]);
        }
        for (std::size_t k = 0; k < found.ranked.size(); ++k) {
            const RankedPlan& one = found.ranked[k];
            EXPECT_DOUBLE_EQ(one.expected, all[k]);
            EXPECT_DOUBLE_EQ(one.expected, expected_of(question, one).seconds);
            EXPECT_EQ(one.reading, model.reading(one.plan, model.layer(one.plan)));
        }
    }
}

/// The search by expected time counts what the one by ideal time counts, and changes neither the plans that
/// need least memory nor the frontier.
TEST(RankedBy, ChangesTheOrderAlone) {
    PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16);
    const PlanSearch expected = searched(question, 8);
    question.split.rank = PlanOrder::ideal;
    EXPECT_FALSE(ranked_by(question));
    const PlanSearch ideal = searched(question, 8);
    EXPECT_EQ(expected.candidates, ideal.candidates);
    EXPECT_EQ(expected.feasible, ideal.feasible);
    EXPECT_EQ(expected.smallest.plan, ideal.smallest.plan);
    ASSERT_EQ(expected.frontier.size(), ideal.frontier.size());
    for (std::size_t k = 0; k < ideal.frontier.size(); ++k) {
        EXPECT_EQ(expected.frontier[k].plan, ideal.frontier[k].plan);
    }
    EXPECT_LE(ideal.ranked.front().reading.time.total, expected.ranked.front().reading.time.total);
    EXPECT_TRUE(ideal.expected_splits.empty());
}

/// On 16,384 chips the fit says less of 2048 copies of an 8B model than the machine's numbers allow.
TEST(RankedBy, ExpectsNothingBelowTheIdealTime) {
    PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16384);
    question.batch = 2048;
    std::size_t below = 0;
    for (const RankedPlan& one : searched(question, 400).ranked) {
        const double seconds = expected_step(question, one.plan).seconds;
        below += seconds > 0 && seconds < one.reading.time.total ? 1 : 0;
        EXPECT_TRUE(!one.reading.fits || one.expected >= one.reading.time.total);
        EXPECT_TRUE(seconds >= one.reading.time.total || !expected_of(question, one).known());
    }
    EXPECT_GT(below, 0U);
}

/// SUMMA's plans and tensor-parallel groups of more than a domain have no expected time, so they come after
/// all that have one, in the order of their own.
TEST(RankedBy, PutsPlansWithoutAnExpectedTimeLast) {
    const PlanSearch found = searched(asked_on("h100-nvs8", "llama-3-8b", 16), 1000);
    const auto unknown = [](const RankedPlan& one) {
        return one.reading.fits && (one.plan.strategy == TensorStrategy::summa || one.plan.tensor1 > 8);
    };
    const auto first = std::ranges::find_if(found.ranked, unknown);
    ASSERT_NE(first, found.ranked.end());
    double before = 0;
    for (auto at = first; at != found.ranked.end() && at->reading.fits; ++at) {
        EXPECT_TRUE(unknown(*at) && std::isinf(at->expected));
        EXPECT_GE(at->reading.time.total, before);
        before = at->reading.time.total;
    }
}

/// Blocks and strategies that no published run has, and experts that every copy has, leave the order of ideal
/// times, and the reason.
TEST(RankedBy, SaysWhyNothingIsExpected) {
    PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16);
    EXPECT_EQ(why_none_expected(question), "");
    question.split.strategy = "summa";
    EXPECT_THAT(why_none_expected(question), HasSubstr("two dimensions"));
    EXPECT_FALSE(ranked_by(question));
    PlanQuestion with_experts = asked_on("h100-nvs8", "mixtral-8x7b", 16);
    EXPECT_EQ(why_none_expected(with_experts), "") << "the search shares experts where nothing is said";
    with_experts.split.experts = 1;
    EXPECT_THAT(why_none_expected(with_experts), HasSubstr("spread them over"));
    EXPECT_THAT(why_none_expected(asked_on("tpu-v5p", "mixtral-8x7b", 64)), HasSubstr("spread them over"));
    question = asked_on("h100-nvs8", "jamba-mini", 16);
    EXPECT_THAT(why_none_expected(question), HasSubstr("a model with such blocks"));
}

/// The powers of two that divide the experts and the chips; of a model without experts one.
TEST(RankedBy, OnlyExpertsAreShared) {
    for (const auto& [name, sizes] : {std::pair("mixtral-8x7b", std::vector<std::int64_t>{1, 2, 4, 8}),
                                      std::pair("llama-3-8b", std::vector<std::int64_t>{1})}) {
        const PlanQuestion question = asked_on("h100-nvs8", name, 16);
        const PlanModel model = plan_model(question).value();
        const PlanSpace space = *plan_space(question, model);
        EXPECT_EQ(expert_sizes(model.run(), space, TensorStrategy::one_d), sizes) << name;
        EXPECT_THAT(expert_sizes(model.run(), space, TensorStrategy::summa), testing::ElementsAre(1));
    }
}

/// Measured runs keep tensor parallelism in a domain of 8, so of 16 nothing is expected.
TEST(RankedBy, LeavesOutTensorParallelismAcrossDomains) {
    const PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16);
    Plan plan;
    plan.tensor1 = 8;
    plan.data = 2;
    EXPECT_TRUE(expected_step(question, plan).known());
    plan.tensor1 = 16;
    plan.data = 1;
    EXPECT_THAT(expected_step(question, plan).reason, HasSubstr("leave a fast domain"));
    EXPECT_EQ(ranked_by(question)(plan), std::nullopt);
}

/// With fewer chips taken, a plan's own chips count for stragglers, and not those that were offered.
TEST(RankedBy, CountsThePlansOwnChips) {
    PlanQuestion question = asked_on("h100-nvs8", "llama-3-8b", 16);
    const Plan plan = searched(question, 1).ranked.front().plan;
    const double own = expected_step(question, plan).seconds;
    question.chips = 4096;
    EXPECT_EQ(expected_step(question, plan).seconds, own);
}

} // namespace
} // namespace meshslice
