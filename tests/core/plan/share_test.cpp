#include "core/machine/catalogue.h"
#include "core/plan/search/advice/plan_bundle.h"
#include "core/plan/share.h"
#include "core/work/training.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace meshslice::test {
namespace {

Plan grid(TensorStrategy strategy, std::int64_t tensor1, std::int64_t tensor2, std::int64_t micro_batch) {
    Plan plan;
    plan.strategy = strategy;
    plan.tensor1 = tensor1;
    plan.tensor2 = tensor2;
    plan.micro_batch = micro_batch;
    plan.panels = strategy == TensorStrategy::summa ? tensor1 * tensor2 : 1;
    plan.placement = {tensor1, tensor2, 1, 1};
    return plan;
}

std::vector<Plan> plans() {
    std::vector<Plan> made;
    for (const std::int64_t micro_batch : {1, 4}) {
        for (const std::int64_t tensor1 : {1, 2, 4}) {
            made.push_back(grid(TensorStrategy::one_d, tensor1, 1, micro_batch));
            made.push_back(grid(TensorStrategy::two_d, tensor1, 2, micro_batch));
            made.push_back(grid(TensorStrategy::summa, tensor1, 2, micro_batch));
        }
    }
    return made;
}

/// Alone a chip does the tasks as they are, counted to the last addition, and exchanges nothing.
TEST(Share, AChipAloneDoesTheTasksThemselves) {
    for (const Transformer& model : model_presets()) {
        const TrainingRun run = training_run(model, 0, 4).value();
        for (const KindTasks& kind : block_tasks(run, 2)) {
            const std::vector<Task>& tasks = kind.tasks;
            const ChipTasks alone = share(tasks, grid(TensorStrategy::one_d, 1, 1, 2), ModelRules::exact);
            double kept = 0, weights = 0, bytes = 0;
            for (const Task& task : tasks) {
                const Amounts amounts = task.amounts();
                kept += amounts.kept;
                weights += amounts.weights;
                bytes += task.pass == Pass::update ? 0 : amounts.bytes;
            }
            for (const ChipTask& one : alone.operations) {
                EXPECT_EQ(one.forward.exchanges.size() + one.backward.exchanges.size(), 0u) << one.name;
                kept -= one.kept;
                weights -= one.weights;
                bytes -= one.forward.bytes + one.backward.bytes;
            }
            EXPECT_EQ(kept, 0) << model.name;
            EXPECT_EQ(weights, 0) << model.name;
            EXPECT_EQ(bytes, 0) << model.name;
        }
    }
}

/// Of DeepSeek V3's 61 blocks 3 have a feed-forward network and 58 have experts: the mean block that a plan
/// counts has so much of each, and all blocks together have the model's weights.
TEST(Share, TheMeanBlockOfSeveralKindsHasTheirShares) {
    for (const char* name :
         {"deepseek-v3", "nemotron-h-8b", "llama-4-maverick", "gemma-3-27b", "jamba-mini"}) {
        const Transformer model = model_preset(name).value();
        const TrainingRun run = training_run(model, 4096, 4).value();
        const Plan plan = grid(TensorStrategy::one_d, 1, 1, 1);
        const ChipTasks mean = share_of_fullest(run, plan, ModelRules::exact);
        double weights = 0, blocks = 0;
        int kind = -1;
        for (const ChipTask& one : mean.operations) {
            blocks += one.kind != kind ? one.blocks : 0;
            kind = one.kind;
            weights += one.forward.matrix_flop > 0 ? one.blocks * one.weights : 0;
        }
        EXPECT_NEAR(blocks, 1, 1e-12) << name;
        const double all = 2 * static_cast<double>(layer_parameters(model));
        EXPECT_NEAR(weights * static_cast<double>(model.layers), all, 1e-9 * all) << name;
    }
}

/// Chips of a group have all weights of the GEMMs together, once.
TEST(Share, AGroupHasEveryWeightOnce) {
    const TrainingRun run = training_run(*model_preset("gpt3-175b"), 0, 4).value();
    for (const Plan& plan : plans()) {
        const std::vector<Task> tasks = block_tasks(run, static_cast<double>(plan.micro_batch)).front().tasks;
        double whole = 0, shared = 0;
        for (const Task& task : tasks) {
            whole += task.kind == TaskKind::gemm ? task.amounts().weights : 0;
        }
        for (const ChipTask& one : share(tasks, plan, ModelRules::exact).operations) {
            shared += one.forward.matrix_flop > 0 ? one.weights : 0;
        }
        const std::int64_t holders =
            plan.strategy == TensorStrategy::two_d ? plan.tensor1 : plan.tensor1 * plan.tensor2;
        EXPECT_EQ(shared * static_cast<double>(holders), whole) << text(plan);
    }
}

/// A search prices the tasks of a grid and a micro-batch once, whatever is computed again; its table has what
/// the tasks of each plan come to.
TEST(Share, TheTableOfASearchHasWhatTheTasksComeTo) {
    for (const char* name : {"gpt3-175b", "llama-3-8b"}) {
        const PlanModel model = PlanModel::of(training_run(*model_preset(name), 2048, 4).value(),
                                              *machine_preset("b200-nvs8"), ModelRules::exact)
                                    .value();
        for (Plan plan : plans()) {
            const std::vector<Recompute> all = {
                Recompute::none,         Recompute::core_attention,
                Recompute::norms,        Recompute::activations | Recompute::norms,
                Recompute::feed_forward, Recompute::attention,
                Recompute::full};
            LayerCosts table(all);
            ASSERT_TRUE(model.check(plan)) << text(plan);
            ASSERT_TRUE(table.read(model, plan));
            for (const Recompute recompute : all) {
                plan.recompute = recompute;
                EXPECT_EQ(table.of(recompute), model.layer(plan)) << name << ", " << text(plan);
            }
        }
    }
}

} // namespace
} // namespace meshslice::test
