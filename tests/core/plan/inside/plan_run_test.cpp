#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/inside/plan_run.h"
#include "core/run/open_path.h"
#include "core/step/run/step_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace meshslice {
namespace {

/// GPT-3 1T on so many chips of a cluster: tensor-parallel groups of `tensor1`.
RunPtr plan_run(const char* machine, Plan plan) {
    TrainingRun training;
    training.model = *model_preset("llama-3-8b");
    training.sequence = 2048;
    training.batch = 8;
    const auto model = PlanModel::of(training, *machine_preset(machine), ModelRules::exact);
    EXPECT_TRUE(model) << (model ? "" : model.error().sentence);
    EXPECT_TRUE(model->check(plan)) << model->check(plan).error().sentence;
    const auto pipeline = simulate_plan(*model, plan);
    EXPECT_TRUE(pipeline) << (pipeline ? "" : pipeline.error().sentence);
    return std::make_shared<const PlanRun>(std::make_shared<const PipelineRun>(*pipeline),
                                           std::make_shared<const PlanAndModel>(PlanAndModel{*model, plan}));
}

Plan gpu_plan() {
    Plan plan;
    plan.pipeline = 2;
    plan.tensor1 = 4;
    plan.placement.tensor1 = 4;
    return plan;
}

Plan torus_plan() {
    Plan plan;
    plan.pipeline = 2;
    plan.tensor1 = 4;
    plan.placement = {4, 1, 1, 2};
    plan.axes[0].tensor1 = 4;
    plan.axes[1].pipeline = 2;
    return plan;
}

/// The key of the bar at the end of a path and the run inside it.
struct Opened {
    double bar = 0;
    double inside = 0;
    RunPtr run;
};
Opened opened(const RunPtr& outer, const std::string& path, std::size_t lane, std::uint64_t item) {
    const Result<RunPtr> around = path.empty() ? Result<RunPtr>(outer) : open_path(outer, path);
    EXPECT_TRUE(around) << path << ": " << (around ? "" : around.error().sentence);
    const std::optional<RunKey> key = around ? (*around)->inside(lane, item) : std::nullopt;
    EXPECT_TRUE(key) << path;
    if (!key) {
        return {};
    }
    const Result<RunPtr> run = key->make({});
    EXPECT_TRUE(run) << path << ": " << (run ? "" : run.error().sentence);
    return run ? Opened{key->seconds, in_seconds((*run)->end()), *run} : Opened{};
}

/// A pass is its layers, a block its tasks, a task what computes and what is sent: the closed form in turns.
TEST(PlanRun, APassIsItsBlocksAndABlockItsTasks) {
    for (const RunPtr& run : {plan_run("b200-nvs8", gpu_plan()), plan_run("tpu-v5p", torus_plan())}) {
        const auto compute = find_lane(*run, "stage 1", "compute");
        ASSERT_TRUE(compute);
        const Opened pass = opened(run, "", *compute, 0);
        EXPECT_NEAR(pass.inside, pass.bar, 1e-9 * pass.bar);
        EXPECT_EQ(slices(*pass.run, 0).size(), 16u) << "32 layers on two stages";
        const Opened block = opened(run, "stage 1 forward 1", 0, 0);
        EXPECT_NEAR(block.inside, block.bar, 1e-9 * block.bar);
        // Without biases and dropout: FF1, activation, FF2, norm, QKV, attention, output, norm.
        EXPECT_EQ(slices(*block.run, 0).size(), 8u);
        const Result<RunPtr> task = open_path(run, "stage 1 forward 1/layer 1/FF2");
        ASSERT_TRUE(task) << task.error().sentence;
        const auto network = find_lane(**task, "one chip", "the group's network");
        ASSERT_TRUE(network);
        ASSERT_EQ(slices(**task, *network).size(), 1u);
        EXPECT_EQ((*task)->label(*network, 0).name, "reduce-scatter");
    }
}

/// How many blocks a bar opens into; what is inside takes as long as the bar.
std::int64_t layers_inside(const PlanRun& run, std::size_t lane, std::uint64_t item) {
    const std::optional<RunKey> key = run.inside(lane, item);
    EXPECT_TRUE(key);
    const Result<RunPtr> pass = key ? key->make({}) : refuse("closed");
    EXPECT_TRUE(pass);
    if (!pass) {
        return 0;
    }
    EXPECT_NEAR(in_seconds((*pass)->end()), key->seconds, 1e-9 * key->seconds) << key->title;
    std::int64_t layers = 0;
    for (std::size_t k = 0; k < slices(**pass, 0).size(); ++k) {
        layers += (*pass)->label(0, k).name.starts_with("layer") ? 1 : 0;
    }
    return layers;
}

/// 126 layers in 16 stages: the passes of one micro-batch open into each of them once each way, in chunks
/// with an end in the place of a layer, in one that has nothing else, and without chunks.
TEST(PlanRun, PassesOfUnevenStagesHaveTheirOwnLayers) {
    for (const std::int64_t chunks : {1, 2, 8}) {
        TrainingRun training = *training_run(*model_preset("llama-3-405b"), 8192, 16);
        training.ends = training.uneven_stages = true;
        Plan plan;
        plan.tensor1 = plan.placement.tensor1 = 8;
        plan.pipeline = 16;
        plan.schedule = {chunks > 1 ? PipelineKind::interleaved : PipelineKind::one_f_one_b, chunks};
        const PlanModel model = PlanModel::of(training, *machine_preset("h100"), ModelRules::exact).value();
        ASSERT_TRUE(model.check(plan)) << model.check(plan).error().sentence;
        const auto pipeline = std::make_shared<const PipelineRun>(simulate_plan(model, plan).value());
        const PlanRun run(pipeline, std::make_shared<const PlanAndModel>(PlanAndModel{model, plan}));
        std::int64_t forward = 0, backward = 0;
        for (std::size_t stage = 0; stage < pipeline->stages(); ++stage) {
            const auto lane = find_lane(run, "stage " + std::to_string(stage + 1), "compute");
            ASSERT_TRUE(lane);
            const auto bars = pipeline->intervals(stage, PipelineRow::compute);
            for (std::size_t k = 0; k < bars.size(); ++k) {
                const bool ahead = bars[k].activity == PipelineActivity::forward;
                if (bars[k].micro_batch == 0 && (ahead || bars[k].activity == PipelineActivity::backward)) {
                    (ahead ? forward : backward) += layers_inside(run, *lane, k);
                }
            }
        }
        EXPECT_EQ(forward, 126) << chunks;
        EXPECT_EQ(backward, 126) << chunks;
    }
}

/// The closed form takes 3 steps in a ring of 4 chips in one domain, and the law's time to a picosecond.
TEST(PlanRun, BehindSwitchesACollectiveIsItsStepsPerPort) {
    const RunPtr run = plan_run("b200-nvs8", gpu_plan());
    const Opened scatter = opened(run, "stage 1 forward 1/layer 1/FF2", 1, 0);
    EXPECT_NEAR(scatter.inside, scatter.bar, 2e-12);
    EXPECT_EQ(scatter.run->reading(), RunReading::estimated);
    ASSERT_EQ(scatter.run->lane_count(), 4u);
    EXPECT_EQ(scatter.run->lane(3).place, "chip 4 of 4");
    std::size_t transfers = 0;
    for (const RunSlice& one : slices(*scatter.run, 0)) {
        transfers += one.role == Role::transferHorizontal ? 1 : 0;
    }
    EXPECT_EQ(transfers, 3u);
    EXPECT_EQ(scatter.run->bound(), "ports to the switch of 8");
    // A group over two domains of 2 chips sends over both kinds of ports.
    Plan wide = gpu_plan();
    wide.placement.tensor1 = 2;
    const Opened leaving = opened(plan_run("b200-nvs8", wide), "stage 1 forward 1/layer 1/FF2", 1, 0);
    EXPECT_NEAR(leaving.inside, leaving.bar, 2e-12);
    EXPECT_TRUE(find_lane(*leaving.run, "chip 1 of 4", "ports to the outer network"));
    EXPECT_EQ(leaving.run->bound(), "ports to the outer network");
}

/// On a torus the links are simulated: a ring or a line of 4 chips, whose law says the same within 1%.
TEST(PlanRun, OnATorusACollectiveIsItsLinks) {
    const RunPtr run = plan_run("tpu-v5p", torus_plan());
    for (const char* path : {"stage 1 forward 1/layer 1/FF2", "stage 1 forward 1/layer 1/norm 1"}) {
        const Opened links = opened(run, path, 1, 0);
        EXPECT_EQ(links.run->reading(), RunReading::simulated);
        EXPECT_NEAR(links.inside, links.bar, 0.01 * links.bar) << path;
        const auto* step = dynamic_cast<const StepRun*>(links.run.get());
        ASSERT_NE(step, nullptr);
        EXPECT_EQ(step->step().torus.chips(), 4);
        EXPECT_GT(slices(*links.run, 1).size(), 0u) << "the first link of the first chip";
    }
}

/// An algorithm's task is its GEMMs, each simulated on the mesh of the group.
TEST(PlanRun, AnAlgorithmsTaskIsItsGemms) {
    Plan plan = torus_plan();
    plan.strategy = TensorStrategy::of_algorithm;
    plan.algorithm = *algorithm("meshslice");
    plan.tensor1 = plan.tensor2 = 2;
    plan.placement = {2, 2, 1, 2};
    plan.axes[0] = {2, 1, 1, 1};
    plan.axes[1] = {1, 2, 1, 1};
    plan.axes[2] = {1, 1, 1, 2};
    const RunPtr run = plan_run("tpu-v5p", plan);
    const Opened gemm = opened(run, "stage 1 forward 1/layer 1/FF2", 0, 0);
    EXPECT_EQ(gemm.run->reading(), RunReading::simulated);
    EXPECT_EQ(gemm.run->place_count(), 4u);
    EXPECT_NEAR(gemm.inside, gemm.bar, 0.1 * gemm.bar) << "the estimate is near the simulation";
}

} // namespace
} // namespace meshslice
