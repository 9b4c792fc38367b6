// Plans whose GEMMs multiply numbers of few bits, by hand.

#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/chosen_plan.h"
#include "core/work/laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

/// X of 10 x 4 numbers, W of 4 x 6, Y of 10 x 6. A number has a byte and 1/32 of the scale's; made by rows
/// and by columns from 2 bytes it passes 2 + 2 x 1.03125.
TEST(NumberRecipe, AGemmReadsFewBitsAndWritesTwoBytes) {
    Dims dims;
    dims.rows = 10;
    dims.in = 4;
    dims.out = 6;
    dims.operand = operand_bytes(NumberRecipe::mxfp8);
    dims.cast = cast_bytes(NumberRecipe::mxfp8);
    EXPECT_DOUBLE_EQ(dims.operand, 33.0 / 32);
    const Amounts forward = gemm_law(dims, Pass::forward);
    EXPECT_DOUBLE_EQ(forward.bytes, 33.0 / 32 * (40 + 24) + 2 * 60);
    EXPECT_DOUBLE_EQ(forward.kept, 33.0 / 32 * 40);
    EXPECT_DOUBLE_EQ(forward.cast, 40 * (2 + 33.0 / 16));
    EXPECT_DOUBLE_EQ(forward.weights, 48) << "the weights stay as they are";
    const Amounts data = gemm_law(dims, Pass::backward_data);
    EXPECT_DOUBLE_EQ(data.bytes, 33.0 / 32 * (60 + 24) + 2 * 40);
    EXPECT_DOUBLE_EQ(data.cast, 60 * (2 + 33.0 / 16));
    const Amounts weight = gemm_law(dims, Pass::backward_weight);
    EXPECT_DOUBLE_EQ(weight.bytes, 33.0 / 32 * (60 + 40) + 2 * 24);
    EXPECT_EQ(weight.cast, 0) << "both operands are there";
    EXPECT_EQ(weight.matrix_flop, 2.0 * 10 * 4 * 6);
}

/// What is scaled by its own largest number is read once more.
TEST(NumberRecipe, BytesFollowFromScales) {
    EXPECT_EQ(cast_bytes(NumberRecipe::bf16), 0);
    EXPECT_EQ(cast_bytes(NumberRecipe::fp8), 2 + 2);
    EXPECT_EQ(cast_bytes(NumberRecipe::fp8_current), 2 + 2 + 2);
    EXPECT_EQ(operand_bytes(NumberRecipe::fp8_blocks), 1 + 4.0 / 128);
    EXPECT_EQ(operand_bytes(NumberRecipe::nvfp4), 0.5 + 1.0 / 16);
    EXPECT_EQ(gathered_bytes(NumberRecipe::nvfp4), 2);
    EXPECT_EQ(gathered_bytes(NumberRecipe::fp8), 1);
}

/// Llama 3 8B on 8 H100, whose weights are sharded.
PlanQuestion llama(NumberRecipe recipe, const char* machine = "h100-nvs8") {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = *machine_preset(machine);
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    question.recipe = recipe;
    return question;
}
Plan sharded_on_8() {
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.micro_batch = 2;
    plan.zero = 3;
    return plan;
}
PlanReading read(NumberRecipe recipe, const Plan& plan) {
    const PlanModel model = plan_model(llama(recipe)).value();
    return model.reading(plan, model.layer(plan));
}

/// 6 x 16384 x 6.98e9 FLOP of the blocks' matrices on a chip, at 80% of 989.4 and of 1979 TFLOP/s, and 32 x
/// 16384 tokens whose numbers are made: inputs of 4096, 4096, 4096 and 14336, gradients of 6144, 4096, 28672
/// and 4096, 4 bytes each, at 3.35 TB/s.
TEST(NumberRecipe, GemmsRunAtTheRateOfTheirType) {
    const Plan plan = sharded_on_8();
    const PlanReading half = read(NumberRecipe::bf16, plan), quarter = read(NumberRecipe::fp8, plan);
    const double matrices = 32.0 * 4096 * (6144 + 4096 + 3 * 14336);
    const double flop = 6 * 16384 * matrices;
    EXPECT_NEAR(half.time.compute - quarter.time.compute, flop / 0.8 * (1 / 989.4e12 - 1 / 1979e12),
                0.001 * half.time.compute);
    const double made = 32.0 * 16384 * (3 * 4096 + 14336 + 6144 + 4096 + 28672 + 4096) * 4 / 3.35e12;
    const PlanModel model = plan_model(llama(NumberRecipe::fp8)).value();
    EXPECT_NEAR(cast_seconds(model, plan), made, 1e-3 * made);
    EXPECT_LT(quarter.time.total, half.time.total);
    EXPECT_EQ(quarter.flop_per_chip, half.flop_per_chip);
    EXPECT_EQ(quarter.memory.weights, half.memory.weights);
    EXPECT_EQ(quarter.memory.optimizer, half.memory.optimizer);
    // Of 2 bytes one stays: inputs of QKV, FF1 and FF2; that of the projection is kept in both.
    const double tokens = 2 * 8192.0 * 32;
    EXPECT_NEAR(half.memory.activations - quarter.memory.activations, tokens * (4096 + 4096 + 14336 - 4096),
                1e-6 * half.memory.activations);
    Plan again = plan;
    again.recompute = Recompute::full;
    EXPECT_GT(cast_seconds(model, again), cast_seconds(model, plan));
}

