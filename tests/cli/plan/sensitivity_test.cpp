// Every number of a machine at twice and at half its value, on the command line.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> one_gemm = {"sensitivity", "--gemm", "8192x8192x8192", "--mesh", "4x4"};

TEST(SensitivityCommand, PrintsARowANumber) {
    const Finished run = meshslice_command(one_gemm);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("Most to gain from "), HasSubstr("\nHBM bandwidth "),
                               HasSubstr("x faster)"), HasSubstr("No effect (less than 0.5%): ")));
}

/// The same times as of the same machine with the number edited.
TEST(SensitivityCommand, PrintsJsonAndDrawsIt) {
    const auto json = meshslice_json(one_gemm);
    const auto now = meshslice_json({"estimate", "--gemm", "8192x8192x8192", "--mesh", "4x4"});
    EXPECT_EQ(json["time_s"], now["time_s"]);
    const auto faster =
        meshslice_json({"estimate", "--gemm", "8192x8192x8192", "--mesh", "4x4", "--peak", "x2"});
    bool found = false;
    for (const auto& number : json["numbers"]) {
        if (number["number"] == "peak") {
            found = true;
            EXPECT_EQ(number["time_twice_s"], faster["time_s"]);
        }
    }
    EXPECT_TRUE(found);
    const TemporaryFolder folder;
    const Finished drawn = meshslice_command(and_flags(one_gemm, {"--svg", folder.path("tornado.svg")}));
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_THAT(file_content(folder.path("tornado.svg")), AllOf(HasSubstr("<svg"), HasSubstr("peak")));
}

/// A plan is kept, and its time is that of the plan.
TEST(SensitivityCommand, KeepsAPlan) {
    const std::vector<std::string> run = {"--model", "llama-3-8b", "--machine", "h100",
                                          "--chips", "16",         "--batch",   "64"};
    const auto json = meshslice_json(and_flags({"sensitivity", "--of", "plan"}, run));
    const auto best =
        meshslice_json(and_flags({"sweep", "--of", "plan", "--vary", "chips=16"},
                                 {"--model", "llama-3-8b", "--machine", "h100", "--batch", "64"}));
    EXPECT_EQ(json["time_s"], best["points"][0]["expected_s"]);
    EXPECT_EQ(json["expected"], true);
    const auto ideal = meshslice_json(and_flags({"sensitivity", "--of", "plan", "--rank", "ideal"}, run));
    EXPECT_EQ(ideal["expected"], false);
    EXPECT_LT(ideal["time_s"], json["time_s"]);
    ASSERT_FALSE(json["numbers"].empty());
    EXPECT_EQ(json["numbers"][0]["number"], "peak");
}

TEST(SensitivityCommand, SaysWhatItCannotRank) {
    EXPECT_THAT(meshslice_command(and_flags(one_gemm, {"--jitter", "1us"})).err, HasSubstr("--simulate"));
    const Finished other = meshslice_command({"sensitivity", "--of", "pod", "8x16"});
    EXPECT_NE(other.exit_code, 0);
    EXPECT_THAT(meshslice_command({"sensitivity", "--mesh", "7x13"}).err, HasSubstr("13"));
}

} // namespace
} // namespace meshslice::test
