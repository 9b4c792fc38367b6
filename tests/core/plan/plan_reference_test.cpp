// The reference rules compute what the published implementation computes.

#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"
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
        const Result<PlanReading> reading = evaluate(
            run_of(step.model, step.batch), *machine_preset(step.cluster), plan, ModelRules::reference);
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
        const PlanModel model = PlanModel::of(run_of(step.model, step.batch), *machine_preset(step.cluster),
                                              ModelRules::reference)
                                    .value();
        const ChipTasks block = model.block(plan);
        ASSERT_EQ(block.operations.size(), 14u);
        const auto ours = std::ranges::find(block.operations, std::string(its.name),
                                            [](const ChipTask& one) { return std::string(one.name); });
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

/// Where the published implementation differs from what happens, one difference at a time: each changes a
/// plan's time, memory or FLOP, or which plans there are.
TEST(PlanReference, EverySlipHasAnEffect) {
    std::vector<double> largest(slip_count, 0);
    const auto note = [&](Slip slip, double exact, double slipped) {
        double& own = largest[static_cast<std::size_t>(slip)];
        const double change = exact == 0 ? 0 : slipped / exact - 1;
        own = std::abs(change) > std::abs(own) ? change : own;
    };
    Machine two_nics = *machine_preset("b200-nvs8");
    two_nics.network.levels[1].ports.value = 2;
    std::printf("%-12s %-24s %9s %9s %9s\n", "step", "slip", "time", "memory", "FLOP");
    for (const std::size_t which : {0U, 1U, 3U, 15U, 16U}) { // 1D and SUMMA, all of GPT-3 1T on B200
        const PublishedStep& step = published_steps()[which];
        const Plan plan = plan_of(step.strategy, step.split, step.micro_batch, step.panels, step.placement);
        const TrainingRun run = run_of(step.model, step.batch);
        const PlanReading exact =
            evaluate(run, *machine_preset(step.cluster), plan, ModelRules::exact).value();
        for (int k = 0; k < slip_count; ++k) {
            const auto slip = static_cast<Slip>(k);
            const PlanReading slipped =
                evaluate(run, *machine_preset(step.cluster), plan, ModelRules::exact.with(slip)).value();
            const double time = slipped.time.total / exact.time.total - 1;
            const double memory = slipped.memory.total() / exact.memory.total() - 1;
            const double flop = slipped.flop_per_chip / exact.flop_per_chip - 1;
            note(slip, 1, 1 + time);
            note(slip, 1, 1 + memory);
            note(slip, 1, 1 + flop);
            if (time != 0 || memory != 0 || flop != 0) {
                std::printf("%2zu %-9s %-24s %+8.3f%% %+8.3f%% %+8.3f%%\n", which,
                            std::string(name(plan.strategy)).c_str(), std::string(name(slip)).c_str(),
                            100 * time, 100 * memory, 100 * flop);
            }
        }
        const Slip nic = Slip::one_nic;
        note(nic, evaluate(run, two_nics, plan, ModelRules::exact)->time.total,
             evaluate(run, two_nics, plan, ModelRules::exact.with(nic))->time.total);
    }
    PlanSpace space;
    space.strategies = {TensorStrategy::summa};
    TrainingRun searched = run_of("gpt3-1t", 4096);
    searched.sequence = 2050; // which 4 does not divide
    const auto candidates = [&](ModelRules rules) {
        const auto found =
            search_plans(PlanModel::of(searched, *machine_preset("b200-nvs8"), rules).value(), space, 0);
        return found ? static_cast<double>(found->candidates) : 0; // none fills its domains
    };
    for (const std::int64_t chips : {512, 20}) {
        space.chips = chips;
        for (const Slip slip : {Slip::rounding_down, Slip::full_domains, Slip::panel_list}) {
            const double exact = candidates(ModelRules::exact),
                         slipped = candidates(ModelRules::exact.with(slip));
            note(slip, exact, slipped);
            std::printf("%lld chips, %s: %.0f plans instead of %.0f\n", static_cast<long long>(chips),
                        std::string(name(slip)).c_str(), slipped, exact);
        }
    }
    for (int k = 0; k < slip_count; ++k) {
        const auto slip = static_cast<Slip>(k);
        EXPECT_NE(largest[static_cast<std::size_t>(k)], 0) << name(slip);
    }
}

} // namespace
} // namespace meshslice::test