/// Weights cross in a byte, gradients as before.
TEST(NumberRecipe, WeightsAreGatheredInEightBits) {
    Plan plan = sharded_on_8();
    plan.data_overlap = false;
    const auto gather = [&](NumberRecipe recipe) {
        const PlanModel model = plan_model(llama(recipe)).value();
        return model.transfers(plan, model.layer(plan));
    };
    const PlanTransfers half = gather(NumberRecipe::bf16), quarter = gather(NumberRecipe::fp8);
    const Level domain = machine_preset("h100-nvs8")->network.levels.front();
    const double latency = 7 * in_seconds(domain.latency.value);
    EXPECT_NEAR(quarter.gather - latency, (half.gather - latency) / 2, 1e-9);
    EXPECT_EQ(quarter.scatter, half.scatter);
}

/// Of a group of two the tokens are gathered before QKV and FF1 in a byte, and what is summed stays in two.
TEST(NumberRecipe, TokensAreGatheredInEightBits) {
    Plan plan = sharded_on_8();
    plan.data = plan.placement.data = 4;
    plan.tensor1 = plan.placement.tensor1 = 2;
    const auto bytes = [&](NumberRecipe recipe, Collective what) {
        double sum = 0;
        for (const ChipTask& one : plan_model(llama(recipe)).value().block(plan).operations) {
            for (const PassWork* work : {&one.forward, &one.backward}) {
                for (const TaskExchange& its : work->exchanges) {
                    sum += its.what == what ? its.bytes : 0;
                }
            }
        }
        return sum;
    };
    EXPECT_EQ(bytes(NumberRecipe::fp8, Collective::all_gather),
              bytes(NumberRecipe::bf16, Collective::all_gather) / 2);
    EXPECT_EQ(bytes(NumberRecipe::fp8, Collective::reduce_scatter),
              bytes(NumberRecipe::bf16, Collective::reduce_scatter));
}

TEST(NumberRecipe, AMachineWithoutTheRateIsRefused) {
    const auto refusal = [](NumberRecipe recipe, const char* machine) {
        const Result<PlanModel> model = plan_model(llama(recipe, machine));
        return model ? std::string() : model.error().sentence;
    };
    EXPECT_THAT(refusal(NumberRecipe::fp8, "a100-nvs8"), HasSubstr("The rate of fp8 GEMMs on NVIDIA A100"));
    EXPECT_THAT(refusal(NumberRecipe::fp8, "a100-nvs8"), HasSubstr("bf16 works there."));
    EXPECT_THAT(refusal(NumberRecipe::mxfp8, "h100-nvs8"), HasSubstr("not blocks with a scale each"));
    EXPECT_THAT(refusal(NumberRecipe::nvfp4, "h100-nvs8"), HasSubstr("bf16, fp8, fp8-current or fp8-blocks"));
    EXPECT_EQ(refusal(NumberRecipe::nvfp4, "b200-nvs8"), "");
    EXPECT_EQ(refusal(NumberRecipe::fp8, "tpu-v7x"), "");
}

/// Programs of algorithms multiply in bf16: a search leaves them out, and one of them alone is refused.
TEST(NumberRecipe, AlgorithmsAreLeftOut) {
    PlanQuestion question = llama(NumberRecipe::fp8, "tpu-v7x");
    const PlanModel model = plan_model(question).value();
    const PlanSpace all = plan_space(question, model).value();
    EXPECT_TRUE(all.algorithms.empty());
    EXPECT_EQ(all.strategies, std::vector{TensorStrategy::one_d});
    question.split.strategy = "meshslice";
    EXPECT_THAT(plan_space(question, model).error().sentence,
                HasSubstr("The programs of MeshSlice multiply in bf16; the strategy 1d takes fp8."));
}

} // namespace
} // namespace meshslice::test
