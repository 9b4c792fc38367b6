#include "tests/cli/support/chrome_trace_checker.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Simulates with both exports and checks one against the other and against the JSON answer.
/// `cores_wait`: for what arrives by a link; in a GEMM that feeds a ring none does.
void expect_sound_exports(std::vector<std::string> arguments, std::size_t products, bool cores_wait = true) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("trace.json");
    const std::string table = folder.path("intervals.csv");
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--trace", trace, "--trace-chips", "all", "--intervals", table});
    const json step = meshslice_json(arguments);
    ASSERT_EQ(step.at("gemms").size(), products);
    EXPECT_THAT(folder.names(), ElementsAre("intervals.csv", "trace.json")); // and no ".part"

    const CheckedTrace checked = check_chrome_trace(file_content(trace), step.at("time_s").get<double>());
    EXPECT_THAT(checked.findings, IsEmpty());
    EXPECT_GT(checked.complete_events, 0);
    EXPECT_EQ(checked.flows > 0, cores_wait);
    EXPECT_EQ(checked.waits > 0, cores_wait) << "for the first shards at least";
    EXPECT_GT(checked.counts, 0);

    const std::string lines = file_content(table);
    EXPECT_THAT(lines,
                StartsWith("chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass,memory_share\n"));
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1 + checked.complete_events);
}

TEST(CliTrace, IsSoundForASingleProduct) {
    expect_sound_exports({"--gemm", "1024x1024x1024", "--mesh", "2x2", "--slices", "4"}, 1);
}

TEST(CliTrace, IsSoundForEveryAlgorithmAndDataflow) {
    for (const char* algorithm : {"collective", "meshslice"}) {
        for (const char* dataflow : {"OS", "LS", "RS"}) {
            SCOPED_TRACE(std::string(algorithm) + " " + dataflow);
            expect_sound_exports({"--gemm", "512x256x128", "--mesh", "4x2", "--algorithm", algorithm,
                                  "--dataflow", dataflow, "--slices",
                                  algorithm == std::string("meshslice") ? "2" : "1"},
                                 1);
        }
    }
}

/// With the rows of its memories, bar by bar.
TEST(CliTrace, IsSoundForAGemmThatFeedsARing) {
    for (const char* policy : {"ideal", "round-robin", "communication-aware", "compute-first"}) {
        SCOPED_TRACE(policy);
        expect_sound_exports({"--algorithm", "t3", "--hardware", "t3-paper", "--mesh", "4", "--ring",
                              "one-way", "--gemm", "1024x1024x4096", "--dataflow", "LS", "--arbitration",
                              policy},
                             1, false);
    }
}

/// A memory of its own for each stream has share 1; shared by max-min, less at times. What
/// the gather takes is not a stream of theirs. Other rows have none.
TEST(CliTrace, SaysTheShareOfAMemoryInItsTable) {
    for (const char* policy : {"ideal", "communication-aware"}) {
        const TemporaryFolder folder;
        const std::string table = folder.path("intervals.csv");
        ASSERT_EQ(meshslice_command({"simulate", "--algorithm", "t3", "--hardware", "t3-paper", "--mesh", "8",
                                     "--ring", "one-way", "--gemm", "8192x4256x17024", "--dataflow", "LS",
                                     "--arbitration", policy, "--intervals", table})
                      .exit_code,
                  0);
        int memory_rows = 0;
        int shared = 0;
        std::istringstream lines(file_content(table));
        for (std::string line; std::getline(lines, line);) {
            const std::string share = line.substr(line.rfind(',') + 1);
            if (line.find("memory: ") == std::string::npos) {
                EXPECT_TRUE(share.empty() || share == "memory_share") << line;
                continue;
            }
            ++memory_rows;
            const double value = std::stod(share);
            EXPECT_GT(value, 0) << line;
            EXPECT_LE(value, 1) << line;
            if (line.find("memory: collectives") != std::string::npos) {
                EXPECT_NEAR(value, 0.3, 1e-6) << line; // the gather reads and writes at 150 GB/s of 1 TB/s
                continue;
            }
            shared += value < 1 ? 1 : 0;
        }
        EXPECT_GT(memory_rows, 0);
        EXPECT_EQ(shared > 0, policy == std::string("communication-aware"));
    }
}

/// Twelve GEMMs one after the other: the second starts where the first ends, or the end would not fit.
TEST(CliTrace, IsSoundForAWholeTrainingStep) {
    expect_sound_exports({"--model", "llama-3-8b", "--mesh", "4x2", "--batch", "4"}, 12);
}

TEST(CliTrace, NamesChipsCoresAndLinks) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("trace.json");
    ASSERT_EQ(meshslice_command({"simulate", "--gemm", "256x256x256", "--mesh", "2x2", "--trace", trace,
                                 "--trace-chips", "all"})
                  .exit_code,
              0);
    const std::string content = file_content(trace);
    for (const char* name :
         {"chip 0,0", "chip 1,1", "core", "north link", "south link", "east link", "west link"}) {
        EXPECT_THAT(content, HasSubstr('"' + std::string(name) + '"'));
    }
}

/// One chip has no neighbour, so its only event is the multiplication.
TEST(CliTrace, IsSoundForOneChip) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("trace.json");
    const json step = meshslice_json({"simulate", "--gemm", "256x256x256", "--mesh", "1x1", "--algorithm",
                                      "collective", "--trace", trace});
    const CheckedTrace checked = check_chrome_trace(file_content(trace), step.at("time_s").get<double>());
    EXPECT_THAT(checked.findings, IsEmpty());
    EXPECT_EQ(checked.complete_events, 1);
}

