// Logs of nccl-tests, on the command line.

#include "tests/cli/support/meshslice_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using SizesAndTimes = std::vector<std::pair<std::int64_t, double>>; ///< bytes, microseconds

std::string log_of(const std::string& program, int ranks, const SizesAndTimes& rows) {
    std::string text =
        fmt::format("# Collective test starting: {}\n# nThread 1 nGpus {} minBytes 512\n"
                    "#   size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw\n",
                    program, ranks);
    for (const auto& [bytes, time] : rows) {
        text += fmt::format("  {}  {}  float  sum  -1  {}  0.00  0.00  0  {}  0.00  0.00  0\n", bytes,
                            bytes / 4, time, time);
    }
    return text;
}

/// All-reduces of eight H100, rows C0256 to C0264 of resources/measured/collectives.csv.
std::string eight_h100() {
    return log_of("all_reduce_perf", 8,
                  {{8192, 15.96},
                   {32768, 18.44},
                   {131072, 19},
                   {524288, 20.13},
                   {2097152, 38.18},
                   {8388608, 78.91},
                   {33554432, 199.8},
                   {134217728, 578.74},
                   {536870912, 2111.06}});
}

/// 536870912 B in 2111.06 us are 254.3 GB/s, and 2 x 7 / 8 of these pass a chip's links: 445.0 GB/s.
TEST(CollectiveLogs, HaveTheirRates) {
    const TemporaryFolder folder;
    const std::string file = folder.file("h100.log", eight_h100());
    const Finished words = meshslice_command({"trace", file});
    ASSERT_EQ(words.exit_code, 0) << words.err;
    EXPECT_THAT(words.out,
                StartsWith("Measured: all-reduce among 8 ranks reaches 445 GB/s on the bus at 537 MB."));
    EXPECT_THAT(words.out, HasSubstr("537 MB  2.11 ms        254 GB/s    445 GB/s"));
    const nlohmann::json values = nlohmann::json::parse(printed({"trace", file, "--json"}));
    EXPECT_EQ(values["operation"], "all-reduce");
    EXPECT_NEAR(values["sizes"][8]["algbw_bytes_per_s"].get<double>(), 536870912 / 2111.06e-6, 1);
    EXPECT_NEAR(values["sizes"][8]["busbw_bytes_per_s"].get<double>(), 1.75 * 536870912 / 2111.06e-6, 1);
    EXPECT_TRUE(values["sizes"][8]["predicted_s"].is_null());
}

/// Two of three sizes are right: the one with 5 wrong values is not a measurement.
TEST(CollectiveLogs, LeaveOutWrongResults) {
    const TemporaryFolder folder;
    const std::string head = "# nThread 1 nGpus 8\n"
                             "#   size  count  type  redop  root  time  algbw  busbw #wrong\n";
    const std::string rows = "  1024  256  float  sum  -1  10.0  0.0  0.0  0\n"
                             "  2048  512  float  sum  -1  11.0  0.0  0.0  0\n"
                             "  4096  1024  float  sum  -1  1.0  0.0  0.0  5\n"
                             "# Out of bounds values : 5 FAILED\n";
    const std::string file = folder.file("wrong.log", "# all_reduce_perf\n" + head + rows);
    const Finished words = meshslice_command({"trace", file});
    ASSERT_EQ(words.exit_code, 0) << words.err;
    EXPECT_THAT(
        words.out,
        AllOf(HasSubstr("Wrong results at 1 of 3 sizes (#wrong in the log) are left out: 4096 B (line 6)."),
              Not(HasSubstr("4.10 kB"))));
    EXPECT_EQ(nlohmann::json::parse(printed({"trace", file, "--json"}))["wrong_sizes"], 1);
    const std::string unnamed =
        folder.file("unnamed.log", head + "  1024  256  float  sum  -1  10.0  0.0  0.0  0\n");
    EXPECT_THAT(meshslice_command({"trace", unnamed}).err, HasSubstr("add --operation all-reduce"));
    EXPECT_THAT(printed({"trace", unnamed, "--operation", "all-gather"}),
                StartsWith("Measured: all-gather among 8 ranks"));
    EXPECT_THAT(meshslice_command({"trace", file, "--operation", "all-gather"}).err,
                HasSubstr("is a log of all-reduce; expected all-gather, as was asked."));
    EXPECT_THAT(meshslice_command(
                    {"trace", source_file("tests/core/import/kineto.json"), "--operation", "all-gather"})
                    .err,
                HasSubstr("--operation has no effect"));
}

