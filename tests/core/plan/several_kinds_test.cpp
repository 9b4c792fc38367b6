// Plans of models whose blocks are not all alike.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/work/training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

Plan one_d(std::int64_t data, std::int64_t tensor) {
    Plan plan;
    plan.strategy = TensorStrategy::one_d;
    plan.data = data;
    plan.tensor1 = tensor;
    plan.placement = {tensor, 1, 1, 8 / tensor};
    return plan;
}

LayerCost layer_of(const Transformer& model, const Plan& plan) {
    const TrainingRun run = training_run(model, 4096, 64).value();
    const PlanModel planner = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
    return planner.layer(plan);
}

/// The model with all blocks of one kind.
Transformer only(Transformer model, std::int64_t kind) {
    model.kinds = {model.kinds[static_cast<std::size_t>(kind)]};
    model.order.assign(model.order.size(), 0);
    stand_for_all(model);
    return model;
}

/// DeepSeek V3: 3 blocks with a feed-forward network, 58 with experts. What a layer takes and keeps is the
/// mean of what theirs do.
TEST(SeveralKinds, ALayerIsTheMeanOfItsKinds) {
    const Transformer model = model_preset("deepseek-v3").value();
    for (const std::int64_t tensor : {1, 8}) {
        const Plan plan = one_d(64 / tensor, tensor);
        const LayerCost all = layer_of(model, plan);
        const LayerCost dense = layer_of(only(model, 0), plan), experts = layer_of(only(model, 1), plan);
        const auto mean = [](double of_dense, double of_experts) {
            return (3 * of_dense + 58 * of_experts) / 61;
        };
        EXPECT_GT(experts.weights, 15 * dense.weights);
        EXPECT_NEAR(all.weights / mean(dense.weights, experts.weights), 1, 1e-12);
        EXPECT_NEAR(all.kept / mean(dense.kept, experts.kept), 1, 1e-12);
        EXPECT_NEAR(all.forward.time() / mean(dense.forward.time(), experts.forward.time()), 1, 1e-12);
        EXPECT_NEAR(all.backward.time() / mean(dense.backward.time(), experts.backward.time()), 1, 1e-12);
        EXPECT_NEAR(all.model_flop / mean(dense.model_flop, experts.model_flop), 1, 1e-12);
        EXPECT_EQ(all.sent, experts.sent);
    }
}

/// Windows leave less of attention: Gemma 3's blocks with 1024 tokens do less than its others at 4096.
TEST(SeveralKinds, WindowsMakeAttentionCheaper) {
    const Transformer gemma = model_preset("gemma-3-27b").value();
    const Plan plan = one_d(8, 8);
    const LayerCost near = layer_of(only(gemma, 0), plan), far = layer_of(only(gemma, 1), plan);
    EXPECT_EQ(near.weights, far.weights);
    // A token sees 2048.5 tokens of 4096 on average; with the window (1024 x 1025 / 2 + 3072 x 1024) / 4096.
    const double seen = (1024.0 * 1025 / 2 + 3072.0 * 1024) / 4096;
    const double tokens = 4096, heads = 32.0 / 8, size = 128;
    const double each = tokens * heads * ((2 * size - 1) + size * (2 * 4096.0 - 1) / 4096);
    EXPECT_NEAR(far.model_flop - near.model_flop, 3 * each * (2048.5 - seen), 1e-6 * far.model_flop);
}

/// What an algorithm's programs run is four GEMMs of blocks that are alike.
TEST(SeveralKinds, AlgorithmsRefuseThemByName) {
    const TrainingRun run = training_run(model_preset("jamba-mini").value(), 4096, 64).value();
    const PlanModel planner = PlanModel::of(run, *machine_preset("tpu-v5p"), ModelRules::exact).value();
    Plan plan;
    plan.strategy = TensorStrategy::of_algorithm;
    plan.algorithm = *algorithm("meshslice");
    plan.tensor1 = plan.tensor2 = 2;
    plan.micro_batch = 64;
    plan.placement = {2, 2, 1, 1};
    plan.axes[0].tensor1 = 2;
    plan.axes[1].tensor2 = 2;
    const Result<void> sound = planner.check(plan);
    ASSERT_FALSE(sound);
    EXPECT_THAT(sound.error().sentence, HasSubstr("Jamba Mini has blocks of 3 kinds"));
}

/// Recurrences take part in time and FLOP, and their projections have weights.
TEST(SeveralKinds, StateSpacesAreCounted) {
    const Transformer jamba = model_preset("jamba-mini").value();
    const std::vector<KindCount> kinds = block_kinds(jamba);
    ASSERT_EQ(kinds.size(), 3u);
    const BlockKind& mamba = kinds[0].kind;
    ASSERT_EQ(mamba.mixer.kind, MixerKind::mamba);
    // In 2 x 8192, time steps 256 + 2 x 16 and back, out.
    const double mixer = 4096.0 * 2 * 8192 + 8192.0 * (256 + 32) + 256.0 * 8192 + 8192.0 * 4096;
    EXPECT_EQ(parameters(mamba).matrices, mixer + 3 * 4096.0 * 14336);
    double vectors = 0, gemms = 0;
    for (const Task& task : training.block(mamba, std::array{Segment{1024}})) {
        if (task.pass == Pass::forward) {
            vectors += task.name == "recurrence" ? task.amounts().vector_flop : 0;
            gemms += task.kind == TaskKind::gemm ? task.amounts().matrix_flop : 0;
        }
    }
    EXPECT_EQ(vectors, 1024 * 5.0 * 8192 * 16) << "decay, add, multiply with C: five for each of 16 numbers";
    EXPECT_EQ(gemms, 2.0 * 1024 * parameters(mamba).active);
}

} // namespace
} // namespace meshslice::test
