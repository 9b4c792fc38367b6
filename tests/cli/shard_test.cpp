#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Scaling book, chapter 3: fp32[1024, 4096] as A[I_XY, J] on {X:8, Y:2} is 64 x 4096 and 1 MiB a device.
TEST(CliShard, ShowsTheBooksExample) {
    const std::vector<std::string> asked = {"shard",   "A[I_XY, J]",    "--mesh", "X=8,Y=2",
                                            "--sizes", "I=1024,J=4096", "--type", "f32"};
    EXPECT_THAT(
        printed(asked),
        AllOf(StartsWith("A[I_XY, J] on {X:8, Y:2}, 16 devices; of I_XY, X is the major axis, as in JAX\n"),
              HasSubstr("a device holds  64 x 4096          1.05 MB\n"),
              HasSubstr("JAX: jax.make_mesh((8, 2), ('X', 'Y')) and P(('X', 'Y'), None)\n"),
              // Device 3 stands at (1, 1): block 1 * 2 + 1 of 64 rows.
              HasSubstr("\n3       1  1   192 to 255  0 to 4095\n"), Not(HasSubstr("more"))));
    const json same = meshslice_json({"shard", "P(('X', 'Y'))", "--mesh", "{X:8, Y:2}", "--sizes",
                                      "I=1024, J=4096", "--type", "f32", "--all"});
    EXPECT_EQ(same.at("sharding"), "A[I_XY, J]");
    EXPECT_EQ(same.at("bytes_per_device"), 1 << 20);
    EXPECT_EQ(same.at("devices").at(3).at("block"), (json{3, 0}));
    EXPECT_EQ(same.at("all").size(), 11u);
    EXPECT_THAT(printed({"shard", "A[I]", "--mesh", "X=17", "--sizes", "I=17"}),
                testing::EndsWith("\n... and 1 more; --devices lists them\n"));
    EXPECT_THAT(printed({"shard", "A[I_X]", "--mesh", "X=17", "--sizes", "I=17", "--devices"}),
                testing::EndsWith("\n16      16    16\n"));
}

TEST(CliShard, PointsAtTheLetter) {
    const auto said = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "shard");
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"A[I_X, J_X]", "--mesh", "X=8,Y=2", "--sizes", "I=8,J=8"}),
                HasSubstr("A[I_X, J_X], character 10: Axis X already splits I"));
    EXPECT_THAT(said({"A[I_X]", "--mesh", "X8", "--sizes", "I=8"}), HasSubstr("--mesh X8, character 9: "));
    EXPECT_THAT(said({"A[I_X]", "--mesh", "X=8", "--sizes", "I=12"}), HasSubstr("8 or 16 does"));
    EXPECT_THAT(said({"A[I_X]", "--mesh", "X=8", "--sizes", "8"}), HasSubstr("--sizes: \"8\" is no size"));
    EXPECT_THAT(said({"A[I_X]", "--mesh", "X=8", "--sizes", "I=8", "--type", "f33"}),
                HasSubstr("--type is \"f33\""));
    EXPECT_THAT(said({"A[A,B,C,D,E,F,G,H]", "--mesh", "T=1,U=1,V=1,W=1,X=1,Y=1", "--sizes",
                      "A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1", "--all"}),
                HasSubstr("--all lists at most 100000 shardings"));
    EXPECT_THAT(said({"A[I]", "--mesh", "X=1024,Y=1024", "--sizes", "I=8", "--devices"}),
                HasSubstr("--devices lists at most 65536 devices"));
}

} // namespace
} // namespace meshslice::test
