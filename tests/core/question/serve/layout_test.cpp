#include "core/machine/catalogue.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/replica/layout.h"
#include "core/question/serve/replica/served_step_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr std::size_t products_of = 0, attention_of = 2, exchange_of_step = 4; ///< kinds of operations

ServingAsked layout_asked(const char* model, const char* machine, Efficiency efficiency) {
    ServingAsked asked{served_model(model_preset(model).value()).value(), machine_preset(machine).value(),
                       "vllm", efficiency};
    asked.batch = 32;
    asked.input = 1024;
    asked.output = 256;
    return asked;
}
Replica with_layout(ServingAsked asked, const ServingLayout& layout) {
    asked.weights_across = layout.weights_across;
    asked.cache_across = layout.cache_across;
    asked.context = layout.context;
    Result<Replica> made = replica_of(asked, layout.tensor);
    EXPECT_TRUE(made) << made.error().sentence;
    return *made;
}
ServedOperations decode_of(const Replica& one) {
    return step_costs(one, ServedPhase::decode, middle_context(one));
}

/// GPT-3: D = 12288, 96 layers, 96 heads of 128, F = 4 D, two matrices; 64 chips of TPU v4 as 4 x 16, 4 x 4
/// of those along two axes. u: the seconds of 32 rows of D numbers over one link. As in Shardings, one layer
/// takes 4 x 63/64 / 6 u in 1D, and 2 x 2 x 15/16 / 4 / (2 x 2) + (4 + 4 + 3 + 1) / 16 x 3/8 u in 2D.
TEST(ServingLayout, LiesInTwoDimensions) {
    const ServingAsked asked = layout_asked("gpt3-175b", "tpu-v4", Efficiency::ideal);
    const Replica flat = replica_of(asked, 32).value(); // 96 heads do not lie on 64 chips
    const Replica grid = with_layout(asked, {64, 4, 4});
    EXPECT_FALSE(replica_of(asked, 64));
    const double u = 2 * 32 * 12288 / machine_preset("tpu-v4").value().network.link_bandwidth(0).value();
    const ServedOperations costs = decode_of(grid);
    EXPECT_NEAR(costs[exchange_of_step].seconds, 96 * (4 * 15.0 / 16 / 16 + 12.0 / 16 * 3 / 8) * u,
                1e-3 * 96 * u);
    EXPECT_NEAR(costs[products_of].seconds, decode_of(flat)[products_of].seconds / 2,
                0.05 * costs[products_of].seconds); // rows are read on each chip
    EXPECT_NEAR(served_memory(grid).weights, served_memory(flat).weights / 2,
                0.02 * served_memory(grid).weights);
    EXPECT_EQ(grid.chips(), 64);
}

/// Two sides as they are asked for, where the chips would otherwise lie as 4 x 8.
TEST(ServingLayout, TakesTheSidesThatAreAskedFor) {
    const ServingAsked asked = layout_asked("llama-3-70b", "tpu-v5e", Efficiency::measured);
    const auto exchange = [&](std::int64_t across) {
        return decode_of(with_layout(asked, {32, across, across}))[exchange_of_step].seconds;
    };
    std::set<double> all;
    for (const std::int64_t across : {2, 4, 8, 16}) {
        all.insert(exchange(across));
    }
    EXPECT_EQ(all.size(), 4u);
    ServingAsked long_side = asked;
    long_side.weights_across = 2;
    const auto none = replica_of(long_side, 64); // 2 x 32, and a pod is 16 x 16
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence, HasSubstr("have no place on TPU v5e"));
}

/// The last batch that fits, with and without losses; one more does not.
TEST(ServingLayout, SaysHowManyRequestsFit) {
    for (const Efficiency efficiency : {Efficiency::ideal, Efficiency::measured}) {
        ServingAsked asked = layout_asked("llama-3-70b", "tpu-v5e", efficiency);
        asked.weight_bytes = 1;
        for (const ServingLayout& layout :
             {ServingLayout{32, 4, 4}, ServingLayout{32, 1, 4}, ServingLayout{16, 1, 1, 2}}) {
            Replica one = with_layout(asked, layout);
            const std::int64_t most = most_batch(one);
            EXPECT_GT(most, 8);
            one.batch = static_cast<double>(most);
            EXPECT_TRUE(fits(one));
            one.batch = static_cast<double>(most + 1);
            EXPECT_FALSE(fits(one));
        }
    }
}

TEST(ServingLayout, HasNoTwoDimensionsBehindASwitch) {
    ServingAsked asked = layout_asked("llama-3-70b", "h100-nvs8", Efficiency::measured);
    asked.weights_across = 2;
    const auto none = replica_of(asked, 8);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence, HasSubstr("two axes of a torus, which"));
}

/// Two groups take half of each prompt and of each cache: products and all-reduces of half the rows; heads of
/// 80 layers attend as much on each chip to half of the tokens. What they send each other is less than what
/// they attend meanwhile. Weights are there twice.
TEST(ServingLayout, DividesPromptsAmongGroups) {
    ServingAsked asked = layout_asked("llama-3-70b", "h100-nvs8", Efficiency::ideal);
    asked.batch = 1;
    asked.input = 131072;
    const Replica one = replica_of(asked, 8).value(), two = with_layout(asked, {8, 1, 1, 2});
    const ServedOperations whole = step_costs(one, ServedPhase::prefill, 0);
    const ServedOperations half = step_costs(two, ServedPhase::prefill, 0);
    for (const std::size_t kind : {products_of, attention_of, exchange_of_step}) {
        EXPECT_NEAR(half[kind].seconds, whole[kind].seconds / 2, 1e-6 * whole[kind].seconds) << kind;
    }
    EXPECT_EQ(two.chips(), 16);
    EXPECT_DOUBLE_EQ(served_memory(two).weights, served_memory(one).weights);
    EXPECT_DOUBLE_EQ(served_memory(two).cache, served_memory(one).cache / 2);
}

