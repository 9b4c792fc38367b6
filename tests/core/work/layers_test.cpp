#include "core/work/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Transformer mixtral() {
    Transformer model;
    model.name = "mixtral";
    model.layers = 32;
    model.hidden = 4096;
    model.heads = 32;
    model.kv_heads = 8;
    model.head_size = 128;
    model.feed_forward = 14'336;
    model.gated = true;
    model.experts = 8;
    model.experts_per_token = 2;
    return model;
}

TEST(FullyConnectedLayers, OfGpt3WithTheTokensOfTheMeshSlicePaper) {
    // 128 sequences of 2048 tokens on hidden 12288: H -> 3H, H -> H, H -> 4H, 4H -> H.
    const auto layers = fully_connected_layers(model_preset("gpt3-175b").value(), 128 * 2048).value();
    EXPECT_THAT(layers, ElementsAre(FullyConnectedLayer{"QKV", 12'288, 36'864, 262'144, 1},
                                    FullyConnectedLayer{"Output", 12'288, 12'288, 262'144, 1},
                                    FullyConnectedLayer{"FF1", 12'288, 49'152, 262'144, 1},
                                    FullyConnectedLayer{"FF2", 49'152, 12'288, 262'144, 1}));
}

TEST(FullyConnectedLayers, GroupedQueriesAndGate) {
    // Llama 3 70B: 64 query and 2 x 8 key-value heads of 128; gate and up together are 2 x 28672 wide.
    const auto layers = fully_connected_layers(model_preset("llama-3-70b").value(), 4096).value();
    EXPECT_THAT(layers, ElementsAre(FullyConnectedLayer{"QKV", 8'192, 10'240, 4096, 1},
                                    FullyConnectedLayer{"Output", 8'192, 8'192, 4096, 1},
                                    FullyConnectedLayer{"FF1", 8'192, 57'344, 4096, 1},
                                    FullyConnectedLayer{"FF2", 28'672, 8'192, 4096, 1}));
}

TEST(FullyConnectedLayers, AHeadSizeOfItsOwn) {
    // As Mistral Nemo: 32 heads of 128 make 4096, though the model is 5120 wide.
    Transformer model;
    model.hidden = 5120;
    model.heads = 32;
    model.kv_heads = 8;
    model.head_size = 128;
    model.feed_forward = 14'336;
    const auto layers = fully_connected_layers(model, 16).value();
    EXPECT_EQ(layers[0], (FullyConnectedLayer{"QKV", 5'120, 6'144, 16, 1}));
    EXPECT_EQ(layers[1], (FullyConnectedLayer{"Output", 4'096, 5'120, 16, 1}));
}

TEST(FullyConnectedLayers, ExpertsShareTheTokens) {
    // 4096 tokens, 2 of 8 experts each: 1024 tokens an expert; attention sees them all.
    const auto layers = fully_connected_layers(mixtral(), 4096).value();
    EXPECT_THAT(layers, ElementsAre(FullyConnectedLayer{"QKV", 4'096, 6'144, 4'096, 1},
                                    FullyConnectedLayer{"Output", 4'096, 4'096, 4'096, 1},
                                    FullyConnectedLayer{"FF1", 4'096, 28'672, 1'024, 8},
                                    FullyConnectedLayer{"FF2", 14'336, 4'096, 1'024, 8}));
    // 32 x (4096 x 6144 + 4096 x 4096 + 8 x (4096 x 28672 + 14336 x 4096))
    EXPECT_EQ(layer_parameters(mixtral()), 46'439'333'888);
}

TEST(FullyConnectedLayers, TokensThatDoNotDivideAreRefusedWithOnesThatDo) {
    const std::string words = fully_connected_layers(mixtral(), 4097).error().sentence;
    EXPECT_THAT(words, HasSubstr("4097 tokens to 2 of 8 experts"));
    EXPECT_THAT(words, HasSubstr("a multiple of 4, such as 4096 or 4100"));
    EXPECT_THAT(fully_connected_layers(mixtral(), 3).error().sentence,
                HasSubstr("a multiple of 4, such as 4."));
    // 160 experts, 8 a token: a multiple of 20 tokens, so a multiple of 5 sequences of 4096 = 4 x 1024
    // tokens.
    Transformer many = mixtral();
    many.experts = 160;
    many.experts_per_token = 8;
    EXPECT_THAT(fully_connected_layers(many, 64 * 4096, 4096).error().sentence,
                HasSubstr("a batch of 60 or 65 sequences of 4096 tokens does."));
    EXPECT_TRUE(fully_connected_layers(many, 60 * 4096, 4096));
    EXPECT_TRUE(fully_connected_layers(many, 65 * 4096, 4096));
    Transformer three = mixtral();
    three.experts = 3;
    EXPECT_FALSE(fully_connected_layers(three, 4096));
    EXPECT_TRUE(fully_connected_layers(three, 4095));
}

TEST(FullyConnectedLayers, TokensMustBeCountable) {
    const Transformer gpt3 = model_preset("gpt3-175b").value();
    EXPECT_TRUE(fully_connected_layers(gpt3, 1));
    for (const std::int64_t tokens : {std::int64_t{0}, std::int64_t{-1}, most_dimension + 1}) {
        EXPECT_THAT(fully_connected_layers(gpt3, tokens).error().sentence, HasSubstr("from 1 to 2147483648"));
    }
    // 2^31 tokens x 3 passes x 2 x 1.8e9 parameters a block = 2.3e19 FLOP, more than 2^62.
    EXPECT_THAT(fully_connected_layers(gpt3, most_dimension).error().sentence, HasSubstr("fewer tokens"));
}

} // namespace
} // namespace meshslice
