// Data-parallel chips that share the experts of a model, by hand.

#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/evaluate/expert_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

/// Mixtral 8x7B: 32 blocks of 8 experts, 2 a token; 3 matrices of 4096 x 14336 an expert. 16 copies, 8 in a
/// domain.
Plan mixtral_on_16(std::int64_t experts) {
    Plan plan;
    plan.data = 16;
    plan.placement = {1, 1, 8, 1};
    plan.experts = experts;
    plan.recompute = Recompute::full;
    return plan;
}

TrainingRun mixtral() {
    return training_run(*model_preset("mixtral-8x7b"), 4096, 256).value();
}

/// A chip brings 4096 tokens x 2 experts x 4096 numbers of 2 bytes, and 7/8 of it go to other chips.
TEST(Experts, TokensAreDispatchedAndCombinedInBothPasses) {
    const double brought = 4096.0 * 2 * 4096 * 2;
    int exchanges = 0;
    for (const ChipTask& one : share_of_fullest(mixtral(), mixtral_on_16(8), ModelRules::exact).operations) {
        for (const PassWork* work : {&one.forward, &one.backward}) {
            for (const TaskExchange& its : work->exchanges) {
                EXPECT_EQ(its.what, Collective::all_to_all);
                EXPECT_EQ(its.axis, experts_axis);
                EXPECT_EQ(its.bytes, 8 * brought);
                ++exchanges;
            }
        }
    }
    EXPECT_EQ(exchanges, 4);
}

TEST(Experts, AChipHoldsItsPartOfThemAndLessIsExchanged) {
    const double all = 32.0 * 8 * 3 * 4096 * 14336; // weights of experts
    const Machine machine = *machine_preset("h100-nvs8");
    const auto read = [&](std::int64_t experts) {
        return evaluate(mixtral(), machine, mixtral_on_16(experts), ModelRules::exact).value();
    };
    const PlanReading together = read(1), apart = read(8);
    EXPECT_NEAR(together.memory.weights - apart.memory.weights, 2 * all * 7 / 8, 1e-6 * all);
    EXPECT_NEAR(together.memory.gradients - apart.memory.gradients, 2 * all * 7 / 8, 1e-6 * all);
    // ZeRO 1: 1/16 of all, and 1/2 of 1/8, as two chips hold the same.
    EXPECT_NEAR(together.memory.optimizer, apart.memory.optimizer, 1e-9 * all);
    EXPECT_EQ(together.time.experts, 0);
    EXPECT_GT(apart.time.experts, 0);
    const Level& domain = machine.network.levels.front();
    const double sent = 4096.0 * 2 * 4096 * 2 * 7 / 8;
    const double once =
        sent / (domain.line_rate() * domain.efficiency.value) + in_seconds(domain.latency.value);
    // 16 micro-batches, 32 blocks: two forward, two again, two backward.
    EXPECT_NEAR(apart.time.experts, 16 * 32 * 6 * once, 1e-9);
}

TEST(Experts, OneThatDoesNotDivideIsRefused) {
    const auto refusal = [](const char* model, std::int64_t experts) {
        const TrainingRun run = training_run(*model_preset(model), 4096, 256).value();
        const auto read =
            evaluate(run, *machine_preset("h100-nvs8"), mixtral_on_16(experts), ModelRules::exact);
        return read ? std::string() : read.error().sentence;
    };
    EXPECT_THAT(refusal("mixtral-8x7b", 16), HasSubstr("8 experts do not divide by 16"));
    EXPECT_THAT(refusal("llama-3-8b", 2), HasSubstr("has no experts"));
}

/// DeepSeek-V3 as it was trained: 2,048 H800, 128 copies of 16 stages, experts over 64 chips, 8 in a domain.
Plan deepseek_on_2048() {
    Plan plan;
    plan.data = 128;
    plan.pipeline = 16;
    plan.placement = {1, 1, 8, 1};
    plan.experts = 64;
    return plan;
}
TrainingRun deepseek() {
    TrainingRun run = training_run(*model_preset("deepseek-v3"), 4096, 15360).value();
    run.uneven_stages = true; // 61 layers on 16 stages, 4 on most
    return run;
}
PlanModel exchange_model(const TrainingRun& run) {
    return PlanModel::of(run, *machine_preset("h800"), ModelRules::exact).value();
}

