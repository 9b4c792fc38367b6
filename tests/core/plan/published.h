#pragma once

#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace meshslice::test {

/// dp, pp, tensor1, tensor2.
struct PublishedSplit {
    std::int64_t data = 1, pipeline = 1, tensor1 = 1, tensor2 = 1;
};
/// Seconds; GB; TFLOP.
struct PublishedNumbers {
    double time, compute, memory_exposed, tensor, data, pipeline, bubble;
    double memory, weights, gradients, optimizer, activations;
    double flop;
};
struct PublishedStep {
    const char* model;
    const char* cluster;
    TensorStrategy strategy;
    std::int64_t batch;
    PublishedSplit split;
    std::int64_t micro_batch, panels;
    Placement placement;
    PublishedNumbers numbers;
    std::int64_t micro_batches;
    bool fits;
};

inline Plan plan_of(TensorStrategy strategy, const PublishedSplit& split, std::int64_t micro_batch,
                    std::int64_t panels, const Placement& placement) {
    Plan plan;
    plan.strategy = strategy;
    plan.data = split.data;
    plan.pipeline = split.pipeline;
    plan.tensor1 = split.tensor1;
    plan.tensor2 = split.tensor2;
    plan.micro_batch = micro_batch;
    plan.panels = panels;
    plan.placement = placement;
    return plan;
}
inline TrainingRun run_of(const char* model, std::int64_t batch) {
    return training_run(*model_preset(model), 0, batch).value();
}

/// The largest of the relative deviations; parts that are differences may deviate by 10^-9 of the time.
inline double deviation(const PlanReading& ours, const PublishedNumbers& its) {
    const PlanTime& time = ours.time;
    const MemoryUse& memory = ours.memory;
    const std::array<std::array<double, 2>, 13> pairs = {{{time.total, its.time},
                                                          {time.compute, its.compute},
                                                          {time.memory_exposed, its.memory_exposed},
                                                          {time.tensor, its.tensor},
                                                          {time.data, its.data},
                                                          {time.pipeline, its.pipeline},
                                                          {time.bubble, its.bubble},
                                                          {memory.total(), its.memory * 1e9},
                                                          {memory.weights, its.weights * 1e9},
                                                          {memory.gradients, its.gradients * 1e9},
                                                          {memory.optimizer, its.optimizer * 1e9},
                                                          {memory.activations, its.activations * 1e9},
                                                          {ours.flop_per_chip, its.flop * 1e12}}};
    double worst = 0;
    for (const auto& [mine, published] : pairs) {
        const double off = std::abs(mine - published);
        if (off > 1e-9 * its.time) {
            worst = std::max(worst, off / std::abs(published));
        }
    }
    return worst;
}

inline const std::vector<PublishedStep>& published_steps() {
    using enum TensorStrategy;
    static const std::vector<PublishedStep> steps = {
#define STEP(...) PublishedStep{__VA_ARGS__},
#include "tests/core/plan/published_steps.def"
#undef STEP
    };
    return steps;
}

} // namespace meshslice::test
