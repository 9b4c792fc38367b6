#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> first_plan = {"plan",      "--dp",    "32",          "--pp",    "64",
                                             "--tp",      "8x1",     "--placement", "8,1,1,1", "--cluster",
                                             "b200-nvs8", "--rules", "reference",   "--model", "gpt3-1t",
                                             "--batch",   "4096"};

std::string refused(const std::vector<std::string>& arguments) {
    const Finished finished = meshslice_command(arguments);
    EXPECT_EQ(finished.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_TRUE(finished.out.empty()) << testing::PrintToString(arguments);
    EXPECT_THAT(finished.err,
                AllOf(StartsWith("meshslice: "), testing::AnyOf(EndsWith(".\n"), EndsWith("?\n"))));
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    return finished.err;
}

/// Published: 3.23334 s, 65.6666 GB, 128 micro-batches
/// (github.com/ShashankSubramanian/transformer-perf-estimates).
TEST(CliPlan, OnePlanIsReadAsPublished) {
    const nlohmann::json read = meshslice_json(and_flags(first_plan, {"--json"}));
    EXPECT_NEAR(read["time_s"].get<double>(), 3.23334, 1e-5);
    EXPECT_NEAR(read["memory_bytes"].get<double>(), 65.6666e9, 1e5);
    EXPECT_EQ(read["micro_batches"], 128);
    EXPECT_EQ(read["fits"], true);
    double sum = 0;
    for (const char* part :
         {"compute_s", "memory_exposed_s", "tensor_s", "data_s", "pipeline_s", "bubble_s"}) {
        sum += read[part].get<double>();
    }
    EXPECT_NEAR(sum, read["time_s"].get<double>(), 1e-9);
    double bytes = 0;
    for (const char* part : {"weights_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes"}) {
        bytes += read[part].get<double>();
    }
    EXPECT_NEAR(bytes, read["memory_bytes"].get<double>(), 1);
    EXPECT_NEAR(read["flop_per_chip"].get<double>(), 3142.44e12, 1e10);
    EXPECT_EQ(read["plan"]["tp"], "8x1");
    const Finished words = meshslice_command(first_plan);
    EXPECT_THAT(words.out,
                AllOf(HasSubstr("3.23 s a step of 4096 samples of 2048 tokens,"),
                      HasSubstr("pipeline bubble"), HasSubstr("in one fast domain: tp 8x1, dp 1, pp 1"),
                      HasSubstr("65.7 GB of 192 GB")));
    const std::vector<std::string> named = {"plan", "--dp",      "32",        "--pp",    "64",     "--tp",
                                            "8",    "--cluster", "B200-NVS8", "--model", "GPT3-1T"};
    EXPECT_THAT(meshslice_command(named).out, HasSubstr("16384 x b200-nvs8"));
}

/// How many plans are shown, and by which time they are ranked, changes nothing of one plan but what stands
/// in front.
TEST(CliPlan, OnePlanTakesFlagsOfASearchThatDoNoHarm) {
    const std::vector<std::string> one = {"plan",    "--model", "llama-3-8b", "--machine", "h100-nvs8",
                                          "--chips", "8",       "--batch",    "16",        "--dp",
                                          "4",       "--pp",    "1",          "--tp",      "2x1"};
    const std::string all = printed(one);
    EXPECT_EQ(printed(and_flags(one, {"--top", "5"})), all);
    EXPECT_THAT(all, ContainsRegex("^[^\n]* expected, "));
    EXPECT_THAT(printed(and_flags(one, {"--rank", "ideal"})), Not(ContainsRegex("^[^\n]* expected, ")));
    std::vector<std::string> sensitivity = and_flags(one, {"--rank", "ideal"});
    sensitivity.erase(sensitivity.begin());
    sensitivity.insert(sensitivity.begin(), {"sensitivity", "--of", "plan"});
    EXPECT_EQ(meshslice_command(sensitivity).exit_code, 0);
}

/// What "scale" goes through has flags of its own, as the sentence says.
TEST(CliPlan, ARangeOfChipsIsSaidWithTwoFlags) {
    const std::vector<std::string> scale = {"scale",   "--model", "llama-3-8b", "--machine", "h100",
                                            "--batch", "16",      "--strategy", "1d"};
    EXPECT_THAT(meshslice_command(and_flags(scale, {"--chips", "8:16:x2"})).err,
                HasSubstr("--from 8 --to 16 doubles from the one to the other."));
    const nlohmann::json rows = meshslice_json(and_flags(scale, {"--from", "8", "--to", "16"}))["rows"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["chips"], 8);
    EXPECT_EQ(rows[1]["chips"], 16);
}

/// A batch of 4096 samples of 2048 tokens: 119,210 steps for 10^12.
TEST(CliPlan, DaysAreThoseOfSoManyTokens) {
    const std::vector<std::string> search = {"plan",       "--machine", "b200-nvs8", "--chips", "1024",
                                             "--strategy", "1d",        "--top",     "2",       "--tokens",
                                             "1T",         "--model",   "gpt3-1t",   "--batch", "4096"};
    const nlohmann::json found = meshslice_json(and_flags(search, {"--json"}));
    for (const nlohmann::json& one : found["plans"]) {
        EXPECT_NEAR(one["days"].get<double>(), 119'210 * one["time_s"].get<double>() / 86'400, 1e-9);
    }
    EXPECT_EQ(found["run"]["tokens"], 1e12);
    EXPECT_THAT(meshslice_command(search).out,
                AllOf(HasSubstr(" days for 1.00 T tokens"), HasSubstr("Days: 119210 steps")));
    EXPECT_THAT(meshslice_command(and_flags(first_plan, {"--tokens", "300e9"})).out,
                AllOf(HasSubstr(" days for 300 G tokens"), HasSubstr("Days: 35763 steps"),
                      HasSubstr("Largest part: compute"), HasSubstr("twice the batch"),
                      HasSubstr("reach 80% of the peak of 2.50 PFLOP/s (source: github.com/")));
    EXPECT_FALSE(meshslice_json(and_flags(first_plan, {"--json"})).contains("days"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--tokens", "many"}), HasSubstr("such as 1T"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model", "README.md"}),
                HasSubstr("There is no model \"README.md\""));
}