/// 8 of 256 experts in 4 of 8 groups, each of which is a domain: 4 (1 - C(96, 8) / C(128, 8)) domains, and
/// 7 of 8 of these are others. In each of 32 chips of the 4 domains stand 4 experts: 32 (1 - C(124, 8) /
/// C(128, 8)) chips, and 7 of 8 are not where the token arrives.
TEST(Experts, ATokenCrossesToItsDomainsOnce) {
    double no_domain = 1, no_chip = 1;
    for (int k = 0; k < 8; ++k) {
        no_domain *= (96.0 - k) / (128 - k);
        no_chip *= (124.0 - k) / (128 - k);
    }
    TrainingRun run = deepseek();
    run.exchange.dispatch = DataType::fp8;
    const ExpertTraffic traffic = expert_traffic(exchange_model(run), deepseek_on_2048());
    ASSERT_EQ(traffic.levels.size(), 2U);
    EXPECT_NEAR(traffic.domains_of_token, 4 * (1 - no_domain), 1e-9);
    EXPECT_NEAR(traffic.chips_of_token, 32 * (1 - no_chip), 1e-9);
    // Of a token 7168 numbers; 120 micro-batches of 4096, 4 layers of which 58 of 61 have experts; dispatch
    // in the forward pass, and of gradients in the backward pass.
    const double numbers = 7168.0 * 4096 * 120 * 4 * 58 / 61 * 2;
    const double across = 4 * (1 - no_domain) * 7 / 8, inside = 32 * (1 - no_chip) * 7 / 8;
    EXPECT_NEAR(traffic.levels[1].dispatch, numbers * across * (1 + 4.0 / 128), 1e-6 * numbers);
    EXPECT_NEAR(traffic.levels[1].combine, numbers * across * 2, 1e-6 * numbers);
    EXPECT_NEAR(traffic.levels[0].dispatch, numbers * inside * (1 + 4.0 / 128), 1e-6 * numbers);
    EXPECT_NEAR(traffic.levels[0].combine, numbers * inside * 2, 1e-6 * numbers);
}

/// Without limit and with a copy for each expert 8 x 56 / 64 copies leave a domain.
TEST(Experts, LimitsAndCopiesSaveWhatTheySay) {
    const auto across = [](std::optional<std::int64_t> domains, bool once) {
        TrainingRun run = deepseek();
        run.exchange.domains = domains;
        run.exchange.once = once;
        return expert_traffic(exchange_model(run), deepseek_on_2048()).levels.at(1).dispatch;
    };
    const double each = across(0, false);
    EXPECT_NEAR(each, 7168.0 * 4096 * 120 * 4 * 58 / 61 * 2 * 2 * 7, 1e-6 * each);
    EXPECT_LT(across(0, true), each);
    EXPECT_LT(across(std::nullopt, true), across(0, true));
    EXPECT_EQ(across(std::nullopt, true), across(4, true));
    EXPECT_LT(across(2, true), across(4, true));
    // One domain: its copy crosses unless it is the token's own, one of 8.
    EXPECT_NEAR(across(1, true), each / 7 * (7.0 / 8), 1e-6 * each);
}

/// The slower of both levels, and the latency of the slower.
TEST(Experts, TheSlowestLevelSetsThePace) {
    const TrainingRun run = deepseek();
    const PlanModel model = exchange_model(run);
    const Plan plan = deepseek_on_2048();
    const TaskExchange one{Collective::all_to_all, 2.0 * 4096 * 7168 * 8 * 64, experts_axis, false, 256, 8};
    const CopiesAcross bytes = model.expert_bytes(plan, one);
    const std::vector<Level>& levels = model.hardware().network.levels;
    double slowest = 0, waits = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        slowest = std::max(slowest, bytes[k] / (levels[k].line_rate() * levels[k].efficiency.value));
        waits = std::max(waits, in_seconds(levels[k].latency.value));
    }
    EXPECT_GT(bytes[1], 0);
    EXPECT_NEAR(model.expert_seconds(plan, one), slowest + waits, 1e-12);
}

