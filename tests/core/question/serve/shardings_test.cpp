#include "core/machine/catalogue.h"
#include "core/question/serve/shardings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

ServingAsked laid_out(const char* model, const char* machine) {
    ServingAsked asked{served_model(model_preset(model).value()).value(), machine_preset(machine).value(),
                       "vllm", Efficiency::ideal};
    asked.batch = 32;
    asked.input = 1024;
    asked.output = 256;
    return asked;
}

const SharedStep* with_layout(const std::vector<SharedStep>& steps, const ServingLayout& layout) {
    const auto found = std::ranges::find(steps, layout, &SharedStep::layout);
    return found == steps.end() ? nullptr : &*found;
}

/// GPT-3: D = 12288, 96 heads of 128, F = 4 D, two matrices. 4x4x4 chips, rings along each axis that send
/// both ways, W bytes/s a link. u: the seconds of 2 x rows x D bytes over one link.
///
/// 1D: two all-reduces over three axes, each 2 x 63/64 u / (2 x 3): together 4 x 63/64 / 6 u = 0.656 u.
/// 2D, 4 x 16: rows gathered and scattered twice over two axes, u/4 x 15/16 / (2 x 2) each; columns of F, F,
/// 3 D and D over one axis, a sixteenth of each, 3/4 / 2: (4 + 4 + 3 + 1) / 16 x 3/8 u. Together 0.516 u.
TEST(Shardings, ExchangeLessInTwoDimensionsOnManyChips) {
    const auto exchanges = layer_exchanges(laid_out("gpt3-175b", "tpu-v4"), 32);
    ASSERT_TRUE(exchanges) << exchanges.error().sentence;
    const auto at = std::ranges::find(*exchanges, 64, &LayerExchange::chips);
    ASSERT_NE(at, exchanges->end());
    const double u = 2 * 32 * 12288 / machine_preset("tpu-v4").value().network.link_bandwidth(0).value();
    EXPECT_NEAR(at->one_dimension, 4 * 63.0 / 64 / 6 * u, 1e-6 * u);
    EXPECT_EQ(at->across, 4);
    EXPECT_NEAR(at->two_dimensions, (4 * 15.0 / 16 / 16 + 12.0 / 16 * 3 / 8) * u, 1e-6 * u);
    // More chips take less in two dimensions, and as long in one.
    EXPECT_LT(exchanges->back().two_dimensions, at->two_dimensions);
}

/// LLaMA 3 70B has 8 heads in its cache: on 16 chips each is there twice, unless two parts of the chips
/// attend to requests of their own.
TEST(Shardings, SplitTheCacheByRequestsWhereHeadsAreFew) {
    const auto all = serving_shardings(laid_out("llama-3-70b", "tpu-v5e"), 16, 32, RunControl());
    ASSERT_TRUE(all) << all.error().sentence;
    const SharedStep* const repeated = with_layout(all->decode, {16, 1, 1});
    const SharedStep* const split = with_layout(all->decode, {16, 1, 4});
    ASSERT_NE(repeated, nullptr);
    ASSERT_NE(split, nullptr);
    // On 4 x 4 chips with 4 parts: 4 heads' worth of chips share 8 heads, and a quarter of the requests.
    EXPECT_NEAR(split->costs[2].seconds, repeated->costs[2].seconds / 2, 1e-9);
    EXPECT_GT(split->costs[4].seconds, repeated->costs[4].seconds); // there and back
    EXPECT_LT(split->memory, repeated->memory);
    EXPECT_DOUBLE_EQ(split->costs[0].seconds, repeated->costs[0].seconds);
}

/// All layouts have the same requests on the same chips, the quickest that fits first.
TEST(Shardings, AreTheSameWorkInAnotherOrder) {
    const auto all = serving_shardings(laid_out("llama-3-8b", "h100-nvs8"), 8, 64, RunControl());
    ASSERT_TRUE(all) << all.error().sentence;
    for (const auto* steps : {&all->prefill, &all->decode}) {
        bool fits = true;
        double before = 0;
        for (const SharedStep& one : *steps) {
            EXPECT_EQ(one.replicas * one.layout.chips(), 8);
            EXPECT_DOUBLE_EQ(one.batch * static_cast<double>(one.replicas), 64);
            EXPECT_TRUE(fits || !one.fits);
            EXPECT_TRUE(one.seconds >= before || one.fits != fits);
            before = one.seconds;
            fits = one.fits;
        }
    }
    const SharedStep& first = all->decode.front();
    EXPECT_DOUBLE_EQ(first.per_chip, 64 / first.seconds / 8);
    EXPECT_GT(all->prefill_limit, 0);
    EXPECT_GT(all->decode_limit, 0);
}

TEST(Shardings, AreOfTensorParallelismAlone) {
    ServingAsked asked = laid_out("llama-3-8b", "h100-nvs8");
    asked.stages = 2;
    const auto none = serving_shardings(asked, 8, 64, RunControl());
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence, HasSubstr("expected tensor parallelism alone"));
}

} // namespace
} // namespace meshslice
