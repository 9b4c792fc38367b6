// Fine-tuning with adapters next to weights that stay as they are (LoRA), by hand.

#include "core/evidence/expected_plan.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"
#include "core/work/laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

/// X of 10 x 4, W of 4 x 6 that is not trained, adapters of 4 x 2 and 2 x 6 that are.
TEST(Adapters, AFrozenGemmHasNoGradientOfItsWeights) {
    Dims dims;
    dims.rows = 10;
    dims.in = 4;
    dims.out = 6;
    dims.frozen = 2;
    dims.rank = 2;
    const double narrow = 2.0 * 10 * 2 * (4 + 6);
    const Amounts forward = gemm_law(dims, Pass::forward);
    EXPECT_EQ(forward.matrix_flop, 2.0 * 10 * 4 * 6 + narrow);
    EXPECT_EQ(forward.weights, 2 * 24 + 2 * 20);
    EXPECT_EQ(forward.frozen, 2 * 24);
    EXPECT_EQ(forward.kept, 2 * 40 + 2 * 20) << "the input, and what is between the adapters";
    EXPECT_EQ(gemm_law(dims, Pass::backward_data).matrix_flop, 2.0 * 10 * 4 * 6 + narrow);
    EXPECT_EQ(gemm_law(dims, Pass::backward_weight).matrix_flop, narrow);
    EXPECT_EQ(gemm_law(dims, Pass::update).state, 20 * 12);
    dims.rank = 0;
    EXPECT_EQ(gemm_law(dims, Pass::forward).kept, 0) << "nothing needs the input";
    EXPECT_EQ(gemm_law(dims, Pass::backward_weight), Amounts());
    dims.frozen = frozen_bytes(FrozenNumbers::nf4);
    EXPECT_NEAR(gemm_law(dims, Pass::forward).weights, 24 * 4.127 / 8, 1e-9);
    EXPECT_NEAR(gemm_law(dims, Pass::forward).cast, 24 * (4.127 / 8 + 2), 1e-9);
}

/// Llama 3 8B on 8 H100.
PlanQuestion tuned(std::int64_t rank, FrozenNumbers frozen = FrozenNumbers::bf16) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 4096;
    question.batch = 32;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    question.adapters = {rank, frozen};
    return question;
}
Plan eight_copies(int zero = 1) {
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.zero = zero;
    return plan;
}
PlanReading read(const PlanQuestion& question, const Plan& plan) {
    const PlanModel model = plan_model(question).value();
    return model.reading(plan, model.layer(plan));
}

// Of a block: QKV 4096 x 6144, Output 4096 x 4096, FF1 4096 x 28672, FF2 14336 x 4096.
constexpr double matrices = 4096.0 * (6144 + 4096 + 28672 + 14336);
constexpr double sides = 4096 + 6144 + 4096 + 4096 + 4096 + 28672 + 14336 + 4096;

TEST(Adapters, OnlyTheyHaveGradientsAndState) {
    const Plan plan = eight_copies(0);
    const PlanReading all = read(tuned(0), plan), lora = read(tuned(16), plan);
    const double trained = 32 * 16 * sides;
    EXPECT_NEAR(lora.memory.gradients, 2 * trained, 1e-6 * trained);
    EXPECT_NEAR(lora.memory.optimizer, 12 * trained, 1e-6 * trained);
    EXPECT_NEAR(lora.memory.weights - all.memory.weights, 2 * trained, 1e-3 * trained);
    EXPECT_EQ(lora.memory.embeddings, all.memory.embeddings);
    const PlanReading four_bits = read(tuned(16, FrozenNumbers::nf4), plan);
    EXPECT_NEAR(lora.memory.weights - four_bits.memory.weights, 32 * matrices * (2 - 4.127 / 8),
                1e-3 * 32 * matrices);
    EXPECT_GT(four_bits.time.memory_exposed, lora.time.memory_exposed);
    EXPECT_LT(lora.time.data, all.time.data);
    EXPECT_LT(lora.time.optimizer, all.time.optimizer);
}

/// Two passes of three, and the adapters' three; attention as before.
TEST(Adapters, TakeTwoThirdsOfTheFlop) {
    const Plan plan = eight_copies();
    const PlanReading all = read(tuned(0), plan), lora = read(tuned(16), plan);
    const double tokens = 32.0 / 8 * 4096;
    const double fewer = 2 * tokens * (32 * matrices + 4096.0 * 128'256) - 6 * tokens * 32 * 16 * sides;
    EXPECT_NEAR(all.flop_per_chip - lora.flop_per_chip, fewer, 1e-3 * fewer);
    EXPECT_THAT(lora.flop_per_chip / all.flop_per_chip, testing::AllOf(testing::Gt(0.65), testing::Lt(0.72)));
}

/// The expected step is that of measured runs: two products of three, by the same constants.
TEST(Adapters, AreExpectedToBeFaster) {
    const Plan plan = eight_copies();
    const ExpectedStep all = expected_step(tuned(0), plan), lora = expected_step(tuned(16), plan);
    ASSERT_TRUE(all.known() && lora.known());
    EXPECT_LT(lora.seconds, 0.8 * all.seconds);
    EXPECT_GT(lora.seconds, 0.55 * all.seconds);
}

/// Weights that stay are gathered at ZeRO 3 alone: an update changes adapters.
TEST(Adapters, AreGatheredAfterAnUpdate) {
    const PlanModel model = plan_model(tuned(16)).value();
    const Plan plan = eight_copies();
    const PlanTransfers moved = model.transfers(plan, model.layer(plan));
    EXPECT_LT(moved.gather_trained, moved.gather / 20);
    const PlanModel whole = plan_model(tuned(0)).value();
    const PlanTransfers all = whole.transfers(plan, whole.layer(plan));
    EXPECT_EQ(all.gather_trained, all.gather);
}

/// Next to QKV alone: 16 x (4096 + 6144) of a block, and no input of the other GEMMs waits.
TEST(Adapters, StandNextToTheMatricesThatAreNamed) {
    const Plan plan = eight_copies(0);
    PlanQuestion question = tuned(16);
    const PlanReading all = read(question, plan);
    question.adapters.targets = AdapterTargets::qkv;
    const PlanReading qkv = read(question, plan);
    EXPECT_NEAR(qkv.memory.gradients, 2 * 32 * 16 * (4096.0 + 6144), 1);
    question.adapters.targets = AdapterTargets::attention;
    EXPECT_NEAR(read(question, plan).memory.gradients, 2 * 32 * 16 * (4096.0 + 6144 + 2 * 4096), 1);
    EXPECT_LT(qkv.memory.activations, all.memory.activations - 2.0 * 4096 * 14'336 * 32 * 0.9);
    EXPECT_LT(qkv.flop_per_chip, all.flop_per_chip);
}

TEST(Adapters, AreNotPlannedForPanels) {
    PlanQuestion question = tuned(16);
    question.split.strategy = "summa";
    EXPECT_THAT(answer(question, 1).error().sentence,
                HasSubstr("Adapters are planned for the strategies 1d"));
    question.split.strategy = "all";
    const PlanAnswer found = answer(question, 5).value();
    for (const RankedPlan& one : found.search.ranked) {
        EXPECT_NE(one.plan.strategy, TensorStrategy::summa);
    }
}

} // namespace
} // namespace meshslice::test
