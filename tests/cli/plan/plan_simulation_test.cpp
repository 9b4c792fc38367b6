#include "tests/cli/support/chrome_trace_checker.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// 8 stages of 16 layers, 16 micro-batches, one chip for each stage.
const std::vector<std::string> eight_stages = {"plan", "--machine", "b200-nvs8", "--dp", "1",
                                               "--pp", "8",         "--tp",      "1x1",  "--batch",
                                               "16",   "--model",   "gpt3-1t"};

std::vector<std::string> eight_stages_with(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = eight_stages;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// One chip of each layer: nothing contends, so the closed form is right for every schedule, and memory too.
TEST(CliPlanSimulation, EqualsTheEstimateWhereNothingContends) {
    for (const char* schedule : {"1f1b", "gpipe", "interleaved:2"}) {
        SCOPED_TRACE(schedule);
        const json plan =
            meshslice_json(eight_stages_with({"--placement", "1,1,1,8", "--schedule", schedule, "--simulate",
                                              "1", "--json", "--no-ends", "--no-optimizer-step"}));
        const json& simulated = plan.at("simulated");
        const double time = plan.at("time_s").get<double>();
        EXPECT_NEAR(simulated.at("time_s").get<double>(), time, 1e-8 * time);
        EXPECT_NEAR(simulated.at("memory_bytes").get<double>(), plan.at("memory_bytes").get<double>(), 1e3);
        double sum = 0;
        for (const char* part : {"passes_s", "data_s", "pipeline_s", "waits_s"}) {
            sum += simulated.at(part).get<double>();
        }
        EXPECT_NEAR(sum, time, 1e-8 * time);
    }
}

TEST(CliPlanSimulation, IsAskedFor) {
    EXPECT_FALSE(meshslice_json(eight_stages_with({"--json"})).contains("simulated"));
    EXPECT_THAT(meshslice_command(eight_stages).out, Not(HasSubstr("simulated")));
    EXPECT_THAT(meshslice_command(eight_stages_with({"--simulate", "1"})).out,
                AllOf(HasSubstr("simulated"), HasSubstr("exposed sends"), HasSubstr("difference")));
}

/// The first two of three ranked plans.
TEST(CliPlanSimulation, TakesTheFirstPlansOfASearch) {
    std::vector<std::string> search = {"plan",    "--machine", "b200-nvs8",  "--chips", "256",
                                       "--batch", "64",        "--strategy", "1d",      "--simulate",
                                       "2",       "--top",     "3",          "--model", "gpt3-1t"};
    EXPECT_THAT(meshslice_command(search).out, HasSubstr("exposed sends"));
    search.emplace_back("--json");
    const json found = meshslice_json(search);
    ASSERT_EQ(found.at("plans").size(), 3u);
    EXPECT_GT(found.at("plans")[0].at("simulated").at("time_s"), 0.0);
    EXPECT_TRUE(found.at("plans")[1].contains("simulated"));
    EXPECT_FALSE(found.at("plans")[2].contains("simulated"));
}

/// More than --top says, and where nothing fits, the first that do not.
TEST(CliPlanSimulation, ShowsAsManyPlansAsAreSimulated) {
    const json found =
        meshslice_json({"plan", "--machine", "b200-nvs8", "--chips", "256", "--batch", "64", "--strategy",
                        "1d", "--simulate", "3", "--top", "2", "--model", "gpt3-1t", "--json"});
    ASSERT_EQ(found.at("plans").size(), 3u);
    EXPECT_TRUE(found.at("plans")[2].contains("simulated"));
    const Finished none = meshslice_command({"plan", "--machine", "b200-nvs8", "--chips", "64", "--strategy",
                                             "1d", "--batch", "64", "--model", "gpt3-1t", "--simulate", "2"});
    EXPECT_THAT(none.out, AllOf(HasSubstr("Nothing fits"), HasSubstr("\n1 "), HasSubstr("\n2 "),
                                HasSubstr("exposed sends")));
}

/// 8 stages, 16 micro-batches: 256 passes and 2 x 7 x 16 sends, all over the pipeline network; one chip of
/// each layer exchanges nothing. It ends with the simulation.
TEST(CliPlanSimulation, WritesATraceForPerfetto) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("pipeline.json");
    const json plan = meshslice_json(eight_stages_with({"--simulate", "1", "--trace", trace, "--json"}));
    const std::string content = file_content(trace);
    const CheckedTrace checked = check_chrome_trace(content, plan.at("simulated").at("time_s").get<double>());
    EXPECT_THAT(checked.findings, IsEmpty());
    EXPECT_EQ(checked.complete_events, 256 + 2 * 7 * 16 + 8) << "and the update of each stage";
    EXPECT_GT(checked.waits, 8) << "each stage waits for its first micro-batch or after its last";
    EXPECT_GT(checked.counts, 16);
    for (const char* name :
         {"stage 1", "stage 8", "compute", "pipeline network", "waits", "memory held, bytes"}) {
        EXPECT_THAT(content, HasSubstr('"' + std::string(name) + '"'));
    }
    EXPECT_THAT(content, Not(HasSubstr("data network")));
}

/// With data-parallel chips there is a row for their network.
TEST(CliPlanSimulation, TracesTheBestPlanOfASearch) {
    const TemporaryFolder folder;
    const std::string trace = folder.path("pipeline.json");
    const Finished finished =
        meshslice_command({"plan", "--machine", "b200-nvs8", "--chips", "256", "--batch", "64", "--strategy",
                           "1d", "--model", "gpt3-1t", "--top", "1", "--trace", trace});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    const CheckedTrace checked = check_chrome_trace(file_content(trace));
    EXPECT_THAT(checked.findings, IsEmpty());
    EXPECT_GT(checked.complete_events, 0);
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& reason) {
    const Finished finished = meshslice_command(arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, AllOf(HasSubstr(reason), EndsWith(".\n")));
}

TEST(CliPlanSimulation, IsRefusedWithWhatWorks) {
    expect_refused(eight_stages_with({"--simulate", "0"}),
                   "--simulate is \"0\"; expected a whole number from 1 to 1000000.");
    expect_refused(eight_stages_with({"--csv", "same.json", "--trace", "same.json"}), "same.json");
    const TemporaryFolder folder;
    expect_refused(eight_stages_with({"--trace", folder.path("no/such/folder.json")}), "folder.json");
}

} // namespace
} // namespace meshslice::test
