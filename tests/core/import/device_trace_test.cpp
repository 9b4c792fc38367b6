#include "core/import/device_trace.h"
#include "core/import/trace_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace meshslice {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double us = 1e-6;
constexpr double ps = 1e-12;

Result<DeviceTrace> read(const std::string& text) {
    std::istringstream stream(text);
    return read_device_trace(stream, "trace.json");
}

/// Two steps of 100 us, made by hand: a GEMM of 40, attention of 10, an addition of 10, an all-reduce of 35
/// from 45 on, and a copy of 5 from 80 on.
DeviceTrace by_hand() {
    return read_device_trace_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/import/kineto.json")
        .value();
}

TEST(DeviceTrace, OfPyTorchHasItsStreamsAndSteps) {
    const DeviceTrace trace = by_hand();
    EXPECT_EQ(trace.writer, TraceWriter::kineto);
    EXPECT_THAT(trace.devices(), ElementsAre("0"));
    ASSERT_EQ(trace.lanes.size(), 2u);
    EXPECT_EQ(trace.lanes[0].name, "stream 7");
    EXPECT_EQ(trace.lanes[0].events.size(), 8u);
    EXPECT_EQ(trace.lanes[1].events.size(), 2u);
    ASSERT_EQ(trace.steps.size(), 2u);
    EXPECT_TRUE(trace.steps_of_device);
    EXPECT_EQ(trace.steps[1].name, "ProfilerStep#8");
    EXPECT_DOUBLE_EQ(in_seconds(trace.steps[1].start), 100 * us);
}

/// Worked by hand: of the 35 us of communication 15 run under attention and the addition, and 20 alone.
TEST(DeviceTrace, EachMomentCountsOnce) {
    const DeviceTrace trace = by_hand();
    const auto uses = device_uses(trace, {trace.steps[0].start, trace.steps[0].end});
    ASSERT_EQ(uses.size(), 1u);
    const DeviceUse& use = uses[0];
    EXPECT_THAT(use.seconds, DoubleNear(100 * us, ps));
    EXPECT_THAT(use.parts_s,
                ElementsAre(DoubleNear(40 * us, ps), DoubleNear(10 * us, ps), DoubleNear(10 * us, ps),
                            DoubleNear(5 * us, ps), DoubleNear(20 * us, ps)));
    EXPECT_THAT(use.idle_s, DoubleNear(15 * us, ps));
    EXPECT_THAT(use.hidden_s(), DoubleNear(15 * us, ps));
    // Half of the second step: its all-reduce has begun.
    const auto half = device_uses(trace, {trace.steps[1].start, trace.steps[1].start + Time(50'000'000)});
    EXPECT_THAT(half[0].communication_s, DoubleNear(5 * us, ps));
    EXPECT_THAT(half[0].idle_s, DoubleNear(0, ps));
}

TEST(DeviceTrace, KernelsStandByTheirTime) {
    const DeviceTrace trace = by_hand();
    const auto kernels = kernel_uses(trace, {Time(0), trace.end});
    ASSERT_EQ(kernels.size(), 5u);
    EXPECT_THAT(kernels[0].name, HasSubstr("gemm"));
    EXPECT_EQ(kernels[0].count, 2);
    EXPECT_THAT(kernels[0].seconds, DoubleNear(80 * us, ps));
    EXPECT_EQ(kernels[1].work, DeviceWork::communication);
}

TEST(DeviceTrace, IsARunThatWasMeasured) {
    const DeviceTrace trace = by_hand();
    const RunPtr run = run_of(trace, {trace.steps[1].start, trace.steps[1].end}, "trace.json");
    EXPECT_EQ(run->reading(), RunReading::measured);
    EXPECT_EQ(run->slice_count(), 5u);
    const auto lane = find_lane(*run, "device 0", "stream 20");
    ASSERT_TRUE(lane);
    EXPECT_DOUBLE_EQ(in_seconds(slices(*run, *lane).front().start), 45 * us);
}

