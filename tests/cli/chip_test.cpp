// `meshslice systolic` and `meshslice warps`: what goes on inside a chip.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

/// 128 x 128 cells would need 128 + 128 + 254 cycles for a square; here 8 x 8: 8 + 8 + 14 = 30, of which 8
/// rows.
TEST(CliSystolic, CountsTheBubble) {
    const nlohmann::json one = meshslice_json({"systolic", "--array", "8", "--rows", "8", "--cycle", "9"});
    EXPECT_EQ(one.at("cycles"), 30);
    EXPECT_EQ(one.at("bubble_cycles"), 22);
    EXPECT_EQ(one.at("working_cells"), 1);
    EXPECT_EQ(one.at("cells").size(), 64u);
    // Chained, the next operand's weights arrive meanwhile: 8 more cycles each.
    const nlohmann::json three =
        meshslice_json({"systolic", "--array", "8", "--rows", "8", "--operands", "3"});
    EXPECT_EQ(three.at("cycles"), 46);
    EXPECT_GT(three.at("utilization").get<double>(), one.at("utilization").get<double>());
}

/// 4 cycles of loading and 6 of crossing, and 3 between two operands: a row enters in one and weights in 4.
TEST(CliSystolic, TellsFillingFromWaiting) {
    const TemporaryFolder folder;
    const std::string path = folder.path("use.svg");
    EXPECT_THAT(printed({"systolic", "--array", "4", "--rows", "1", "--operands", "8", "--svg-use", path}),
                HasSubstr("21 waiting for later weights"));
    std::ifstream stream(path);
    const std::string drawn{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(drawn, HasSubstr("of 39 cycles 10 fill and drain the array, in 21 it waits for weights"));
}

TEST(CliSystolic, ShowsTheLastCycleForOnePastIt) {
    const nlohmann::json last = meshslice_json({"systolic", "--cycle", "1000"});
    EXPECT_EQ(last.at("cycle"), last.at("cycles"));
    EXPECT_EQ(last.at("working_cells"), 1);
}

/// 2 + 8 + 5 + 2 cycles; of 32 lanes 20 are masked for 5 and 12 for 8.
TEST(CliWarps, CountsMaskedLanes) {
    const nlohmann::json warp = meshslice_json({"warps", "--branches", "20x8,12x5"});
    EXPECT_EQ(warp.at("cycles"), 17);
    EXPECT_EQ(warp.at("together_cycles"), 12);
    EXPECT_DOUBLE_EQ(warp.at("active_share").get<double>(), 1 - (20 * 5 + 12 * 8) / (32.0 * 17));
    EXPECT_EQ(warp.at("stretches").at(1).at("active_lanes"), 20);
}

/// Whatever the width, what a refusal suggests works.
TEST(CliWarps, SuggestsWhatWorks) {
    for (const std::string width : {"1", "2", "5", "64"}) {
        const std::string refused = meshslice_command({"warps", "--width", width}).err;
        const std::size_t from = refused.find("such as ") + 8;
        const std::string works = refused.substr(from, refused.find('.', from) - from);
        EXPECT_EQ(meshslice_json({"warps", "--width", width, "--branches", works}).at("width"),
                  std::stoi(width))
            << refused;
    }
}

TEST(CliWarps, RefusesBranchesThatAreNotAWarp) {
    EXPECT_THAT(meshslice_command({"warps", "--branches", "20x8"}).err,
                HasSubstr("--branches has 20 lanes, and a warp has 32; expected branches whose lanes add up "
                          "to the warp's, such as 16x8,16x5."));
    EXPECT_THAT(meshslice_command({"warps", "--branches", "20"}).err,
                HasSubstr("--branches has \"20\"; expected lanes x instructions"));
}

} // namespace
} // namespace meshslice::test
