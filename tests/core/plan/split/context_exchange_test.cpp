// How chips that split a sequence get at each other's keys and values, by hand.

#include "core/machine/catalogue.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_ranking.h"
#include "core/scenario/plan/plan_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using enum ContextExchange;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Llama 3 8B on one domain of 8 H100: 32 heads of 128, 8 of keys and values; one sequence of 8192 tokens on
/// all chips.
PlanQuestion one_sequence(std::int64_t tokens = 8192) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = tokens;
    question.batch = 8;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.split.strategy = "2d";
    return question;
}

Plan on_8(ContextExchange exchange) {
    Plan plan;
    plan.strategy = TensorStrategy::two_d;
    plan.tensor2 = plan.placement.tensor2 = 8;
    plan.context = exchange;
    plan.zero = 3;
    return plan;
}

ChipTask attention_of(const PlanModel& model, const Plan& plan) {
    const ChipTasks block = model.block(plan);
    return *std::ranges::find(block.operations, attention_task, &ChipTask::name);
}

constexpr double keys_and_values = 2.0 * 8192 * 8 * (128 + 128); // bytes of the whole sequence

TEST(ContextExchange, GatherWaitsForAllKeysAndValues) {
    const PlanModel model = plan_model(one_sequence()).value();
    const ChipTask attention = attention_of(model, on_8(gather));
    ASSERT_EQ(attention.forward.exchanges.size(), 1);
    EXPECT_EQ(attention.forward.exchanges[0].bytes, keys_and_values);
    const double all =
        model.network().seconds(Collective::all_gather, keys_and_values, model.tensor_group(on_8(gather), 1));
    EXPECT_GT(all, 0);
    EXPECT_DOUBLE_EQ(model.pass(on_8(gather), attention, attention.forward).tensor, all);
}

