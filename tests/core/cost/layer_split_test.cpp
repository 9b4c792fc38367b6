// A layer over many chips, against chapter 5 of the scaling book (TPU v5p: 4.59e14 FLOP/s, 1.8e11 bytes/s of
// an axis both ways) and chapter 12 (H100: 9.9e14 FLOP/s, 4.5e11 in a domain of eight, 5e10 of a NIC), by
// hand.

#include "core/cost/layer_split.h"
#include "core/machine/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

constexpr double v5p_flop = 4.59e14, v5p_axis = 1.8e11;
constexpr double width = 8192, hidden = 32768;

SplitLayer layer_of(double tokens) {
    return {.tokens = tokens, .width = width, .hidden = hidden};
}

Machine preset(const char* name) {
    return *machine_preset(name);
}

LayerSplit of(const SplitLayer& layer, const SplitChips& chips, SplitSizes sizes) {
    return split_of(layer, chips, sizes, true);
}

/// 64 chips of one axis at 2550 tokens each: arithmetic and gathered weights take as long as each other.
TEST(LayerSplit, OfTokensAloneIsBalancedAtTheBooksBatch) {
    const Machine v5p = preset("tpu-v5p");
    const SplitChips line{v5p, {64}};
    const LayerSplit split = of(layer_of(64 * 2550), line, {64, 1});
    EXPECT_NEAR(split.compute_s, 4 * 64 * 2550 * width * hidden / (64 * v5p_flop), 1e-12);
    EXPECT_NEAR(split.weights_s, 4 * width * hidden / v5p_axis, 1e-12);
    EXPECT_NEAR(*split.ratio(), 1, 1e-9);
    EXPECT_EQ(split.activations_s, 0);
    const SplitChips cube{v5p, {4, 4, 4}};
    EXPECT_NEAR(*of(layer_of(64 * 850), cube, {64, 1}).ratio(), 1, 1e-9);
}

/// The tensor group's limit, F / alpha chips of an axis, whatever the batch.
TEST(LayerSplit, OfTheHiddenWidthAloneIsAsBoundForEveryBatch) {
    const Machine v5p = preset("tpu-v5p");
    SplitLayer layer{.tokens = 1e6, .width = width, .hidden = 30000};
    const SplitChips chips{v5p, {8}};
    const double few = *of(layer, chips, {1, 8}).ratio();
    EXPECT_NEAR(few, 30000 / 2550.0 / 8, 1e-9);
    layer.tokens = 1e4;
    EXPECT_NEAR(*of(layer, chips, {1, 8}).ratio(), few, 1e-9);
    // The book's figure of the ratio: 64 chips over three axes, 0.551.
    EXPECT_NEAR(*of(layer, {v5p, {4, 4, 4}}, {1, 64}).ratio(), 0.551, 0.002);
    EXPECT_NEAR(split_bounds(layer, chips, true)->hidden_chips, 11.7647, 1e-4);
}

/// Chapter 5: a mix is bound by arithmetic from alpha^2 / (2 F) tokens of a chip on, four times that where
/// exchanges add up; the best X is the root of B / F * 2 N.
TEST(LayerSplit, OfBothHasTheBooksBounds) {
    const Machine v5p = preset("tpu-v5p");
    const SplitChips pod{v5p, {16, 16, 16}};
    const SplitLayer layer = layer_of(4096 * 200);
    const SplitBounds bounds = *split_bounds(layer, pod, true);
    EXPECT_NEAR(bounds.token_share, 850, 1e-9);
    EXPECT_NEAR(bounds.mixed_share, 2550.0 * 2550 / (2 * hidden), 1e-9);
    EXPECT_NEAR(split_bounds(layer, pod, false)->mixed_share, 4 * 99.22, 0.01);
    EXPECT_NEAR(bounds.best_tokens, std::sqrt(4096 * 200 / hidden * 2 * 4096), 1e-9);
    // At the best X, here 453, both exchanges take as long as each other: 256 and 512 are on either side.
    const LayerSplit low = of(layer, pod, {256, 16}), high = of(layer, pod, {512, 8});
    EXPECT_LT(low.weights_s, low.activations_s);
    EXPECT_GT(high.weights_s, high.activations_s);
    const std::vector<LayerSplit> all = all_splits(layer, pod, true);
    EXPECT_EQ(all.size(), 13U);
    for (const LayerSplit& one : all) {
        EXPECT_GE(one.seconds(), best_of(all).seconds());
    }
    EXPECT_TRUE(best_of(all).bound_by_compute());
    // With fewer tokens than the bound, no split is.
    const std::vector<LayerSplit> few = all_splits(layer_of(4096 * 90), pod, true);
    EXPECT_TRUE(std::ranges::none_of(few, &LayerSplit::bound_by_compute));
}