/// A step of 30 s on the first plan: the ratio to what is expected of it, and that times the expectation of
/// every other plan.
TEST(CliPlan, AMeasuredStepCorrectsWhatIsExpected) {
    const std::vector<std::string> search = {
        "plan",    "--model", "llama-3-70b", "--machine", "h100-nvs8", "--chips", "64",
        "--batch", "64",      "--sequence",  "8192",      "--top",     "3"};
    const nlohmann::json plain = meshslice_json(and_flags(search, {"--json"}));
    const nlohmann::json own = meshslice_json(and_flags(search, {"--measured-step", "30s", "--json"}));
    const nlohmann::json& measured = own["measured_step"];
    const double ratio = 30 / plain["expected_s"].get<double>();
    EXPECT_NEAR(measured["ratio"].get<double>(), ratio, 1e-12);
    EXPECT_LT(measured["time_low_s"].get<double>(), 30);
    EXPECT_GT(measured["time_high_s"].get<double>(), 30);
    EXPECT_EQ(own["expected_s"], plain["expected_s"]) << "what measured runs say stays";
    ASSERT_GE(own["plans"].size(), 2U);
    for (std::size_t k = 0; k < own["plans"].size(); ++k) {
        const nlohmann::json& before = plain["plans"][k];
        const nlohmann::json& after = own["plans"][k];
        ASSERT_TRUE(before.contains("expected_s"));
        EXPECT_NEAR(after["expected_s"].get<double>(), ratio * before["expected_s"].get<double>(), 1e-9);
        const auto width = [](const nlohmann::json& one) {
            return one["time_high_s"].get<double>() / one["time_low_s"].get<double>();
        };
        EXPECT_LE(width(after), width(before) + 1e-12);
    }
    EXPECT_FALSE(plain.contains("measured_step"));
    EXPECT_THAT(meshslice_command(and_flags(search, {"--measured-step", "30"})).out,
                AllOf(HasSubstr("Measured: 30.0 s a step, "), HasSubstr("What one part alone would have to"),
                      HasSubstr("Corrected by it, other plans of this run take 30.0 s / ")));
    EXPECT_THAT(refused(and_flags(search, {"--measured-step", "soon"})), HasSubstr("such as 12.4 s"));
}

/// No published run on a V100 is known, so that a step on it has nothing to correct.
TEST(CliPlan, SaysThatAMeasuredStepCorrectsNothing) {
    const std::vector<std::string> one = {
        "plan", "--model",    "llama-3-8b", "--machine", "v100-nvs8", "--chips",         "8",  "--batch",
        "16",   "--sequence", "2048",       "--dp",      "8",         "--measured-step", "30s"};
    EXPECT_THAT(meshslice_command(one).out,
                HasSubstr("Measured: 30.0 s a step. It corrects nothing, as nothing is expected of its plan. "
                          "No published training run on "));
    const nlohmann::json values = meshslice_json(and_flags(one, {"--json"}));
    EXPECT_FALSE(values.contains("measured_step"));
    EXPECT_THAT(values["measured_step_not_used"].get<std::string>(), HasSubstr("corrects nothing"));
}