/// Of eight chips on 4x2: all, those of the first two rows, and one for all that are alike, which are those
/// that need not be asked for.
TEST(CliTrace, HoldsTheChipsThatAreAskedFor) {
    const auto chips_of = [](std::vector<std::string> chosen) {
        const TemporaryFolder folder;
        const std::string trace = folder.path("trace.json");
        std::vector<std::string> arguments = {"simulate", "--gemm", "512x512x512", "--mesh", "4x2",
                                              "--slices", "2",      "--trace",     trace};
        arguments.insert(arguments.end(), chosen.begin(), chosen.end());
        EXPECT_EQ(meshslice_command(arguments).exit_code, 0);
        EXPECT_THAT(check_chrome_trace(file_content(trace)).findings, IsEmpty());
        std::vector<std::string> names;
        const json whole = json::parse(file_content(trace));
        for (const json& event : whole["traceEvents"]) {
            if (event["name"] == "process_name") {
                names.push_back(event["args"]["name"]);
            }
        }
        return names;
    };
    EXPECT_EQ(chips_of({"--trace-chips", "all"}).size(), 9u);
    EXPECT_EQ(chips_of({}), chips_of({"--trace-chips", "alike"}));
    EXPECT_THAT(chips_of({"--trace-chips", "0..1,*"}),
                ElementsAre("chip 0,0", "chip 0,1", "chip 1,0", "chip 1,1", "all 8 chips"));
    EXPECT_THAT(chips_of({"--trace-chips", "3,1 0,0"}), ElementsAre("chip 0,0", "chip 3,1", "all 8 chips"));
    EXPECT_THAT(chips_of({"--trace-chips", "alike"}), ElementsAre("chip 0,0", "all 8 chips"))
        << "on a closed torus all are alike";
}

TEST(CliTrace, SaysWhichChipsThereAre) {
    const TemporaryFolder folder;
    const auto refused = [&](const char* chips) {
        const Finished run = meshslice_command({"simulate", "--gemm", "256x256x256", "--mesh", "2x2",
                                                "--trace", folder.path("t.json"), "--trace-chips", chips});
        EXPECT_EQ(run.exit_code, 2) << chips;
        return run.err;
    };
    EXPECT_THAT(refused("2,0"),
                HasSubstr("MeshSlice has no chip with coordinate 2 along axis 1: its mesh is 2x2."));
    EXPECT_THAT(refused("0"), HasSubstr("A chip of MeshSlice has other coordinates: its mesh is 2x2."));
    EXPECT_THAT(refused("first"), HasSubstr("\"first\" selects no chip; use all, alike"));
    EXPECT_THAT(refused("all 0,0"), HasSubstr("\"all\" stands alone"));
    EXPECT_THAT(refused("3..1,0"), HasSubstr("selects no chip"));
    EXPECT_THAT(folder.names(), IsEmpty());
    EXPECT_EQ(meshslice_command({"simulate", "--mesh", "2x2", "--trace-chips", "all"}).exit_code, 2)
        << "without a trace";
}

TEST(CliTrace, ReplacesAFileThatIsThere) {
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace.json", "something older");
    ASSERT_EQ(
        meshslice_command({"simulate", "--gemm", "64x64x64", "--mesh", "2x2", "--trace", trace}).exit_code,
        0);
    EXPECT_THAT(check_chrome_trace(file_content(trace)).findings, IsEmpty());
}

/// Writing a new file and renaming it would replace the device by a file.
TEST(CliTrace, WritesIntoADeviceWithoutReplacingIt) {
    EXPECT_EQ(meshslice_command({"simulate", "--gemm", "64x64x64", "--mesh", "2x2", "--trace", "/dev/null"})
                  .exit_code,
              0);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// A shell waits until the file, which has no name yet, is open, and ends the program: the exit code that it
/// sees is 128 + 15.
TEST(CliTrace, LeavesNothingWhenItIsEnded) {
    const TemporaryFolder folder;
    const std::string kept = folder.file("intervals.csv", "kept");
    const std::string script = R"(
        "$0" simulate --mesh 16x8 --batch 64 --jitter 1us --intervals "$1" > /dev/null 2>&1 &
        while kill -0 $! && ! ls -l /proc/$!/fd | grep -q "${1%/*}/[#.]"; do sleep 0.01; done
        kill -TERM $! && wait $!
        echo $?)";
    const Finished finished = run_process({"/bin/sh", "-c", script, MESHSLICE_COMMAND, kept});
    EXPECT_EQ(finished.out, "143\n") << finished.err;
    EXPECT_THAT(folder.names(), ElementsAre("intervals.csv"));
    EXPECT_EQ(file_content(kept), "kept");
}

/// With a second algorithm the trace holds the chips of both, and so do the words: Collective is MeshSlice's
/// one slice, and as fast.
TEST(TraceFile, HoldsBothAlgorithmsWhereTwoAreCompared) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("both.json");
    const Finished run = meshslice_command({"simulate", "--gemm", "256x256x256", "--mesh", "2x2", "--slices",
                                            "1", "--compare", "collective", "--trace", trace});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("\nCompared with Collective 2x2: "));
    EXPECT_THAT(run.out, testing::HasSubstr("\nBoth take the same time.\n"));
    const std::string content = file_content(trace);
    EXPECT_THAT(content, testing::HasSubstr("MeshSlice: chip 0,0"));
    EXPECT_THAT(content, testing::HasSubstr("Collective: chip 0,0"));
    const Finished unknown = meshslice_command({"simulate", "--mesh", "2x2", "--compare", "cannons"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, testing::HasSubstr("cannon"));
}

} // namespace
} // namespace meshslice::test