/// A pair of passes takes what both compute on 112 of 132 cores, or what they exchange. The first forward and
/// the last backward pass have nothing at their side, and the bubble has nothing.
TEST(Experts, AnotherMicroBatchHidesAtMostWhatItComputes) {
    TrainingRun run = deepseek();
    const Plan plan = deepseek_on_2048();
    const PlanModel alone = exchange_model(run);
    run.exchange.overlap = ExpertOverlap::micro_batch;
    const PlanModel pairs = exchange_model(run);
    const LayerCost layer = alone.layer(plan);
    const double exchange = layer.forward.experts + layer.backward.experts;
    const double body =
        layer.forward.compute + layer.forward.memory + layer.backward.compute + layer.backward.memory;
    const double left = std::max(exchange - body, body * 20 / 112);
    ASSERT_LT(left, exchange);
    const PlanReading plain = alone.reading(plan, layer);
    const PlanReading hidden = pairs.reading(plan, pairs.layer(plan));
    EXPECT_NEAR(plain.time.experts, 120 * 4 * exchange, 1e-9);
    EXPECT_NEAR(hidden.time.experts, 4 * (119 * left + exchange), 1e-9);
    EXPECT_NEAR(hidden.time.bubble, plain.time.bubble, 1e-9);
    // The first stage keeps 17 micro-batches instead of 16.
    EXPECT_NEAR(stage_memory(run, plan, layer, 0).activations,
                stage_memory(deepseek(), plan, layer, 0).activations * 17 / 16, 1);
}

TEST(Experts, ASharedExpertHidesAtMostWhatItComputes) {
    TrainingRun run = deepseek();
    const Plan plan = deepseek_on_2048();
    const LayerCost alone = exchange_model(run).layer(plan);
    run.exchange.overlap = ExpertOverlap::shared;
    const LayerCost shared = exchange_model(run).layer(plan);
    ASSERT_GT(alone.forward.shared, 0);
    ASSERT_LT(alone.forward.shared, alone.forward.compute);
    for (const auto pass : {&LayerCost::forward, &LayerCost::backward}) {
        const double exchange = (alone.*pass).experts;
        EXPECT_NEAR((shared.*pass).experts,
                    std::max(exchange - (alone.*pass).shared, (alone.*pass).shared * 20 / 112), 1e-12);
    }
    TrainingRun without = mixtral();
    without.exchange.overlap = ExpertOverlap::shared;
    const auto refused = PlanModel::of(without, *machine_preset("h800"), ModelRules::exact);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("has no shared expert"));
}

/// (p / 2 - 1) (F & B + B - 3 W), two stages' weights on a chip, and 17 micro-batches in flight.
TEST(Experts, DualPipeHasHalfOfTheBubbleAndTwiceTheWeights) {
    const TrainingRun run = deepseek();
    const PlanModel model = exchange_model(run);
    Plan plan = deepseek_on_2048();
    const LayerCost alone = model.layer(plan);
    const MemoryUse plain = stage_memory(run, plan, alone, 0);
    plan.schedule.kind = PipelineKind::dualpipe;
    const LayerCost layer = model.layer(plan);
    const PlanReading read = model.reading(plan, layer);
    EXPECT_EQ(expert_overlap(run, plan), ExpertOverlap::micro_batch); // by itself
    const double pair = layer.forward.time() + layer.backward.time();
    double of_weights = 0; // FLOP
    for (const ChipTask& one : model.block(plan).operations) {
        of_weights += one.blocks * one.backward.of_weights;
    }
    const double rate = model.hardware().effective_rate(DataType::bf16).value();
    const double wanted = 7 * 4 * (pair + alone.backward.time() - 3 * of_weights / rate);
    EXPECT_NEAR(read.time.bubble, wanted, 0.01 * wanted); // the first pass of all counts with the others
    // The first stage, of three layers, and the last one, of three.
    const MemoryUse both = stage_memory(run, plan, alone, 0);
    EXPECT_NEAR(both.weights, 2 * plain.weights, 1);
    EXPECT_NEAR(both.activations, plain.activations * 17 / 16, 1);
    EXPECT_NEAR(both.optimizer, plain.optimizer, 1); // twice as many chips share it
    plan.data = 256;                                 // 60 micro-batches
    plan.pipeline = 8;
    EXPECT_TRUE(model.check(plan)) << model.check(plan).error().sentence;
    plan.data = 1024; // 15, an odd number
    plan.pipeline = 2;
    ASSERT_FALSE(model.check(plan));
    EXPECT_THAT(model.check(plan).error().sentence, HasSubstr("DualPipe feeds micro-batches from both ends"));
}