/// What was planned stands in the answer, and every choice.
TEST(CliPlan, AnswersSayWhatWasPlanned) {
    const nlohmann::json read = meshslice_json(and_flags(first_plan, {"--json", "--overlap-tensor"}));
    EXPECT_EQ(read["run"], (nlohmann::json{{"model", "gpt3-1t"},
                                           {"sequence", 2048},
                                           {"batch", 4096},
                                           {"cluster", "b200-nvs8"},
                                           {"chips", 16'384},
                                           {"rules", "reference"},
                                           {"ends", false},
                                           {"optimizer_step", false}}));
    EXPECT_EQ(read["plan"]["overlap_tensor"], true);
    EXPECT_EQ(read["plan"]["overlap_data"], true);
    EXPECT_EQ(meshslice_json({"plan", "--machine", "b200-nvs8", "--chips", "64", "--top", "1",
                              "--json"})["run"]["chips"],
              64);
}

TEST(CliPlan, APlanThatDoesNotFitSaysSoFirst) {
    const std::vector<std::string> large = {"plan", "--machine", "b200-nvs8", "--dp",    "1", "--pp",
                                            "1",    "--tp",      "8",         "--batch", "1"};
    EXPECT_THAT(meshslice_command(large).out, StartsWith("Does not fit: it needs "));
    EXPECT_THAT(meshslice_command(large).out,
                AllOf(HasSubstr("a step of 1 sample of 2048 tokens expected,"), HasSubstr("1 micro-batch;")));
    EXPECT_THAT(refused(and_flags(large, {"--fits-memory"})),
                AllOf(HasSubstr("The plan dp 1 x pp 1 x tp 8x1"), HasSubstr(" needs "),
                      HasSubstr(" and a chip has 192 GB.")));
}

/// 4 columns and 3 rows share no divisor: 12 panels, and not the longer side's 4.
TEST(CliPlan, APanelCountIsFoundForEveryGrid) {
    const nlohmann::json read = meshslice_json({"plan", "--machine", "b200-nvs8", "--model", "gpt3-175b",
                                                "--sequence", "3072", "--batch", "12", "--dp", "1", "--pp",
                                                "1", "--tp", "4x3", "--strategy", "summa", "--json"});
    EXPECT_EQ(read["plan"]["panels"].get<int>() % 12, 0);
}

TEST(CliPlan, NothingIsWrittenWhereTheSimulationIsRefused) {
    const TemporaryFolder folder;
    const std::string table = folder.path("plan.csv");
    // 2 x 32 x 1,000,000 passes are more than are simulated.
    refused({"plan", "--machine", "b200-nvs8", "--model", "gpt3-175b", "--dp", "1", "--pp", "32", "--tp", "8",
             "--batch", "1000000", "--simulate", "1", "--csv", table});
    EXPECT_EQ(file_content(table), "");
}

TEST(CliPlan, TheSearchRanksAsPublished) {
    const std::vector<std::string> search = {"plan",       "--chips", "16384",   "--cluster", "b200-nvs8",
                                             "--strategy", "1d",      "--rules", "reference", "--top",
                                             "3",          "--model", "gpt3-1t", "--batch",   "4096"};
    const nlohmann::json found = meshslice_json(and_flags(search, {"--json"}));
    EXPECT_EQ(found["candidates"], 2027);
    ASSERT_EQ(found["plans"].size(), 3u);
    EXPECT_GT(found["feasible"], 3);
    EXPECT_NEAR(found["plans"][0]["time_s"].get<double>(), 3.23334, 1e-5);
    EXPECT_EQ(found["plans"][0]["plan"]["dp"], 32);
    EXPECT_EQ(found["plans"][0]["plan"]["pp"], 64);
    EXPECT_NEAR(found["plans"][1]["time_s"].get<double>(), 3.26653, 1e-5);
    const Finished words = meshslice_command(search);
    EXPECT_THAT(words.out,
                AllOf(HasSubstr("2027 plans"), HasSubstr("why it is behind"), HasSubstr(" more of ")));
}

/// What is fixed is no more tried, and what is found is the best of all that can be fixed.
TEST(CliPlan, SearchesSchedulesRecomputationAndZero) {
    const std::vector<std::string> search = {"plan",      "--model",    "llama-3-70b", "--cluster",
                                             "h100-nvs8", "--chips",    "16",          "--batch",
                                             "512",       "--sequence", "8192"};
    const nlohmann::json any = meshslice_json(and_flags(search, {"--json", "--simulate", "1"}));
    const nlohmann::json bare = meshslice_json(
        and_flags(search, {"--json", "--schedule", "1f1b", "--recompute", "none", "--zero", "1"}));
    EXPECT_LT(any["plans"][0]["time_s"].get<double>(), 0.4 * bare["plans"][0]["time_s"].get<double>());
    EXPECT_GT(any["candidates"], bare["candidates"]);
    EXPECT_NEAR(any["plans"][0]["simulated"]["time_s"].get<double>(), any["plans"][0]["time_s"].get<double>(),
                0.01 * any["plans"][0]["time_s"].get<double>());
    EXPECT_EQ(any["plans"][0]["plan"]["recompute"], "full");
    double best = 1e300;
    for (const char* zero : {"0,1", "2", "3"}) {
        const nlohmann::json one = meshslice_json(
            and_flags(search, {"--json", "--recompute", "full", "--zero", zero, "--top", "1"}));
        best = std::min(best, one["plans"][0]["time_s"].get<double>());
    }
    EXPECT_EQ(any["plans"][0]["time_s"].get<double>(), best);
    // Each split once, and what differs of how they run in columns.
    std::set<std::string> splits;
    for (const nlohmann::json& one : any["plans"]) {
        const nlohmann::json& plan = one["plan"];
        EXPECT_TRUE(splits
                        .insert(plan["strategy"].get<std::string>() + plan["dp"].dump() + "," +
                                plan["pp"].dump() + "," + plan["tp"].dump())
                        .second);
    }
    EXPECT_THAT(meshslice_command(search).out,
                AllOf(HasSubstr("full recomputation"), HasSubstr("recompute  ")));
    const Finished published = meshslice_command(and_flags(search, {"--rules", "reference"}));
    EXPECT_THAT(published.out, Not(HasSubstr("recompute")));
    // One plan has the published choices unless they are left open.
    const std::vector<std::string> one = {"plan", "--machine", "b200-nvs8", "--model", "gpt3-175b",
                                          "--dp", "16",        "--pp",      "16",      "--tp",
                                          "4",    "--batch",   "256",       "--json"};
    EXPECT_EQ(meshslice_json(one)["plan"]["schedule"], "1f1b");
    EXPECT_EQ(meshslice_json(and_flags(one, {"--schedule", "any"}))["plan"]["schedule"], "interleaved:6");
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model", "gpt3-175b", "--dp", "256", "--pp",
                         "16", "--tp", "1", "--batch", "256", "--schedule", "interleaved"}),
                HasSubstr("1f1b takes any number"));
}