/// XProf names lines by metadata, and says for each operation what it multiplies and moves.
TEST(DeviceTrace, OfXProfIsReadByTheNamesOfItsLines) {
    const auto trace = read(R"({"displayTimeUnit": "ns", "traceEvents": [
      {"ph": "M", "pid": 3, "name": "process_name", "args": {"name": "/device:TPU:0"}},
      {"ph": "M", "pid": 3, "tid": 1, "name": "thread_name", "args": {"name": "Steps"}},
      {"ph": "M", "pid": 3, "tid": 3, "name": "thread_name", "args": {"name": "XLA Ops"}},
      {"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/host:CPU"}},
      {"ph": "X", "pid": 3, "tid": 1, "ts": 10, "dur": 50, "name": "4"},
      {"ph": "X", "pid": 3, "tid": 3, "ts": 10, "dur": 20, "name": "fusion.12",
       "args": {"hlo_category": "convolution fusion", "model_flops": "2000000", "bytes_accessed": "64"}},
      {"ph": "X", "pid": 3, "tid": 3, "ts": 30, "dur": 10, "name": "all-gather.3"},
      {"ph": "X", "pid": 7, "tid": 9, "ts": 0, "dur": 99, "name": "PjitFunction"}]})");
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->writer, TraceWriter::xprof);
    ASSERT_EQ(trace->steps.size(), 1u);
    EXPECT_EQ(trace->steps[0].name, "step 4");
    const Stretch step{trace->steps[0].start, trace->steps[0].end};
    EXPECT_THAT(device_uses(*trace, step)[0].idle_s, DoubleNear(20 * us, ps));
    const auto kernels = kernel_uses(*trace, step);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].work, DeviceWork::multiply);
    EXPECT_DOUBLE_EQ(kernels[0].flop_per_s, 2e6 / (20 * us));
    EXPECT_EQ(kernels[1].work, DeviceWork::communication);
}

/// Kineto says after each change what is allocated: 10 bytes before the first kernel, 50 at 5 us, 20 at 8 us,
/// of GPU 0. What the host holds does not count. A step from 6 us on begins with the 50.
TEST(DeviceTrace, OfPyTorchHasItsMemory) {
    const auto trace = read(R"({"deviceProperties": [{"id": 0, "name": "GPU", "totalGlobalMem": 100}],
      "traceEvents": [
      {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 90,
       "args": {"Total Reserved": 64, "Total Allocated": 10, "Bytes": 10, "Device Id": 0, "Device Type": 1}},
      {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 100, "dur": 10,
       "args": {"device": 0, "stream": 7, "grid": [1, 1, 1]}},
      {"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 108,
       "args": {"Total Reserved": 64, "Total Allocated": 20, "Bytes": -30, "Device Id": 0, "Device Type": 1}},
      {"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 105,
       "args": {"Total Reserved": 80, "Total Allocated": 50, "Bytes": 40, "Device Id": 0, "Device Type": 1}},
      {"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 106,
       "args": {"Total Reserved": 0, "Total Allocated": 999, "Bytes": 9, "Device Id": -1, "Device Type": 0}}]})");
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->memory.size(), 1U);
    EXPECT_EQ(trace->memory[0].device, "0");
    EXPECT_DOUBLE_EQ(trace->memory[0].capacity, 100);
    const auto most = most_held(*trace, {Time(0), trace->end});
    ASSERT_EQ(most.size(), 1U);
    EXPECT_DOUBLE_EQ(most[0].bytes, 50);
    EXPECT_DOUBLE_EQ(in_seconds(most[0].at), 5 * us);
    EXPECT_DOUBLE_EQ(most[0].reserved, 80);
    const auto late = held_in(trace->memory[0], {Time(6'000'000), Time(10'000'000)});
    ASSERT_EQ(late.size(), 2U);
    EXPECT_DOUBLE_EQ(late[0].held, 50) << "what it begins with";
    EXPECT_DOUBLE_EQ(in_seconds(late[1].at), 2 * us);
    const RunPtr run = run_of(*trace, {Time(0), trace->end}, "trace.json");
    const auto lane = find_lane(*run, "device 0", "memory held");
    ASSERT_TRUE(lane);
    EXPECT_EQ(run->lane(*lane).kind, LaneKind::counter);
    const std::vector<RunValue> values = run->values(*lane, {Time(5'500'000), Time(9'000'000)});
    ASSERT_EQ(values.size(), 3U);
    EXPECT_DOUBLE_EQ(values[0].value, 50);
    EXPECT_DOUBLE_EQ(values[1].value, 20);
    EXPECT_EQ(values[2].from, Time(9'000'000)) << "to the end of the stretch";
    EXPECT_EQ(run->values(*lane, {Time(5'500'000), Time(90'000'000)}).back().from, run->end())
        << "or of the run, where a longer one stands next to it";
    EXPECT_TRUE(by_hand().memory.empty());
}

