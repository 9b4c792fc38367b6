// A GEMM that feeds its reduce-scatter, on the command line: simulate, estimate and verify.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// FC-2 of T-NLG on eight GPUs.
std::vector<std::string> fc2(const char* command, std::vector<std::string> more) {
    std::vector<std::string> all = {command,           "--hardware", "t3-paper", "--mesh", "8",      "--gemm",
                                    "8192x4256x17024", "--dataflow", "LS",       "--ring", "one-way"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// c = 8192 x 4256 x 2 / 8 = 8716288 bytes. Fused: 7 c written, 6 c read, 7 c added; else 8, 15 and 8.
TEST(CliFedRing, HasItsDramBytesBySource) {
    const json fused = meshslice_json(fc2("simulate", {"--algorithm", "t3"})).at("gemms").at(0);
    EXPECT_EQ(fused.at("dram_bytes"), (json{{"gemm_write", 61'014'016},
                                            {"scatter_read", 52'297'728},
                                            {"scatter_write", 61'014'016},
                                            {"gather_read", 61'014'016},
                                            {"gather_write", 61'014'016}}));
    ASSERT_EQ(fused.at("dram_bytes_by_chip").size(), 8U);
    for (std::size_t chip = 0; chip < 8; ++chip) {
        json of_chip = fused.at("dram_bytes_by_chip").at(chip);
        EXPECT_EQ(of_chip.at("chip"), std::to_string(chip));
        of_chip.erase("chip");
        EXPECT_EQ(of_chip, fused.at("dram_bytes"));
    }
    const json apart = meshslice_json(fc2("simulate", {"--algorithm", "tp-ar"})).at("gemms").at(0);
    EXPECT_EQ(apart.at("dram_bytes").at("gemm_write"), 8 * 8'716'288);
    EXPECT_EQ(apart.at("dram_bytes").at("scatter_read"), 15 * 8'716'288);
    EXPECT_EQ(apart.at("dram_bytes").at("scatter_write"), 8 * 8'716'288);
}

/// At 1 TB/s c takes 8.716288 us: 7 c written and 7 c added at twice the cost, 6 c read. Whatever
/// the policy. Apart the GEMM writes 8 c at the plain cost, and feeds nothing.
TEST(CliFedRing, SaysHowLongMemoryIsBusy) {
    const auto busy = [](std::vector<std::string> more) {
        return meshslice_json(fc2("simulate", std::move(more))).at("gemms").at(0).at("memory_busy_s");
    };
    for (const char* policy : {"round-robin", "communication-aware", "compute-first"}) {
        const json fused = busy({"--algorithm", "t3", "--arbitration", policy});
        EXPECT_NEAR(fused.at("gemm").get<double>(), 14 * 8.716288e-6, 4e-9) << policy;
        EXPECT_NEAR(fused.at("communication").get<double>(), 20 * 8.716288e-6, 4e-9) << policy;
    }
    const json apart = busy({"--algorithm", "tp-ar"});
    EXPECT_NEAR(apart.at("gemm").get<double>(), 8 * 8.716288e-6, 1e-9);
    EXPECT_EQ(apart.at("communication").get<double>(), 0);
    // The scatter reads 15 c and writes 8 c, the gather reads and writes 7 c each.
    EXPECT_NEAR(apart.at("collectives").get<double>(), 37 * 8.716288e-6, 1e-9);
    EXPECT_NEAR(busy({"--algorithm", "t3"}).at("collectives").get<double>(), 14 * 8.716288e-6, 1e-9);
    const json estimated = meshslice_json(fc2("estimate", {"--algorithm", "t3"}));
    EXPECT_FALSE(estimated.at("gemms").at(0).contains("memory_busy_s")); // nothing was recorded
}

/// 894.1 + 438.7 + 410.3 us one after the other; near memory without the last sum of 28.4 us. By round robin
/// 824.37 us of FLOP, 34 accesses of c at 1 TB/s, which are 296.35 us, and 410.26 us. The better memory is
/// shared, the faster.
TEST(CliFedRing, TakesTheArbitrationAndTheReductionThatItIsTold) {
    const auto seconds_of = [](const char* command, std::vector<std::string> more) {
        const json step = meshslice_json(fc2(command, std::move(more)));
        return step.at(std::string(command) == "simulate" ? "time_s" : "estimated_s").get<double>();
    };
    EXPECT_NEAR(seconds_of("simulate", {"--algorithm", "tp-ar"}), 1743.1e-6, 0.5e-6);
    EXPECT_NEAR(seconds_of("estimate", {"--algorithm", "tp-ar"}), 1743.1e-6, 0.5e-6);
    EXPECT_NEAR(seconds_of("simulate", {"--algorithm", "tp-ar", "--reduction", "near-memory"}), 1714.7e-6,
                0.5e-6);
    const double t3 = seconds_of("simulate", {"--algorithm", "t3", "--arbitration", "round-robin"});
    const double t3_mca = seconds_of("simulate", {"--algorithm", "t3"});
    const double ideal = seconds_of("simulate", {"--algorithm", "t3", "--arbitration", "ideal"});
    EXPECT_NEAR(t3, 1530.98e-6, 0.02 * 1531e-6);
    EXPECT_NEAR(seconds_of("estimate", {"--algorithm", "t3", "--arbitration", "round-robin"}), 1530.98e-6,
                1e-6);
    EXPECT_LT(ideal, t3_mca);
    EXPECT_LT(t3_mca, t3);
}

/// The bytes are the same, the time is not: what the last stage makes goes round the whole ring.
TEST(CliFedRing, MakesTheChunksInTheOrderThatItIsTold) {
    const auto step = [](const char* command, const char* order) {
        return meshslice_json(fc2(command, {"--algorithm", "t3", "--chunk-order", order}));
    };
    const json staggered = step("simulate", "staggered"), unstaggered = step("simulate", "unstaggered");
    EXPECT_EQ(unstaggered.at("gemms").at(0).at("dram_bytes"), staggered.at("gemms").at(0).at("dram_bytes"));
    const double time = unstaggered.at("time_s").get<double>();
    EXPECT_NEAR(time / staggered.at("time_s").get<double>(), 1.0265, 0.0005); // The page on T3 says 2.7%.
    EXPECT_EQ(staggered.at("chunk_order"), "staggered");
    EXPECT_EQ(unstaggered.at("chunk_order"), "unstaggered");
    EXPECT_EQ(step("estimate", "unstaggered").at("chunk_order"), "unstaggered");
    EXPECT_FALSE(meshslice_json(fc2("estimate", {"--algorithm", "tp-ar"})).contains("chunk_order"));
    EXPECT_NEAR(step("estimate", "unstaggered").at("estimated_s").get<double>(), time, 0.05 * time);
    EXPECT_THAT(printed({"verify", "--algorithm", "t3", "--hardware", "t3-paper", "--mesh", "8", "--gemm",
                         "1024x1024x64", "--dataflow", "LS", "--chunk-order", "unstaggered"}),
                HasSubstr("correct: largest error 0"));
    const Finished refused =
        meshslice_command(fc2("simulate", {"--algorithm", "tp-ar", "--chunk-order", "unstaggered"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err,
                HasSubstr("--chunk-order has no effect. TP + all-reduce has no chunks to order"));
}

/// Where several algorithms run, one of them has to have an order; the headline says which it is.
TEST(CliFedRing, TakesAnOrderOfChunksForAnyOfTheAlgorithmsThatRun) {
    const auto tune = [](std::vector<std::string> more) {
        std::vector<std::string> all = {"tune",   "--hardware",    "t3-paper",      "--chips",    "8",
                                        "--gemm", "4096x1024x512", "--chunk-order", "unstaggered"};
        all.insert(all.end(), more.begin(), more.end());
        return meshslice_command(all);
    };
    const Finished t3 = tune({"--algorithm", "t3"});
    EXPECT_EQ(t3.exit_code, 0) << t3.err;
    EXPECT_THAT(t3.out, HasSubstr("Best: T3 ring of 8"));
    EXPECT_EQ(tune({}).exit_code, 0);
    EXPECT_EQ(tune({"--algorithm", "tp-ar", "t3"}).exit_code, 0);
    const Finished none = tune({"--algorithm", "tp-ar"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("--chunk-order has no effect. TP + all-reduce has no chunks to order"));
    const auto sweep = [](const char* algorithms) {
        return meshslice_command({"sweep", "--hardware", "t3-paper", "--mesh", "8", "--gemm", "4096x1024x512",
                                  "--dataflow", "LS", "--vary", algorithms, "--chunk-order", "unstaggered"});
    };
    const Finished both = sweep("algorithm=t3,tp-ar");
    EXPECT_EQ(both.exit_code, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("TP + all-reduce"));
    EXPECT_THAT(sweep("algorithm=tp-ar,1d-tp").err, HasSubstr("TP + all-reduce has no chunks to order"));
    const auto words = [](const char* command, const char* order) {
        return printed({command, "--algorithm", "t3", "--hardware", "t3-paper", "--mesh", "8", "--gemm",
                        "1024x1024x64", "--dataflow", "LS", "--chunk-order", order});
    };
    for (const char* const command : {"simulate", "estimate", "verify"}) {
        EXPECT_THAT(words(command, "unstaggered"), HasSubstr(", unstaggered chunks")) << command;
        EXPECT_THAT(words(command, "staggered"), Not(HasSubstr("staggered"))) << command;
    }
}

TEST(CliFedRing, IsVerifiedTileByTile) {
    // A chunk is 1024 x 1024 / 8 elements: 8 tiles of 128 x 128.
    const std::string words =
        printed({"verify", "--algorithm", "t3", "--mesh", "8", "--gemm", "1024x1024x64", "--dataflow", "LS"});
    EXPECT_THAT(words, HasSubstr("correct: largest error 0"));
    EXPECT_THAT(words, HasSubstr("tile by tile, in 5 interleavings: 64 tiles a chip"));
}

/// With many seeds at once, tiles that divide a chunk and one that does not, and with faults that are planted
/// to be found: two by the product, a tile that is kept, too, by the bytes.
TEST(CliFedRing, IsVerifiedWithManySeedsAndPlantedFaults) {
    const auto run = [](const char* gemm, std::vector<std::string> more) {
        std::vector<std::string> all = {"verify", "--algorithm", "t3", "--hardware", "t3-paper", "--mesh",
                                        "3",      "--gemm",      gemm, "--dataflow", "LS"};
        all.insert(all.end(), more.begin(), more.end());
        return meshslice_command(all);
    };
    for (const char* gemm : {"384x384x12", "201x100x12"}) {
        const Finished seeds = run(gemm, {"--seeds", "4", "--seed", "7"});
        EXPECT_EQ(seeds.exit_code, 0) << seeds.err;
        EXPECT_THAT(seeds.out, HasSubstr("seeds 7 to 10: 4 of 4 correct"));
        EXPECT_THAT(seeds.out, HasSubstr("links and DRAM: the bytes that are counted"));
    }
    for (const char* fault : {"threshold-of-one", "not-cleared", "remote-stored-too"}) {
        const Finished planted = run("201x100x12", {"--plant", fault, "--seeds", "2"});
        EXPECT_EQ(planted.exit_code, 1) << fault;
        EXPECT_THAT(planted.out, HasSubstr("WRONG: ")) << fault;
        EXPECT_THAT(planted.out, HasSubstr("seeds 1 to 2: 0 of 2 correct")) << fault;
    }
    EXPECT_THAT(run("201x100x12", {"--plant", "remote-stored-too"}).out,
                HasSubstr("largest error 0, allowed 0\n"));
    EXPECT_THAT(run("201x100x12", {"--plant", "remote-stored-too"}).out, HasSubstr("NOT the bytes"));
    const json counted = json::parse(run("201x100x12", {"--json", "--seeds", "2"}).out);
    EXPECT_EQ(counted.at("seeds"), 2);
    EXPECT_EQ(counted.at("correct_seeds"), 2);
    EXPECT_TRUE(counted.at("bytes_as_counted").get<bool>());
    EXPECT_THAT(run("201x100x12", {"--seeds", "0"}).err,
                HasSubstr("--seeds is \"0\"; expected a whole number from 1"));
    EXPECT_THAT(run("201x100x12", {"--plant", "none"}).err,
                HasSubstr("--plant is \"none\"; expected threshold-of-one, not-cleared, "));
    const Finished apart = meshslice_command(
        {"verify", "--algorithm", "tp-ar", "--mesh", "4", "--gemm", "16x16x16", "--plant", "not-cleared"});
    EXPECT_EQ(apart.exit_code, 2);
    EXPECT_THAT(apart.err, HasSubstr("--plant has no effect: no GEMM of TP + all-reduce feeds its ring"));
}

TEST(CliFedRing, IsRefusedWhereItDoesNotFit) {
    const auto refusal = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        return finished.err;
    };
    EXPECT_THAT(refusal({"simulate", "--algorithm", "t3", "--mesh", "8", "--gemm", "64x64x64", "--dataflow",
                         "LS", "--hardware", "tpu-v4"}),
                HasSubstr("is not a ring of GPUs"));
    EXPECT_THAT(
        refusal({"simulate", "--gemm", "64x64x64", "--mesh", "2x2", "--arbitration", "ideal"}),
        HasSubstr(
            "--arbitration has no effect. \"TPU v4, as in the MeshSlice paper\" is not a ring of GPUs"));
    EXPECT_THAT(refusal(fc2("simulate", {"--algorithm", "t3", "--arbitration", "fair"})),
                HasSubstr("expected communication-aware, round-robin, compute-first or ideal"));
    EXPECT_THAT(refusal(fc2("simulate", {"--algorithm", "t3", "--reduction", "far"})),
                HasSubstr("expected core or near-memory"));
    EXPECT_THAT(refusal({"simulate", "--algorithm", "t3", "--hardware", "t3-paper", "--mesh", "8", "--gemm",
                         "63x62x64", "--dataflow", "LS"}),
                HasSubstr("does not divide"));
    EXPECT_THAT(refusal(fc2("simulate", {"--algorithm", "t3", "--near-memory-cost", "0"})),
                HasSubstr("meshslice: The near-memory cost is 0, which stands for not known; "));
}

/// All that the command takes is listed, tori and rings of GPUs.
TEST(CliFedRing, UnknownHardwareIsAnsweredWithAllNames) {
    for (const char* const command : {"simulate", "estimate", "verify"}) {
        const Finished finished = meshslice_command({command, "--hardware", "nonsense"});
        EXPECT_EQ(finished.exit_code, 2);
        EXPECT_THAT(finished.err, HasSubstr("There is no machine \"nonsense\""));
    }
    EXPECT_THAT(meshslice_command({"simulate", "--hardware", "a100"}).err,
                HasSubstr("a torus, which NVIDIA A100 80 GB, domains of 8 does not have"));
}

/// What changes nothing is refused, and what does is named. FC-2 runs as it is.
TEST(CliFedRing, RefusesWhatHasNoEffect) {
    const auto refusal = [](std::vector<std::string> more) {
        const Finished finished = meshslice_command(fc2("simulate", std::move(more)));
        EXPECT_EQ(finished.exit_code, 2);
        return finished.err;
    };
    EXPECT_THAT(refusal({"--algorithm", "t3", "--chip", "roofline"}),
                HasSubstr("T3 runs with the chip model by-hardware"));
    EXPECT_THAT(refusal({"--algorithm", "tp-ar", "--chip", "constant-rate"}),
                HasSubstr("constant-rate knows no stages"));
    EXPECT_THAT(refusal({"--algorithm", "tp-ar", "--arbitration", "ideal"}),
                HasSubstr("--arbitration has no effect. Nothing of TP + all-reduce overlaps its GEMM"));
    EXPECT_EQ(meshslice_command(fc2("simulate", {"--algorithm", "1d-tp", "--arbitration", "round-robin"}))
                  .exit_code,
              0);
    EXPECT_THAT(refusal({"--algorithm", "t3", "--reduction", "near-memory"}),
                HasSubstr("--reduction has no effect. The GEMM of T3 feeds its reduce-scatter"));
    EXPECT_THAT(refusal({"--algorithm", "1d-tp", "--reduction", "near-memory", "--chip", "roofline"}),
                HasSubstr("--reduction has no effect"));
    // 1D tensor parallel adds up with LS, FSDP with RS; with the others they gather what they multiply.
    const std::vector<std::pair<const char*, const char*>> gathers = {
        {"1d-tp", "OS"}, {"1d-tp", "RS"}, {"fsdp", "OS"}, {"fsdp", "LS"}};
    for (const auto& [id, dataflow] : gathers) {
        const Finished none = meshslice_command({"simulate", "--hardware", "t3-paper", "--mesh", "8",
                                                 "--gemm", "8192x4256x17024", "--dataflow", dataflow,
                                                 "--algorithm", id, "--reduction", "near-memory"});
        EXPECT_EQ(none.exit_code, 2) << id << ' ' << dataflow;
        EXPECT_THAT(none.err, HasSubstr("adds nothing up round the ring; tp-ar does."));
    }
    EXPECT_EQ(meshslice_command(fc2("simulate", {"--algorithm", "1d-tp", "--reduction", "core"})).exit_code,
              0);
    const Finished both =
        meshslice_command(fc2("simulate", {"--algorithm", "tp-ar", "--compare", "t3", "--arbitration",
                                           "round-robin", "--reduction", "near-memory"}));
    EXPECT_EQ(both.exit_code, 0) << both.err;
}

/// A file keeps what another algorithm of it needs, so it is not refused; a flag asks for it now, so it is.
TEST(CliFedRing, TakesAReductionWithoutEffectFromAFileAndRefusesTheFlag) {
    const TemporaryFolder folder;
    json scenario = json::parse(file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json")));
    scenario["hardware"] = "t3-paper";
    scenario["mesh"] = {8};
    scenario["gemm"] = {{"m", 8192}, {"n", 4256}, {"k", 17024}, {"dataflow", "OS"}};
    scenario["algorithm"] = "1d-tp";
    scenario.erase("compare");
    scenario["slices"] = "auto";
    const std::string without = folder.file("without.json", scenario.dump());
    scenario["schedule"]["reduction"] = "near-memory";
    const std::string with = folder.file("with.json", scenario.dump());
    const json answer = meshslice_json({"simulate", "--scenario", with});
    EXPECT_EQ(answer.at("time_s"), meshslice_json({"simulate", "--scenario", without}).at("time_s"));
    for (const std::string& file : {with, without}) {
        const Finished flag =
            meshslice_command({"simulate", "--scenario", file, "--reduction", "near-memory"});
        EXPECT_EQ(flag.exit_code, 2) << file;
        EXPECT_THAT(flag.err, HasSubstr("--reduction has no effect"));
        EXPECT_THAT(flag.err, HasSubstr("adds nothing up round the ring; tp-ar does."));
    }
}

/// Runs that differ by their memory alone do not read alike.
TEST(CliFedRing, SaysHowMemoryIsArbitrated) {
    EXPECT_THAT(printed(fc2("simulate", {"--algorithm", "t3", "--arbitration", "round-robin"})),
                HasSubstr("T3 on a ring of 8, round-robin memory: "));
    EXPECT_THAT(printed(fc2("simulate", {"--algorithm", "t3"})), HasSubstr(", communication-aware memory: "));
    EXPECT_THAT(printed(fc2("simulate", {"--algorithm", "tp-ar"})),
                HasSubstr("TP + all-reduce on a ring of 8: "));
}

/// Twice the compute units make the same tiles at the same rate, in half as many stages: apart nothing
/// changes. Updates that cost what writes do leave the GEMM more of the memory.
TEST(CliFedRing, TakesItsGpusNumbers) {
    const auto seconds_of = [](std::vector<std::string> more) {
        return meshslice_json(fc2("simulate", std::move(more))).at("time_s").get<double>();
    };
    const double apart = seconds_of({"--algorithm", "tp-ar"});
    EXPECT_NEAR(seconds_of({"--algorithm", "tp-ar", "--cores", "x2"}), apart, 1e-9);
    const double cheap = seconds_of({"--algorithm", "t3", "--near-memory-cost", "1"});
    EXPECT_LT(cheap, seconds_of({"--algorithm", "t3"}));
    const Finished tpu =
        meshslice_command({"simulate", "--gemm", "64x64x64", "--mesh", "2x2", "--near-memory-cost", "1.5"});
    EXPECT_EQ(tpu.exit_code, 2);
    EXPECT_THAT(tpu.err, HasSubstr("is not a ring of GPUs"));
}

/// No mesh makes a TPU a ring of GPUs, and the paper's own GPU is named.
TEST(CliFedRing, SuggestsNoMeshWhereTheHardwareIsWrong) {
    const Finished finished =
        meshslice_command({"simulate", "--algorithm", "t3", "--hardware", "tpu-v4", "--mesh", "8", "--gemm",
                           "8192x4256x17024", "--dataflow", "LS"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("such as t3-paper"));
    EXPECT_THAT(finished.err, Not(HasSubstr("Meshes")));
}

/// The average chip's, counted: what the simulation records. A TPU's are not known.
TEST(CliFedRing, EstimatesItsDramBytesToo) {
    for (const char* const id : {"t3", "tp-ar", "1d-tp"}) {
        const json run = meshslice_json(fc2("simulate", {"--algorithm", id})).at("gemms").at(0);
        const json estimated = meshslice_json(fc2("estimate", {"--algorithm", id})).at("gemms").at(0);
        EXPECT_EQ(estimated.at("dram_bytes"), run.at("dram_bytes")) << id;
    }
    const json tpu = meshslice_json({"estimate", "--gemm", "64x64x64", "--mesh", "2x2"});
    EXPECT_FALSE(tpu.at("gemms").at(0).contains("dram_bytes"));
}

/// Round robin stops the GEMM while communication is served, ideal memory does not: 1531 us and what T3 takes
/// without contention.
TEST(CliFedRing, SaysWhyAndWhatContentionCosts) {
    const json run = meshslice_json(fc2("simulate", {"--algorithm", "t3", "--arbitration", "round-robin"}));
    const double ideal =
        meshslice_json(fc2("simulate", {"--algorithm", "t3", "--arbitration", "ideal"})).at("time_s");
    const json& why = run.at("gemms").at(0).at("why");
    EXPECT_DOUBLE_EQ(why.at("time_s_without_contention"), ideal);
    const std::string words = printed(fc2("simulate", {"--algorithm", "t3", "--arbitration", "round-robin"}));
    EXPECT_THAT(words, HasSubstr("Why: Bound by compute: twice the FLOP/s would save "));
    EXPECT_THAT(words, HasSubstr("; without contention for memory it would take "));
    EXPECT_THAT(printed(fc2("simulate", {"--algorithm", "t3", "--arbitration", "ideal"})),
                Not(HasSubstr("without contention for memory it would")));
}

/// Of 80 units 72 multiply: 824.37 x 80 / 72 = 915.97 us and 69.73 us of writes. 8 reach 271.2 GB/s, so that
/// c = 8.716288 MB, accessed 20 times in the seven steps of the reduce-scatter, 3 times for the last sum and
/// 14 times in the all-gather, takes 37 x 32.140 us, and 14 flights 7 us: 1196.2 us, 1.41 times as long as on
/// all, as the paper says.
TEST(CliFedRing, SplitsItsComputeUnits) {
    const auto seconds_of = [](std::vector<std::string> more) {
        return meshslice_json(fc2("simulate", std::move(more))).at("time_s").get<double>();
    };
    EXPECT_NEAR(seconds_of({"--algorithm", "tp-ar", "--units-for-communication", "8"}),
                (915.97 + 69.73 + 37 * 32.1397 + 7) * 1e-6, 0.5e-6);
    EXPECT_GT(seconds_of({"--algorithm", "1d-tp", "--units-for-communication", "8"}),
              seconds_of({"--algorithm", "1d-tp"}));
    const auto refusal = [](std::vector<std::string> more) {
        const Finished finished = meshslice_command(fc2("simulate", std::move(more)));
        EXPECT_EQ(finished.exit_code, 2);
        return finished.err;
    };
    EXPECT_THAT(refusal({"--algorithm", "t3", "--units-for-communication", "8"}),
                HasSubstr("No compute unit works for the reduce-scatter of T3"));
    EXPECT_THAT(refusal({"--algorithm", "tp-ar", "--units-for-communication", "80"}),
                HasSubstr("has 80 compute units; 80 for communication leave none"));
    EXPECT_THAT(refusal({"--algorithm", "tp-ar", "--units-for-communication", "-1"}), HasSubstr("-1"));
    const Finished tpu = meshslice_command(
        {"simulate", "--gemm", "64x64x64", "--mesh", "2x2", "--units-for-communication", "2"});
    EXPECT_EQ(tpu.exit_code, 2);
    EXPECT_THAT(tpu.err, HasSubstr("is not a ring of GPUs"));
}

/// On a torus of such GPUs, with slices that feed their ring.
TEST(CliFedRing, FeedsTheRingsOfATorus) {
    const std::vector<std::string> torus = {"--hardware",  "t3-torus",       "--mesh",     "2x4",
                                            "--gemm",      "2048x2048x4096", "--dataflow", "LS",
                                            "--algorithm", "meshslice-t3",   "--slices",   "4"};
    const auto with = [&](const char* command, std::vector<std::string> more) {
        std::vector<std::string> all = {command};
        all.insert(all.end(), torus.begin(), torus.end());
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    EXPECT_THAT(printed(with("simulate", {})),
                HasSubstr("MeshSlice + T3 2x4, S = 4, communication-aware memory"));
    EXPECT_EQ(meshslice_json(with("simulate", {})).at("gemms").at(0).at("dram_bytes"),
              meshslice_json(with("estimate", {})).at("gemms").at(0).at("dram_bytes"));
    const std::string words =
        printed({"verify", "--algorithm", "meshslice-t3", "--hardware", "t3-torus", "--mesh", "2x4", "--gemm",
                 "512x512x64", "--dataflow", "LS", "--slices", "4"});
    EXPECT_THAT(words, HasSubstr("correct: largest error 0"));
    EXPECT_THAT(words, HasSubstr("in 5 interleavings"));
    const Finished ring = meshslice_command(fc2("simulate", {"--algorithm", "meshslice-t3"}));
    EXPECT_EQ(ring.exit_code, 2);
    EXPECT_THAT(ring.err, HasSubstr("is not a torus of GPUs"));
}

} // namespace
} // namespace meshslice::test
