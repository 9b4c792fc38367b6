// Data-parallel chips that share the experts of a model, by hand.

#include "core/machine/catalogue.h"
#include "core/plan/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace
} // namespace meshslice::test