/// What is expected of a preset is not expected of one whose numbers were changed.
TEST(CollectiveLogs, ExpectNothingOfAnEditedMachine) {
    const TemporaryFolder folder;
    const std::string file = folder.file("h100.log", eight_h100());
    std::string machine = file_content(source_file("resources/machines/h100.json"));
    nlohmann::json edited = nlohmann::json::parse(machine);
    edited["hbm_bandwidth_in_bytes_per_s"]["value"] = 1e12;
    const std::string own = folder.file("own.json", edited.dump());
    const nlohmann::json preset = nlohmann::json::parse(
        printed({"trace", file, "--of", "collective", "--machine", "h100-nvs8", "--json"}));
    EXPECT_FALSE(preset["sizes"][0]["expected_s"].is_null());
    const std::vector<std::string> ask = {"trace", file, "--of", "collective", "--machine", own};
    EXPECT_THAT(printed(ask), AllOf(HasSubstr("with HBM bandwidth 1.00 TB/s instead of 3.35 TB/s"),
                                    Not(HasSubstr("is expected"))));
    std::vector<std::string> as_json = ask;
    as_json.emplace_back("--json");
    EXPECT_TRUE(nlohmann::json::parse(printed(as_json))["sizes"][0]["expected_s"].is_null());
}

/// 20 us and 400 GB/s, of what passes the links of one of four ranks: 3/4 of what is gathered.
TEST(CollectiveLogs, HaveALatencyAndABandwidth) {
    const TemporaryFolder folder;
    SizesAndTimes rows;
    for (std::int64_t bytes = 1'000'000; bytes <= 1'000'000'000; bytes *= 10) {
        rows.emplace_back(bytes, 20 + 0.75 * static_cast<double>(bytes) / 400e9 * 1e6);
    }
    const std::string file = folder.file("gather.log", log_of("all_gather_perf", 4, rows));
    const nlohmann::json fit = nlohmann::json::parse(printed({"trace", file, "--json"}))["fit"];
    EXPECT_NEAR(fit["latency_s"].get<double>(), 20e-6, 1e-9);
    EXPECT_NEAR(fit["bandwidth_bytes_per_s"].get<double>(), 400e9, 1e6);
    EXPECT_THAT(printed({"trace", file}), HasSubstr("takes 20.0 µs and 400 GB/s on the bus"));
    const std::string one = folder.file("one.log", log_of("all_gather_perf", 4, {{1'000'000, 25}}));
    EXPECT_THAT(printed({"trace", one}), HasSubstr("No latency and bandwidth are fitted: "));
}

/// What collective says of the same size stands next to each, and what measured runs let expect, of which
/// these rows are some.
TEST(CollectiveLogs, AreHeldAgainstAMachine) {
    const TemporaryFolder folder;
    const std::string file = folder.file("h100.log", eight_h100());
    const std::vector<std::string> held = {"trace", file, "--of", "collective", "--machine", "h100-nvs8"};
    const nlohmann::json values = nlohmann::json::parse(
        printed({"trace", file, "--of", "collective", "--machine", "h100-nvs8", "--json"}));
    const nlohmann::json& last = values["sizes"][8];
    const nlohmann::json alone =
        nlohmann::json::parse(printed({"collective", "all-reduce", "--bytes", "536870912", "--chips", "8",
                                       "--machine", "h100-nvs8", "--json"}));
    EXPECT_EQ(last["predicted_s"], alone["modelled_in_s"]);
    EXPECT_GT(last["expected_s"].get<double>(), last["low_s"].get<double>());
    EXPECT_LT(last["low_s"].get<double>(), last["time_s"].get<double>());
    EXPECT_GT(last["high_s"].get<double>(), last["time_s"].get<double>());
    EXPECT_GT(values["predicted_fit"]["bandwidth_bytes_per_s"].get<double>(), 0);
    const Finished words = meshslice_command(held);
    ASSERT_EQ(words.exit_code, 0) << words.err;
    EXPECT_THAT(words.out, AllOf(HasSubstr("; ours reaches "), HasSubstr(" is expected."),
                                 HasSubstr("measured against it"), HasSubstr("inside")));
    EXPECT_EQ(meshslice_command({"trace", file, "--of", "collective", "--machine", "h100-nvs8", "--svg",
                                 folder.path("rates.svg")})
                  .exit_code,
              0);
    EXPECT_THAT(file_content(folder.path("rates.svg")),
                AllOf(HasSubstr("measured"), HasSubstr("expected by measured runs")));
}

