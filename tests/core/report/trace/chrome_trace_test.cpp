#include "core/evidence/profiled_step.h"
#include "core/import/device_trace.h"
#include "core/report/trace/chrome_trace.h"
#include "core/run/trace_notes.h"
#include "tests/core/plan/pipeline/drawn_pipeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using nlohmann::json;

std::vector<RunPtr> runs_of(const PipelineWork& work) {
    return {std::make_shared<const PipelineRun>(run_of(work))};
}

json trace_of(const PipelineWork& work) {
    std::ostringstream out;
    write_chrome_trace(runs_of(work), out);
    return json::parse(out.str()).at("traceEvents");
}

std::size_t count_of(const json& events, const char* kind, const char* category = "") {
    std::size_t count = 0;
    for (const json& event : events) {
        const bool fits = *category == '\0' || event.value("cat", "") == category;
        count += event.at("ph") == kind && fits ? 1 : 0;
    }
    return count;
}

/// Two stages, two micro-batches, sends of 1 us: 8 passes and 4 sends. The first stage waits as in the test
/// of the simulation: a bubble and an exposed send twice; the second a bubble, an exposed send and a bubble.
PipelineWork two_stages() {
    const Time us = Time(1'000'000);
    PipelineWork work = alike_stages(PipelineOrder::one_forward_one_backward, 2, 1, 2, 2 * us, 3 * us);
    for (PipelineStage& stage : work.stages) {
        stage.send_forward = stage.send_backward = us;
        stage.fixed = Bytes(100);
    }
    return work;
}

TEST(PipelineTrace, HasARowForEachStageAndItsNetworks) {
    const json events = trace_of(two_stages());
    EXPECT_EQ(count_of(events, "X"), 8u + 4u + 7u);
    EXPECT_EQ(count_of(events, "X", "wait"), 7u);
    std::map<std::string, std::string> names;
    for (const json& event : events) {
        if (event.at("ph") == "M" && event.at("args").contains("name")) {
            const std::string place = event.at("pid").dump() + ' ' +
                                      (event.at("name") == "process_name" ? "all" : event.at("tid").dump());
            names[place] = event.at("args").at("name").get<std::string>();
        }
    }
    const std::map<std::string, std::string> expected = {
        {"0 all", "stage 1"}, {"0 0", "compute"}, {"0 1", "pipeline network"}, {"0 3", "waits"},
        {"1 all", "stage 2"}, {"1 0", "compute"}, {"1 1", "pipeline network"}, {"1 3", "waits"}};
    EXPECT_EQ(names, expected) << "nothing goes over the data network";
}

/// The first backward pass of the first stage is from 9 to 12 us.
TEST(PipelineTrace, SaysWhatEachBarIsInMicroseconds) {
    const json events = trace_of(two_stages());
    bool found = false;
    for (const json& event : events) {
        if (event.at("ph") == "X" && event.at("pid") == 0 && event.at("name") == "backward 1") {
            found = true;
            EXPECT_EQ(event.at("cat"), "backward");
            EXPECT_EQ(event.at("ts"), 9.0);
            EXPECT_EQ(event.at("dur"), 3.0);
            EXPECT_EQ(event.at("args"), json({{"micro_batch", 1}, {"chunk", 1}, {"layer", 1}}));
        }
    }
    EXPECT_TRUE(found);
}

/// The first stage holds 101 B from 0, 102 from 2, 101 from 12 and 100 from 17 us, its end. The second one
/// takes its first micro-batch at 3 and its next in the moment in which it gives that back: 100, 101 and 100
/// from 13 us, and again at the end.
TEST(PipelineTrace, CountsTheMemoryOfEachStage) {
    const json events = trace_of(two_stages());
    std::map<int, std::vector<std::pair<double, int>>> held;
    for (const json& event : events) {
        if (event.at("ph") == "C") {
            EXPECT_EQ(event.at("name"), "memory held, bytes");
            held[event.at("pid")].emplace_back(event.at("ts"), event.at("args").at("held"));
        }
    }
    using Counts = std::vector<std::pair<double, int>>;
    EXPECT_EQ(held[0], (Counts{{0, 101}, {2, 102}, {12, 101}, {17, 100}}));
    EXPECT_EQ(held[1], (Counts{{0, 100}, {3, 101}, {13, 100}, {17, 100}}));
}

/// Two layers each of two chunks on one stage.
TEST(PipelineTrace, NamesChunksAndLayersWhereThereAreSeveral) {
    PipelineWork work = alike_stages(PipelineOrder::interleaved, 1, 2, 1, Time(2), Time(4));
    for (PipelineChunk& chunk : work.stages[0].chunks) {
        chunk.layers = 2;
        chunk.gather_weights = Time(1);
    }
    std::set<std::string> names;
    for (const json& event : trace_of(work)) {
        if (event.at("ph") == "X") {
            names.insert(event.at("name").get<std::string>());
        }
    }
    for (const char* name : {"forward 1 of chunk 1", "backward 1 of chunk 2",
                             "gather weights of layer 2, chunk 2", "exposed gather"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

TEST(PipelineTrace, IsSoundJsonWhereItIsStopped) {
    std::stop_source stop;
    stop.request_stop();
    std::ostringstream out;
    write_chrome_trace(runs_of(two_stages()), out, stop.get_token());
    EXPECT_TRUE(json::parse(out.str()).at("traceEvents").empty());
}

/// A prediction in a file makes it none that was measured, whatever else is in it.
TEST(TraceOfSeveralRuns, IsMeasuredWhereAllOfThemAre) {
    const Result<DeviceTrace> read =
        read_device_trace_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/import/kineto.json");
    ASSERT_TRUE(read) << read.error().sentence;
    const Result<ProfiledStep> step =
        profiled_step(std::make_shared<const DeviceTrace>(*read), 1, "kineto.json", "--step");
    ASSERT_TRUE(step) << step.error().sentence;
    const auto is_read_as_prediction = [](const std::vector<RunPtr>& runs) {
        std::ostringstream out;
        write_chrome_trace(runs, out);
        const json notes = json::parse(out.str()).at("otherData");
        return notes.at(std::string(trace_notes::runs)) == std::string(trace_notes::prediction);
    };
    const RunPtr measured = step->run(StepBegin::step, "measured"), predicted = runs_of(two_stages()).front();
    EXPECT_FALSE(is_read_as_prediction({measured}));
    EXPECT_TRUE(is_read_as_prediction({predicted}));
    EXPECT_TRUE(is_read_as_prediction({measured, predicted}));
}

} // namespace
} // namespace meshslice
