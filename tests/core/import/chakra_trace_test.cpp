// rank0.et was written with Google's protobuf from the public schema, not by this program.

#include "core/import/chakra_trace.h"
#include "core/import/run_log.h"
#include "core/import/trace_use.h"
#include "core/report/trace/chakra_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of_rank0() {
    std::ifstream stream(std::string(MESHSLICE_SOURCE_DIR) + "/tests/fuzz/seeds/evidence/rank0.et",
                         std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Result<ChakraTrace> read_bytes(const std::string& bytes) {
    std::istringstream stream(bytes);
    return read_chakra(stream, "rank0.et");
}

std::string written_nodes(const std::vector<ChakraNode>& nodes) {
    std::ostringstream out;
    ChakraWriter writer(out);
    for (const ChakraNode& node : nodes) {
        writer.add(node);
    }
    return out.str();
}

TEST(ChakraTraces, AreReadAsTheSchemaHasThem) {
    const std::string bytes = bytes_of_rank0();
    EXPECT_EQ(kind_of_measured(bytes), MeasuredKind::graph);
    const Result<ChakraTrace> trace = read_bytes(bytes);
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->version, "0.0.4");
    ASSERT_EQ(trace->nodes.size(), 6U);
    const ChakraNode& gemm = trace->nodes[0];
    EXPECT_EQ(gemm.id, 7U);
    EXPECT_EQ(gemm.kind, ChakraKind::compute);
    EXPECT_EQ(gemm.flop, 6'000'000U);
    EXPECT_EQ(gemm.memory_bytes, 2000U);
    EXPECT_EQ(gemm.duration_us, 30U);
    const ChakraNode& gather = trace->nodes[1];
    EXPECT_EQ(gather.collective, ChakraCollective::all_gather);
    EXPECT_EQ(gather.sent_bytes, 4096U);
    EXPECT_EQ(gather.group, "3");
    EXPECT_THAT(gather.after, ElementsAre(7U));
    const ChakraNode& send = trace->nodes[3];
    EXPECT_EQ(send.kind, ChakraKind::send);
    EXPECT_EQ(send.to, 4U);
    EXPECT_EQ(send.tag, 12U);
    EXPECT_THAT(trace->nodes[4].after, ElementsAre(300U, 9U)) << "dependencies of control and of data";
    EXPECT_EQ(trace->nodes[4].flop, 2'000'000U) << "a number in zigzag";
    EXPECT_TRUE(trace->nodes[5].of_host);
}

/// Without starts: 30 us of a GEMM, then 20 us of a gather next to 10 us of attention, then 5 us.
TEST(ChakraTraces, BeginAsSoonAsTheyCan) {
    const auto trace = read_bytes(bytes_of_rank0()).and_then([](const ChakraTrace& one) {
        return device_trace_of(one, "rank0.et");
    });
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->writer, TraceWriter::chakra);
    EXPECT_DOUBLE_EQ(in_seconds(trace->end), 55e-6);
    const DeviceUse use = average(device_uses(*trace, {Time(0), trace->end}));
    EXPECT_DOUBLE_EQ(use.of(DeviceWork::multiply), 35e-6);
    EXPECT_DOUBLE_EQ(use.of(DeviceWork::attention), 10e-6);
    EXPECT_DOUBLE_EQ(use.of(DeviceWork::communication), 10e-6);
}

TEST(ChakraTraces, AreWrittenAsTheyAreRead) {
    const Result<ChakraTrace> trace = read_bytes(bytes_of_rank0());
    ASSERT_TRUE(trace);
    const Result<ChakraTrace> again = read_bytes(written_nodes(trace->nodes));
    ASSERT_TRUE(again) << again.error().sentence;
    EXPECT_EQ(again->nodes, trace->nodes);
}

TEST(ChakraTraces, AreAddedUpByWhatTheyDo) {
    const std::vector<ChakraSum> sums = sums_of(*read_bytes(bytes_of_rank0()));
    ASSERT_EQ(sums.size(), 3U);
    EXPECT_EQ(sums[0].count, 4U);
    EXPECT_DOUBLE_EQ(sums[0].flop, 9e6);
    EXPECT_EQ(sums[1].group, "3");
    EXPECT_DOUBLE_EQ(sums[2].sent_bytes, 256);
}

TEST(ChakraTraces, SayWhatIsWrong) {
    const auto refusal = [](const std::string& bytes) {
        const Result<ChakraTrace> read = read_bytes(bytes);
        return read ? std::string("it is read") : read.error().sentence;
    };
    const std::string bytes = bytes_of_rank0();
    EXPECT_THAT(refusal("{\"traceEvents\": []}"), HasSubstr("does not begin as an execution trace"));
    EXPECT_THAT(refusal(bytes.substr(0, bytes.size() - 3)), HasSubstr("is broken at byte"));
    ChakraNode one;
    one.id = 1;
    one.kind = ChakraKind::compute;
    one.after = {2};
    EXPECT_EQ(refusal(written_nodes({one})), "rank0.et: node 1 waits for node 2, which is not there.");
    ChakraNode two = one;
    two.id = 2;
    two.after = {1};
    EXPECT_EQ(refusal(written_nodes({one, two})), "rank0.et: nodes wait for each other in a circle.");
    two.id = 1;
    EXPECT_EQ(refusal(written_nodes({one, two})), "rank0.et has node 1 twice.");
    EXPECT_EQ(refusal(written_nodes({})), "rank0.et has no node.");
    one.after.clear();
    const auto untimed = device_trace_of(*read_bytes(written_nodes({one})), "rank0.et");
    ASSERT_FALSE(untimed);
    EXPECT_THAT(untimed.error().sentence, HasSubstr("has a time; only what they compute"));
}

} // namespace
} // namespace meshslice