TEST(CliPlan, FilesNameModelsAndClusters) {
    const TemporaryFolder folder;
    const nlohmann::json found =
        meshslice_json({"plan", "--model", source_file("tests/core/model/fixtures/llama-3-70b.json"),
                        "--cluster", source_file("resources/machines/h100.json"), "--chips", "64", "--batch",
                        "256", "--top", "5", "--json"});
    EXPECT_EQ(found["plans"].size(), 5u);
    EXPECT_EQ(found["plans"][0]["fits"], true);
    const std::string table = folder.path("plans.csv");
    EXPECT_EQ(meshslice_command({"plan", "--machine", "b200-nvs8", "--chips", "64", "--strategy", "2d",
                                 "--top", "2", "--csv", table})
                  .exit_code,
              0);
    const std::string rows = file_content(table);
    EXPECT_THAT(rows, StartsWith("rank,strategy,dp,pp,tp,micro_batch,panels,placement,time_s"));
    EXPECT_THAT(rows, HasSubstr(",fits,schedule,recompute,zero,overlap_tensor,overlap_data,model,sequence,"));
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 3);
}

/// Llama-3-70B from its config.json: the first five plans and why the sixth loses, on a torus and in domains.
TEST(CliPlan, TheSameModelIsPlannedOnATorusAndInDomains) {
    const std::string model = source_file("tests/core/model/fixtures/llama-3-70b.json");
    for (const std::string& cluster :
         {std::string("tpu-v5p"), source_file("resources/machines/tpu-v5p.json"), std::string("h100-nvs8")}) {
        const std::vector<std::string> search = {
            "plan",       "--model", model,   "--cluster", cluster,      "--chips", "64",     "--batch", "64",
            "--strategy", "all",     "--top", "6",         "--sequence", "8192",    "--rank", "ideal"};
        const Finished words = meshslice_command(search);
        EXPECT_EQ(words.exit_code, 0) << words.err;
        EXPECT_THAT(words.out, AllOf(HasSubstr("\n5  "), HasSubstr("\n6  "), HasSubstr(" more of ")));
        const nlohmann::json found = meshslice_json(and_flags(search, {"--json", "--simulate", "2"}));
        ASSERT_EQ(found["plans"].size(), 6u);
        EXPECT_EQ(found["plans"][0]["fits"], true);
        const double time = found["plans"][0]["time_s"].get<double>();
        EXPECT_GT(found["plans"][5]["time_s"].get<double>(), time);
        EXPECT_NEAR(found["plans"][0]["simulated"]["time_s"].get<double>(), time, 0.02 * time);
        const bool torus = cluster != "h100-nvs8";
        EXPECT_EQ(found["plans"][0]["plan"].contains("torus"), torus);
        EXPECT_THAT(words.out, torus ? HasSubstr("Slices, forward, backward data and backward weight: QKV ")
                                     : HasSubstr("in one fast domain: tp "));
    }
}