/// Chapter 12: 2475 tokens of a chip over the NICs of a node, 2200 inside of one; a tensor group that fills
/// the node changes nothing about it, and one of two nodes is bound by F x 4e11 / C.
TEST(LayerSplit, BehindSwitchesCrossesTheSlowestLevel) {
    const Machine h100 = preset("h100");
    const double flop = h100.peak_rate(DataType::bf16).value();
    const SplitChips many{h100, {1024}};
    const double in_node = flop / 4.5e11, over_nodes = flop / 4e11;
    EXPECT_NEAR(*of(layer_of(8 * in_node), {h100, {8}}, {8, 1}).ratio(), 1, 1e-9);
    EXPECT_NEAR(*of(layer_of(1024 * over_nodes), many, {1024, 1}).ratio(), 1, 1e-9);
    const LayerSplit filled = of(layer_of(1024 * over_nodes), many, {128, 8});
    EXPECT_NEAR(filled.compute_s / filled.weights_s, 1, 1e-9);
    const LayerSplit wide = of(layer_of(4e6), many, {64, 16});
    EXPECT_NEAR(wide.compute_s / wide.activations_s, hidden / 16 / over_nodes, 1e-9);
    EXPECT_FALSE(split_bounds(layer_of(1), many, true));
}

/// The root of B / F times N is 362, more than there are chips: all of them share the tokens.
TEST(LayerSplit, HasNoMixWhereOneAloneIsBest) {
    const Machine v5e = preset("tpu-v5e");
    const SplitLayer layer{.tokens = 1 << 22, .width = width, .hidden = width};
    const SplitChips chips{v5e, {16, 16}};
    EXPECT_EQ(split_bounds(layer, chips, true)->mixed_share, 0);
    EXPECT_EQ(best_of(all_splits(layer, chips, true)).sizes, (SplitSizes{256, 1}));
}

TEST(LayerSplit, CountsPodsByTheNetworkBetweenThem) {
    EXPECT_NEAR(*tokens_of_a_pod(layer_of(1), preset("tpu-v5p")), 73440, 1e-6);
    EXPECT_FALSE(tokens_of_a_pod(layer_of(1), preset("h100")));
}

/// The steps exchange forward what the split counts, backward twice the weights and activations three times;
/// all products take three times the forward arithmetic.
TEST(LayerSplit, StepsAddUpToTheSplit) {
    const Machine v5p = preset("tpu-v5p");
    const SplitChips pod{v5p, {16, 16}};
    for (const int matrices : {2, 3}) {
        for (const SharedWeights weights : {SharedWeights::sharded, SharedWeights::replicated}) {
            SplitLayer layer = layer_of(1 << 20);
            layer.matrices = matrices;
            const LayerSplit split = split_of(layer, pod, {64, 4}, true);
            const double matrix = 2 * width * hidden / 4;
            double compute = 0, over_x[2] = {0, 0}, over_y[2] = {0, 0};
            for (const SplitStep& step : steps_of(layer, split, weights)) {
                if (step.bytes == 0) {
                    compute += step.seconds;
                } else if (step.what.find("_X") != std::string::npos) {
                    over_x[step.backward ? 1 : 0] += step.bytes;
                } else {
                    over_y[step.backward ? 1 : 0] += step.bytes;
                }
            }
            EXPECT_NEAR(compute, 3 * split.compute_s, 1e-12);
            EXPECT_NEAR(over_x[0], weights == SharedWeights::sharded ? matrices * matrix : 0, 1);
            EXPECT_NEAR(over_x[1], 2 * split.weight_bytes, 1); // whatever is gathered before
            EXPECT_NEAR(over_x[1], 2 * matrices * matrix, 1);
            EXPECT_NEAR(over_y[0], split.activation_bytes, 1);
            EXPECT_NEAR(over_y[1], 1.5 * split.activation_bytes, 1);
        }
    }
}

} // namespace
} // namespace meshslice::test
