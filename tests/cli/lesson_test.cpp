// `meshslice lesson`: what there is, one of them, and a lecturer's own.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

TEST(CliLesson, ListsThem) {
    const nlohmann::json all = meshslice_json({"lesson"});
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0]["id"], "first-look");
    EXPECT_GE(all[0]["steps"], 3);
}

/// 2 x 64 x 8192 x 8192 FLOP, worked out by the engine.
TEST(CliLesson, RunsEveryStep) {
    const nlohmann::json lesson = meshslice_json({"lesson", "roofline"});
    EXPECT_EQ(lesson["steps"][0]["question"]["answer"], 2.0 * 64 * 8192 * 8192);
    for (const nlohmann::json& step : lesson["steps"]) {
        EXPECT_TRUE(step["wrong"].empty()) << step;
    }
}

/// The numbers of lessons are those of the commands that they are named after.
TEST(CliLesson, SaysTheSameAsTheOtherCommands) {
    const nlohmann::json roofline = meshslice_json({"roofline", "--gemm", "256x8192x8192"});
    const nlohmann::json lesson = meshslice_json({"lesson", "roofline"});
    EXPECT_EQ(lesson["steps"][5]["question"]["answer"], roofline["memory"]["critical_batch_in_whole_rows"]);
    const nlohmann::json collective =
        meshslice_json({"collective", "all-gather", "--bytes", "64 MB", "--axes", "X=16"});
    EXPECT_EQ(meshslice_json({"lesson", "collectives"})["steps"][0]["question"]["answer"],
              collective["time_in_s"]);
    const nlohmann::json shard =
        meshslice_json({"shard", "A[I_X,J_Y]", "--mesh", "X=4,Y=2", "--sizes", "I=4096,J=8192"});
    EXPECT_EQ(meshslice_json({"lesson", "notation"})["steps"][3]["question"]["answer"],
              shard["bytes_per_device"]);
}

} // namespace
} // namespace meshslice::test
