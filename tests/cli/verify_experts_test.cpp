// `meshslice verify --experts`: a layer of experts on real matrices.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

/// Three routings in a domain of 4 and on a torus of 4 x 2, each with 50 seeds. Of 32 tokens with 2 experts
/// each, spread evenly, a chip of 4 keeps 16 of 64 rows: 48 leave it, 192 all, of 6 numbers and 2 bytes.
TEST(VerifyExperts, RunsEveryRoutingInADomainAndOnATorus) {
    const Finished run = meshslice_command(
        {"verify", "--experts", "8", "--top", "2", "--ep", "4", "--mesh", "4x2", "--seeds", "50", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["correct"], true);
    EXPECT_EQ(json["bytes_as_counted"], true);
    ASSERT_EQ(json["routings"].size(), 6U);
    for (const auto& one : json["routings"]) {
        EXPECT_EQ(one["correct"], 50) << one;
        EXPECT_EQ(one["as_counted"], 50) << one;
    }
    EXPECT_EQ(json["routings"][0]["most_rows_that_leave"], 192);
    EXPECT_EQ(json["routings"][0]["most_bytes_that_leave"], 192 * 12);
    EXPECT_EQ(json["routings"][2]["routing"], "worst");
    EXPECT_EQ(json["routings"][2]["most_rows_of_a_chip"], 3 * 64); // all others' rows to the first chip
    EXPECT_EQ(json["routings"][3]["where"], "torus 4x2");
    EXPECT_GT(json["routings"][3]["link_bytes"], 0);
}

TEST(VerifyExperts, RefusesWhatDoesNotDivide) {
    const auto says = [](std::vector<std::string> more) {
        more.insert(more.begin(), "verify");
        return meshslice_command(std::move(more)).err;
    };
    EXPECT_THAT(says({"--experts", "6", "--ep", "4"}),
                HasSubstr("6 experts cannot be spread evenly over 4 chips"));
    EXPECT_THAT(says({"--experts", "4", "--top", "5", "--ep", "2"}),
                HasSubstr("A token cannot go to 5 experts; the layer has 4"));
    EXPECT_THAT(says({"--ep", "4"}), HasSubstr("--ep applies to a layer of experts, which --experts says"));
}

} // namespace
} // namespace meshslice::test
