#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <string>
#include <vector>

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

/// Scaling book, chapter 3: A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y] needs nothing, and on 4 x 2 chips each
/// multiplies an eighth of 2 x 1024 x 2048 x 4096.
TEST(CliShard, HasThePlansOfAGemm) {
    const std::vector<std::string> asked = {"shard",       "A[I_X,J] . B[J,K_Y] -> C[I_X,K_Y]",
                                            "--sizes",     "I=1024,J=2048,K=4096",
                                            "--mesh",      "X=4,Y=2",
                                            "--hardware",  "tpu-v5e",
                                            "--data-type", "bf16"};
    EXPECT_THAT(printed(asked),
                AllOf(StartsWith("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y] on {X:4, Y:2}, 8 chips of TPU v5e\n"
                                 "Case 1: no dimension that is summed over (contracted) is sharded"),
                      HasSubstr("\nPlan 1: Multiply\nBound by "),
                      HasSubstr("c = jnp.einsum('ij,jk->ik', a, b)\n")));
    std::vector<std::string> for_programs = asked;
    for_programs.insert(for_programs.end(), {"--json", "--verify"});
    const json answer = meshslice_json(for_programs);
    EXPECT_EQ(answer.at("case"), 1);
    EXPECT_EQ(answer.at("plans").at(0).at("plan"), "Multiply");
    EXPECT_EQ(answer.at("plans").at(0).at("flop_per_chip"), 2.0 * 1024 * 2048 * 4096 / 8);
    EXPECT_GT(answer.at("plans").size(), 10u);
    for (const json& plan : answer.at("plans")) {
        EXPECT_EQ(plan.at("correct"), true) << plan.at("plan");
    }
}

