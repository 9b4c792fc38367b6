#include "core/machine/catalogue.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/plan.h"
#include "core/plan/search/advice/plan_levers.h"
#include "tests/core/plan/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace meshslice::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Plan gpt_plan() {
    return plan_of(TensorStrategy::one_d, {32, 64, 8, 1}, 1, 1, {8, 1, 1, 1});
}
PlanReading read(const Plan& plan, ModelRules rules = ModelRules::exact,
                 TrainingRun run = run_of("gpt3-1t", 4096)) {
    return evaluate(run, *machine_preset("b200-nvs8"), plan, rules).value();
}
std::string refusal(const Plan& plan, ModelRules rules = ModelRules::exact, std::int64_t batch = 4096) {
    const auto found = evaluate(run_of("gpt3-1t", batch), *machine_preset("b200-nvs8"), plan, rules);
    return found ? std::string("accepted") : found.error().sentence;
}

TEST(Plan, DivisorsAreNamedNearTheNumber) {
    EXPECT_EQ(divisors_near(160, 24), "16, 20, 32"); // 1 2 4 5 8 10 16 20 32 40 80 160
    EXPECT_EQ(divisors_near(160, 300), "80, 160");
    EXPECT_EQ(divisors_near(7, 3), "1, 7");
    EXPECT_THAT(divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
}

TEST(Plan, WhatDoesNotDivideIsRefusedWithWhatDoes) {
    const auto with = [](auto change) {
        Plan plan = gpt_plan();
        change(plan);
        return plan;
    };
    EXPECT_EQ(refusal(gpt_plan()), "accepted");
    EXPECT_EQ(refusal(with([](Plan& plan) {
                  plan.strategy = TensorStrategy::summa;
                  plan.tensor1 = 24;
              })),
              "160 heads do not divide by 24; 16, 20, 32 do (the nearest sizes that work).");
    EXPECT_EQ(refusal(with([](Plan& plan) { plan.tensor1 = 24; })),
              "accepted"); // with 7 heads on the fullest
    EXPECT_EQ(refusal(with([](Plan& plan) { plan.tensor1 = 24; }), ModelRules::reference), "accepted");
    EXPECT_EQ(refusal(with([](Plan& plan) {
                          plan.tensor1 = 320;
                          plan.placement = {};
                      }),
                      ModelRules::reference),
              "160 heads leave nothing for each of 320; at most 160 can share them.");
    EXPECT_EQ(refusal(with([](Plan& plan) { plan.pipeline = 48; })),
              "128 layers do not divide by 48; 16, 32, 64 do (the nearest sizes that work).");
    EXPECT_EQ(refusal(with([](Plan& plan) { plan.data = 3; })),
              "4096 samples of the batch do not divide by 3; 1, 2, 4 do (the nearest sizes that work).");
    EXPECT_EQ(
        refusal(with([](Plan& plan) { plan.micro_batch = 3; })),
        "128 samples of a data-parallel copy do not divide by 3; 1, 2, 4 do (the nearest sizes that work).");
    EXPECT_EQ(refusal(with([](Plan& plan) { plan.data = 2; }), ModelRules::exact, 1),
              "Of the samples of the batch there is one, which does not divide by 2; 1 works.");
    EXPECT_THAT(refusal(with([](Plan& plan) {
                    plan.placement = {8, 1, 2, 1};
                })),
                HasSubstr("16 chips into a fast domain of 8"));
    EXPECT_THAT(refusal(with([](Plan& plan) {
                    plan.placement = {3, 1, 1, 1};
                })),
                HasSubstr("do not divide by 3"));
    EXPECT_THAT(refusal(with([](Plan& plan) { plan.tensor2 = 2; })), HasSubstr("16x1 is one"));
    EXPECT_THAT(refusal(with([](Plan& plan) { plan.panels = 2; })),
                HasSubstr("Only a SUMMA plan has panels"));
    EXPECT_THAT(refusal(with([](Plan& plan) { plan.zero = 4; })), HasSubstr("0, 1, 2 or 3"));
    EXPECT_THAT(refusal(with([](Plan& plan) {
                    plan.schedule = {PipelineKind::interleaved, 3};
                })),
                HasSubstr("2 layers of a stage do not divide by 3; 1, 2 do (the"));
    EXPECT_THAT(refusal(with([](Plan& plan) { plan.data = 0; })), HasSubstr("data-parallel size is 0"));
}

/// 128 blocks of two norms of 2 x 25600, four GEMMs of 12 x 25600^2 and biases of 6 x 25600: over 8 x 64
/// chips a chip keeps two layers, an eighth of each but the norms and the two biases that are added in full.
TEST(Plan, MemoryIsWorkedByHand) {
    const MemoryUse memory = read(gpt_plan()).memory;
    const double e = 25'600, layer = 12 * e * e / 8 + 4 * e / 8 + 2 * e + 4 * e;
    EXPECT_NEAR(memory.weights, 2 * 2 * layer, 1);
    EXPECT_EQ(memory.gradients, memory.weights);
    EXPECT_NEAR(memory.optimizer, 2 * 12 * layer / 32, 1);
    // Of a token and an eighth of the width, in bytes: norms 2 + 2, inputs of QKV, FF1, FF2 and Output 2 + 2
    // + 8 + 2, activation 8, dropouts 4 + 1 + 1, Q, K and V 6; and 4 for the softmax of each of the 20 heads.
    // The first of 64 stages keeps 64 micro-batches of two layers.
    const double kept = 2048.0 * (38 * e / 8 + 4 * 20);
    EXPECT_NEAR(memory.activations, kept * 2 * 64, 1);
    EXPECT_EQ(memory.buffers, 2 * 2048 * e); // one gathered input
    EXPECT_NEAR(memory.total(), memory.weights * 2 + memory.optimizer + memory.activations + memory.buffers,
                1);
}

TEST(Plan, ZeroSharesWhatItSays) {
    Plan plan = gpt_plan();
    MemoryUse at[4];
    for (plan.zero = 0; plan.zero <= 3; ++plan.zero) {
        at[plan.zero] = read(plan).memory;
    }
    EXPECT_NEAR(at[0].optimizer, 32 * at[1].optimizer, 1);
    EXPECT_NEAR(at[1].gradients, 32 * at[2].gradients, 1);
    EXPECT_NEAR(at[2].weights, 32 * at[3].weights, 1);
    EXPECT_EQ(at[0].weights, at[2].weights);
    Plan alone = gpt_plan(); // has all weights anyway
    alone.data = 1;
    alone.zero = 2;
    const double kept = read(alone).memory.buffers;
    alone.zero = 3;
    EXPECT_EQ(read(alone).memory.buffers, kept);
    // The weights of two layers at once: the one that is multiplied and the one that is gathered.
    EXPECT_NEAR(at[3].buffers - at[2].buffers, at[2].weights / 2 * 2, 1);
}

/// n = 128 micro-batches, p = 64 stages, F + B a micro-batch takes on a stage, x between stages (one hop
/// across domains): 1F1B fills and drains 63 (F + B), waits 2x 63 times to fill and drain, and for each of
/// the 126 later micro-batches but the one that is 64 after the second.
TEST(Plan, TheBubbleIsWorkedByHand) {
    const PlanReading reading = read(gpt_plan());
    EXPECT_EQ(reading.micro_batches, 128);
    const double stage = (reading.time.compute + reading.time.memory_exposed + reading.time.tensor) / 128;
    EXPECT_NEAR(reading.time.bubble, 63 * stage, 1e-9);
    const double x = 5e-6 + 2.0 * 2048 * 25'600 / 8 / 70e9;
    EXPECT_NEAR(reading.time.pipeline, 2 * x * (63 + 126 - 1), 1e-9);
    Plan interleaved = gpt_plan();
    interleaved.schedule = {PipelineKind::interleaved, 2};
    const PlanReading two = read(interleaved);
    EXPECT_NEAR(two.time.bubble, 63 * stage / 2, 1e-9);
    EXPECT_NEAR(two.time.pipeline, 2 * x * (2 * 64 - 1), 1e-9);
    // (2 (64 - 1) + 64 + 1) halves of a stage instead of 64 wholes.
    EXPECT_NEAR(two.memory.activations, reading.memory.activations / 64 * 191 / 2, 1);
    Plan gpipe = gpt_plan();
    gpipe.schedule.kind = PipelineKind::gpipe;
    EXPECT_NEAR(read(gpipe).time.bubble, 63 * stage, 1e-9);
    EXPECT_NEAR(read(gpipe).time.pipeline, 2 * x * 63, 1e-9);
    EXPECT_NEAR(read(gpipe).memory.activations, reading.memory.activations * 2, 1); // 128 instead of 64
}

TEST(Plan, RecomputationTradesMemoryForTime) {
    Plan plan = gpt_plan();
    const PlanReading none = read(plan);
    plan.recompute = Recompute::attention;
    const PlanReading attention = read(plan);
    plan.recompute = Recompute::full;
    const PlanReading full = read(plan);
    EXPECT_LT(none.time.total, attention.time.total);
    EXPECT_LT(attention.time.total, full.time.total);
    EXPECT_GT(none.memory.activations, attention.memory.activations);
    EXPECT_NEAR(full.memory.activations, 2.0 * 2048 * 25'600 / 8 * 2 * 64, 1); // the layers' inputs
    EXPECT_LT(full.utilization, none.utilization);
    EXPECT_NEAR(full.flop_per_chip / none.flop_per_chip, 4.0 / 3, 0.02); // a third forward pass
}

TEST(Plan, OverlapHidesCommunication) {
    Plan plan = gpt_plan();
    const PlanReading by_default = read(plan);
    plan.tensor_overlap = true;
    EXPECT_LT(read(plan).time.tensor, by_default.time.tensor);
    plan.tensor_overlap = false;
    plan.data_overlap = false;
    EXPECT_GT(read(plan).time.data, by_default.time.data);
}

/// Heads that share keys and values, a gate projection and experts.
TEST(Plan, OtherBlocksAreCounted) {
    const TrainingRun llama = training_run(*model_preset("llama-3-70b"), 0, 1024).value();
    EXPECT_EQ(llama.sequence, 8192);
    EXPECT_TRUE(llama.causal);
    Plan plan = plan_of(TensorStrategy::one_d, {8, 8, 1, 1}, 1, 1, {});
    const PlanReading dense = read(plan, ModelRules::exact, llama);
    // 10 of 80 layers: QKV 8192 x 10240, Output 8192 x 8192, FF 3 x 8192 x 28672 and two norms.
    EXPECT_NEAR(dense.memory.weights, 10 * 2 * (8192.0 * (10'240 + 8192 + 3 * 28'672) + 4 * 8192), 1);
    TrainingRun experts = llama;
    experts.model.experts = 4;
    experts.model.experts_per_token = 2;
    const PlanReading mixture = read(plan, ModelRules::exact, experts);
    EXPECT_NEAR(mixture.memory.weights - dense.memory.weights, 3 * 10 * 2 * 3 * 8192.0 * 28'672, 1);
    EXPECT_GT(mixture.time.compute, 1.5 * dense.time.compute);
    EXPECT_LT(mixture.time.compute, 2 * dense.time.compute);
    TrainingRun everywhere = llama;
    everywhere.causal = false; // twice the attention
    EXPECT_GT(read(plan, ModelRules::exact, everywhere).time.compute, 1.05 * dense.time.compute);
}

TEST(Plan, EndsAndTheOptimizerStepCanBeCounted) {
    TrainingRun run = run_of("gpt3-1t", 4096);
    const PlanReading without = read(gpt_plan());
    EXPECT_EQ(without.time.ends, 0);
    EXPECT_EQ(without.time.optimizer, 0);
    run.ends = run.optimizer_step = true;
    const PlanReading with = read(gpt_plan(), ModelRules::exact, run);
    // The head's three GEMMs of 2048 x 25600 x 50257 / 8 for 128 micro-batches, at 80% of the peak, and
    // softmax.
    const double words = 50'257 / 8.0;
    const double head = 6 * 2048 * 25'600 * words / 2000e12 + 5 * 2048 * words / (0.8 * 339e12) + 3 * 20e-6;
    EXPECT_NEAR(with.time.ends, 128 * head, 1e-6);
    EXPECT_NEAR(with.memory.embeddings - without.memory.embeddings, 2 * 50'257.0 * 25'600 / 8, 1);
    EXPECT_GT(with.time.optimizer, 20e-6);
    run.model.vocabulary = 0;
    const auto refused = evaluate(run, *machine_preset("b200-nvs8"), gpt_plan(), ModelRules::exact);
    EXPECT_THAT(refused.error().sentence, HasSubstr("no vocabulary"));
}

/// 4 samples of 1024 tokens: 10^9 tokens are 244,140.6 steps, so 244,141 of 0.5 s.
TEST(Plan, DaysOfATrainingAreWorkedByHand) {
    TrainingRun run;
    run.batch = 4;
    run.sequence = 1024;
    EXPECT_DOUBLE_EQ(days_for_tokens(run, 0.5, 1e9), 244'141 * 0.5 / 86'400);
}

/// Twice the rate of what a step is made of alone halves it, and nothing else changes anything.
TEST(Plan, LeversSaveWhatTheySay) {
    const TrainingRun run = run_of("gpt3-175b", 64);
    const PlanModel model = PlanModel::of(run, *machine_preset("b200-nvs8"), ModelRules::exact).value();
    Plan plan = plan_of(TensorStrategy::one_d, {1, 8, 8, 1}, 1, 1, {8, 1, 1, 1});
    const PlanReading now = model.reading(plan, model.layer(plan));
    const std::vector<PlanLever> levers = plan_levers(model, plan);
    ASSERT_GE(levers.size(), 3u);
    EXPECT_EQ(levers.front().what, "twice the FLOP/s");
    const auto saved = [&](const char* what) {
        const auto at = std::ranges::find(levers, what, &PlanLever::what);
        return at == levers.end() ? 0 : at->saved;
    };
    // 128 micro-batches instead of 64 have half the bubble of a sample: 7 of 71 passes become 7 of 135.
    EXPECT_NEAR(saved("twice the batch"), now.time.bubble / now.time.total / 2, 1e-3);
    // Half of what tensor-parallel communication takes beyond its latency, in the bubble too.
    const double tensor = now.time.tensor * (1 + 7.0 / 64) / now.time.total;
    EXPECT_LT(saved("twice the bandwidth of a fast domain"), tensor / 2);
    EXPECT_GT(saved("twice the bandwidth of a fast domain"), tensor / 4);
}

/// Among whom a 2D plan exchanges weights: chips of one sample's parts, of other samples, or both.
TEST(Plan, ContextParallelExchangesHaveTheirName) {
    const StepPart& data = step_parts[3];
    Plan plan = plan_of(TensorStrategy::two_d, {1, 1, 1, 4}, 1, 1, {});
    EXPECT_EQ(part_name(data, plan), "context-parallel communication of weights");
    plan.data = 2;
    EXPECT_EQ(part_name(data, plan), "data- and context-parallel communication");
    plan.tensor2 = 1;
    EXPECT_EQ(part_name(data, plan), "data-parallel communication");
    plan.strategy = TensorStrategy::one_d;
    EXPECT_EQ(part_name(data, plan), "data-parallel communication");
}

TEST(Plan, WordsAreReadStrictly) {
    for (const char* words : {"1f1b", "gpipe", "interleaved:4"}) {
        EXPECT_EQ(text(parse_pipeline_schedule(words).value()), words);
    }
    for (const char* words : {"", "interleaved", "interleaved:1", "interleaved:x", "2f2b"}) {
        EXPECT_FALSE(parse_pipeline_schedule(words)) << words;
    }
    EXPECT_EQ(parse_recompute("full").value(), Recompute::full);
    EXPECT_FALSE(parse_recompute("all"));
    Transformer unsaid = *model_preset("gpt3-1t");
    unsaid.sequence = 0;
    EXPECT_THAT(training_run(unsaid, 0, 1).error().sentence, HasSubstr("no sequence length"));
    EXPECT_EQ(training_run(unsaid, 4096, 1)->sequence, 4096);
    EXPECT_THAT(training_run(unsaid, 4096, 0).error().sentence, HasSubstr("The batch is 0"));
}

} // namespace
} // namespace meshslice::test
