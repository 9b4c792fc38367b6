// Logs of training and of serving, on the command line. Their files were written by hand in the form of the
// real programs.

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
using testing::Not;
using testing::StartsWith;

Finished trace_of(const std::string& seed, std::vector<std::string> words) {
    std::vector<std::string> arguments = {"trace", source_file("tests/fuzz/seeds/evidence/" + seed)};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return meshslice_command(std::move(arguments));
}

const std::vector<std::string> held_against_plan = {"--of",       "plan",      "--model",
                                                    "llama-3-8b", "--machine", "h100-nvs8"};

std::vector<std::string> and_more(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(LoggedRuns, TrainingIsItsMedianStep) {
    const Finished printed = trace_of("megatron.log", {});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("Measured: 13.6 s a step, the median of 6 lines"));
    EXPECT_THAT(printed.out, AllOf(HasSubstr("2 lines are left out"), HasSubstr("--dp 4 --pp 1 --tp 2x1")));
}

/// What the log says of the split need not be typed; what is typed counts.
TEST(LoggedRuns, TrainingIsHeldAgainstItsPlan) {
    const Finished printed = trace_of("megatron.log", held_against_plan);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("Measured: a step takes 13.6 s, expected "));
    EXPECT_THAT(printed.out, AllOf(HasSubstr("From the log: --batch 128 --chips 8 --sequence 8192"),
                                   HasSubstr("MFU, attention half"), Not(HasSubstr("The log has"))));
    const Finished other = trace_of("megatron.log", and_more(held_against_plan, {"--batch", "64", "--json"}));
    ASSERT_EQ(other.exit_code, 0) << other.err;
    const nlohmann::json values = nlohmann::json::parse(other.out);
    EXPECT_EQ(values["differences"][0], "The log has sequences of a step: 128, and the plan 64.");
    EXPECT_EQ(values["batch"], 128);
    EXPECT_NEAR(values["time_s"].get<double>(), 13.6207, 1e-9);
    const double expected = values["measured_step"]["expected_s"];
    EXPECT_NEAR(values["measured_step"]["ratio"].get<double>(), 13.6207 / expected, 1e-9);
}

/// Far below what was measured the interval has no room for names of its own lines.
TEST(LoggedRuns, ChartsNameLinesThatAreApart) {
    const TemporaryFolder folder;
    const auto chart = [&](const std::string& machine) {
        const std::string path = folder.path(machine + ".svg");
        const Finished printed = trace_of(
            "megatron.log", {"--of", "plan", "--model", "llama-3-8b", "--machine", machine, "--svg", path});
        EXPECT_EQ(printed.exit_code, 0) << printed.err;
        return file_content(path);
    };
    EXPECT_THAT(chart("b200-nvs8"),
                AllOf(HasSubstr("expected, eight of"), Not(HasSubstr("eight of ten below"))));
    EXPECT_THAT(chart("a100-nvs8"),
                AllOf(HasSubstr("eight of ten below"), Not(HasSubstr("expected, eight of"))));
}

/// The row of the run is one that evidence reads, and says the same of it.
TEST(LoggedRuns, BecomeRowsOfEvidence) {
    const TemporaryFolder folder;
    ASSERT_EQ(
        trace_of("megatron.log", and_more(held_against_plan, {"--row", folder.path("train.csv")})).exit_code,
        0);
    const Finished read =
        meshslice_command({"evidence", "training", "--file", folder.path("train.csv"), "--json"});
    ASSERT_EQ(read.exit_code, 0) << read.err;
    const nlohmann::json row = nlohmann::json::parse(read.out)["rows"][0];
    EXPECT_NEAR(row["measured"].get<double>(), 13.6207, 1e-9) << row;
    EXPECT_GT(row["predicted"].get<double>(), 0);
    const Finished served = trace_of("vllm.json", {"--of", "serve", "--model", "llama-3-8b", "--machine",
                                                   "h100", "--tp", "1", "--row", folder.path("serve.csv")});
    ASSERT_EQ(served.exit_code, 0) << served.err;
    const Finished again =
        meshslice_command({"evidence", "serving", "--file", folder.path("serve.csv"), "--json"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    const nlohmann::json rows = nlohmann::json::parse(again.out)["rows"];
    ASSERT_FALSE(rows.empty());
    EXPECT_GT(rows[0]["predicted"].get<double>(), 0) << rows[0];
}

TEST(LoggedRuns, ServingIsHeldAgainstADeployment) {
    const Finished alone = trace_of("vllm.json", {});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_THAT(alone.out, StartsWith("Measured: first token 180 ms; next token 11.0 ms; 2750 tokens/s."));
    const std::vector<std::string> serve = {"--of",      "serve", "--model", "llama-3-8b",
                                            "--machine", "h100",  "--tp",    "1"};
    const Finished printed = trace_of("vllm.json", serve);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("Measured: first token 180 ms, expected "));
    EXPECT_THAT(printed.out, HasSubstr("2750 tokens/s, expected "));
    EXPECT_THAT(printed.out,
                AllOf(HasSubstr("320 requests of 1024 and 256 tokens, 32 at once"),
                      HasSubstr("From the log: --input 1024 --output 256 --engine vllm --batch 32")));
    const Finished both = trace_of("sglang.jsonl", and_more(serve, {"--json"}));
    ASSERT_EQ(both.exit_code, 0) << both.err;
    const nlohmann::json runs = nlohmann::json::parse(both.out)["runs"];
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_GT(runs[0]["compared"][0]["high"].get<double>(), 0);
    EXPECT_EQ(runs[1]["rate"], 4.0);
    EXPECT_TRUE(runs[1]["compared"][0]["high"].is_null()) << "a simulation has no interval";
    EXPECT_GT(runs[1]["compared"][0]["expected"].get<double>(), 0);
}

TEST(LoggedRuns, AreRefusedWhereTheyDoNotFit) {
    EXPECT_THAT(trace_of("vllm.json", held_against_plan).err, HasSubstr("expected --of serve"));
    EXPECT_THAT(trace_of("megatron.log", {"--of", "serve", "--model", "llama-3-8b"}).err,
                HasSubstr("expected --of plan"));
    EXPECT_THAT(trace_of("megatron.log", {"--step", "2"}).err, HasSubstr("--step has no effect"));
    EXPECT_THAT(trace_of("vllm.json", {"--svg", "-"}).err, HasSubstr("--svg has no effect"));
    EXPECT_THAT(trace_of("kineto.json", {"--row", "-"}).err, HasSubstr("--row has no effect"));
    const TemporaryFolder folder;
    EXPECT_THAT(meshslice_command({"trace", folder.file("a.log", "iteration 3\n")}).err,
                HasSubstr("has no line with \"elapsed time per iteration\""));
}

TEST(LoggedRuns, NsightSystemsIsReadAsAnyTrace) {
    const Finished printed = trace_of("nsight.sqlite", {});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, AllOf(StartsWith("100 µs a step: multiplication and attention 50%"),
                                   HasSubstr("Of 35.0 µs of communication, 15.0 µs (43%) run while")));
}

} // namespace
} // namespace meshslice::test