/// Some of --dp, --pp and --tp narrow a search down, and all of them are one plan.
TEST(CliPlan, PartsOfASplitNarrowASearchDown) {
    const std::vector<std::string> search = {"plan",    "--machine", "b200-nvs8", "--model", "gpt3-175b",
                                             "--chips", "64",        "--batch",   "64",      "--json"};
    const auto all_have = [&](const std::vector<std::string>& parts, const char* key,
                              const nlohmann::json& value) {
        const nlohmann::json found = meshslice_json(and_flags(search, parts));
        EXPECT_GT(found["plans"].size(), 0u);
        for (const nlohmann::json& one : found["plans"]) {
            EXPECT_EQ(one["plan"][key], value);
        }
        return found["plans"].size();
    };
    EXPECT_GT(all_have({"--dp", "2"}, "dp", 2), 3u);
    EXPECT_GT(all_have({"--pp", "4"}, "pp", 4), 3u);
    EXPECT_GT(all_have({"--dp", "2", "--tp", "8"}, "tp", "8x1"), 0u);
    const nlohmann::json four_columns = meshslice_json(and_flags(search, {"--tp", "anyx4"}));
    EXPECT_GT(four_columns["plans"].size(), 0u);
    for (const nlohmann::json& one : four_columns["plans"]) {
        EXPECT_THAT(one["plan"]["tp"].get<std::string>(), testing::EndsWith("x4"));
    }
    EXPECT_TRUE(meshslice_json(and_flags(search, {"--dp", "2", "--pp", "4", "--tp", "8"})).contains("plan"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--dp", "3"}), HasSubstr("as 1, 2 or 4 does."));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--tp", "anyxx4"}),
                HasSubstr("such as 8x1, or 8xany"));
}

