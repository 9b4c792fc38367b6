#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> roofline_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "roofline");
    return arguments;
}

/// 2 x 128 x 8192 x 32768 FLOP at 4.59e14 are 150 us; 2 (128 x 8192 + 8192 x 32768 + 128 x 32768) = 547 MB at
/// 2.8 TB/s 195 us. 6.87e10 / 5.47e8 = 125.5 FLOP per byte, of a ridge of 164. The critical batch is
/// 1 / (1 / 163.9 - 1 / 8192 - 1 / 32768) = 168.134.
TEST(CliRoofline, SaysWhatBounds) {
    const std::string words = printed(roofline_with({"--gemm", "128x8Kix32Ki", "--hardware", "tpu-v5p"}));
    EXPECT_THAT(words, AllOf(StartsWith("[128, 8192] x [8192, 32768] on one chip of TPU v5p: 68.7 GFLOP; "),
                             HasSubstr("multiplied as bf16 at 459 TFLOP/s peak"), HasSubstr("intensity"),
                             HasSubstr(" 126 "), HasSubstr("fewer are bound by HBM"),
                             HasSubstr("3 rings of the torus")));
    const json same = meshslice_json(roofline_with({"--gemm", "128x8192x32768", "--hardware", "tpu-v5p"}));
    const json& hbm = same.at("memory");
    EXPECT_EQ(hbm.at("name"), "HBM");
    EXPECT_EQ(hbm.at("bytes"), 2.0 * (128 * 8192 + 8192 * 32768 + 128 * 32768));
    EXPECT_NEAR(hbm.at("intensity_in_flop_per_byte"), 125.55, 0.01);
    EXPECT_NEAR(hbm.at("critical_batch"), 168.134, 0.001);
    EXPECT_EQ(hbm.at("critical_batch_in_whole_rows"), 169);
    EXPECT_EQ(hbm.at("bound"), "transfer");
    EXPECT_NEAR(hbm.at("reached_in_flop_per_s"), 125.55 * 2.8e12, 1e11);
    EXPECT_NEAR(same.at("compute_in_s"), 68719476736 / 4.59e14, 1e-9);
    // Weights over one ring, 180 GB/s: 2550 tokens; over three a third of them. Between slices 73,440
    // (chapter 5, which prints 71,360).
    const json& rings = same.at("weights_gathered_over");
    ASSERT_EQ(rings.size(), 3u);
    EXPECT_NEAR(rings.at(0).at("critical_batch"), 2550, 1e-6);
    EXPECT_NEAR(rings.at(1).at("critical_batch"), 850, 1e-6);
    EXPECT_NEAR(rings.at(2).at("critical_batch"), 73'440, 1e-6);
    // GPUs have a fast domain and a network around it.
    EXPECT_EQ(meshslice_json(roofline_with({"--gemm", "1x1x1", "--hardware", "b200-nvs8"}))
                  .at("weights_gathered_over")
                  .at(1)
                  .at("name"),
              "outer network");
}

/// int8 operands are multiplied as such, and int8 weights of bf16 activations as bf16.
TEST(CliRoofline, TypesDecide) {
    const auto answer = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"--gemm", "64x1024x1024"});
        return meshslice_json(roofline_with(std::move(arguments)));
    };
    EXPECT_EQ(answer({"--data-type", "int8"}).at("compute"), "int8");
    EXPECT_EQ(answer({"--data-type", "int8"}).at("peak_in_flop_per_s"), 3.94e14);
    EXPECT_EQ(answer({"--weights", "int8"}).at("compute"), "bf16");
    EXPECT_EQ(answer({"--weights", "int8"}).at("memory").at("bytes"), 64 * 1024 * 4 + 1024 * 1024);
    EXPECT_EQ(answer({"--data-type", "int4", "--compute", "bf16"}).at("peak_in_flop_per_s"), 1.97e14);
    EXPECT_EQ(answer({"--memory", "1 GB/s"}).at("memory").at("name"), "memory");
    EXPECT_TRUE(answer({"--memory", "1 GB/s"}).at("memory").at("critical_batch").is_null());
    EXPECT_THAT(printed(roofline_with({"--gemm", "64x1024x1024", "--memory", "1 GB/s"})),
                HasSubstr("memory bounds every batch of this D and F"));
}

/// Nothing passes once for all rows: 2 FLOP meet each byte of int8 weights, however many rows there are.
TEST(CliRoofline, WeightsOfEachRowKnowNoCriticalBatch) {
    const std::vector<std::string> each = {"--gemm", "64x1024x1024", "--data-type", "int8",
                                           "--weights-of-each-row"};
    EXPECT_THAT(printed(roofline_with(each)),
                AllOf(HasSubstr("x [64, 1024, 1024]"), HasSubstr("HBM bounds every batch")));
    EXPECT_TRUE(meshslice_json(roofline_with(each)).at("weights_of_each_row").get<bool>());
    std::vector<std::string> fast = each;
    fast.insert(fast.end(), {"--memory", "1 EB/s"});
    EXPECT_THAT(printed(roofline_with(fast)), HasSubstr("compute bounds every batch"));
    EXPECT_EQ(meshslice_json(roofline_with(fast)).at("memory").at("critical_batch"), 0);
}

TEST(CliRoofline, SaysWhatWouldWork) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(roofline_with(arguments));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"--gemm", "1x2"}), HasSubstr("BxDxF for [B, D] times [D, F], such as 512x8192x32768"));
    EXPECT_THAT(said({"--gemm", "1x2x0"}), HasSubstr("--gemm is \"1x2x0\""));
    EXPECT_THAT(said({"--gemm", "1x2x3x4"}), HasSubstr("three sizes"));
    EXPECT_THAT(said({"--gemm", "1x2x2T"}), HasSubstr("from 1 to 10^12"));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--data-type", "f33"}), HasSubstr("--data-type is \"f33\""));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--weights", "f33"}), HasSubstr("--weights is \"f33\""));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--compute", "f32"}), HasSubstr("--compute is \"f32\""));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--memory", "fast"}), HasSubstr("such as \"15 GB/s\""));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--memory", "15"}), HasSubstr("such as \"15 GB/s\""));
    EXPECT_THAT(said({"--gemm", "1x2x3", "--hardware", "tpu-v9"}), HasSubstr("did you mean tpu-v"));
}

} // namespace
} // namespace meshslice::test
