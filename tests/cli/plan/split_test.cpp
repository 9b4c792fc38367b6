// `meshslice split`: a layer over many chips.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

/// Chapter 5's table of a layer, by hand: D = 8192, F = 32768, a million tokens, 256 x 16.
TEST(CliSplit, CountsWhatTheScalingBookCounts) {
    const auto of = [](const char* layer, const char* mesh, const char* split, const char* weights) {
        return meshslice_json({"split", "--layer", layer, "--mesh", mesh, "--split", split, "--weights",
                               weights, "--machine", "tpu-v5p"});
    };
    const nlohmann::json mixed = of("1000000x8192x32768", "16x16x16", "256x16", "sharded");
    EXPECT_DOUBLE_EQ(3 * mixed.at("flop_per_chip").get<double>(), 786432000000.0);
    const auto& split = mixed.at("split");
    EXPECT_DOUBLE_EQ(split.at("weights_bytes").get<double>() + split.at("activations_bytes").get<double>(),
                     195108864.0);
    EXPECT_EQ(split.at("token_axes"), 2);
    EXPECT_EQ(split.at("hidden_axes"), 1);
    const nlohmann::json shared = of("1000000x8192x32768", "16x16", "256x1", "sharded");
    EXPECT_DOUBLE_EQ(shared.at("split").at("weights_bytes").get<double>(), 1073741824.0);
    const nlohmann::json replicated = of("1000000x8192x32768", "16x16", "256x1", "replicated");
    double backward = 0;
    for (const auto& step : replicated.at("steps")) {
        EXPECT_TRUE(step.at("pass") == "backward" || step.at("bytes") == 0);
        backward += step.at("bytes").get<double>();
    }
    EXPECT_DOUBLE_EQ(backward, 2147483648.0);
    // Sums of gradients bound a small batch as gathers do, and are not taken for nothing.
    const nlohmann::json few = meshslice_json({"split", "--layer", "4096x8192x32768", "--mesh", "16x16",
                                               "--weights", "replicated", "--split", "256x1"});
    EXPECT_EQ(few.at("split").at("bound"), "communication");
    const nlohmann::json tensor = of("1000000x8192x32768", "16", "1x16", "sharded");
    EXPECT_DOUBLE_EQ(tensor.at("split").at("activations_bytes").get<double>(), 32768000000.0);
    EXPECT_DOUBLE_EQ(mixed.at("between_pods_tokens_per_pod").get<double>(), 73440);
}

TEST(CliSplit, SaysWhatWouldWork) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"split", "--layer", "1Mix8192", "--mesh", "16x16"}),
                HasSubstr("such as 512x8192x32768"));
    EXPECT_THAT(said({"split", "--layer", "1Mix8192x32768", "--mesh", "4x4x4"}),
                HasSubstr("--mesh 16x16 works"));
    EXPECT_THAT(said({"split", "--layer", "1Mix8192x32768", "--mesh", "17x2"}), HasSubstr("has up to 16"));
    EXPECT_THAT(said({"split", "--layer", "2x8192x2", "--mesh", "8x8"}), HasSubstr("fewer chips work"));
    EXPECT_THAT(said({"split", "--layer", "1Mix8192x32768", "--mesh", "8x8", "--data-type", "fp8"}),
                HasSubstr("--data-type bf16 works"));
    // What is suggested is taken.
    EXPECT_THAT(said({"split", "--layer", "1Mix8192x32768", "--mesh", "8x8", "--split", "5x5"}),
                HasSubstr("such as 64x1."));
    EXPECT_EQ(meshslice_command({"split", "--layer", "1Mix8192x32768", "--mesh", "8x8", "--split", "64x1"})
                  .exit_code,
              0);
}

} // namespace
} // namespace meshslice::test
