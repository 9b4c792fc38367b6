#include "core/machine/catalogue.h"
#include "core/plan/evaluate/hidden_communication.h"
#include "core/plan/search/advice/plan_levers.h"
#include "tests/core/plan/plan_spaces.h"
#include "tests/core/support/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace meshslice::test {
namespace {

/// The level's bandwidth halved and its latencies doubled: all that goes over it takes twice as long.
Machine half_as_fast(Machine hardware, std::size_t which) {
    Level& level = hardware.network.levels[which];
    level.bandwidth.value = Bandwidth(level.bandwidth.value.value() / 2);
    level.latency.value = level.latency.value * 2;
    return hardware;
}

/// 16 layers a stage, gathers of g before the forward pass and scatters of g after the backward pass, all but
/// the first layer's behind the passes of the layers next to them.
TEST(HiddenCommunication, OfDataParallelChipsIsWorkedByHand) {
    const PlanModel model = model_of("gpt3-1t", "b200-nvs8", 4096, ModelRules::exact);
    Plan plan = plan_of(TensorStrategy::one_d, {64, 8, 8, 1}, 1, 1, {8, 1, 1, 1});
    std::vector<bool> full;
    for (const std::int64_t micro_batch : {1, 16}) {
        plan.micro_batch = micro_batch;
        const LayerCost layer = model.layer(plan);
        const double gather = model.transfers(plan, layer).gather;
        const double scatter = model.transfers(plan, layer).scatter;
        // Tensor-parallel traffic stays in its domain and has links of its own.
        const double forward = layer.forward.time(), backward = layer.backward.time();
        const HiddenCommunication its = hidden_data(model, plan);
        EXPECT_NEAR(its.whole, 16 * (gather + scatter), 1e-12);
        EXPECT_NEAR(its.hidden(), 15 * (std::min(gather, forward) + std::min(scatter, backward)), 1e-9);
        EXPECT_NEAR(its.room, 15 * (forward + backward), 1e-6 * its.room);
        const double slower = std::max(1.0, std::min(forward / gather, backward / scatter));
        EXPECT_NEAR(its.slower.value(), slower, 1e-6);
        full.push_back(slower == 1);
    }
    EXPECT_THAT(full, testing::ElementsAre(true, false)); // 5 ms do not hide 28 ms, and 80 ms do
    Plan alone = plan;
    alone.data_overlap = false;
    EXPECT_EQ(hidden_data(model, alone).hidden(), 0);
    EXPECT_EQ(hidden_data(model, alone).room, 0);
}

/// What is said of plans agrees with the opposite experiment: the same plan on a slow network half as fast.
TEST(HiddenCommunication, AgreesWithASlowerNetwork) {
    Draw draw(310);
    int hidden = 0, proportional = 0, brim = 0;
    double largest = 0;
    for (int k = 0; k < 12; ++k) {
        const char* name = draw("gpt3-1t", "gpt3-175b");
        const Machine on = *machine_preset(draw("b200-nvs8", "a100-nvs4", "h100-nvs8"));
        const TrainingRun run = run_of(name, draw(128, 512, 1024));
        const PlanModel model = PlanModel::of(run, on, ModelRules::exact).value();
        const PlanModel slow = PlanModel::of(run, half_as_fast(on, 1), ModelRules::exact).value();
        PlanSpace space = space_of(draw(64, 256, 512),
                                   {TensorStrategy::one_d, TensorStrategy::two_d, TensorStrategy::summa});
        space.choices =
            plan_choices({draw("any", "1f1b", "gpipe"), "any", draw("any", "0", "2", "3")}).value();
        const PlanSearch found = search_plans(model, space, 60).value();
        std::vector<RankedPlan> plans = found.ranked;
        plans.insert(plans.end(), found.frontier.begin(), found.frontier.end());
        for (const RankedPlan& one : plans) {
            const Plan& plan = one.plan;
            const LayerCost layer = model.layer(plan);
            if (layer != slow.layer(plan)) {
                continue; // what hides has become slower too
            }
            const HiddenCommunication its = hidden_data(model, plan);
            EXPECT_NEAR(its.exposed, one.reading.time.data, 1e-12 + 1e-12 * its.whole);
            const PlanReading then = slow.reading(plan, layer);
            const double before = model.transfers(plan, layer).gather;
            if (before == 0) {
                EXPECT_EQ(its.whole, 0);
                EXPECT_EQ(its.slower, std::nullopt);
                continue;
            }
            const double times = slow.transfers(plan, layer).gather / before; // 2, in one domain 1
            const double rounding = 1e-9 * (1 + its.whole);
            // Whatever is said: it hides no more than there is room for.
            EXPECT_GE(then.time.data, times * its.whole - its.room - rounding) << text(plan);
            EXPECT_GE(its.room, its.hidden() - rounding);
            if (!its.slower) {
                EXPECT_EQ(its.hidden(), 0) << text(plan);
                continue;
            }
            ++hidden;
            if (times <= *its.slower) {
                EXPECT_NEAR(then.time.data, times * its.exposed, rounding) << text(plan);
                ++proportional;
            } else if (times > *its.slower * (1 + 1e-6)) {
                EXPECT_GT(then.time.data, times * its.exposed) << text(plan);
            }
            if (its.room - its.hidden() < 1e-9 * its.room) { // all that is longer shows
                EXPECT_NEAR(then.time.data, times * its.whole - its.room, 1e-6 * its.whole) << text(plan);
                ++brim;
                largest = std::max(largest, then.time.total / one.reading.time.total);
            }
        }
    }
    EXPECT_GT(hidden, 200);
    EXPECT_GT(proportional, 30);
    EXPECT_GT(brim, 20);
    std::printf(
        "Of %d plans that hide data-parallel communication %d stay hidden on a slow network half as fast, "
        "and %d have no room; the step of one of them is %.2f times as long\n",
        hidden, proportional, brim, largest);
}

/// Likewise for the tensor-parallel group, which stands in one fast domain.
TEST(HiddenCommunication, OfTheTensorParallelGroupAgreesWithASlowerDomain) {
    int hidden = 0, proportional = 0;
    for (const char* name : {"gpt3-1t", "gpt3-175b"}) {
        for (const bool overlap : {false, true}) {
            const Machine on = *machine_preset("b200-nvs8");
            const TrainingRun run = run_of(name, 512);
            const PlanModel model = PlanModel::of(run, on, ModelRules::exact).value();
            const PlanModel slow = PlanModel::of(run, half_as_fast(on, 0), ModelRules::exact).value();
            PlanSpace space =
                space_of(256, {TensorStrategy::one_d, TensorStrategy::two_d, TensorStrategy::summa});
            space.tensor_overlap = overlap;
            space.choices.recomputes = {Recompute::none, Recompute::attention, Recompute::full};
            const PlanSearch found = search_plans(model, space, 200).value();
            for (const RankedPlan& one : found.ranked) {
                const Plan& plan = one.plan;
                const HiddenCommunication its = hidden_tensor(model, plan);
                EXPECT_NEAR(its.exposed, one.reading.time.tensor, 1e-9 * (1 + its.exposed)) << text(plan);
                EXPECT_GE(its.room, its.hidden() * (1 - 1e-12)) << text(plan);
                const bool one_domain =
                    plan.placement.tensor1 == plan.tensor1 && plan.placement.tensor2 == plan.tensor2;
                if (!its.slower || !one_domain) {
                    continue;
                }
                ++hidden;
                const double then = slow.reading(plan, slow.layer(plan)).time.tensor;
                if (*its.slower >= 2) {
                    EXPECT_NEAR(then, 2 * its.exposed, 1e-9 * (1 + then)) << text(plan);
                    ++proportional;
                } else {
                    EXPECT_GT(then, 2 * its.exposed * (1 + 1e-9)) << text(plan);
                }
            }
        }
    }
    EXPECT_GT(hidden, 50);
    EXPECT_GT(proportional, 5);
}

/// DeepSeek-V3 has two kinds of blocks, each in a part of its layers. Without overlap nothing of its tensor
/// group is hidden; with it, the step on a domain half as fast says whether the factor holds.
TEST(HiddenCommunication, OfSeveralKindsOfBlocksAgreesWithASlowerDomain) {
    const Machine on = *machine_preset("h800");
    const TrainingRun run = run_of("deepseek-v3", 256);
    const PlanModel model = PlanModel::of(run, on, ModelRules::exact).value();
    const PlanModel slow = PlanModel::of(run, half_as_fast(on, 0), ModelRules::exact).value();
    for (const std::int64_t micro_batch : {1, 4}) {
        Plan plan = plan_of(TensorStrategy::one_d, {64, 1, 4, 1}, micro_batch, 1, {4, 1, 2, 1});
        const HiddenCommunication apart = hidden_tensor(model, plan);
        EXPECT_NEAR(apart.exposed, model.reading(plan, model.layer(plan)).time.tensor, 1e-9 * apart.exposed);
        EXPECT_EQ(apart.hidden(), 0);
        EXPECT_EQ(apart.room, 0);
        EXPECT_FALSE(apart.slower);
        EXPECT_GT(apart.whole, 0);
        plan.tensor_overlap = true;
        const HiddenCommunication its = hidden_tensor(model, plan);
        EXPECT_NEAR(its.whole, apart.whole, 1e-9 * apart.whole);
        EXPECT_GT(its.hidden(), 0);
        EXPECT_GE(its.room, its.hidden());
        ASSERT_TRUE(its.slower);
        const double then = slow.reading(plan, slow.layer(plan)).time.tensor;
        if (*its.slower >= 2) {
            EXPECT_NEAR(then, 2 * its.exposed, 1e-9 * then);
        } else {
            EXPECT_GT(then, 2 * its.exposed * (1 + 1e-9));
        }
    }
}

/// "It would be more with half the bandwidth of the slow network" is that very experiment.
TEST(HiddenCommunication, LossesAreTheStepOnHalfTheRate) {
    const PlanModel model = model_of("gpt3-1t", "b200-nvs8", 1024, ModelRules::exact);
    const Plan plan = plan_of(TensorStrategy::one_d, {128, 1, 8, 1}, 1, 1, {8, 1, 1, 1});
    const double now = model.reading(plan, model.layer(plan)).time.total;
    Machine half = *machine_preset("b200-nvs8");
    Level& outer = half.network.levels.back();
    outer.bandwidth.value = Bandwidth(outer.bandwidth.value.value() / 2);
    const double then = evaluate(model.run(), half, plan, ModelRules::exact).value().time.total;
    const std::vector<PlanLoss> losses = plan_losses(model, plan);
    const auto loss = std::ranges::find(losses, "half the bandwidth of the slow network", &PlanLoss::what);
    ASSERT_NE(loss, losses.end());
    EXPECT_DOUBLE_EQ(loss->more, then / now - 1);
    EXPECT_TRUE(std::ranges::is_sorted(losses, std::ranges::greater{}, &PlanLoss::more));
}

} // namespace
} // namespace meshslice::test