/// The plan that is shown in detail says what bounds it, what would change that, and what hides.
TEST(CliPlan, JsonSaysWhyAPlanTakesAsLong) {
    const nlohmann::json one = meshslice_json(and_flags(first_plan, {"--json"}));
    const nlohmann::json& why = one["why"];
    EXPECT_EQ(why["largest_part"]["name"], "compute");
    EXPECT_NEAR(why["largest_part"]["share"].get<double>(),
                one["compute_s"].get<double>() / one["time_s"].get<double>(), 1e-12);
    EXPECT_EQ(why["saves"][0]["what"], "twice the FLOP/s");
    EXPECT_EQ(why["costs"][0]["what"], "half the FLOP/s");
    EXPECT_GT(why["costs"][0]["share"].get<double>(), why["saves"][0]["share"].get<double>());
    const nlohmann::json& data = why["hidden"]["data"];
    EXPECT_NEAR(data["whole_s"].get<double>() - data["hidden_s"].get<double>(), one["data_s"].get<double>(),
                1e-12);
    EXPECT_GE(data["stays_hidden_times_as_slow"].get<double>(), 1);
    EXPECT_TRUE(why["hidden"]["tensor"]["stays_hidden_times_as_slow"].is_null()); // 1D hides none of it
    const nlohmann::json found = meshslice_json({"plan", "--machine", "b200-nvs8", "--chips", "64", "--model",
                                                 "gpt3-175b", "--batch", "64", "--top", "2", "--json"});
    EXPECT_TRUE(found["plans"][0].contains("why"));
    EXPECT_FALSE(found["plans"][1].contains("why"));
    const std::string words = meshslice_command(and_flags(first_plan, {})).out;
    EXPECT_THAT(words, AllOf(HasSubstr("Hidden: "), HasSubstr("It would be more with: half the FLOP/s")));
    EXPECT_THAT(
        meshslice_command({"plan", "--cluster", "b200-nvs72", "--dp", "2", "--chips", "1024", "--strategy",
                           "1d", "--pp", "64", "--model", "gpt3-1t", "--batch", "4096"})
            .out,
        HasSubstr("Domains: the 1024 chips of this plan stand in 15 fast domains of 72 chips and leave "
                  "56 of their 1080 chips idle.\n"));
    // 72 chips as 64 and 8, or otherwise.
    EXPECT_THAT(
        meshslice_command({"plan", "--cluster", "b200-nvs64", "--chips", "72", "--model", "llama-3-8b",
                           "--sequence", "8192", "--batch", "981", "--dp", "9", "--tp", "8x1", "--pp", "1"})
            .out,
        HasSubstr("Domains: the 72 chips of this plan stand in 2 fast domains of 64 chips and leave 56 of "
                  "their 128 chips idle.\n"));
    // 384 chips are 48 domains of 8; blocks of 6 of them would occupy 64.
    const std::vector<std::string> sixes = {
        "plan", "--cluster", "a100-nvs8", "--model", "gpt3-175b",   "--batch", "1536",       "--dp", "16",
        "--pp", "8",         "--tp",      "3x1",     "--placement", "3,1,2,1", "--strategy", "summa"};
    EXPECT_THAT(
        meshslice_command(sixes).out,
        HasSubstr("stand in 64 fast domains of 8 chips and leave 128 of their 512 chips idle. Its FLOP "
                  "utilization is over all 512; another placement needs fewer domains."));
    std::vector<std::string> as_json = sixes;
    as_json.emplace_back("--json");
    const nlohmann::json apart = meshslice_json(as_json);
    EXPECT_EQ(apart["domains"], 64);
    EXPECT_EQ(apart["occupied_chips"], 512);
}

TEST(CliPlan, ClustersAndPublicationsAreNamedWhereTheyWork) {
    EXPECT_THAT(refused({"tune", "--hardware", "h100"}),
                AllOf(HasSubstr("a torus, which NVIDIA H100 SXM, domains of 8 does not have"),
                      HasSubstr("Plans of training runs can be made for it.")));
    EXPECT_THAT(refused({"reproduce", "t3"}), HasSubstr("did you mean t3-"));
}

/// 15 x 10^12 tokens: what the whole training comes to, with prices; a recipe that the chip has not is
/// refused.
TEST(CliPlan, SaysRecipeEnergyAndCost) {
    const std::vector<std::string> run = {
        "plan", "--model", "llama-3-8b",    "--machine", "h100-nvs8", "--dp", "8",       "--pp", "1",
        "--tp", "1",       "--micro-batch", "1",         "--zero",    "3",    "--batch", "128"};
    const nlohmann::json half = meshslice_json(and_flags(run, {"--json"}));
    const nlohmann::json few = meshslice_json(
        and_flags(run, {"--recipe", "fp8", "--tokens", "15T", "--price", "2", "--pue", "1.2", "--json"}));
    EXPECT_FALSE(half["run"].contains("recipe"));
    EXPECT_FALSE(half.contains("training"));
    EXPECT_EQ(few["run"]["recipe"], "fp8");
    EXPECT_LT(few["time_s"], half["time_s"]);
    EXPECT_LT(few["expected_s"], half["expected_s"]);
    EXPECT_GT(few["why"]["cast_s"], 0);
    const nlohmann::json& training = few["training"];
    const double hours = training["chip_hours"]["expected"].get<double>();
    EXPECT_NEAR(training["cost"]["expected"].get<double>(), 2 * hours, 1e-6 * hours);
    EXPECT_NEAR(training["energy_j"]["expected"].get<double>(), hours * 3600 * 700 * 1.2, 1e-3 * hours);
    EXPECT_LT(training["days"]["low"], training["days"]["high"]);
    const std::string words = meshslice_command(and_flags(run, {"--recipe", "fp8-blocks"})).out;
    EXPECT_THAT(words, HasSubstr("% of the bf16 peak (MFU), "));
    EXPECT_THAT(words, HasSubstr("% of the fp8 peak"));
    EXPECT_THAT(words, HasSubstr("GEMMs of the blocks multiply in fp8 with a scale for each 128 numbers"));
    EXPECT_THAT(refused(and_flags(run, {"--recipe", "nvfp4"})),
                HasSubstr("The rate of fp4 GEMMs on NVIDIA H100"));
    EXPECT_THAT(refused(and_flags(run, {"--recipe", "fp7"})), HasSubstr("fp8-blocks"));
    EXPECT_THAT(refused(and_flags(run, {"--pue", "0.5"})), HasSubstr("--pue"));
}