/// Seven of eight blocks are on their way while the chip works on seven.
TEST(ContextExchange, ARingHidesBehindAttention) {
    for (const std::int64_t tokens : {1024, 8192, 131'072}) {
        SCOPED_TRACE(tokens);
        const PlanModel model = plan_model(one_sequence(tokens)).value();
        const Plan plan = on_8(ring);
        const ChipTask attention = attention_of(model, plan);
        const double both = keys_and_values * static_cast<double>(tokens) / 8192;
        const ChipGroup group = model.tensor_group(plan, 1);
        const double gathers = model.network().seconds(Collective::all_gather, both, group);
        const double sums = model.network().seconds(Collective::reduce_scatter, both, group);
        const LayerPass forward = model.pass(plan, attention, attention.forward);
        EXPECT_NEAR(forward.tensor, std::max(0.0, gathers - (forward.compute + forward.memory) * 7 / 8),
                    1e-12);
        const LayerPass backward = model.pass(plan, attention, attention.backward);
        const double body = backward.compute + backward.memory, last = sums / 7;
        EXPECT_NEAR(backward.tensor, last + std::max(0.0, gathers + sums - last - body * 7 / 8), 1e-12);
        const double waits = model
                                 .pass(on_8(gather), attention_of(model, on_8(gather)),
                                       attention_of(model, on_8(gather)).backward)
                                 .tensor;
        EXPECT_LT(backward.tensor, waits);
    }
}

/// A chip has 1024 tokens of 32 heads and gets 8192 of 4, with one head of keys and values of its own.
TEST(ContextExchange, TokensAreExchangedForHeads) {
    const PlanModel model = plan_model(one_sequence()).value();
    const ChipTask attention = attention_of(model, on_8(all_to_all));
    const double queries = 2.0 * 8192 * 32 * 128;
    ASSERT_EQ(attention.forward.exchanges.size(), 2);
    EXPECT_EQ(attention.forward.exchanges[0].what, Collective::all_to_all);
    EXPECT_EQ(attention.forward.exchanges[0].bytes, queries + keys_and_values);
    EXPECT_EQ(attention.forward.exchanges[1].bytes, queries);
    const ChipTask gathered = attention_of(model, on_8(gather));
    EXPECT_DOUBLE_EQ(attention.forward.matrix_flop, gathered.forward.matrix_flop) << "as many products";
    EXPECT_LT(attention.forward.bytes, gathered.forward.bytes) << "an eighth of keys and values is read";
    const std::vector<ContextExchangeCost> costs = context_exchange_costs(model, on_8(gather));
    ASSERT_EQ(costs.size(), 3);
    // 32 layers, 8 micro-batches, there and back in both passes; a chip keeps an eighth of what it has.
    EXPECT_NEAR(costs[2].bytes, 32 * 8 * 2 * (2 * queries + keys_and_values) / 8 * 7 / 8, 1);
    EXPECT_NEAR(costs[0].bytes, 32 * 8 * 3 * keys_and_values * 7 / 8, 1);
    EXPECT_EQ(costs[0].bytes, costs[1].bytes);
    EXPECT_EQ(costs[0].exposed, costs[0].whole);
    EXPECT_LT(costs[1].exposed, costs[1].whole);
    EXPECT_LE(costs[1].reading.time.total, costs[0].reading.time.total);
}

/// Each of 8 chips has one of 8 heads of keys and values; 16 have the same in pairs; 64 have no head each.
TEST(ContextExchange, AllToAllNeedsWholeHeads) {
    PlanQuestion question = one_sequence();
    question.chips = 64;
    const PlanModel model = plan_model(question).value();
    Plan plan = on_8(all_to_all);
    plan.tensor2 = 32;
    EXPECT_TRUE(model.check(plan));
    plan.tensor2 = 64;
    EXPECT_THAT(model.check(plan).error().sentence, HasSubstr("32 heads on a grid of 1x64"));
    plan.context = ring;
    EXPECT_TRUE(model.check(plan));
    plan.strategy = TensorStrategy::one_d;
    plan.tensor2 = 1;
    EXPECT_THAT(model.check(plan).error().sentence, HasSubstr("Only a 2D plan"));
    const std::vector<std::string> words = context_words(model, [] {
        Plan wide = on_8(gather);
        wide.tensor2 = 64;
        return wide;
    }());
    ASSERT_EQ(words.size(), 3);
    EXPECT_THAT(words[0], HasSubstr("keys and values gathered"));
    EXPECT_THAT(words[2], HasSubstr("An all-to-all gives each chip whole heads"));
}

/// What is gathered is there at a time, and of a ring two blocks and their gradients.
TEST(ContextExchange, ARingHoldsLess) {
    const PlanModel model = plan_model(one_sequence()).value();
    const auto gathered = [&](ContextExchange exchange) { return model.block(on_8(exchange)).gathered; };
    EXPECT_EQ(gathered(gather), keys_and_values);
    EXPECT_EQ(gathered(ring), keys_and_values / 2);
    EXPECT_EQ(gathered(all_to_all), (2.0 * 8192 * 32 * 128 + keys_and_values) / 8);
}

TEST(ContextExchange, ASearchTriesThoseThatAreAskedFor) {
    PlanQuestion question = one_sequence();
    question.split.context = "any";
    const PlanAnswer any = answer(question, 20).value();
    std::int64_t one_by_one = 0;
    for (const char* word : {"gather", "ring", "all-to-all"}) {
        question.split.context = word;
        const PlanAnswer one = answer(question, 20).value();
        EXPECT_FALSE(better(compared(one.best()), compared(any.best()))) << word;
        one_by_one += one.search.candidates;
    }
    // Plans that split no sequence are in each of the three.
    EXPECT_GT(any.search.candidates, 0);
    EXPECT_LT(any.search.candidates, one_by_one);
    const PlanModel model = plan_model(question).value();
    for (const RankedPlan& one : any.search.ranked) {
        EXPECT_EQ(one.reading, model.reading(one.plan, model.layer(one.plan))) << text(one.plan);
        EXPECT_TRUE(one.plan.context == gather || one.plan.splits_context()) << text(one.plan);
    }
    EXPECT_THAT(parse_context_exchanges("ring,gather").value(), ElementsAre(ring, gather));
    EXPECT_THAT(parse_context_exchanges("rings").error().sentence, HasSubstr("gather, ring or all-to-all"));
}

} // namespace
} // namespace meshslice::test
