#include "core/machine/catalogue.h"
#include "core/report/csv.h"
#include "core/report/json/step_json.h"
#include "core/report/trace/chrome_trace.h"
#include "core/report/traced_step.h"
#include "core/report/words/why_words.h"
#include "tests/core/support/json_of.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace meshslice {
namespace {

TEST(Csv, FollowsRfc4180) {
    Table table;
    table.columns = {"name", "time_s", "bytes"};
    table.rows = {{std::string("plain"), 0.1, std::int64_t{9007199254740993}},
                  {std::string("comma, quote \" and\nline"), 1e-12, std::int64_t{-1}}};
    EXPECT_EQ(csv(table), "name,time_s,bytes\n"
                          "plain,0.1,9007199254740993\n"
                          "\"comma, quote \"\" and\nline\",1e-12,-1\n");
}

TrainingStep small_step() {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    scenario.plan.block = 4;
    scenario.plan.slices = 2;
    return *training_step(scenario, "meshslice", Depth::simulate);
}

/// The hand-worked case of the estimate's tests: the first gather of A is launched at 0 for 10 us, agrees
/// until 11 us and transfers until 4011 us; the run ends at 102 011 us.
TEST(ChromeTrace, CountsInMicroseconds) {
    std::ostringstream out;
    write_chrome_trace(trace_of(small_step()), out);
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
    EXPECT_TRUE(text.starts_with("chip,resource,kind,start_ps,end_ps,bytes,slice,layer,pass,memory_share\n"));
    EXPECT_NE(text.find("\"0,0\",east link,transfer,11000000,4011000000,4000000,0,,forward,\n"),
              std::string::npos);
}

/// T3's rows are threads and lines of their own, none of them a link's or a core's.
TEST(ChromeTrace, HasTheMemoriesOfStagedRuns) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {4};
    scenario.gemm = SingleGemm{{1024, 1024, 4096}, Dataflow::LS};
    scenario.assume.schedule.ring = RingMode::one_way;
    const auto step = training_step(scenario, "t3", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    const Timeline& timeline = *step->gemms.front().timeline;
    std::ostringstream out;
    write_chrome_trace(trace_of(*step), out);
    const auto trace = nlohmann::json::parse(out.str());
    std::array<std::size_t, 3> bars{};
    std::set<std::string> names;
    std::map<std::string, double> bytes; // of chip 0
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == "M" && event["name"] == "thread_name" && event["tid"] >= 8) {
            names.insert(event["args"]["name"].get<std::string>());
        }
        if (event["ph"] != "X" || event["pid"] != 0) {
            continue;
        }
        const int thread = event["tid"].get<int>();
        EXPECT_EQ(thread >= 8, event["cat"] == "memory");
        if (thread >= 8) {
            ++bars[static_cast<std::size_t>(thread - 8)];
            bytes[event["name"].get<std::string>()] += event["args"]["bytes"].get<double>();
        }
    }
    EXPECT_EQ(bars[0], timeline.served(0, MemoryStream::compute).size());
    EXPECT_EQ(bars[1], timeline.served(0, MemoryStream::communication).size());
    EXPECT_EQ(bars[2], 3U);
    EXPECT_EQ(names, (std::set<std::string>{"memory: GEMM", "memory: communication", "memory: collectives"}));
    // 3 chunks of 1024 x 1024 x 2 / 4 bytes are written, 2 read, 3 added; then 3 gathered, that is read and
    // written; rounded bar by bar.
    ASSERT_EQ(bytes.size(), 4U);
    for (const auto& [what, sum] : bytes) {
        const double chunks = what.ends_with("read and write") ? 6 : what.ends_with("read") ? 2 : 3;
        EXPECT_NEAR(sum, chunks * 524'288.0, 50) << what;
    }
    std::ostringstream table;
    write_timeline_csv(*step, table);
    const std::string text = table.str();
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
              1 + timeline.interval_count() + timeline.memory_stretches());
    EXPECT_NE(text.find(",memory: communication,update,"), std::string::npos);
}

TEST(StepJson, GivesTotalsAndOneObjectPerProduct) {
    const auto json = json_of(step_values(small_step()));
    EXPECT_DOUBLE_EQ(json["time_s"], 0.102011);
    EXPECT_DOUBLE_EQ(json["gemms"][0]["estimated_s"], 0.102011);
    EXPECT_EQ(json["gemms"][0]["slices"], 2);
    EXPECT_EQ(json["mesh"], "2x2");
    // 2 * 4000 * 6000 * 8000 FLOP on four chips of 10^12 FLOP/s in 0.102011 s.
    EXPECT_DOUBLE_EQ(json["flop_utilization"], 3.84e11 / (4e12 * 0.102011));
}

/// The same run: the core waits 6000 us for the first transfer of B, between 11 us and 6011 us, and the
/// second gather of B could take 41 989 us longer.
TEST(StepJson, SaysWhy) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    const TrainingStep step = small_step();
    const auto why = meshslice::why(step, scenario);
    ASSERT_TRUE(why);
    const auto json = json_of(step_values(step, &*why));
    EXPECT_EQ(json["why"]["sentence"], why_sentence(step, *why));
    EXPECT_EQ(json["why"]["bound_by"], json["bound_by"]);
    EXPECT_DOUBLE_EQ(json["why"]["critical_path_s"]["steady"]["core"]["compute"], 0.048);
    const auto& product = json["gemms"][0]["why"];
    EXPECT_DOUBLE_EQ(product["exposed_s"]["prologue"]["vertical_links"]["transfer"], 0.006);
    EXPECT_DOUBLE_EQ(product["slack_s"]["vertical_links"], 0.041989);
    EXPECT_EQ(product["remedies"]["faster_links_percent_until_compute_sets_the_pace"], 0);
    EXPECT_FALSE(json_of(step_values(step)).contains("why"));
}

/// A terminal that shows the file must not obey it.
TEST(Export, ACsvHasNoControlCharacters) {
    EXPECT_EQ(csv_line({std::string("\x1b[31mx\x07"), std::string("a\nb"), std::string("\u6587")}),
              "\\x1b[31mx\\x07,\"a\nb\",\u6587\n");
}

} // namespace
} // namespace meshslice