TEST(CliPlan, WrongInputIsOneSentenceWithWhatWouldWork) {
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model", "gpt3-1t", "--dp", "1", "--pp", "1",
                         "--tp", "24x1", "--strategy", "summa"}),
                HasSubstr("160 heads do not divide by 24; 16, 20, 32 do (the nearest sizes that work)."));
    EXPECT_THAT(refused({"plan", "--cluster", "v200"}), HasSubstr("did you mean b200, h200 or v100?"));
    EXPECT_THAT(refused({"plan", "--cluster", "b200-nvs0"}), HasSubstr("such as b200-nvs8"));
    EXPECT_THAT(refused({"plan", "--cluster", "tpu-v5p", "--rules", "reference"}),
                HasSubstr("no rules were published"));
    EXPECT_THAT(refused({"plan", "--cluster", "tpu-v5p", "--strategy", "2d"}), HasSubstr("meshslice"));
    EXPECT_THAT(refused({"plan", "--cluster", "tpu-v5p", "--dp", "1", "--pp", "1", "--tp", "4x4"}),
                HasSubstr("--strategy meshslice or another of its algorithms says it"));
    EXPECT_THAT(refused({"plan", "--cluster", "tpu-v5p", "--dp", "1", "--pp", "1", "--tp", "4", "--placement",
                         "4,1,1,1"}),
                HasSubstr("tpu-v5p is a torus"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model", "gpt9"}), HasSubstr("gpt3-1t"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--strategy", "3d"}),
                HasSubstr("all, 1d, 2d, summa"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model",
                         source_file("resources/machines/tpu-v5p.json")}),
                HasSubstr("describes a chip; expected a model"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--rules", "loose"}),
                HasSubstr("exact or reference"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--tp", "8y1"}), HasSubstr("such as 8x1"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--dp", "1", "--pp", "1", "--tp", "2x4"}),
                HasSubstr("--strategy 2d or --strategy summa says it"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--placement", "8,1,1,1"}),
                HasSubstr("all of --dp, --pp and --tp are needed"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--dp", "1", "--pp", "1", "--tp", "8",
                         "--placement", "8,1,1"}),
                HasSubstr("such as 8,1,1,1"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--dp", "1", "--pp", "1", "--tp", "8",
                         "--placement", "16,1,1,1"}),
                HasSubstr("do not divide by 16"));
    EXPECT_THAT(
        refused({"plan", "--machine", "b200-nvs8", "--dp", "2", "--pp", "1", "--tp", "1", "--chips", "16"}),
        HasSubstr("has 2 chips and 16 were asked for"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--chips", "0"}), HasSubstr("from 1 to"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--schedule", "zigzag"}),
                HasSubstr("any, 1f1b, gpipe, zero-bubble, dualpipe, interleaved or interleaved:V"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--zero", "1,,2"}),
                HasSubstr("several with commas between them"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--recompute", "some"}),
                HasSubstr("none, attention, full, or core_attn"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--zero", "4"}), HasSubstr("from 0 to 3"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--top", "0"}), HasSubstr("from 1 to"));
    EXPECT_THAT(refused({"plan", "--machine", "b200-nvs8", "--model", "vit-64k", "--ends"}),
                HasSubstr("no vocabulary"));
}

TEST(CliPlan, WhereThereIsNoPlanTheRuleThatLeavesNoneIsNamed) {
    EXPECT_THAT(refused({"plan", "--model", "gpt3-1t", "--chips", "96", "--cluster", "b200-nvs64", "--batch",
                         "96", "--rules", "reference", "--strategy", "1d"}),
                HasSubstr("fast domains of 64"));
}