/// A token of LLaMA 3 70B has 64 queries of 128 numbers, eight heads on a chip; they go to the other group,
/// and what it made of its half of the cache comes back: 2 x 8 x 128 bytes, and as much twice, of which half
/// leaves a chip in a gather of two and in an all-to-all of two.
TEST(ServingLayout, DividesTheCacheOfRequestsThatDecode) {
    ServingAsked asked = layout_asked("llama-3-70b", "h100-nvs8", Efficiency::ideal);
    asked.batch = 1;
    asked.input = 131072;
    const Replica one = replica_of(asked, 8).value(), two = with_layout(asked, {8, 1, 1, 2});
    const ServedOperations whole = decode_of(one), half = decode_of(two);
    EXPECT_NEAR(half[attention_of].seconds, whole[attention_of].seconds / 2, 1e-9);
    EXPECT_NEAR(half[products_of].seconds, whole[products_of].seconds, 1e-3 * whole[products_of].seconds);
    const ContextWait wait = context_wait(two, phase_batch(two, ServedPhase::decode, middle_context(two)));
    const Machine h100 = machine_preset("h100-nvs8").value();
    const Level* const outer = outer_network(h100.network);
    ASSERT_NE(outer, nullptr);
    const double rate = outer->line_rate();
    EXPECT_EQ(wait.prompts, 0);
    EXPECT_NEAR(wait.decoding, 80 * (2 * 8 * 128 / 2.0 + 2 * 2 * 8 * 128 / 2.0 / 2) / rate,
                0.6 * wait.decoding);
    EXPECT_GT(half[exchange_of_step].seconds, wait.decoding);
}

/// The published prefill of LLaMA 3 405B on 16 hosts of eight H100: 128K tokens in 3.8 s, 10^6 tokens in 77
/// s, with feed-forward networks in 8 bits and the rest in 16 (arXiv:2411.01783, abstract and section 4.1):
/// between all in 8 bits and all in 16.
TEST(ServingLayout, ComesNearToPublishedContextParallelism) {
    ServingAsked asked = layout_asked("llama-3-405b", "h100-nvs8", Efficiency::measured);
    asked.batch = 1;
    asked.weight_bytes = 1;
    for (const auto& [tokens, published] : {std::pair(131072, 3.8), std::pair(1000000, 77.0)}) {
        asked.input = tokens;
        asked.bits = 8;
        const double quick = served_times(with_layout(asked, {8, 1, 1, 16})).ttft;
        asked.bits = 16;
        const double slow = served_times(with_layout(asked, {8, 1, 1, 16})).ttft;
        EXPECT_LT(quick, published) << tokens;
        EXPECT_GT(slow, 0.8 * published) << tokens;
        EXPECT_LT(slow, 1.2 * published) << tokens;
    }
}

TEST(ServingLayout, RefusesWhatCannotBeDivided) {
    ServingAsked asked = layout_asked("llama-3-70b", "tpu-v5e", Efficiency::ideal);
    asked.cache_across = 3;
    const auto thirds = replica_of(asked, 8);
    ASSERT_FALSE(thirds);
    EXPECT_THAT(thirds.error().sentence, HasSubstr("3 parts that attend to requests of their own"));
}

/// A decode step opens to the collectives of its layout, which together take as long as its exchange.
TEST(ServingLayout, OpensToItsCollectives) {
    for (const ServingLayout& layout :
         {ServingLayout{16, 4, 4}, ServingLayout{16, 1, 4}, ServingLayout{8, 1, 1, 2}}) {
        const Replica one = with_layout(layout_asked("llama-3-70b", "tpu-v5e", Efficiency::measured), layout);
        const StepBatch batch = phase_batch(one, ServedPhase::decode, middle_context(one));
        const auto replica = std::make_shared<const ReplicaOnMachine>(
            ReplicaOnMachine{one, machine_preset("tpu-v5e").value()});
        const RunPtr run = served_step_run(replica, batch, "a step");
        EXPECT_NEAR(in_seconds(run->end()), step_seconds(one, batch), 1e-3 * step_seconds(one, batch));
        std::set<std::string> names;
        for (std::size_t lane = 0; lane < run->lane_count(); ++lane) {
            std::vector<RunSlice> bars;
            run->visit(lane, {Time(0), run->end()}, 0, [&](std::span<const RunSlice> some) {
                bars.insert(bars.end(), some.begin(), some.end());
            });
            for (const RunSlice& bar : bars) {
                const std::string name = run->label(lane, bar.item).name;
                const std::optional<RunKey> inside = run->inside(lane, bar.item);
                if (inside && name.starts_with("layer 1: ") && names.insert(name).second) {
                    const Result<RunPtr> opened = inside->make(RunControl());
                    EXPECT_TRUE(opened) << opened.error().sentence;
                }
            }
        }
        EXPECT_GE(names.size(), 2u) << layout.tensor; // a layer's collectives by their names
    }
}

} // namespace
} // namespace meshslice
