// The autotuner on the command line: what it prints for people and for programs, and what it refuses.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace meshslice::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The paper's main example: of all algorithms and meshes of 256 chips MeshSlice on 32x8.
TEST(TuneCommand, RanksAlgorithmsAndMeshes) {
    const Finished all = meshslice_command({"tune", "--model", "gpt3-175b", "--chips", "256"});
    EXPECT_EQ(all.exit_code, 0) << all.err;
    EXPECT_THAT(all.out, StartsWith("Best: MeshSlice 32x8, S = "));
    EXPECT_THAT(all.out, HasSubstr("why it is behind"));
    EXPECT_THAT(all.out, HasSubstr("Not run: Cannon on 8 meshes."));
    EXPECT_THAT(all.out, HasSubstr("more; --top"));
}

/// Two algorithms on the nine meshes of 256 chips, the first two simulated, in one object.
TEST(TuneCommand, PrintsJson) {
    const Finished run = meshslice_command({"tune", "--algorithm", "collective", "meshslice", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    ASSERT_EQ(json["ranked"].size(), 18u);
    EXPECT_EQ(json["ranked"][0]["algorithm"], "meshslice");
    EXPECT_EQ(json["ranked"][0]["mesh"], "32x8");
    EXPECT_EQ(json["ranked"][0]["gemms"].size(), 12u);
    double before = 0;
    for (const auto& candidate : json["ranked"]) {
        EXPECT_GE(candidate["estimated_s"].get<double>(), before);
        before = candidate["estimated_s"];
        double sum = 0;
        for (const auto& gemm : candidate["gemms"]) {
            sum += gemm["estimated_s"].get<double>();
        }
        EXPECT_NEAR(sum, before, 1e-9);
    }
}

/// Table 1 row by row: FF2's X is its largest matrix; the plan and its times are in the JSON too.
TEST(TuneCommand, ShowsWhatStays) {
    const Finished people = meshslice_command({"tune", "--dataflows", "--top", "1"});
    EXPECT_EQ(people.exit_code, 0) << people.err;
    EXPECT_THAT(people.out, HasSubstr("nothing is transposed between layers"));
    EXPECT_THAT(people.out, HasSubstr("W^T out x in"));
    const Finished programs =
        meshslice_command({"tune", "--dataflows", "--algorithm", "meshslice", "--json"});
    const auto json = nlohmann::json::parse(programs.out);
    EXPECT_EQ(json["dataflows"]["heuristic"]["layers"][3]["stationary"], "X");
    EXPECT_EQ(json["dataflows"]["heuristic"]["estimated_s"], json["ranked"][0]["estimated_s"]);
}

/// A header, 9 meshes of Collective and none that does not run.
TEST(TuneCommand, WritesCsv) {
    const std::string path = testing::TempDir() + "tuned.csv";
    const Finished run = meshslice_command({"tune", "--algorithm", "collective", "--csv", path});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::ifstream file(path);
    std::stringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    EXPECT_THAT(text, StartsWith("rank,algorithm,mesh,slices,estimated_s,"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
    std::filesystem::remove(path);
}

TEST(TuneCommand, RefusesWithASentence) {
    const auto refusal = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "tune");
        const Finished run = meshslice_command(arguments);
        EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(arguments);
        EXPECT_TRUE(run.out.empty()) << run.out;
        return run.err;
    };
    EXPECT_THAT(refusal({"--algorithm", "magic"}), HasSubstr("no algorithm \"magic\""));
    EXPECT_THAT(refusal({"--chips", "0"}), HasSubstr("--chips is \"0\""));
    EXPECT_THAT(refusal({"--top", "few"}), HasSubstr("--top is \"few\""));
    EXPECT_THAT(refusal({"--simulate", "-1"}), HasSubstr("--simulate is \"-1\""));
    EXPECT_THAT(refusal({"--mesh", "4x4", "--chips", "8"}), HasSubstr("has 16 chips and --chips says 8"));
    EXPECT_THAT(refusal({"--algorithm", "fsdp", "--dataflows"}), HasSubstr("FSDP says itself"));
    EXPECT_THAT(refusal({"--chips", "7"}), HasSubstr("does not divide by 7"));
    EXPECT_THAT(refusal({"--chips", "4", "--fits-memory"}), HasSubstr("Nothing fits into the 32.0 GB"));
}

} // namespace
} // namespace meshslice::test
