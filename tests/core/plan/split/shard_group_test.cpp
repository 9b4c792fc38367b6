// Weights that a part of their copies share (hybrid sharding), by hand.

#include "core/machine/catalogue.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/chosen_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

/// Llama 3 8B on 8 domains of 8 H100.
PlanQuestion on_64() {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 128;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 64;
    question.ends = question.optimizer_step = true;
    question.split.strategy = "1d";
    return question;
}

Plan copies(std::int64_t shard, int zero = 3) {
    Plan plan;
    plan.data = 64;
    plan.placement.data = 8;
    plan.zero = zero;
    plan.shard = shard;
    return plan;
}

TEST(ShardGroup, AChipHoldsItsPartOfAGroups) {
    const PlanModel model = plan_model(on_64()).value();
    const auto memory = [&](std::int64_t shard, int zero) {
        const Plan plan = copies(shard, zero);
        return model.memory(plan, model.layer(plan));
    };
    const double all = memory(0, 3).weights * 64;
    EXPECT_NEAR(memory(8, 3).weights, all / 8, 1e-9 * all);
    EXPECT_NEAR(memory(8, 3).optimizer, 8 * memory(0, 3).optimizer, 1e-6 * all);
    EXPECT_NEAR(memory(8, 1).optimizer, memory(8, 3).optimizer, 1e-6 * all);
    EXPECT_NEAR(memory(8, 1).weights, all, 1e-9 * all);
    EXPECT_EQ(memory(64, 3), memory(0, 3)) << "all of them";
}

/// Groups stand in a domain each: gathers do not leave it, and 8 chips of 8 domains sum an eighth each.
TEST(ShardGroup, GathersStayInADomain) {
    const PlanModel model = plan_model(on_64()).value();
    const Plan plan = copies(8);
    const LayerCost layer = model.layer(plan);
    const PlanTransfers moved = model.transfers(plan, layer);
    ChipGroup inside{8}, outside{8};
    inside.within.fill(8);
    outside.within.fill(1);
    EXPECT_DOUBLE_EQ(moved.gather, model.network().seconds(Collective::all_gather, layer.weights, inside));
    EXPECT_DOUBLE_EQ(moved.replicas,
                     model.network().seconds(Collective::all_reduce, layer.weights / 8, outside));
    EXPECT_FALSE(moved.replicas_share);
    EXPECT_LT(moved.gather, model.transfers(copies(0), layer).gather);
    EXPECT_TRUE(model.transfers(copies(16), layer).replicas_share) << "groups of two domains leave them too";
    EXPECT_EQ(model.transfers(copies(64), layer).replicas, 0) << "one group";
    EXPECT_THAT(shard_words(model, plan), HasSubstr("8 of 64 chips"));
    EXPECT_EQ(shard_words(model, copies(0)), "");
}

/// Without overlap all of it takes its time: two gathers and a sum for each layer, and the sum among groups
/// once.
TEST(ShardGroup, GradientsAreSummedAmongGroupsOnceAStep) {
    const PlanModel model = plan_model(on_64()).value();
    Plan plan = copies(8);
    plan.data_overlap = false;
    const LayerCost layer = model.layer(plan);
    const PlanTransfers moved = model.transfers(plan, layer);
    for (const double batches : {1.0, 4.0}) {
        const double data = model.data_time(plan, layer, moved, 32, batches).total;
        EXPECT_NEAR(data, 32 * (batches * (2 * moved.gather + moved.scatter) + moved.replicas), 1e-9);
    }
    plan.data_overlap = true;
    plan.zero = 1;
    const double hidden = model.data_time(plan, layer, moved, 32, 1).total;
    EXPECT_GE(hidden, moved.gather_trained + moved.scatter + moved.replicas);
    EXPECT_LT(hidden, 32 * (moved.gather_trained + moved.scatter + moved.replicas));
}

/// As PyTorch does by default: after every backward pass, so that without overlap each micro-batch pays for
/// it. Behind computing, on links of their own, as much as that hides is free.
TEST(ShardGroup, GradientsMayBeSummedAmongGroupsEveryBackwardPass) {
    const PlanModel model = plan_model(on_64()).value();
    Plan once = copies(8);
    once.data_overlap = false;
    Plan each = once;
    each.sums_each_backward = true;
    const LayerCost layer = model.layer(once);
    const PlanTransfers moved = model.transfers(once, layer);
    const auto data = [&](const Plan& plan, double batches) {
        return model.data_time(plan, layer, moved, 32, batches).total;
    };
    EXPECT_NEAR(data(each, 1), data(once, 1), 1e-9) << "one backward pass is the step's";
    EXPECT_NEAR(data(each, 4) - data(once, 4), 3 * 32 * moved.replicas, 1e-9);
    once.data_overlap = each.data_overlap = true;
    EXPECT_LT(data(each, 4) - data(once, 4), 3 * 32 * moved.replicas);
    EXPECT_GE(data(each, 4), data(once, 4) - 1e-9);
    EXPECT_EQ(model.layer(each), layer);
    EXPECT_THAT(shard_words(model, each), HasSubstr("for each micro-batch"));
    EXPECT_THAT(text(each), HasSubstr("groups summed each backward"));
}

TEST(ShardGroup, WhatDoesNotDivideIsRefused) {
    const PlanModel model = plan_model(on_64()).value();
    const auto refusal = [&](const Plan& plan) {
        const Result<void> sound = model.check(plan);
        return sound ? std::string() : sound.error().sentence;
    };
    EXPECT_EQ(refusal(copies(8)), "");
    EXPECT_THAT(refusal(copies(12)), HasSubstr("64 chips that hold the same weights do not divide by 12"));
    EXPECT_THAT(refusal(copies(8, 0)), HasSubstr("at ZeRO 0 nothing is shared"));
    PlanQuestion torus = on_64();
    torus.machine = *machine_preset("tpu-v5p");
    torus.split.shard = 8;
    EXPECT_THAT(answer(torus, 1).error().sentence, HasSubstr("not for a torus"));
}

/// All plans of a search have the group, read as one by one; what a chip sends leaves its domain once a step.
TEST(ShardGroup, ASearchKeepsTheGroup) {
    PlanQuestion question = on_64();
    question.split.shard = 8;
    const PlanAnswer found = answer(question, 10).value();
    const PlanModel model = plan_model(question).value();
    EXPECT_FALSE(found.search.ranked.empty());
    for (const RankedPlan& one : found.search.ranked) {
        EXPECT_EQ(one.plan.shard, 8);
        EXPECT_GT(one.plan.zero, 0);
        EXPECT_EQ(one.plan.data % 8, 0);
        EXPECT_EQ(one.reading, model.reading(one.plan, model.layer(one.plan))) << text(one.plan);
    }
    question.split.shard = 7;
    EXPECT_THAT(answer(question, 1).error().sentence, HasSubstr("groups of 7; expected a divisor"));
    question.split = {};
    const auto leaves = [&](std::int64_t shard) {
        const Plan plan = copies(shard);
        return plan_places({question, plan}).value().of_group(PlanGroup::data).leaves;
    };
    EXPECT_LT(leaves(8), leaves(0));
}

} // namespace
} // namespace meshslice::test