/// Of an all-to-all nccl-tests say what a rank sends, and collective takes the array of all ranks.
TEST(CollectiveLogs, OfAnAllToAllAreOfWhatARankSends) {
    const TemporaryFolder folder;
    const std::string file =
        folder.file("a2a.log", log_of("alltoall_perf", 8, {{1'000'000, 30}, {8'000'000, 60}}));
    const nlohmann::json values = nlohmann::json::parse(
        printed({"trace", file, "--of", "collective", "--machine", "h100-nvs8", "--json"}));
    const nlohmann::json alone =
        nlohmann::json::parse(printed({"collective", "all-to-all", "--bytes", "64000000", "--chips", "8",
                                       "--machine", "h100-nvs8", "--json"}));
    EXPECT_EQ(values["sizes"][1]["predicted_s"], alone["modelled_in_s"]);
    EXPECT_NEAR(values["sizes"][1]["busbw_bytes_per_s"].get<double>(), 7.0 / 8 * 8e6 / 60e-6, 1);
}

/// Rows that evidence reads again.
TEST(CollectiveLogs, BecomeRowsOfEvidence) {
    const TemporaryFolder folder;
    const std::string file = folder.file("h100.log", eight_h100());
    ASSERT_EQ(meshslice_command({"trace", file, "--of", "collective", "--machine", "h100-nvs8", "--row",
                                 folder.path("rows.csv")})
                  .exit_code,
              0);
    const nlohmann::json rows = nlohmann::json::parse(
        printed({"evidence", "collectives", "--file", folder.path("rows.csv"), "--json"}))["rows"];
    ASSERT_EQ(rows.size(), 9U);
    EXPECT_NEAR(rows[8]["measured"].get<double>(), 2111.06e-6, 1e-9) << rows[8];
}

TEST(CollectiveLogs, SayWhatIsWrong) {
    const TemporaryFolder folder;
    const std::string file = folder.file("h100.log", eight_h100());
    const auto refusal = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"trace", file});
        return meshslice_command(words).err;
    };
    EXPECT_THAT(refusal({"--of", "plan", "--model", "llama-3-8b", "--machine", "h100", "--chips", "8",
                         "--batch", "8"}),
                HasSubstr("is a log of nccl-tests, which is held against a collective; expected --of "
                          "collective."));
    EXPECT_THAT(refusal({"--trace", folder.path("t.json")}), HasSubstr("--trace has no effect"));
    EXPECT_THAT(refusal({"--step", "2"}), HasSubstr("--step has no effect"));
    EXPECT_THAT(refusal({"--of", "collective", "--machine", "tpu-v5e"}),
                HasSubstr("which axes take part is not said; --axes X=16 works"));
    EXPECT_EQ(refusal({"--of", "collective", "--machine", "h100-nvs8", "--chips", "4"}),
              "meshslice: --chips: 4 chips, where " + file + " has 8 ranks; expected as many.\n");
    EXPECT_THAT(refusal({"--of", "collective", "--machine", "h100-nvs8", "--axes", "X=2,Y=8"}),
                HasSubstr("--axes: 16 chips, where "));
    EXPECT_THAT(refusal({"--of", "collective", "--machine", "tpu-v5e", "--axes", "X=4"}),
                HasSubstr("--axes: 4 chips, where "));
    EXPECT_EQ(refusal({"--of", "collective", "--machine", "h100-nvs8", "--chips", "8"}), "");
    EXPECT_EQ(refusal({"--of", "collective", "--machine", "tpu-v5e", "--axes", "X=8"}), "");
}

} // namespace
} // namespace meshslice::test
