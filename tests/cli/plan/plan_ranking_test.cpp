#include "core/base/text.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::vector<std::string>& arguments) {
    const Finished finished = meshslice_command(arguments);
    EXPECT_EQ(finished.exit_code, 2) << testing::PrintToString(arguments);
    return finished.err;
}

/// By default the order is that of expected times, with ties named; by ideal time where it is asked for, and
/// where nothing is expected, which is said.
TEST(CliPlanRanking, RanksByExpectedTime) {
    const std::vector<std::string> search = {"plan",    "--model", "llama-3-8b", "--machine", "h100",
                                             "--chips", "16",      "--batch",    "64"};
    const nlohmann::json found = meshslice_json(and_flags(search, {"--json"}));
    EXPECT_EQ(found["ranked_by"], "expected");
    const std::size_t ties = found["not_distinguished"].size();
    EXPECT_GE(ties, 1U);
    EXPECT_GE(found["splits_not_distinguished"].get<std::size_t>(), ties);
    double before = 0;
    for (std::size_t k = 0; k < found["plans"].size(); ++k) {
        const nlohmann::json& one = found["plans"][k];
        if (!one.contains("expected_s")) {
            continue; // of SUMMA
        }
        EXPECT_GE(one["expected_s"].get<double>(), before);
        before = one["expected_s"].get<double>();
        EXPECT_EQ(one["tied"].get<bool>(),
                  before <= found["expected_s"].get<double>() * found["ratio_known_times"].get<double>())
            << k;
        EXPECT_EQ(one["tied"].get<bool>(), k < ties);
    }
    EXPECT_EQ(found["expected_s"], found["plans"][0]["expected_s"]);
    EXPECT_THAT(meshslice_command(search).out,
                AllOf(HasSubstr(" tokens expected, "), HasSubstr("Ideal, as the machine's numbers allow: "),
                      HasSubstr("cannot be distinguished"), HasSubstr("tied: ")));
    const nlohmann::json ideal = meshslice_json(and_flags(search, {"--rank", "ideal", "--json"}));
    EXPECT_EQ(ideal["ranked_by"], "ideal");
    EXPECT_LE(ideal["plans"][0]["time_s"].get<double>(), found["plans"][0]["time_s"].get<double>());
    EXPECT_GE(ideal["expected_s"].get<double>(), found["expected_s"].get<double>());
    EXPECT_THAT(meshslice_command({"plan", "--machine", "h100", "--chips", "64", "--batch", "64", "--model",
                                   "jamba-mini", "--strategy", "1d"})
                    .out,
                AllOf(HasSubstr("No published training run of a model with such blocks"),
                      HasSubstr("Ranked by ideal time, as no time is expected.")));
}

/// The nearest measured runs have their own batch and numbers, and none is there twice.
TEST(CliPlanRanking, NearestRunsSayWhatTheirTimeIsFor) {
    const nlohmann::json found = meshslice_json({"plan", "--model", "llama-3-70b", "--machine", "h100",
                                                 "--chips", "256", "--batch", "512", "--json"});
    std::set<std::string> seen;
    for (const nlohmann::json& one : found["nearest"]) {
        EXPECT_GT(one["batch"].get<int>(), 0);
        EXPECT_GT(one["sequence"].get<int>(), 0);
        EXPECT_FALSE(one["recipe"].get<std::string>().empty());
        nlohmann::json shown = one;
        for (const char* own : {"id", "measured_s", "expected_s", "source"}) {
            shown.erase(own);
        }
        EXPECT_TRUE(seen.insert(shown.dump()).second) << shown.dump();
    }
    EXPECT_GE(seen.size(), 3U);
    const nlohmann::json tuned =
        meshslice_json({"plan", "--model", "llama-3-70b", "--machine", "h100", "--chips", "8", "--batch",
                        "32", "--sequence", "4096", "--lora", "16", "--json"});
    EXPECT_TRUE(tuned["nearest"][0]["adapters"].get<bool>());
}

/// Where nothing is said chips share the experts, as published runs have it, so that a time is expected; --ep
/// 1 keeps all of them on each chip, of which none is.
TEST(CliPlanRanking, SharesExpertsWhereNothingIsSaid) {
    const std::vector<std::string> run = {"plan",    "--model",    "mixtral-8x7b", "--machine", "h100",
                                          "--chips", "32",         "--batch",      "64",        "--sequence",
                                          "4096",    "--strategy", "1d",           "--json"};
    const nlohmann::json usual = meshslice_json(run);
    EXPECT_EQ(usual["ranked_by"], "expected");
    EXPECT_GT(usual["expected_s"].get<double>(), 0);
    EXPECT_GT(usual["plans"][0]["plan"]["ep"].get<int>(), 1);
    EXPECT_EQ(meshslice_json(and_flags(run, {"--ep", "auto"})), usual);
    const nlohmann::json one = meshslice_json(and_flags(run, {"--ep", "1"}));
    EXPECT_EQ(one["ranked_by"], "ideal");
    EXPECT_FALSE(one.contains("expected_s"));
    // On a torus there are no such groups, and the default asks for none.
    const nlohmann::json torus =
        meshslice_json({"plan", "--model", "mixtral-8x7b", "--machine", "tpu-v5p", "--chips", "64", "--batch",
                        "64", "--sequence", "4096", "--strategy", "1d", "--json"});
    EXPECT_EQ(torus["ranked_by"], "ideal");
}

