// What Nsight Systems exports. The database was made by hand with the tables and columns of nsys export
// --type sqlite; it has the same two steps of 100 us as kineto.json: a GEMM of 40, attention of 10, an
// addition of 10, an all-reduce of 35 from 45 on, and a copy of 5 from 80 on.

#include "core/import/nsight_trace.h"
#include "core/import/trace_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace meshslice {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double one_us = 1e-6, one_ps = 1e-12;

std::string database_path() {
    return std::string(MESHSLICE_SOURCE_DIR) + "/tests/fuzz/seeds/evidence/nsight.sqlite";
}

std::string database_bytes() {
    std::ifstream stream(database_path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(NsightTrace, HasStreamsKernelsAndSteps) {
    const auto trace = read_device_trace_file(database_path());
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->writer, TraceWriter::nsight);
    EXPECT_THAT(trace->devices(), ElementsAre("0 of process 4711"));
    ASSERT_EQ(trace->lanes.size(), 2u);
    EXPECT_EQ(trace->lanes[0].name, "stream 7");
    EXPECT_EQ(trace->lanes[0].events.size(), 8u);
    EXPECT_EQ(trace->lanes[1].events.size(), 2u);
    ASSERT_EQ(trace->steps.size(), 2u) << "and \"forward\" is not one";
    EXPECT_EQ(trace->steps[0].name, "iteration 7");
    EXPECT_EQ(trace->steps[1].name, "iteration 8") << "by its number among the texts";
    EXPECT_FALSE(trace->steps_of_device);
}

TEST(NsightTrace, IsTheSameAsThatOfPyTorch) {
    const auto trace = read_device_trace_file(database_path());
    const auto other =
        read_device_trace_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/import/kineto.json");
    ASSERT_TRUE(trace && other);
    const Stretch first{trace->steps[0].start, trace->steps[0].end};
    const DeviceUse ours = device_uses(*trace, first)[0];
    const DeviceUse theirs = device_uses(*other, {other->steps[0].start, other->steps[0].end})[0];
    for (const DeviceWork work : device_works) {
        EXPECT_THAT(ours.of(work), DoubleNear(theirs.of(work), one_ps)) << name(work);
    }
    EXPECT_THAT(ours.idle_s, DoubleNear(15 * one_us, one_ps));
    EXPECT_THAT(ours.hidden_s(), DoubleNear(15 * one_us, one_ps));
    EXPECT_EQ(run_of(*trace, first, "nsight.sqlite")->slice_count(), 5u);
}

TEST(NsightTrace, IsReadFromBytes) {
    const auto trace = read_nsight_bytes(database_bytes(), "bytes");
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->lanes.size(), 2u);
}

TEST(NsightTrace, IsRefusedWithWhatIsWrong) {
    const auto refusal = [](const std::string& bytes) {
        const auto trace = read_nsight_bytes(bytes, "a.sqlite");
        return trace ? std::string() : trace.error().sentence;
    };
    EXPECT_THAT(refusal(database_bytes().substr(0, 700)), HasSubstr("a.sqlite cannot be read as a database"));
    std::string other = database_bytes();
    const auto rename = [&](const std::string& from, const std::string& to) {
        for (std::size_t at = other.find(from); at != std::string::npos; at = other.find(from, at)) {
            other.replace(at, from.size(), to);
        }
    };
    rename("streamId", "otherOne");
    EXPECT_THAT(refusal(other), HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL has no column \"streamId\""));
    rename("CUPTI_", "OTHER_");
    EXPECT_THAT(refusal(other), HasSubstr("has no table CUPTI_ACTIVITY_KIND_KERNEL"));
}

TEST(NsightTrace, StepsAreKnownByTheirNames) {
    for (const char* step : {"step", "train_step", "iteration 12", "Step #3", "ProfilerStep#7", "iter_10"}) {
        EXPECT_TRUE(names_a_step(step)) << step;
    }
    for (const char* other : {"", "12", "forward", "optimizer step", "stepping", "layer 3"}) {
        EXPECT_FALSE(names_a_step(other)) << other;
    }
}

} // namespace
} // namespace meshslice