/// Counters by the name of their process: in MiB where they say so; those of bandwidth, or of the host, and
/// those with several values of which none is what is held, do not count.
TEST(DeviceTrace, HasCountersOfMemory) {
    const auto trace = read(R"([{"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:0"}},
      {"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
      {"ph":"X","pid":3,"tid":3,"ts":10,"dur":20,"name":"fusion.1"},
      {"ph":"C","pid":3,"tid":0,"ts":9,"name":"HBM bandwidth","args":{"x":7}},
      {"ph":"C","pid":3,"tid":0,"ts":9,"name":"HBM","args":{"free":1,"size":2}},
      {"ph":"C","pid":3,"tid":0,"ts":10,"name":"HBM used, MiB","args":{"allocated":2,"free":5}},
      {"ph":"C","pid":3,"tid":0,"ts":20,"name":"HBM used, MiB","args":{"allocated":3,"free":4}}])");
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->memory.size(), 1U);
    EXPECT_EQ(trace->memory[0].device, "/device:TPU:0");
    const auto most = most_held(*trace, {Time(0), trace->end});
    EXPECT_DOUBLE_EQ(most[0].bytes, 3 * 1048576.0);
    EXPECT_DOUBLE_EQ(in_seconds(most[0].at), 10 * us);
}

/// What is reserved or free is not held, and a rate is not memory; "generated" and "threads" do not say
/// "rate" or "read". 60 [GB] are 60e9 bytes.
TEST(DeviceTrace, KnowsCountersByWholeWords) {
    const auto held = [](const std::string& counters) {
        const auto trace =
            read(R"([{"ph":"X","pid":3,"tid":3,"ts":10,"dur":20,"name":"fusion.1"},)" + counters + "]");
        EXPECT_TRUE(trace) << trace.error().sentence;
        std::vector<double> all;
        for (const MostHeld& one :
             trace ? most_held(*trace, {Time(0), trace->end}) : std::vector<MostHeld>()) {
            all.push_back(one.bytes);
        }
        return all;
    };
    const auto counter = [](const std::string& name, const std::string& values) {
        return R"({"ph":"C","pid":3,"ts":10,"name":")" + name + R"(","args":{)" + values + "}}";
    };
    using testing::ElementsAre;
    EXPECT_THAT(held(counter("GPU memory [GB]", R"("x":60)")), ElementsAre(60e9));
    EXPECT_THAT(held(counter("memory", R"("used_MB":3)")), ElementsAre(3e6));
    EXPECT_THAT(held(counter("usedMemoryGiB", R"("x":1)")), ElementsAre(1073741824.0));
    EXPECT_THAT(held(counter("generated memory of threads", R"("x":7)")), ElementsAre(7));
    EXPECT_THAT(held(counter("memory read rate", R"("x":7)")), ElementsAre());
    EXPECT_THAT(held(counter("memorybandwidth", R"("x":7)")), ElementsAre());
    EXPECT_THAT(held(counter("memory, GB/s", R"("x":7)")), ElementsAre());
    EXPECT_THAT(held(counter("reserved memory", R"("x":9)") + "," + counter("memory", R"("x":5)")),
                ElementsAre(5));
    EXPECT_THAT(held(counter("memory", R"("free":9)")), ElementsAre());
}

TEST(DeviceTrace, OfOthersIsEveryLine) {
    const auto trace = read(R"([{"ph":"X","pid":1,"tid":2,"ts":0,"dur":4,"name":"matmul"},
                                {"ph":"X","pid":1,"tid":"b","ts":1,"dur":4,"name":"wait"}])");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->writer, TraceWriter::other);
    EXPECT_EQ(trace->lanes.size(), 2u);
    EXPECT_TRUE(trace->steps.empty());
}

/// Kernels alone do not show who wrote them; what only PyTorch's profiler writes does.
TEST(DeviceTrace, IsOfPyTorchWhereItSaysSo) {
    const std::string kernel = R"({"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":4,"name":"gemm"})";
    const auto writer_of = [](const std::string& text) {
        const auto trace = read(text);
        EXPECT_TRUE(trace) << trace.error().sentence;
        return trace ? trace->writer : TraceWriter::nsight;
    };
    EXPECT_EQ(writer_of("[" + kernel + "]"), TraceWriter::other);
    EXPECT_EQ(writer_of(R"({"schemaVersion": 1, "traceEvents": [)" + kernel + "]}"), TraceWriter::kineto);
    EXPECT_EQ(writer_of("[" + kernel +
                        R"(,{"ph":"X","cat":"cpu_op","pid":1,"tid":1,"ts":0,"dur":4,)"
                        R"("name":"aten::mm"}])"),
              TraceWriter::kineto);
}

