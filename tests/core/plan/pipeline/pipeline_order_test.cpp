#include "tests/core/plan/pipeline/drawn_pipeline.h"

#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

std::string drawn_order(PipelineOrder order, const PipelineShape& shape, std::int32_t stage) {
    std::string words;
    for (const PipelineTask& task : stage_tasks(order, shape, stage)) {
        words += letter(task.pass, task.chunk, task.micro_batch, shape.chunks);
    }
    return words;
}

/// Figure 2c of GPipe: the last micro-batch that goes forward comes back first.
TEST(PipelineOrder, GPipeSendsAllForwardThenAllBackward) {
    for (const std::int32_t stage : {0, 1, 2, 3}) {
        EXPECT_EQ(drawn_order(PipelineOrder::gpipe, {4, 1, 8}, stage), "01234567hgfedcba");
    }
}

/// Figure 4 (top) of arXiv 2104.04473, its micro-batches 1 to 8 from 0: a stage first takes one micro-batch
/// for each stage after it.
TEST(PipelineOrder, OneForwardOneBackwardAlternatesAfterItsWarmUp) {
    const PipelineShape shape{4, 1, 8};
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 0), "0123a4b5c6d7efgh");
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 1), "012a3b4c5d6e7fgh");
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 2), "01a2b3c4d5e6f7gh");
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 3), "0a1b2c3d4e5f6g7h");
}

TEST(PipelineOrder, OneForwardOneBackwardTakesFewerMicroBatchesThanStages) {
    const PipelineShape shape{4, 1, 2};
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 0), "01ab");
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 2), "01ab");
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, shape, 3), "0a1b");
}

/// Figure 4 (bottom): 10, 8, 6 and 4 passes before the first pair, 2 (p - 1 - s) + (V - 1) p; micro-batches
/// in groups of four, through one chunk after the other.
TEST(PipelineOrder, InterleavedGoesThroughItsChunksGroupByGroup) {
    const PipelineShape shape{4, 2, 8};
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, shape, 0), "0123ABCD456a7bEcFdGsHtuvefghwxyz");
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, shape, 1), "0123ABCD4a5b6c7dEsFtGuHvefghwxyz");
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, shape, 2), "0123ABCaDb4c5d6s7tEuFvGeHfghwxyz");
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, shape, 3), "0123AaBbCcDd4s5t6u7vEeFfGgHhwxyz");
}

/// One group of micro-batches: the first stage would take 2 x 3 + 4 = 10 passes, and there are 8.
TEST(PipelineOrder, InterleavedWithOneGroupGoesAllForwardFirst) {
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, {4, 2, 4}, 0), "0123ABCDabcdstuv");
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, {4, 2, 4}, 3), "0123AaBbCcDdstuv");
}

TEST(PipelineOrder, OfOneStageIsForwardAndBackward) {
    EXPECT_EQ(drawn_order(PipelineOrder::one_forward_one_backward, {1, 1, 3}, 0), "0a1b2c");
    // One pass before the first pair, 2 x 0 + 1 x 1.
    EXPECT_EQ(drawn_order(PipelineOrder::interleaved, {1, 2, 2}, 0), "0Aa1sBbt");
}

void expect_refused(PipelineOrder order, const PipelineShape& shape, const std::string& sentence) {
    const Result<void> possible = checked(order, shape);
    ASSERT_FALSE(possible) << sentence;
    EXPECT_EQ(possible.error().sentence, sentence);
}

TEST(PipelineOrder, IsRefusedWithWhatWorks) {
    expect_refused(
        PipelineOrder::interleaved, {4, 2, 10},
        "Interleaved stages take micro-batches in groups of 4, one per stage: 10 do not divide by 4; "
        "8 and 12 do.");
    expect_refused(
        PipelineOrder::interleaved, {4, 2, 3},
        "Interleaved stages take micro-batches in groups of 4, one per stage: 3 do not divide by 4; 4 "
        "do.");
    expect_refused(PipelineOrder::interleaved, {4, 1, 8},
                   "An interleaved pipeline has at least 2 chunks per stage; with 1 it is 1F1B.");
    expect_refused(PipelineOrder::gpipe, {4, 2, 8},
                   "With GPipe each stage has one chunk of layers, not 2; several are interleaved.");
    expect_refused(
        PipelineOrder::one_forward_one_backward, {4, 1, 0},
        "A pipeline has at least one stage, one chunk per stage and one micro-batch, not 4, 1 and 0.");
    expect_refused(PipelineOrder::one_forward_one_backward, {1 << 16, 1, 1 << 16},
                   "65536 stages x 1 chunks x 65536 micro-batches, there and back, are 8.59e+09 passes; at "
                   "most 10000000 are simulated. Take fewer micro-batches.");
    expect_refused(PipelineOrder::one_forward_one_backward, {1 << 24, 1, 1}, // fewer there cannot be
                   "16777216 stages x 1 chunks x 1 micro-batches, there and back, are 3.36e+07 passes; at "
                   "most 10000000 are simulated. Take fewer stages.");
    EXPECT_TRUE(checked(PipelineOrder::interleaved, {4, 2, 8}));
    EXPECT_TRUE(checked(PipelineOrder::one_forward_one_backward, {4, 1, 10}));
}

} // namespace
} // namespace meshslice