TEST(CliPlan, WhereNothingFitsTheSmallestIsNamedAndWhatWouldFit) {
    const std::vector<std::string> small = {"plan",       "--machine", "b200-nvs8", "--chips",   "64",
                                            "--strategy", "1d",        "--rules",   "reference", "--model",
                                            "gpt3-1t",    "--batch",   "4096"};
    const std::string sentence = refused(and_flags(small, {"--fits-memory"}));
    EXPECT_THAT(sentence, AllOf(HasSubstr("Nothing fits"), HasSubstr("needs "),
                                HasSubstr("a chip has 192 GB"), HasSubstr("what would fit")));
    const nlohmann::json found = meshslice_json(and_flags(small, {"--json"}));
    EXPECT_EQ(found["candidates"], 1087);
    EXPECT_EQ(found["feasible"], 0);
    EXPECT_EQ(found["plans"][0]["fits"], false);
    EXPECT_EQ(found["smallest"]["fits"], false);
    EXPECT_GT(found["smallest"]["memory_bytes"].get<double>(), 192e9);
    ASSERT_FALSE(found["would_fit"].empty());
    EXPECT_THAT(sentence, HasSubstr(found["would_fit"][0].get<std::string>().substr(0, 10)))
        << "as it is said";
    EXPECT_FALSE(meshslice_json({"plan", "--machine", "b200-nvs8", "--model", "llama-3-8b", "--chips", "8",
                                 "--batch", "8", "--json"})
                     .contains("would_fit"));
    EXPECT_THAT(meshslice_command(small).out, HasSubstr("Nothing fits"));
}

/// The run of GPT-3 175B on 512 chips that a file says, with and without a plan of its own.
TEST(CliPlan, AScenariosFileSaysTheRunAndThePlan) {
    const TemporaryFolder folder;
    const auto file = [&](std::int64_t chips, bool loaded) {
        nlohmann::json scenario = {{"meshslice_scenario", 2},
                                   {"model", "gpt3-175b"},
                                   {"hardware", "a100-nvs4"},
                                   {"mesh", {4, 4}},
                                   {"batch", 1024},
                                   {"sequence", 2048},
                                   {"algorithm", "meshslice"},
                                   {"stationary", "auto"},
                                   {"slices", "auto"},
                                   {"block", 8}};
        scenario["schedule"] = {{"data_type", "bf16"}, {"ring", "both"}, {"prefetch", 1}};
        scenario["planning"] = {{"chips", chips}, {"strategy", "1d"}};
        if (loaded) {
            scenario["plan"] = {{"strategy", "1d"}, {"dp", 16},         {"pp", 8},
                                {"tp", {4, 1}},     {"micro_batch", 2}, {"placement", {4, 1, 1, 1}},
                                {"zero", 2}};
        }
        return folder.file("run.json", scenario.dump());
    };
    const nlohmann::json search = meshslice_json({"plan", "--scenario", file(512, false), "--json"});
    EXPECT_EQ(search["run"]["batch"], 1024);
    EXPECT_EQ(search["run"]["sequence"], 2048);
    EXPECT_EQ(search["run"]["cluster"], "a100-nvs4");
    EXPECT_EQ(search["run"]["chips"], 512);
    const std::string with_plan = file(512, true);
    nlohmann::json read = meshslice_json({"plan", "--scenario", with_plan, "--json"});
    EXPECT_EQ(read["plan"]["dp"], 16);
    EXPECT_EQ(read["plan"]["micro_batch"], 2);
    EXPECT_EQ(read["plan"]["zero"], 2);
    nlohmann::json same = meshslice_json({"plan",
                                          "--model",
                                          "gpt3-175b",
                                          "--sequence",
                                          "2048",
                                          "--batch",
                                          "1024",
                                          "--cluster",
                                          "a100-nvs4",
                                          "--strategy",
                                          "1d",
                                          "--dp",
                                          "16",
                                          "--pp",
                                          "8",
                                          "--tp",
                                          "4x1",
                                          "--micro-batch",
                                          "2",
                                          "--placement",
                                          "4,1,1,1",
                                          "--zero",
                                          "2",
                                          "--json",
                                          "--no-ends",
                                          "--no-optimizer-step",
                                          "--stages",
                                          "even",
                                          "--memory-reserve",
                                          "0 B"});
    for (nlohmann::json* one : {&read, &same}) {
        for (const char* measured : {"expected_s", "time_low_s", "time_high_s"}) {
            EXPECT_EQ(one->erase(measured), 1u); // measured runs have both ends, which are not tied there
        }
    }
    EXPECT_EQ(read, same) << "a file of then leaves out what it left out";
    // A flag that asks for plans searches.
    EXPECT_EQ(meshslice_json({"plan", "--scenario", with_plan, "--top", "2", "--json"})["plans"].size(), 2u);
    EXPECT_THAT(refused({"plan", "--scenario", file(256, true)}),
                HasSubstr("does not suit the scenario. It is for 512 chips, and the scenario has 256."));
    EXPECT_THAT(refused({"plan", "--variant", "B"}), HasSubstr("--variant needs --scenario FILE."));
}

} // namespace
} // namespace meshslice::test