TEST(DeviceTrace, IsRefusedWithWhatIsWrong) {
    const auto refusal = [](const std::string& text) {
        const auto trace = read(text);
        return trace ? std::string() : trace.error().sentence;
    };
    EXPECT_THAT(refusal("{\"traceEvents\": [{\"ph\": \"X\",]}"), HasSubstr("broken at byte 29"));
    EXPECT_THAT(refusal("{\"events\": []}"), HasSubstr("no list \"traceEvents\""));
    EXPECT_THAT(refusal("{\"traceEvents\": []}"), HasSubstr("no complete event"));
    EXPECT_THAT(refusal("[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1e300, \"dur\": 1}]"),
                HasSubstr("no complete event"));
    EXPECT_THAT(read_device_trace_file("nowhere.json").error().sentence, HasSubstr("There is no file"));
}

constexpr std::size_t part_bytes = std::size_t{1} << 16; ///< that the reader of JSON gets at once

/// An event with a number, escapes and characters of two and four bytes, which begins so many bytes before
/// the end of the first part.
std::string over_the_border(std::size_t before) {
    const std::string event = R"({"ph":"X","cat":"kernel","ts":1234.5,"dur":6.25e1,"pid":0,"tid":7,)"
                              R"("name":"a\\b\u00e9\ud83d\ude00µ😀z"}])";
    return "[" + std::string(part_bytes - before - 1, ' ') + event;
}

TEST(DeviceTrace, IsReadOverTheBordersOfParts) {
    constexpr std::size_t event_bytes = 110; // more than it has
    for (std::size_t before = 0; before < event_bytes; ++before) {
        const auto trace = read(over_the_border(before));
        ASSERT_TRUE(trace) << before << ": " << trace.error().sentence;
        ASSERT_EQ(trace->kernels.size(), 1u);
        EXPECT_EQ(trace->kernels[0].name, "a\\bé😀µ😀z") << before;
        ASSERT_EQ(trace->lanes.size(), 1u);
        EXPECT_EQ(trace->lanes[0].events[0].end - trace->lanes[0].events[0].start, Time(62'500'000))
            << before;
    }
}

/// The ']' where a member was to come is the last byte of a part, the first one, or next to these.
TEST(DeviceTrace, NamesTheBrokenByteAtTheBorderOfParts) {
    const std::string broken = "[{\"ph\": \"X\",";
    for (std::size_t byte = part_bytes - 1; byte <= part_bytes + 2; ++byte) {
        const auto trace = read(broken + std::string(byte - 1 - broken.size(), ' ') + "]}");
        ASSERT_FALSE(trace);
        EXPECT_THAT(trace.error().sentence, HasSubstr("broken at byte " + std::to_string(byte) + ";"));
    }
}

/// As `cat a.gz b.gz` makes them: a name, a number and a character cut in two.
TEST(DeviceTrace, IsReadOverTheBordersOfGzipMembers) {
    const std::string text = over_the_border(part_bytes - 1);
    const std::string path =
        (std::filesystem::temp_directory_path() / ("meshslice-trace-" + std::to_string(::getpid()))).string();
    for (const char* inside : {"kernel", "234.5", "\xb5"}) {
        const std::size_t cut = text.find(inside) + (inside[0] == '\xb5' ? 0 : 2);
        for (const auto& [mode, part] :
             {std::pair("wb", text.substr(0, cut)), std::pair("ab", text.substr(cut))}) {
            const gzFile file = gzopen(path.c_str(), mode);
            ASSERT_NE(file, nullptr);
            EXPECT_EQ(gzwrite(file, part.data(), static_cast<unsigned>(part.size())),
                      static_cast<int>(part.size()));
            gzclose(file);
        }
        const auto trace = read_device_trace_file(path);
        std::filesystem::remove(path);
        ASSERT_TRUE(trace) << trace.error().sentence;
        EXPECT_EQ(trace->kernels.at(0).name, "a\\bé😀µ😀z") << inside;
    }
}

TEST(DeviceTrace, KernelsAreKnownByTheirNames) {
    for (const auto& [kernel, work] : std::vector<std::pair<const char*, DeviceWork>>{
             {"nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_TNT", DeviceWork::multiply},
             {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_MT256x256x64", DeviceWork::multiply},
             {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>", DeviceWork::multiply},
             {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma", DeviceWork::attention},
             {"ncclKernel_ReduceScatter_RING_LL_Sum_int8_t", DeviceWork::communication},
             {"all-reduce-start.1", DeviceWork::communication},
             {"copy-done.4", DeviceWork::copy},
             {"dot.7", DeviceWork::multiply},
             {"dotted_line_kernel", DeviceWork::other},
             {"void at::native::layer_norm_kernel", DeviceWork::other}}) {
        EXPECT_EQ(work_of(kernel), work) << kernel;
    }
}

} // namespace
} // namespace meshslice