/// A gather of B over four chips of a ring, then all of it: a launch, three synchronizations and three
/// quarters of the book's time. The trace has the bars of 64 chips.
TEST(CliShard, SimulatesPlans) {
    const std::string trace = testing::TempDir() + "plan_trace.json";
    const std::vector<std::string> asked = {"shard",      "A[I, J] . B[J_X, K] -> C[I, K]",
                                            "--sizes",    "I=512,J=8192,K=4096",
                                            "--mesh",     "X=4,Y=4,Z=4",
                                            "--hardware", "tpu-v5p",
                                            "--simulate"};
    std::vector<std::string> for_programs = asked;
    for_programs.insert(for_programs.end(), {"--json", "--trace", trace});
    const json answer = meshslice_json(for_programs);
    const json& plans = answer.at("plans");
    ASSERT_GT(plans.size(), 8u);
    std::size_t gathers = 0;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        EXPECT_EQ(plans[k].contains("simulated_in_s"), k < 8);
        if (k < 8) { // the book's time is at the peak rate, and nothing is hidden in one GEMM
            EXPECT_GT(plans[k].at("simulated_in_s"), plans[k].at("compute_in_s")) << plans[k].at("plan");
            const std::string program = plans[k].at("program");
            gathers += program.find("AG_") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(gathers, 0u);
    const json events = json::parse(std::ifstream(trace)).at("traceEvents");
    std::set<int> chips;
    for (const json& event : events) {
        if (event.at("ph") == "X") {
            chips.insert(event.at("pid").get<int>());
        }
    }
    EXPECT_EQ(chips.size(), 64u);

    std::vector<std::string> second = asked;
    second.insert(second.end(), {"--plan", "2"});
    EXPECT_THAT(printed(second), AllOf(HasSubstr("  simulated  "), HasSubstr("\nPlan 2: "),
                                       HasSubstr("\nSimulated: "), HasSubstr("\nJAX, plan 2:\n")));
    EXPECT_THAT(printed({"shard", "Q[B, I, J_X] . K[B, J, K] -> S[B, I, K]", "--sizes", "B=2,I=8,J=8,K=8",
                         "--mesh", "X=2", "--simulate"}),
                HasSubstr("Not simulated: Q[B, I, J_X] . K[B, J, K] -> S[B, I, K] is not simulated"));
}

/// One array: 16 x 16 x 16 of 4 bytes on 8 chips. K's four parts go to J by an all-to-all, then I's two: a
/// chip keeps 16384 / 8 bytes all the time, and receives 3 quarters and then half of what it holds.
TEST(CliShard, MovesOneArray) {
    const json answer = meshslice_json({"shard", "A[I_Y, J, K_X] -> A[I, J_XY, K]", "--mesh", "X=4,Y=2",
                                        "--sizes", "I=16,J=16,K=16", "--data-type", "f32"});
    EXPECT_EQ(answer.at("plan"), "AllToAll_{X, J}, AllToAll_{Y, J}");
    EXPECT_EQ(answer.at("held_bytes_per_chip"), 4096) << "what an all-to-all is made of, and what it makes";
    EXPECT_EQ(answer.at("received_bytes_per_chip"), 2048 * 3 / 4 + 2048 / 2);
    EXPECT_EQ(answer.at("through_the_whole").at("held_bytes_per_chip"), 16384 + 4096);
    const json nothing =
        meshslice_json({"shard", "A[I_X, J] -> A[I_X, J]", "--mesh", "X=4", "--sizes", "I=16,J=16"});
    EXPECT_EQ(nothing.at("time_in_s"), 0);
    const auto refusal = [](const char* words) {
        return meshslice_command({"shard", words, "--mesh", "X=4", "--sizes", "I=16,J=16"}).err;
    };
    EXPECT_THAT(refusal("A[I_X, J] -> A[J, I_X]"), HasSubstr("moving an array keeps its letters"));
    EXPECT_THAT(refusal("A[I_X, J] -> A[I, J_Z]"), HasSubstr("Z"));
    EXPECT_THAT(refusal("A[I_X, J] -> A[I, J] {U_X}"), HasSubstr("No steps lead from"));
}

/// What is refused, and with which words.
TEST(CliShard, PointsAtTheLetter) {
    struct Refused {
        std::vector<std::string> arguments;
        const char* words;
    };
    const std::vector<Refused> all = {
        {{"A[I_X, J_X]", "--mesh", "X=8,Y=2", "--sizes", "I=8,J=8"},
         "A[I_X, J_X], character 10: Axis X already splits I"},
        {{"A[I_X]", "--mesh", "X8", "--sizes", "I=8"}, "--mesh X8, character 2: "},
        {{"A[I_X]", "--mesh", "X=8", "--sizes", "I=12"}, "use 8 or 16"},
        {{"A[I_X]", "--mesh", "X=8", "--sizes", "8"}, "--sizes: \"8\" is not a size"},
        {{"A[I_X]", "--mesh", "X=8", "--sizes", "I=8", "--type", "f33"}, "--type is \"f33\""},
        {{"A[A,B,C,D,E,F,G,H]", "--mesh", "T=1,U=1,V=1,W=1,X=1,Y=1", "--sizes",
          "A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1", "--all"},
         "--all lists at most 100000 shardings"},
        {{"A[I]", "--mesh", "X=1024,Y=1024", "--sizes", "I=8", "--devices"},
         "--devices lists at most 65536 devices"},
        {{"A[I_X]", "--mesh", "X=4", "--sizes", "I=8", "--verify"}, "--verify is about a GEMM"},
        {{"A[I_X]", "--mesh", "X=4", "--sizes", "I=8", "--simulate"}, "--simulate is about a GEMM"},
        {{"A[I_X]", "--mesh", "X=4", "--sizes", "I=8", "--trace", "/dev/null"}, "--trace is about a GEMM"},
        {{"A[I_X,J] . B[J,K] -> C[I_X,K]", "--mesh", "X=4", "--sizes", "I=8,J=8,K=8", "--plan", "99"},
         "--plan 99: there are "},
        {{"A[I_X,J] . B[J,K] -> C[I_X,K]", "--mesh", "X=4", "--sizes", "I=8,J=8,K=8", "--data-type", "f32",
          "--trace", "/dev/null"},
         "--trace: Elements of 32 bits are not simulated"},
        {{"A[I_X,J] . B[J,K_Z] -> C[I,K]", "--mesh", "X=4", "--sizes", "I=8,J=8,K=8"},
         "character 18: The mesh has no axis Z; it has X."},
        {{"A[I_X,J] . B[J,K] -> C[I,K]", "--mesh", "X=4", "--sizes", "I=6,J=8,K=8"}, "use 4 or 8"},
        {{"A[I_X,J] . B[J,K] -> C[I,K]", "--mesh", "X=4", "--sizes", "I=8,J=8,K=8,L=8"},
         "has no dimension L"},
        {{"A[I_X,J] . B[J,K] -> C[I,K]", "--mesh", "X=4", "--sizes", "I=8,J=8,K=8", "--devices"},
         "works for A, B or C alone"},
        {{"A[I_X,J] . B[J,K] -> C[I,K]", "--mesh", "X=65", "--sizes", "I=65,J=8,K=8", "--hardware",
          "b200-nvs8"},
         "joins its chips by switches"}};
    for (const Refused& one : all) {
        std::vector<std::string> arguments = one.arguments;
        arguments.insert(arguments.begin(), "shard");
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2) << one.words;
        EXPECT_EQ(finished.out, "") << one.words;
        EXPECT_THAT(finished.err, HasSubstr(one.words));
    }
}

/// The einsum counter of chapter 4: what each letter does, and three GEMMs in training.
TEST(CliShard, CountsAnEinsum) {
    const nlohmann::json found = meshslice_json(
        {"shard", "A[N,I_X,J].B[N,J,K]->C[N,I_X,K]", "--mesh", "X=2", "--sizes", "N=2,I=4,J=8,K=16"});
    EXPECT_EQ(found.at("einsum"), "nij,njk->nik");
    EXPECT_EQ(found.at("letters"),
              (nlohmann::json{{"N", "batch"}, {"I", "left"}, {"J", "contracted"}, {"K", "right"}}));
    EXPECT_EQ(found.at("flop"), 2 * 2 * 4 * 8 * 16);
    EXPECT_EQ(found.at("flop_of_training"), 3 * 2 * 2 * 4 * 8 * 16);
    EXPECT_THAT(printed({"shard", "A[I,J_X].B[J_X,K]->C[I,K]", "--mesh", "X=2", "--sizes", "I=4,J=8,K=16"}),
                HasSubstr("ij,jk->ik (I: A alone, J: contracted, K: B alone)"));
}

} // namespace
} // namespace meshslice::test
