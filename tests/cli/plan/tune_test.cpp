// The autotuner on the command line: what it prints for people and for programs, and what it refuses.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace meshslice::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The paper's main example: of all algorithms and meshes of 256 chips MeshSlice on 32x8.
TEST(TuneCommand, RanksAlgorithmsAndMeshes) {
    const Finished all =
        meshslice_command({"tune", "--model", "gpt3-175b", "--chips", "256", "--hbm-capacity", "61 GB"});
    EXPECT_EQ(all.exit_code, 0) << all.err;
    EXPECT_THAT(all.out, StartsWith("Best: MeshSlice 32x8, S = "));
    EXPECT_THAT(all.out, HasSubstr("why it is behind"));
    EXPECT_THAT(all.out, HasSubstr("Not run: Cannon on 8 meshes."));
    EXPECT_THAT(all.out, HasSubstr("Times are of one block, memory is of all 96."));
    EXPECT_THAT(all.out, HasSubstr("All 96 blocks: 5.9"));
    EXPECT_THAT(all.out, HasSubstr(" of which do not fit; --top 39 shows all"));
}

/// Two algorithms on the nine meshes of 256 chips, the first two simulated, in one object.
TEST(TuneCommand, PrintsJson) {
    const Finished run = meshslice_command(
        {"tune", "--algorithm", "collective", "meshslice", "--json", "--hbm-capacity", "61 GB"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    ASSERT_EQ(json["ranked"].size(), 18u);
    EXPECT_EQ(json["ranked"][0]["algorithm"], "meshslice");
    EXPECT_EQ(json["ranked"][0]["mesh"], "32x8");
    EXPECT_EQ(json["ranked"][0]["gemms"].size(), 12u);
    EXPECT_EQ(json["layers"], 96);
    double before = 0;
    std::int64_t needed = 0;
    for (const auto& candidate : json["ranked"]) {
        const auto total = candidate["memory_bytes"]["total"].get<std::int64_t>();
        EXPECT_EQ(candidate["fits"], total <= json["hbm_bytes"].get<std::int64_t>());
        const double time = candidate["estimated_s"];
        if (candidate["fits"]) { // The fastest first; then what does not fit, the least first.
            EXPECT_EQ(needed, 0) << "what does not fit comes last";
            EXPECT_GE(time, before);
            before = time;
        } else {
            EXPECT_GE(total, needed);
            needed = total;
        }
        double sum = 0;
        for (const auto& gemm : candidate["gemms"]) {
            sum += gemm["estimated_s"].get<double>();
        }
        EXPECT_NEAR(sum, time, 1e-9);
        EXPECT_DOUBLE_EQ(candidate["model_time_s"].get<double>(), 96 * time);
    }
}

/// The paper keeps the largest matrix where it is (section 3.2.1): of 1024 x 16384 by 16384 x 16384 that is
/// B, the right one. The ranking is of OS, which moves B, and says what RS would take; asked for, RS takes
/// just that.
TEST(TuneCommand, SaysWhichDataflowIsFasterForOneGemm) {
    const std::vector<std::string> gemm = {"tune", "--gemm", "1024x16384x16384", "--chips", "16"};
    const Finished people = meshslice_command(gemm);
    EXPECT_THAT(people.out, HasSubstr("\nThe best of each dataflow: RS "));
    EXPECT_THAT(people.out, HasSubstr("Ranked here is OS; --dataflow RS ranks the faster one"));

    std::vector<std::string> in_json = gemm;
    in_json.emplace_back("--json");
    const auto by_default = nlohmann::json::parse(meshslice_command(in_json).out);
    in_json.insert(in_json.end(), {"--dataflow", "RS"});
    const auto right = nlohmann::json::parse(meshslice_command(in_json).out);
    ASSERT_EQ(by_default["by_dataflow"].size(), 3u);
    EXPECT_EQ(by_default["by_dataflow"][0]["dataflow"], "RS");
    EXPECT_EQ(by_default["by_dataflow"][0]["estimated_s"], right["ranked"][0]["estimated_s"]);
    EXPECT_LT(right["ranked"][0]["estimated_s"].get<double>(),
              by_default["ranked"][0]["estimated_s"].get<double>());
    EXPECT_EQ(right["by_dataflow"], by_default["by_dataflow"]);
}

/// GPT-3 needs 2.8 TB of weights and Adam alone: four chips of 32 GB hold nothing of it. That is an answer.
TEST(TuneCommand, SaysThatNothingFitsAndWhatNeedsLeast) {
    const Finished run = meshslice_command({"tune", "--chips", "4", "--batch", "4"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("Nothing fits into the memory of a chip. "));
    EXPECT_THAT(run.out, HasSubstr(" needs the least: "));
    EXPECT_THAT(run.out, HasSubstr("does not fit: "));
    EXPECT_THAT(run.out, HasSubstr("\nMemory of the one that needs least, a chip: weights "));
    EXPECT_THAT(run.out, Not(HasSubstr("Best: ")));
}

/// MeshSlice + DP keeps a copy of GPT-3's weights in every layer of chips: on TPU v4 with 61 GB the fastest
/// of all does not fit. It stands apart, below all that fits, without a rank.
TEST(TuneCommand, WhatDoesNotFitStandsApart) {
    const Finished run = meshslice_command({"tune", "--hardware", "tpu-v4", "--algorithm", "meshslice-dp",
                                            "meshslice", "--top", "100", "--hbm-capacity", "61 GB"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("Best: MeshSlice 64x4"));
    const std::size_t gap = run.out.find("\n\n-");
    ASSERT_NE(gap, std::string::npos) << run.out;
    EXPECT_EQ(run.out.substr(0, gap).find("does not fit"), std::string::npos);
    EXPECT_THAT(run.out.substr(gap), HasSubstr("does not fit: 68.3 of 61.0 GB"));
}

/// Table 1 row by row: FF2's X is its largest matrix; the plan and its times are in the JSON too.
TEST(TuneCommand, ShowsWhatStays) {
    const Finished people = meshslice_command({"tune", "--dataflows", "--top", "1"});
    EXPECT_EQ(people.exit_code, 0) << people.err;
    EXPECT_THAT(people.out, HasSubstr("nothing is transposed between layers"));
    EXPECT_THAT(people.out, HasSubstr("W^T out x in"));
    EXPECT_THAT(people.out, Not(HasSubstr("no layer transposed"))); // Y, Y, Y, X: none is.
    const Finished programs =
        meshslice_command({"tune", "--dataflows", "--algorithm", "meshslice", "--json"});
    const auto json = nlohmann::json::parse(programs.out);
    EXPECT_EQ(json["dataflows"]["heuristic"]["layers"][3]["stationary"], "X");
    EXPECT_EQ(json["dataflows"]["heuristic"]["estimated_s"], json["ranked"][0]["estimated_s"]);
}

/// Llama 3 8B with few tokens on eight chips that hold it: 1D tensor parallelism beats SUMMA, and says itself
/// what stays. The dataflows are then those of the best that leaves it open.
TEST(TuneCommand, SearchesTheDataflowsOfWhatLeavesThemOpen) {
    const std::vector<std::string> few = {
        "tune", "--model",    "llama-3-8b", "--hardware",  "tpu-v4-cloud", "--chips", "8",          "--batch",
        "1",    "--sequence", "512",        "--algorithm", "1d-tp",        "summa",   "--dataflows"};
    const Finished people = meshslice_command(few);
    ASSERT_EQ(people.exit_code, 0) << people.err;
    EXPECT_THAT(people.out, StartsWith("Best: 1D tensor parallel ring of 8: one block "));
    EXPECT_THAT(people.out,
                HasSubstr("1D tensor parallel says itself which matrix of a layer stays. The best "
                          "that leaves it open is "));
    // With few tokens W is the largest matrix, which the search transposes layer by layer; the ranking does
    // not.
    EXPECT_THAT(people.out, HasSubstr("W-stationary, transposed"));
    EXPECT_THAT(people.out, HasSubstr("is the same choice with no layer transposed"));
    std::vector<std::string> programs = few;
    programs.push_back("--json");
    const auto json = nlohmann::json::parse(meshslice_command(programs).out);
    for (const auto& candidate : json["ranked"]) {
        if (candidate["algorithm"] != "1d-tp" && candidate["algorithm"] != "fsdp") { // the first of the rest
            EXPECT_EQ(json["dataflows"]["algorithm"], candidate["algorithm"]);
            EXPECT_EQ(json["dataflows"]["mesh"], candidate["mesh"]);
            break;
        }
    }
}

/// Faults name places on the scenario's mesh, 32x8: what is simulated there has them, the rest has not, and
/// both is said. 256 chips are as many as the mesh has, so that it stays the one that the faults name.
TEST(TuneCommand, SimulatesWithTheFaultsOfTheirMesh) {
    for (const std::vector<std::string>& chips : {std::vector<std::string>{}, {"--chips", "256"}}) {
        std::vector<std::string> arguments = {"tune", "--algorithm", "meshslice",    "--simulate",
                                              "2",    "--fault",     "3,5 core 50%", "--json"};
        arguments.insert(arguments.end(), chips.begin(), chips.end());
        const Finished run = meshslice_command(arguments);
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const auto json = nlohmann::json::parse(run.out);
        for (std::size_t k = 0; k < 2; ++k) {
            const auto& one = json["ranked"][k];
            EXPECT_EQ(one["simulated_with_faults"], one["mesh"] == "32x8");
        }
        EXPECT_EQ(json["ranked"][0]["mesh"], "32x8");
        EXPECT_THAT(json["simulation"].get<std::string>(),
                    StartsWith("On 32x8, MeshSlice is simulated with"));
        EXPECT_FALSE(json["ranked"][2].contains("simulated_with_faults"));
    }
    const Finished table =
        meshslice_command({"tune", "--algorithm", "meshslice", "--simulate", "2", "--fault", "3,5 core 50%"});
    EXPECT_THAT(table.out, HasSubstr("with faults"));
    // Late synchronizations have no place: every mesh of any number of chips has them.
    EXPECT_EQ(meshslice_command({"tune", "--chips", "64", "--batch", "32", "--algorithm", "meshslice",
                                 "--simulate", "1", "--jitter", "2us"})
                  .exit_code,
              0);
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
    EXPECT_THAT(refusal({"--chips", "64", "--fault", "3,5 core 50%"}),
                HasSubstr("does not say which; the mesh 32x8 has 256 chips. Use --mesh, such as 8x8, "
                          "instead."));
    EXPECT_THAT(refusal({"--chips", "512", "--fault", "100,5 core 50%"}),
                HasSubstr("No mesh of 512 chips has all of them."));
    EXPECT_THAT(refusal({"--chips", "512", "--fault", "100,3 core 50%"}),
                HasSubstr("Use --mesh, such as 128x4, instead."));
    EXPECT_THAT(refusal({"--fault", "100,5 core 50%"}), HasSubstr("a chip that the mesh 32x8 does not have"));
    EXPECT_THAT(refusal({"--chips", "7"}), HasSubstr("does not divide by 7"));
}

/// The default mesh, 32x8, is none that TPU v6e has; --chips does not ask for it. A number of chips that it
/// cannot arrange is refused.
TEST(TuneCommand, ArrangesChipsOnMachinesWithoutTheDefaultMesh) {
    const Finished run = meshslice_command({"tune", "--hardware", "tpu-v6e", "--chips", "256", "--model",
                                            "llama-3-70b", "--batch", "32", "--algorithm", "meshslice"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("Best: MeshSlice 16x16, S = "));
    EXPECT_EQ(meshslice_command({"tune", "--hardware", "tpu-v6e", "--chips", "1024"}).exit_code, 2);
    // GPUs that form one ring, by every algorithm and by one of theirs.
    for (const std::vector<std::string>& only : {std::vector<std::string>{}, {"--algorithm", "t3"}}) {
        std::vector<std::string> arguments = {"tune", "--hardware", "t3-paper",     "--chips",
                                              "8",    "--gemm",     "4096x1024x512"};
        arguments.insert(arguments.end(), only.begin(), only.end());
        const Finished ring = meshslice_command(arguments);
        EXPECT_EQ(ring.exit_code, 0) << ring.err;
        EXPECT_THAT(ring.out, HasSubstr("ring of 8"));
    }
}

/// TPU v6e has wrap-around links along axes of 16 chips: 64 chips make 16x4 with one axis open, 8x8 with
/// both.
TEST(TuneCommand, SaysWhichRingsAreOpen) {
    const std::vector<std::string> arguments = {"tune",    "--hardware",  "tpu-v6e",   "--chips",     "64",
                                                "--batch", "32",          "--model",   "llama-3-70b", "--top",
                                                "8",       "--algorithm", "meshslice", "collective"};
    const Finished run = meshslice_command(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("has no wrap-around links along the "));
    EXPECT_THAT(run.out, HasSubstr(" open rings too."));
    std::vector<std::string> as_json = arguments;
    as_json.emplace_back("--json");
    const auto json = nlohmann::json::parse(meshslice_command(as_json).out);
    EXPECT_THAT(json["rings"].get<std::string>(), HasSubstr("has no wrap-around links along the "));
    EXPECT_THAT(meshslice_command({"tune", "--mesh", "4x4", "--batch", "8"}).out,
                Not(HasSubstr("wrap-around links")));
}

} // namespace
} // namespace meshslice::test
