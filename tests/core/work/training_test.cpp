#include "core/work/training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// 4 heads of 2, 2 key-value heads, 8 wide, 32 inside.
BlockKind small_block() {
    BlockKind kind;
    kind.hidden = 8;
    kind.mixer = {4, 2, 2, true};
    kind.feed_forward = {32, false, 1, 1};
    return kind;
}

std::vector<Task> small_tasks(const BlockKind& kind) {
    return training.block(kind, std::array{Segment{10, 0, 3}}); // 3 sequences of 10 tokens
}

const Task& task(const std::vector<Task>& tasks, std::string_view name, Pass pass) {
    for (const Task& one : tasks) {
        if (one.name == name && one.pass == pass) {
            return one;
        }
    }
    throw std::out_of_range(std::string(name));
}

/// 30 tokens from 8 to 16 features (8 queries, 2 x 4 keys and values): 2 x 30 x 16 x 8 FLOP in each pass, and
/// X, W and Y in 2 bytes.
TEST(Training, AGemmHasThreePassesOfAsManyFlop) {
    const std::vector<Task> tasks = small_tasks(small_block());
    for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weight}) {
        const Amounts amounts = task(tasks, qkv_task, pass).amounts();
        EXPECT_EQ(amounts.matrix_flop, 7680);
        EXPECT_EQ(amounts.bytes, 2 * (30 * 8 + 8 * 16 + 30 * 16));
    }
    const Amounts forward = task(tasks, qkv_task, Pass::forward).amounts();
    EXPECT_EQ(forward.kept, 2 * 30 * 8) << "its input";
    EXPECT_EQ(forward.weights, 2 * 8 * 16);
    const Amounts update = task(tasks, qkv_task, Pass::update).amounts();
    EXPECT_EQ(update.state, 12 * 8 * 16);
    EXPECT_EQ(update.bytes, 28 * 8 * 16);
}

/// Of 10 keys a token sees 5.5 on average; with 90 more in a cache, 95.5 of 100.
TEST(Training, ATokenSeesThoseBeforeIt) {
    EXPECT_EQ(task(small_tasks(small_block()), "attention", Pass::forward).dims.seen, 0.55);
    const std::vector<Task> later = training.block(small_block(), std::array{Segment{10, 90, 3}});
    EXPECT_DOUBLE_EQ(task(later, "attention", Pass::forward).dims.seen, 0.955);
    EXPECT_EQ(task(later, qkv_task, Pass::forward).dims.tokens(), 30) << "cached tokens are not rows";
}

/// Segments share a GEMM; attention works on each.
TEST(Training, SegmentsShareAGemm) {
    const std::array batch = {Segment{10, 0, 3}, Segment{1, 50, 4}};
    const std::vector<Task> tasks = training.block(small_block(), batch);
    EXPECT_DOUBLE_EQ(task(tasks, ff1_task, Pass::forward).dims.tokens(), 34);
    int attentions = 0;
    for (const Task& one : tasks) {
        attentions += one.kind == TaskKind::attention && one.pass == Pass::forward ? 1 : 0;
    }
    EXPECT_EQ(attentions, 2);
}

/// Forward passes wait for the one before, gradients for the one after and their own forward pass, an update
/// for its gradient.
TEST(Training, TasksWaitForWhatTheyNeed) {
    const std::vector<Task> tasks = small_tasks(small_block());
    const auto waits_for = [&](std::string_view name, Pass pass) {
        std::vector<std::string> names;
        for (const std::int16_t place : task(tasks, name, pass).after) {
            const Task& other = tasks[static_cast<std::size_t>(place)];
            names.push_back(std::string(other.name) + " " + std::string(meshslice::name(other.pass)));
        }
        return names;
    };
    EXPECT_THAT(waits_for(ff1_task, Pass::forward), SizeIs(0));
    EXPECT_THAT(waits_for("attention", Pass::forward), ElementsAre("QKV forward"));
    EXPECT_THAT(waits_for("attention", Pass::backward_data),
                ElementsAre("attention forward", "Output backward data"));
    EXPECT_THAT(waits_for(output_task, Pass::backward_weight),
                ElementsAre("Output forward", "Output bias backward data"));
    EXPECT_THAT(waits_for(output_task, Pass::update), ElementsAre("Output backward weight"));
    EXPECT_THAT(waits_for("norm 2", Pass::backward_data), ElementsAre("norm 2 forward"));
}

/// All GEMMs of all blocks have the weights that the model's file says, and nothing else but biases and norms
/// has any.
TEST(Training, TasksHaveTheWeightsOfEveryPreset) {
    for (const Transformer& model : model_presets()) {
        const std::vector<Stack> parts = stacks(model, model.causal);
        ASSERT_THAT(parts, SizeIs(1));
        double gemms = 0, state = 0, weights = 0;
        for (const KindCount& kind : parts[0].kinds) {
            for (const Task& one : training.block(kind.kind, std::array{Segment{2048}})) {
                const Amounts amounts = one.amounts();
                const double blocks = one.kind == TaskKind::gemm ? static_cast<double>(kind.blocks) : 0;
                gemms += blocks * amounts.weights;
                weights += amounts.weights;
                state += amounts.state;
            }
        }
        EXPECT_EQ(gemms, 2 * static_cast<double>(layer_parameters(model))) << model.name;
        EXPECT_EQ(state, 6 * weights) << "Adam's 12 bytes for each weight of 2";
        const std::vector<Task> ends = training.ends(parts[0], std::array{Segment{2048}});
        if (model.vocabulary == 0) {
            EXPECT_THAT(ends, SizeIs(0));
            continue;
        }
        const double table = 2 * static_cast<double>(model.vocabulary * model.hidden);
        EXPECT_EQ(task(ends, embedding_task, Pass::forward).amounts().weights, table);
        EXPECT_EQ(task(ends, head_task, Pass::forward).amounts().weights, table);
    }
}

} // namespace
} // namespace meshslice::test
