#include "tests/cli/support/meshslice_command.h"

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
                             HasSubstr("374 µs  as plans count it"), HasSubstr("bounds above 720 kB"),
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
        StartsWith("bytes,time_s,bound,achieved_bytes_per_s,modelled_s\n1000,8e-06,latency,125000000"));
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

/// Servers of 8 H100s, chapter 12 of the book: 7/8 of 1.6 GB at 450 GB/s, twice, or half of it at 8 x 50 GB/s
/// between two of them. Plans have 15/16 of it pass 280 GB/s, twice, and 28 steps of 2.5 us and 2 of 5 us.
TEST(CliCollective, AnswersBehindSwitches) {
    const std::vector<std::string> asked = {"all-reduce", "--bytes",    "1.6e9",    "--chips",
                                            "16",         "--hardware", "h100-nvs8"};
    EXPECT_THAT(printed(collective_with(asked)),
                AllOf(StartsWith("all-reduce of 1.60 GB among 16 chips on NVIDIA H100 SXM, domains of 8\n"
                                 "  switch of 8: 8 places, 450 GB/s a chip one way, 70% of it reached"),
                      HasSubstr("2 x 1.6 GB x 7 / 8 / 450 GB/s = 6.22 ms"),
                      HasSubstr("2 x 1.6 GB x 1 / 2 / (8 x 50 GB/s) = 4.00 ms"),
                      HasSubstr("     = 6.22 ms, bound by bandwidth\n"), HasSubstr("30 steps")));
    const json same = meshslice_json(collective_with(asked));
    EXPECT_NEAR(same.at("time_in_s"), 2 * 1.6 * 7 / 8 / 450, 1e-12);
    EXPECT_NEAR(same.at("latency_in_s"), 28 * 2.5e-6 + 2 * 5e-6, 1e-12);
    EXPECT_NEAR(same.at("modelled_in_s"), 2 * 1.6 * 15 / 16 / 280 + 80e-6, 1e-12);
    EXPECT_EQ(same.at("formula"), "max(28 x 2.5 \u00b5s + 2 x 5 \u00b5s, 2 x 1.6 GB x 7 / 8 / 450 GB/s)");
    EXPECT_FALSE(same.contains("axes"));
    // Axes that do not exist there still say how many chips take part.
    const json by_axes = meshslice_json(
        collective_with({"all-reduce", "--bytes", "1.6e9", "--axes", "X=16", "--hardware", "h100-nvs8"}));
    EXPECT_EQ(by_axes, same);
    EXPECT_THAT(printed(collective_with(
                    {"all-to-all", "--bytes", "1e9", "--chips", "8", "--hardware", "h100-nvs8", "--csv"})),
                StartsWith("bytes,time_s,bound,achieved_bytes_per_s,modelled_s\n1000,"));
}

TEST(CliCollective, SaysWhatWouldWork) {
    const auto said = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(collective_with(arguments));
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(said({"gather", "--bytes", "1", "--axes", "X=16"}),
                HasSubstr("There is no collective \"gather\"; "));
    EXPECT_THAT(said({"all-gather", "--bytes", "0", "--axes", "X=16"}), HasSubstr("such as 34e6"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1e19", "--axes", "X=16"}), HasSubstr("expected 1 B to 1 EB"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X"}), HasSubstr("--axes X, character "));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=1"}), HasSubstr("X=16 has 16"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=4", "--slice", "X=8,Y=4"}),
                HasSubstr("The slice {X:8, Y:4} does not have the axis X=4"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=2,Y=2,Z=2"}),
                HasSubstr("TPU v5e has only 2"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=32"}), HasSubstr("TPU v5e has up to 16"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--axes", "X=8", "--ring", "--hardware", "h100-nvs8"}),
                HasSubstr("by switches, where --ring has no meaning"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--hardware", "h100-nvs8"}),
                HasSubstr("--chips 8 works"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1", "--chips", "8"}), HasSubstr("leaving out --chips works"));
    EXPECT_THAT(said({"all-gather", "--bytes", "1"}), HasSubstr("--axes X=16 works"));
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
