// The reference rules compute what the published implementation computes.

#include "tests/core/plan/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace meshslice::test {
namespace {

constexpr double tolerance = 1e-5; // six digits were published

TEST(PlanReference, EveryPublishedStepIsMet) {
    double worst = 0;
    ASSERT_EQ(published_steps().size(), 23u);
    for (const PublishedStep& step : published_steps()) {
        const Plan plan = plan_of(step.strategy, step.split, step.micro_batch, step.panels, step.placement);
        const Result<PlanReading> reading =
            evaluate(run_of(step.model, step.batch), *cluster(step.cluster), plan, ModelRules::reference);
        ASSERT_TRUE(reading) << reading.error().sentence;
        EXPECT_LT(deviation(*reading, step.numbers), tolerance) << step.model << " " << text(plan);
        EXPECT_EQ(reading->micro_batches, step.micro_batches);
        EXPECT_EQ(reading->fits, step.fits);
        worst = std::max(worst, deviation(*reading, step.numbers));
    }
    std::printf("Worst deviation from %zu published steps: %.1e\n", published_steps().size(), worst);
}

struct PublishedOperation {
    std::size_t step;
    const char* name;
    double flop_forward, flop_backward; ///< TFLOP
    double weights, kept;               ///< GB
    double compute_forward, memory_forward, tensor_forward;
    double compute_backward, memory_backward, tensor_backward;
};

TEST(PlanReference, EveryPublishedOperationIsMet) {
    const std::vector<PublishedOperation> operations = {
#define OPERATION(...) PublishedOperation{__VA_ARGS__},
#include "tests/core/plan/published_operations.def"
#undef OPERATION
    };
    ASSERT_EQ(operations.size(), 42u); // 14 of one step of each strategy
    for (const PublishedOperation& its : operations) {
        const PublishedStep& step = published_steps()[its.step];
        const Plan plan = plan_of(step.strategy, step.split, step.micro_batch, step.panels, step.placement);
        const PlanModel model =
            PlanModel::of(run_of(step.model, step.batch), *cluster(step.cluster), ModelRules::reference)
                .value();
        const Block block = model.block(plan);
        ASSERT_EQ(block.operations.size(), 14u);
        const auto ours = std::ranges::find(block.operations, std::string(its.name),
                                            [](const LayerOperation& one) { return std::string(one.name); });
        ASSERT_NE(ours, block.operations.end()) << its.name;
        const LayerPass forward = model.pass(plan, *ours, ours->forward);
        const LayerPass backward = model.pass(plan, *ours, ours->backward);
        const std::pair<double, double> pairs[] = {
            {forward.flop, its.flop_forward * 1e12}, {backward.flop, its.flop_backward * 1e12},
            {ours->weights, its.weights * 1e9},      {ours->kept, its.kept * 1e9},
            {forward.compute, its.compute_forward},  {forward.memory, its.memory_forward},
            {forward.tensor, its.tensor_forward},    {backward.compute, its.compute_backward},
            {backward.memory, its.memory_backward},  {backward.tensor, its.tensor_backward}};
        for (const auto& [mine, published] : pairs) {
            EXPECT_NEAR(mine, published, tolerance * std::abs(published) + 1e-12)
                << its.step << " " << its.name;
        }
    }
}

} // namespace
} // namespace meshslice::test
