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

std::vector<std::string> collective_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "collective");
    return arguments;
}

/// 34 MB over both links of 45 GB/s: 34e6 / 90e9 = 378 µs, 8 hops of 1 us. The model adds a launch of 5 us
/// and 15 steps of 1 us and leaves out the sixteenth that a chip has: 354.2 + 20 = 374 us.
TEST(CliCollective, ShowsTheFormulaWithItsNumbers) {
    const std::string words = printed(collective_with({"all-gather", "--bytes", "34e6", "--axes", "X=16"}));
    EXPECT_THAT(words, AllOf(StartsWith("all-gather of 34.0 MB on TPU v5e\n"
                                        "  X: ring of 16 chips, links of 45.0 GB/s each way\n\n"
                                        "time = max(8 x 1 µs, 34 MB / (2 x 45 GB/s))\n"
                                        "     = 378 µs, bound by bandwidth\n"),
                             HasSubstr("374 µs  as plans have it"), HasSubstr("bounds above 720 kB"),
                             HasSubstr("\n1.00 kB")));
    const json same = meshslice_json(collective_with({"all-gather", "--bytes", "34 MB", "--axes", "X=16"}));
    EXPECT_NEAR(same.at("time_in_s"), 34e6 / 90e9, 1e-12);
    EXPECT_EQ(same.at("bound"), "bandwidth");
    EXPECT_EQ(same.at("hops"), 8);
    EXPECT_NEAR(same.at("achieved_in_bytes_per_s"), 90e9, 1);
    EXPECT_NEAR(same.at("modelled_in_s"), 20e-6 + 34e6 * 15 / 16 / 90e9, 1e-11);
    EXPECT_EQ(same.at("formula"), "max(8 x 1 µs, 34 MB / (2 x 45 GB/s))");
    // 1 kB takes the 8 us of its hops: 125 MB/s.
    EXPECT_NEAR(same.at("sizes").at(0).at("achieved_in_bytes_per_s"), 125e6, 1);
    EXPECT_EQ(same.at("sizes").at(0).at("bound"), "latency");
    EXPECT_EQ(same.at("sizes").size(), 22u);
    EXPECT_THAT(
        printed(collective_with({"all-gather", "--bytes", "1", "--axes", "X=16", "--csv"})),
        StartsWith("bytes,time_s,bound,achieved_bytes_per_s,modelled_s\r\n1000,8e-06,latency,125000000,"));
}

/// Axes are rings where the slice closes them: TPU v5e those of 16, TPU v5p those of whole cubes.
TEST(CliCollective, TakesTheSliceAsItIs) {
    EXPECT_THAT(
        printed(collective_with({"all-gather", "--bytes", "34e6", "--axes", "Y=4", "--slice", "X=8,Y=4"})),
        AllOf(HasSubstr("  Y: open line of 4 chips, links of 45.0 GB/s each way; TPU v5e closes axes of a "
                        "multiple of 16 chips\n"),
              HasSubstr("time = max(3 x 1 µs, 34 MB x 3 / 4 / 45 GB/s)\n     = 567 µs")));
    const auto rings = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"all-gather", "--bytes", "1 MB"});
        std::vector<bool> closed;
        const json answer = meshslice_json(collective_with(arguments));
        for (const json& axis : answer.at("axes")) {
            closed.push_back(axis.at("ring"));
        }
        return closed;
    };
    EXPECT_THAT(rings({"--axes", "X=8,Y=16"}), testing::ElementsAre(false, true));
    EXPECT_THAT(rings({"--axes", "X=8,Y=16", "--line"}), testing::ElementsAre(false, false));
    EXPECT_THAT(rings({"--axes", "X=8,Y=16", "--ring"}), testing::ElementsAre(true, true));
    EXPECT_THAT(rings({"--axes", "X=4", "--hardware", "tpu-v5p"}), testing::ElementsAre(false));
    EXPECT_THAT(rings({"--axes", "X=4", "--slice", "X=4,Y=4,Z=4", "--hardware", "tpu-v5p"}),
                testing::ElementsAre(true));
    EXPECT_THAT(
        printed(collective_with({"all-gather", "--bytes", "1e6", "--axes", "X=4", "--hardware", "tpu-v5p"})),
        HasSubstr(
            "TPU v5p closes the axes of slices of a multiple of 64 chips, which a larger slice can give"));
    // A law that the model lacks is not made up.
    EXPECT_THAT(printed(collective_with({"all-to-all", "--bytes", "1e6", "--axes", "X=16"})),
                Not(HasSubstr("modelled")));
}

TEST(CliCollective, SaysWhatWouldWork) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(collective_with(arguments));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"gather", "--bytes", "1", "--axes", "X=16"}),
                HasSubstr("\"gather\" is no collective; all-gather,"));
    EXPECT_THAT(said({"all-gather", "--bytes", "0", "--axes", "X=16"}), HasSubstr("such as 34e6"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1e19", "--axes", "X=16"}), HasSubstr("1 EB was expected"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X"}), HasSubstr("--axes X, character "));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=1"}), HasSubstr("X=16 has 16"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=4", "--slice", "X=8,Y=4"}),
                HasSubstr("the slice {X:8, Y:4} has no such axis"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=2,Y=2,Z=2"}),
                HasSubstr("TPU v5e has only 2"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=32"}), HasSubstr("TPU v5e has up to 16"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=8", "--hardware", "h100-nvs8"}),
                HasSubstr("tpu-v5e has a torus"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=8", "--one-way"}),
                HasSubstr("X=8 is an open line on TPU v5e, and one way"));
    EXPECT_THAT(said({"send-recv", "--bytes", "1", "--axes", "X=16,Y=16"}), HasSubstr("along one axis"));
    EXPECT_THAT(said({"send-recv", "--bytes", "1", "--axes", "X=16", "--one-way"}),
                HasSubstr("leaving out --one-way works"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=16", "--line", "--ring"}),
                HasSubstr("--ring"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=16", "--csv", "--json"}),
                HasSubstr("one of them"));
}

} // namespace
} // namespace meshslice::test
