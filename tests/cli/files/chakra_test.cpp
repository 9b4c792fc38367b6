// A plan written for ASTRA-sim, and one of its traces read back.

#include "core/import/chakra_trace.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<std::string> two_stages = {
    "launch",  "astra-sim", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--chips",    "8",
    "--batch", "8",         "--pp",    "2",          "--tp",      "2",         "--schedule", "1f1b"};

TEST(AstraSim, GetsATraceForEachChip) {
    const TemporaryFolder folder;
    std::vector<std::string> asked = two_stages;
    asked.insert(asked.end(), {"--out", folder.path("traces")});
    const Finished ran = meshslice_command(asked);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("--workload-configuration=" + folder.path("traces") + "/plan"),
                               HasSubstr("COMP_NODE")));
    for (int rank = 0; rank < 8; ++rank) {
        const auto trace = read_chakra_file(folder.path("traces/plan." + std::to_string(rank) + ".et"));
        ASSERT_TRUE(trace) << trace.error().sentence;
        EXPECT_GT(trace->nodes.size(), 100U);
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path("traces/plan.8.et")));
    EXPECT_THAT(file_content(folder.path("traces/network.yml")),
                AllOf(HasSubstr("topology: [ Switch ]"), HasSubstr("npus_count: [ 8 ]")));
    const auto groups = nlohmann::json::parse(file_content(folder.path("traces/comm_group.json")));
    EXPECT_EQ(groups["1"], nlohmann::json({0, 1})) << "the tensor-parallel group of chip 0";
    EXPECT_EQ(nlohmann::json::parse(file_content(folder.path("traces/system.json")))["roofline-enabled"], 0);
}

/// Of a stage all its work; what a stage waits for the other is not in its trace.
TEST(AstraSim, HasTheTimesOfThePlan) {
    const TemporaryFolder folder;
    std::vector<std::string> asked = two_stages;
    asked.insert(asked.end(), {"--out", folder.path("traces")});
    ASSERT_EQ(meshslice_command(asked).exit_code, 0);
    const auto read = nlohmann::json::parse(printed({"trace", folder.path("traces/plan.7.et"), "--json"}));
    EXPECT_EQ(read["writer"], "MeshSlice Explorer");
    EXPECT_EQ(read["measured"], false) << "times of a plan";
    EXPECT_THAT(printed({"trace", folder.path("traces/plan.7.et")}),
                AllOf(HasSubstr("bytes by operation: "), HasSubstr("receive "), HasSubstr("reduce-scatter ")))
        << "of different operations no sum";
    std::vector<std::string> plan = two_stages;
    plan.erase(plan.begin() + 1);
    plan.front() = "plan";
    plan.emplace_back("--json");
    const auto planned = nlohmann::json::parse(printed(plan))["plans"][0];
    const double step = planned["time_s"].get<double>();
    EXPECT_LT(read["time_s"].get<double>(), step);
    EXPECT_GT(read["time_s"].get<double>(), 0.6 * step) << "4 micro-batches of 5 passes of both stages";
}

TEST(AstraSim, SaysWhatHasNoEffect) {
    std::vector<std::string> asked = two_stages;
    asked[1] = "megatron";
    asked.insert(asked.end(), {"--out", "traces"});
    EXPECT_THAT(meshslice_command(asked).err, HasSubstr("--out has no effect"));
}

TEST(MachinesFromElsewhere, AreOfCalculonToo) {
    const TemporaryFolder folder;
    const Finished ran =
        meshslice_command({"machine", "from-calculon", source_file("tests/fuzz/seeds/evidence/calculon.json"),
                           "--out", folder.path("mine.json")});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("100 TFLOP/s in bf16"), HasSubstr("Not taken from the file")));
    const std::string model =
        folder.file("small.json", R"({"hidden": 1024, "feedforward": 4096, "seq_size": 512,
        "attn_heads": 16, "attn_size": 64, "num_blocks": 8})");
    EXPECT_EQ(meshslice_command({"validate", folder.path("mine.json")}).exit_code, 0);
    EXPECT_EQ(meshslice_command({"validate", model}).exit_code, 0);
    EXPECT_THAT(printed({"plan", "--machine", folder.path("mine.json"), "--model", model, "--chips", "8",
                         "--batch", "8"}),
                HasSubstr("small on 8 x mine"));
}

/// The chip of one program, the network of another: each file fills what the one before lacks.
TEST(MachinesFromElsewhere, AreSeenFromTheFile) {
    const TemporaryFolder folder;
    const auto seed = [](const char* name) {
        return source_file(std::string("tests/fuzz/seeds/evidence/") + name);
    };
    const Finished chip = meshslice_command(
        {"machine", "from", seed("genz.py"), "--entry", "Large_GPU", "--out", folder.path("chip.json")});
    ASSERT_EQ(chip.exit_code, 0) << chip.err;
    EXPECT_THAT(chip.out, AllOf(HasSubstr("250 TFLOP/s in bf16"), HasSubstr("release_year")));
    const Finished all = meshslice_command({"machine", "from", seed("astra-network.yml"), "--machine",
                                            folder.path("chip.json"), "--out", folder.path("all.json")});
    ASSERT_EQ(all.exit_code, 0) << all.err;
    EXPECT_THAT(all.out, AllOf(HasSubstr("250 TFLOP/s in bf16"), HasSubstr("The number of chips, 4 x 2")));
    EXPECT_EQ(meshslice_command({"validate", folder.path("all.json")}).exit_code, 0);
    EXPECT_EQ(meshslice_json({"machine", "from", seed("aiconfigurator.yaml")})["writer"], "aiconfigurator");
    EXPECT_THAT(meshslice_command({"machine", "from", seed("astra-system.json"), "--entry", "x"}).err,
                HasSubstr("--entry has no effect"));
}

/// What launch writes for ASTRA-sim is read back: rates of links and levels.
TEST(MachinesFromElsewhere, AreOfOurOwnAstraSimFilesToo) {
    const TemporaryFolder folder;
    std::vector<std::string> asked = two_stages;
    asked.insert(asked.end(), {"--out", folder.path("traces")});
    ASSERT_EQ(meshslice_command(asked).exit_code, 0);
    const nlohmann::json read = meshslice_json({"machine", "from", folder.path("traces/network.yml")});
    ASSERT_FALSE(read["levels"].empty());
    EXPECT_NEAR(read["levels"][0]["bytes_per_s"].get<double>(), 0.7 * 450e9, 1e6) << "h100, as it is reached";
}

} // namespace
} // namespace meshslice::test