/// (p - 1) (F + B - 2 W); nothing else changes.
TEST(Experts, ZeroBubbleFillsTheBubbleWithWeightGradients) {
    const PlanModel model = exchange_model(deepseek());
    Plan plan = deepseek_on_2048();
    const LayerCost layer = model.layer(plan);
    const PlanReading plain = model.reading(plan, layer);
    plan.schedule.kind = PipelineKind::zero_bubble;
    const PlanReading read = model.reading(plan, layer);
    double of_weights = 0;
    for (const ChipTask& one : model.block(plan).operations) {
        of_weights += one.blocks * one.backward.of_weights;
    }
    const double weights = of_weights / model.hardware().effective_rate(DataType::bf16).value();
    EXPECT_NEAR(plain.time.bubble - read.time.bubble, 15 * 4 * 2 * weights, 1e-9);
    EXPECT_EQ(read.memory.weights, plain.memory.weights);
    EXPECT_GE(read.memory.activations, plain.memory.activations) << "later stages put gradients off";
    EXPECT_EQ(read.time.compute, plain.time.compute);
}

/// The fullest chip computes 1.5 times as much for its experts and keeps as much more for them; the model's
/// FLOP stay, and so do weights.
TEST(Experts, TheFullestChipSetsThePace) {
    TrainingRun run = deepseek();
    const Plan plan = deepseek_on_2048();
    const PlanModel even = exchange_model(run);
    run.exchange.fullest = 1.5;
    const PlanModel skewed = exchange_model(run);
    const ChipTasks of_mean = even.block(plan), of_fullest = skewed.block(plan);
    ASSERT_EQ(of_mean.operations.size(), of_fullest.operations.size());
    for (std::size_t k = 0; k < of_mean.operations.size(); ++k) {
        const ChipTask &mean = of_mean.operations[k], &fullest = of_fullest.operations[k];
        const bool routed = mean.expert_weights > 0;
        if (mean.forward.matrix_flop > 0) {
            EXPECT_NEAR(fullest.forward.matrix_flop / mean.forward.matrix_flop, routed ? 1.5 : 1, 1e-12)
                << mean.name;
        }
        EXPECT_EQ(fullest.weights, mean.weights);
        EXPECT_EQ(fullest.forward.exchanges, mean.forward.exchanges); // as brought; the way counts the rest
    }
    EXPECT_NEAR(skewed.layer(plan).model_flop, even.layer(plan).model_flop,
                1e-6 * even.layer(plan).model_flop);
    const ExpertTraffic more = expert_traffic(skewed, plan), usual = expert_traffic(even, plan);
    EXPECT_NEAR(more.levels[1].dispatch, 1.5 * usual.levels[1].dispatch, 1);
    EXPECT_GT(skewed.reading(plan, skewed.layer(plan)).memory.activations,
              even.reading(plan, even.layer(plan)).memory.activations);
    // All tokens to the same 8 experts: 2 of the 64 chips have them.
    run.exchange.fullest.reset();
    EXPECT_NEAR(expert_traffic(exchange_model(run), plan).work, 64.0 / 2, 1e-9);
}

} // namespace
} // namespace meshslice::test
