#include "core/report/chrome_trace.h"
#include "core/report/csv.h"
#include "core/report/step_json.h"
#include "core/report/why_words.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace meshslice {
namespace {

TEST(Csv, FollowsRfc4180) {
    Table table;
    table.columns = {"name", "time_s", "bytes"};
    table.rows = {{std::string("plain"), 0.1, std::int64_t{9007199254740993}},
                  {std::string("comma, quote \" and\nline"), 1e-12, std::int64_t{-1}}};
    EXPECT_EQ(csv(table), "name,time_s,bytes\r\n"
                          "plain,0.1,9007199254740993\r\n"
                          "\"comma, quote \"\" and\nline\",1e-12,-1\r\n");
}

TrainingStep small_step() {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    scenario.block = 4;
    scenario.slices = 2;
    return *training_step(scenario, "meshslice", Depth::simulate);
}

/// The hand-worked case of the estimate's tests: the first gather of A is launched at 0 for 10 us, agrees
/// until 11 us and transfers until 4011 us; the run ends at 102 011 us.
TEST(ChromeTrace, CountsInMicroseconds) {
    std::ostringstream out;
    write_chrome_trace(small_step(), out);
    const auto trace = nlohmann::json::parse(out.str());
    double end = 0;
    bool found = false;
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == "X") {
            end = std::max(end, event["ts"].get<double>() + event["dur"].get<double>());
            found =
                found || (event["cat"] == "transfer" && event["tid"] == 3 && event["pid"] == 0 &&
                          event["ts"] == 11.0 && event["dur"] == 4000.0 && event["args"]["bytes"] == 4000000);
        }
    }
    EXPECT_TRUE(found);
    EXPECT_DOUBLE_EQ(end, 102011);
}

TEST(TimelineCsv, HasOneLinePerBusyInterval) {
    const TrainingStep step = small_step();
    std::ostringstream out;
    write_timeline_csv(step, out);
    const std::string text = out.str();
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
              step.gemms[0].timeline->interval_count() + 1);
    EXPECT_TRUE(text.starts_with("chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass\r\n"));
    EXPECT_NE(text.find("\"0,0\",east link,transfer,11000000,4011000000,4000000,0,,forward\r\n"),
              std::string::npos);
}

TEST(StepJson, GivesTotalsAndOneObjectPerProduct) {
    const auto json = nlohmann::json::parse(step_json(small_step()));
    EXPECT_DOUBLE_EQ(json["time_s"], 0.102011);
    EXPECT_DOUBLE_EQ(json["gemms"][0]["estimated_s"], 0.102011);
    EXPECT_EQ(json["gemms"][0]["slices"], 2);
    EXPECT_EQ(json["mesh"], "2x2");
    // 2 * 4000 * 6000 * 8000 FLOP on four chips of 10^12 FLOP/s in 0.102011 s.
    EXPECT_DOUBLE_EQ(json["flop_utilisation"], 3.84e11 / (4e12 * 0.102011));
}

/// The same run: the core waits 6000 us for the first transfer of B, between 11 us and 6011 us, and the
/// second gather of B could take 41 989 us longer.
TEST(StepJson, SaysWhy) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    const TrainingStep step = small_step();
    const auto why = meshslice::why(step, scenario);
    ASSERT_TRUE(why);
    const auto json = nlohmann::json::parse(step_json(step, &*why));
    EXPECT_EQ(json["why"]["sentence"], why_sentence(step, *why));
    EXPECT_EQ(json["why"]["bound_by"], json["bound_by"]);
    EXPECT_DOUBLE_EQ(json["why"]["critical_path_s"]["steady"]["core"]["compute"], 0.048);
    const auto& product = json["gemms"][0]["why"];
    EXPECT_DOUBLE_EQ(product["exposed_s"]["prologue"]["vertical_links"]["transfer"], 0.006);
    EXPECT_DOUBLE_EQ(product["slack_s"]["vertical_links"], 0.041989);
    EXPECT_EQ(product["remedies"]["faster_links_percent_until_compute_sets_the_pace"], 0);
    EXPECT_FALSE(nlohmann::json::parse(step_json(step)).contains("why"));
}

} // namespace
} // namespace meshslice