/// Points of a sweep say what is expected with its interval, next to the ideal time, which is called so.
TEST(CliPlanRanking, PointsOfASweepSayWhatIsExpected) {
    const std::vector<std::string> sweep = {"sweep",      "--of",       "plan",    "--model", "llama-3-8b",
                                            "--machine",  "h100",       "--batch", "64",      "--vary",
                                            "chips=8,16", "--strategy", "1d"};
    const nlohmann::json points = meshslice_json(and_flags(sweep, {"--json"}))["points"];
    ASSERT_EQ(points.size(), 2U);
    for (const nlohmann::json& point : points) {
        const std::string chips = std::to_string(point["chips"].get<int>());
        const nlohmann::json alone =
            meshslice_json({"plan", "--model", "llama-3-8b", "--machine", "h100", "--batch", "64", "--chips",
                            chips, "--strategy", "1d", "--json"});
        for (const char* number : {"expected_s", "time_low_s", "time_high_s"}) {
            EXPECT_EQ(point[number], alone[number]) << number;
        }
        EXPECT_GT(point["expected_s"].get<double>(), point["time_s"].get<double>());
    }
    EXPECT_THAT(meshslice_command(sweep).out,
                AllOf(HasSubstr("expected, eight of ten"), HasSubstr("ideal"),
                      HasSubstr("Expected to be the fastest: "), HasSubstr("By ideal times: ")));
    EXPECT_THAT(meshslice_command(and_flags(sweep, {"--number", "expected_s"})).out,
                AllOf(HasSubstr("\nExpected time: least "), Not(HasSubstr("y ideal time"))))
        << "a sweep of one number speaks of that one";
}

/// Steps of other batches are judged by their share of the peak: the expected one first.
TEST(CliPlanRanking, SweepsOfBatchesNameTheHighestExpectedShare) {
    const std::vector<std::string> sweep = {"sweep",      "--of",       "plan",    "--model", "llama-3-8b",
                                            "--machine",  "h100",       "--chips", "8",       "--vary",
                                            "batch=8,64", "--strategy", "1d"};
    const nlohmann::json points = meshslice_json(and_flags(sweep, {"--json"}))["points"];
    ASSERT_EQ(points.size(), 2U);
    const auto share = [](const nlohmann::json& point) { // the same FLOP in another time
        return point["flop_utilization"].get<double>() * point["time_s"].get<double>() /
               point["expected_s"].get<double>();
    };
    const nlohmann::json& best = share(points[0]) > share(points[1]) ? points[0] : points[1];
    EXPECT_THAT(meshslice_command(sweep).out,
                HasSubstr("\nHighest expected FLOP utilization: " + percent_text(share(best)) +
                          " with batch " + std::to_string(best["batch"].get<int>()) + "."));
}

TEST(CliPlanRanking, RefusesSumsWithoutGroups) {
    const std::vector<std::string> run = {"plan",    "--model",      "llama-3-8b", "--machine", "h100",
                                          "--chips", "16",           "--batch",    "16",        "--strategy",
                                          "1d",      "--shard-sums", "backward"};
    EXPECT_THAT(refusal_of(run),
                AllOf(HasSubstr("--shard-sums has no effect"), HasSubstr("only groups of them")));
    EXPECT_EQ(meshslice_command(and_flags(run, {"--shard-group", "8"})).exit_code, 0);
}

TEST(CliPlanRanking, NamesWhatWasMeant) {
    const std::vector<std::string> run = {"plan",    "--model", "llama-3-8b", "--machine", "h100",
                                          "--chips", "8",       "--batch",    "8"};
    EXPECT_THAT(refusal_of(and_flags(run, {"--batchsize", "8"})), HasSubstr("did you mean --batch?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--global-batch-size", "8"})), HasSubstr("did you mean --batch?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--gpus", "8"})), HasSubstr("did you mean --chips?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--gbs=8"})), HasSubstr("did you mean --batch?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--context", "ulysses"})), HasSubstr("did you mean all-to-all?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--context", "p2p"})), HasSubstr("did you mean ring?"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--context", "sideways"})),
                HasSubstr("expected any, gather, ring"));
    EXPECT_THAT(refusal_of(and_flags(run, {"--recompute", "gelu"})),
                HasSubstr("core_attn, layernorm, act and mlp"));
}

} // namespace
} // namespace meshslice::test
