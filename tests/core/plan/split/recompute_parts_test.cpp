#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/search/plan_search.h"
#include "core/scenario/plan/plan_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr double tokens = 2048, hidden = 4096, width = 14336, heads = 32;

PlanModel model_of_8b(const char* model = "llama-3-8b") {
    return PlanModel::of(training_run(*model_preset(model), 2048, 8).value(), *machine_preset("h100-nvs8"),
                         ModelRules::exact)
        .value();
}

LayerCost layer_with(const PlanModel& model, Plan plan, Recompute recompute) {
    plan.recompute = recompute;
    return model.layer(plan);
}

/// Llama 3 8B, one sample: a norm's output is 2 bytes of each of 4096 features, an activation's of each of
/// 14336, what it is made of 4 bytes; scores are 2 numbers of 2 bytes for each head and token.
TEST(RecomputeParts, DropWhatTheyComputeAgain) {
    const PlanModel model = model_of_8b();
    const LayerCost all = layer_with(model, {}, Recompute::none);
    const auto dropped = [&](Recompute recompute) {
        const LayerCost its = layer_with(model, {}, recompute);
        EXPECT_EQ(its.forward, all.forward);
        EXPECT_GT(its.backward.time(), all.backward.time());
        EXPECT_DOUBLE_EQ(its.buffer - all.buffer, all.kept - its.kept) << "of one layer at a time";
        EXPECT_EQ(its.model_flop, all.model_flop);
        return all.kept - its.kept;
    };
    EXPECT_DOUBLE_EQ(dropped(Recompute::norms), 2 * 2 * tokens * hidden);
    EXPECT_DOUBLE_EQ(dropped(Recompute::activations), 2 * tokens * width);
    EXPECT_DOUBLE_EQ(dropped(Recompute::feed_forward), (4 + 2) * tokens * width);
    EXPECT_DOUBLE_EQ(dropped(Recompute::core_attention), 2 * 2 * heads * tokens);
    EXPECT_DOUBLE_EQ(dropped(Recompute::norms | Recompute::activations),
                     2 * 2 * tokens * hidden + 2 * tokens * width);
    // Its two GEMMs have 2 x (2 + 1) x 4096 x 14336 FLOP for each token.
    EXPECT_NEAR(layer_with(model, {}, Recompute::feed_forward).backward.flop - all.backward.flop,
                6 * tokens * hidden * width, 0.001 * 6 * tokens * hidden * width);
}

/// Vectors take no matrix unit's time, so dropping norms' outputs costs less time for a byte than the GEMMs
/// of a feed-forward network; both less than a whole layer.
TEST(RecomputeParts, CostLessThanAWholeLayer) {
    const PlanModel model = model_of_8b();
    const LayerCost none = layer_with(model, {}, Recompute::none);
    const auto price = [&](Recompute recompute) {
        const LayerCost its = layer_with(model, {}, recompute);
        return (its.backward.time() - none.backward.time()) / (none.kept - its.kept);
    };
    EXPECT_LT(price(Recompute::norms), price(Recompute::feed_forward));
    EXPECT_LT(price(Recompute::activations), price(Recompute::feed_forward));
    EXPECT_LT(layer_with(model, {}, Recompute::feed_forward).backward.time(),
              layer_with(model, {}, Recompute::full).backward.time());
}

/// A norm's output is gathered for the backward pass with or without it: with tensor parallelism no more is
/// exposed.
TEST(RecomputeParts, NormsExchangeNothingMore) {
    const PlanModel model = model_of_8b();
    Plan plan;
    plan.tensor1 = 4;
    plan.placement = {4, 1, 1, 1};
    const LayerCost none = layer_with(model, plan, Recompute::none);
    const LayerCost norms = layer_with(model, plan, Recompute::norms);
    EXPECT_GT(none.backward.tensor, 0);
    EXPECT_EQ(norms.backward.tensor, none.backward.tensor);
    EXPECT_GT(layer_with(model, plan, Recompute::feed_forward).backward.tensor, none.backward.tensor);
}

/// Experts that are computed again get their tokens again.
TEST(RecomputeParts, ExpertsAreSentTheirTokensAgain) {
    const PlanModel model = model_of_8b("mixtral-8x7b");
    Plan plan;
    plan.data = plan.experts = 8;
    plan.placement = {1, 1, 8, 1};
    const LayerCost none = layer_with(model, plan, Recompute::none);
    const LayerCost again = layer_with(model, plan, Recompute::feed_forward);
    EXPECT_NEAR(again.backward.experts, 2 * none.backward.experts, 0.05 * none.backward.experts);
    EXPECT_LT(again.kept, none.kept);
    EXPECT_EQ(layer_with(model, plan, Recompute::activations).backward.experts, none.backward.experts);
}

/// Sets are named as Megatron-LM names their parts; what a larger part has goes without saying.
TEST(RecomputeParts, HaveNames) {
    EXPECT_EQ(name(*parse_recompute("act+layernorm")), "layernorm+act");
    EXPECT_EQ(*parse_recompute("moe_act"), Recompute::activations);
    EXPECT_EQ(*parse_recompute("moe"), Recompute::feed_forward);
    EXPECT_EQ(*parse_recompute("mlp+act"), Recompute::feed_forward);
    EXPECT_EQ(*parse_recompute("core_attn+attention"), Recompute::attention);
    EXPECT_EQ(*parse_recompute("mlp+full"), Recompute::full);
    EXPECT_EQ(*parse_recompute("none"), Recompute::none);
    for (const char* wrong : {"", "+", "mlp+", "none+mlp", "gelu"}) {
        ASSERT_FALSE(parse_recompute(wrong)) << wrong;
        EXPECT_THAT(parse_recompute(wrong).error().sentence, HasSubstr("core_attn, layernorm, act and mlp"));
    }
    Plan plan;
    plan.recompute = Recompute::norms | Recompute::feed_forward;
    EXPECT_EQ(read_plan(write_plan(plan), "plan.json").value(), plan);
}

/// Of a list a search takes each set as one way.
TEST(RecomputeParts, AreSearched) {
    const PlanModel model = model_of_8b();
    PlanSpace space;
    space.chips = 8;
    space.choices = plan_choices({"1f1b", "layernorm+act,mlp", "3"}).value();
    ASSERT_EQ(space.choices.recomputes.size(), 2U);
    const PlanSearch found = search_plans(model, space, 5).value();
    for (const RankedPlan& one : found.ranked) {
        EXPECT_TRUE(one.plan.recompute == (Recompute::norms | Recompute::activations) ||
                    one.plan.recompute == Recompute::feed_forward);
        EXPECT_EQ(one.reading, model.reading(one.plan, model.layer(one.plan)));
    }
}

} // namespace
} // namespace meshslice
