#include "core/model/transformer.h"
#include "core/report/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Llama 3 70B as its makers split it over 8 x 4 x 4 chips, with what a plan may have besides.
Plan by_hand() {
    Plan plan;
    plan.tensor1 = 8;
    plan.pipeline = 4;
    plan.data = 4;
    plan.micro_batch = 1;
    plan.schedule = {PipelineKind::interleaved, 5};
    plan.zero = 1;
    plan.placement = {8, 1, 1, 1};
    return plan;
}

TrainingRun run_of(const char* model) {
    return *training_run(*model_preset(model), 8192, 128);
}

Launch of(Framework framework, const Plan& plan) {
    return launch_of(framework, run_of("llama-3-70b"), plan).value();
}

TEST(Launch, MegatronTakesEveryPartOfThePlan) {
    const Launch launch = of(Framework::megatron, by_hand());
    for (const LaunchFlag& flag : {LaunchFlag{"--tensor-model-parallel-size", "8"},
                                   {"--pipeline-model-parallel-size", "4"},
                                   {"--sequence-parallel", ""},
                                   // 80 blocks on 4 stages of 5 chunks
                                   {"--num-layers-per-virtual-pipeline-stage", "4"},
                                   {"--num-query-groups", "8"},
                                   {"--global-batch-size", "128"},
                                   {"--use-distributed-optimizer", ""}}) {
        EXPECT_THAT(launch.flags, Contains(flag)) << flag.name;
    }
    EXPECT_THAT(launch.differs, IsEmpty());
    EXPECT_THAT(launch_text(Framework::megatron, launch), HasSubstr("--micro-batch-size 1 \\\n"));
}

TEST(Launch, WhatAFrameworkDoesOtherwiseIsSaid) {
    Plan plan = by_hand();
    plan.schedule = {PipelineKind::gpipe, 1};
    plan.recompute = Recompute::attention;
    EXPECT_EQ(of(Framework::megatron, plan).differs.size(), 2u);
    plan.pipeline = 3; // 80 blocks are not equally many
    EXPECT_THAT(of(Framework::megatron, plan).differs, Contains(HasSubstr("80 blocks are not equally many")));
    EXPECT_THAT(of(Framework::torchtitan, by_hand()).differs, Contains(HasSubstr("keeps all of it")));
    EXPECT_THAT(of(Framework::maxtext, by_hand()).differs, Contains(HasSubstr("no ZeRO 1")));
}

TEST(Launch, TorchTitanHasABatchForEachGroup) {
    const Launch launch = of(Framework::torchtitan, by_hand());
    // 128 samples on 4 groups, which a pipeline takes in micro-batches of 1.
    EXPECT_THAT(launch.flags, Contains(LaunchFlag{"--training.local_batch_size", "32"}));
    EXPECT_THAT(launch.flags,
                Contains(LaunchFlag{"--parallelism.pipeline_parallel_schedule", "Interleaved1F1B"}));
    Plan shared = by_hand();
    shared.zero = 3;
    EXPECT_THAT(of(Framework::torchtitan, shared).flags,
                Contains(LaunchFlag{"--parallelism.data_parallel_shard_degree", "4"}));
}

TEST(Launch, MaxTextHasAxesWithinAndOverDomains) {
    Plan plan = by_hand();
    plan.zero = 3;
    const Launch launch = of(Framework::maxtext, plan);
    for (const LaunchFlag& flag : {LaunchFlag{"ici_tensor_parallelism", "8"},
                                   {"ici_fsdp_parallelism", "1"},
                                   {"dcn_fsdp_parallelism", "4"},
                                   {"dcn_pipeline_parallelism", "4"},
                                   {"per_device_batch_size", "1"}}) {
        EXPECT_THAT(launch.flags, Contains(flag)) << flag.name;
    }
    EXPECT_THAT(launch_text(Framework::maxtext, launch), HasSubstr("ici_tensor_parallelism=8 \\\n"));
}

/// What the run has besides the plan is asked for, or named.
TEST(Launch, FollowsNumbersAndAdaptersOrNamesThem) {
    TrainingRun run = run_of("llama-3-70b");
    run.recipe = NumberRecipe::fp8_blocks;
    run.adapters.rank = 16;
    const Launch megatron = *launch_of(Framework::megatron, run, by_hand());
    EXPECT_THAT(megatron.flags, Contains(LaunchFlag{"--fp8-recipe", "blockwise"}));
    EXPECT_THAT(megatron.differs, Contains(HasSubstr("adapters of rank 16")));
    EXPECT_THAT(of(Framework::megatron, by_hand()).flags,
                Not(Contains(LaunchFlag{"--fp8-recipe", "delayed"})));
    for (const Framework framework : {Framework::torchtitan, Framework::maxtext}) {
        const Launch other = *launch_of(framework, run, by_hand());
        EXPECT_THAT(other.differs, Contains(HasSubstr("recipe fp8-blocks")));
        EXPECT_THAT(other.differs, Contains(HasSubstr("adapters of rank 16")));
    }
}

/// Gradients are added up in the numbers that the plan's memory counts.
TEST(Launch, AddsGradientsUpAsThePlanKeepsThem) {
    TrainingRun run = run_of("llama-3-70b");
    const LaunchFlag flag{"--grad-reduce-in-bf16", {}};
    run.keeps.gradients = DataType::bf16;
    EXPECT_THAT(launch_of(Framework::megatron, run, by_hand())->flags, Contains(flag));
    run.keeps.gradients = DataType::fp32;
    EXPECT_THAT(launch_of(Framework::megatron, run, by_hand())->flags, Not(Contains(flag)));
}

TEST(Launch, IsRefusedWhereThereAreNoFlags) {
    Plan plan = by_hand();
    plan.strategy = TensorStrategy::summa;
    const auto refused = launch_of(Framework::megatron, run_of("llama-3-70b"), plan);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("both sides"));
    EXPECT_FALSE(launch_of(Framework::megatron, run_of("jamba-mini"), by_hand()));
}

} // namespace
} // namespace meshslice
