// Memory of training runs as their programs printed it, next to ours. Public tables of TorchTitan:
// pytorch/torchtitan, benchmarks/llama3_h100_202412_torchtitan.md and
// llama3-8b_h200_202506_trainy-whitefiber.md, commit b5bcd76c66. Weights and gradients of fp32 and Adam, all
// sharded (FSDP2), GEMMs of float8 that keep inputs of bf16.

#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/plan/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace meshslice {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

struct MeasuredMemory {
    const char* model;
    std::int64_t sequence, batch; ///< of a step, all chips together
    std::int64_t micro_batch, data, context, tensor, pipeline;
    Recompute recompute;
    double peak;                         ///< GiB that the allocator had reserved
    const char* not_expressed = nullptr; ///< what this run does that a plan cannot say
};

constexpr std::int64_t k = 1024;
// Its selective recomputation keeps every second GEMM, ours all of them.
constexpr const char* selected = "keeps every second GEMM";
// With a pipeline it gathers a stage's weights once, and sums its gradients whole in fp32.
constexpr const char* whole_stages = "holds a stage's weights and gradients whole";

const std::vector<MeasuredMemory> measured = {
    {"llama-3-8b", 8 * k, 16, 2, 8, 1, 1, 1, Recompute::attention, 76.8, selected},
    {"llama-3-8b", 8 * k, 256, 2, 128, 1, 1, 1, Recompute::attention, 61.8, selected},
    {"llama-3-8b", 8 * k, 64, 2, 32, 1, 1, 1, Recompute::attention, 47.96, selected},
    {"llama-3-8b", 32 * k, 8, 1, 8, 1, 1, 1, Recompute::full, 83.9},
    {"llama-3-8b", 64 * k, 4, 1, 4, 2, 1, 1, Recompute::full, 84.2},
    {"llama-3-405b", 64 * k, 32, 1, 4, 2, 8, 8, Recompute::full, 75.9, whole_stages},
};

MemoryUse memory_of(const MeasuredMemory& row) {
    TrainingRun run = training_run(*model_preset(row.model), row.sequence, row.batch).value();
    run.ends = run.optimizer_step = run.uneven_stages = true;
    run.keeps.gradients = DataType::fp32;
    run.keeps.logits = DataType::fp32;
    run.keeps.logit_gradients = DataType::fp32;
    run.keeps.reserve = 2e9;
    Plan plan;
    plan.strategy = row.context > 1 ? TensorStrategy::two_d : TensorStrategy::one_d;
    plan.data = row.data;
    plan.tensor1 = row.tensor;
    plan.tensor2 = row.context;
    plan.pipeline = row.pipeline;
    plan.micro_batch = row.micro_batch;
    plan.zero = 3;
    plan.recompute = row.recompute;
    return evaluate(run, *machine_preset("h100-nvs8"), plan, ModelRules::exact).value().memory;
}

/// Of what a plan says, on H100 of 96 GB; the loss of these runs has the logits as bf16 and as fp32, and both
/// gradients, 12 bytes, and ours 8.
TEST(MeasuredMemory, IsNearOurs) {
    double sum = 0, worst = 0;
    int compared = 0;
    for (const MeasuredMemory& row : measured) {
        const MemoryUse ours = memory_of(row);
        const double off = ours.total() / (row.peak * gib) - 1;
        std::printf("%-12s %5lld tokens, dp %3lld, cp %lld, tp %lld, pp %lld: measured %.1f GiB, ours %.1f "
                    "(%+.0f%%)%s%s\n",
                    row.model, static_cast<long long>(row.sequence), static_cast<long long>(row.data),
                    static_cast<long long>(row.context), static_cast<long long>(row.tensor),
                    static_cast<long long>(row.pipeline), row.peak, ours.total() / gib, 100 * off,
                    row.not_expressed != nullptr ? ", not compared: it " : "",
                    row.not_expressed != nullptr ? row.not_expressed : "");
        if (row.not_expressed == nullptr) {
            sum += std::abs(off);
            worst = std::max(worst, std::abs(off));
            ++compared;
        }
    }
    std::printf("memory of %d measured runs: off by %.0f%% on average, %.0f%% at worst\n", compared,
                100 * sum / compared, 100 * worst);
    EXPECT_GT(compared, 1);
    EXPECT_LT(worst, 0.3);
}

} // namespace
} // namespace meshslice
