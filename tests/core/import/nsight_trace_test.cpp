// What Nsight Systems exports. The database was made by hand with the tables and columns of nsys export
// --type sqlite; it has the same two steps of 100 us as kineto.json: a GEMM of 40, attention of 10, an
// addition of 10, an all-reduce of 35 from 45 on, and a copy of 5 from 80 on.

#include "core/import/nsight_trace.h"
#include "core/import/trace_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sqlite3.h>
#include <string>
#include <utility>
#include <vector>

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

/// The bytes of a database that SQL makes.
std::string database_of(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(database, "main", &size, 0);
    std::string made(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    sqlite3_close(database);
    return made;
}

/// Tables and columns of the export's schema. A kernel of process 7 on device 0 from 1000 ns to 3000 ns.
constexpr const char* with_memory = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, globalPid INT);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 3000, 0, 7, 7 * 0x1000000);
CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT, totalMemory INT);
INSERT INTO TARGET_INFO_GPU VALUES (3, 'a', 100), (4, 'b', 8000);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INT, cudaId INT, pid INT);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 7);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INT, globalPid INT, deviceId INT, address INT, bytes INT,
    memKind INT, memoryOperationType INT);
)";
const std::string memory_row = "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES ";

/// 100 before the kernel, 40 more at 1500, 100 back at 2000. 30 of an array come at 2500. What is of the host
/// (kind 1) or moves to it (4), and the return of what was there before (address 99), does not count.
TEST(NsightTrace, AddsUpTheMemoryOfDevices) {
    const auto trace = read_nsight_bytes(
        database_of(with_memory + memory_row +
                    "(500, 7 * 0x1000000, 0, 16, 100, 2, 0), (600, 7 * 0x1000000, 0, 32, 5000, 1, 0),"
                    "(700, 7 * 0x1000000, 0, 99, 900, 2, 1), (800, 7 * 0x1000000, 0, 48, 700, 4, 0),"
                    "(2000, 7 * 0x1000000, 0, 16, 100, 2, 1), (1500, 7 * 0x1000000, 0, 64, 40, 2, 0),"
                    "(2500, 7 * 0x1000000, 0, 16, 30, 3, 0);"),
        "a.sqlite");
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->memory.size(), 1u);
    EXPECT_EQ(trace->memory[0].device, "0 of process 7");
    EXPECT_EQ(device_words(trace->memory[0].device), "device 0 of process 7");
    EXPECT_EQ(trace->memory[0].capacity, 8000);
    std::vector<double> held;
    for (const MemoryPoint& one : trace->memory[0].points) {
        held.push_back(one.held);
    }
    EXPECT_THAT(held, ElementsAre(100, 100, 140, 40, 70)) << "the second is the return that does not count";
    const auto most = most_held(*trace, {Time(0), trace->end});
    ASSERT_EQ(most.size(), 1u);
    EXPECT_EQ(most[0].bytes, 140);
    EXPECT_EQ(most[0].at, Time(500'000)) << "500 ns after the kernel's begin, in ps";
}

/// Activities that name no process, of GPUs that two processes each call their first: its memory is known
/// where both GPUs have as much.
TEST(NsightTrace, KnowsTheMemoryOfANumberWhereAllOfItHaveAsMuch) {
    for (const auto& [second, capacity] : {std::pair(100, 0), std::pair(8000, 8000)}) {
        const auto trace = read_nsight_bytes(
            database_of(
                "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 3000, 0, 7);"
                "CREATE TABLE TARGET_INFO_GPU (id INT, totalMemory INT);"
                "INSERT INTO TARGET_INFO_GPU VALUES (3, 8000), (4, " +
                std::to_string(second) +
                ");"
                "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INT, cudaId INT, pid INT);"
                "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 7), (4, 0, 8);"
                "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INT, deviceId INT, address INT, "
                "bytes INT, memKind INT, memoryOperationType INT);" +
                memory_row + "(500, 0, 16, 100, 2, 0);"),
            "a.sqlite");
        ASSERT_TRUE(trace) << trace.error().sentence;
        ASSERT_EQ(trace->memory.size(), 1u);
        EXPECT_EQ(trace->memory[0].device, "0");
        EXPECT_EQ(trace->memory[0].capacity, capacity);
    }
}

TEST(NsightTrace, CallsANumberADevice) {
    EXPECT_EQ(device_words("0"), "device 0");
    EXPECT_EQ(device_words("12 of process 4711"), "device 12 of process 4711");
    EXPECT_EQ(device_words(""), "device ");
    for (const char* name :
         {"4090 Ti", "0 of process", "0 of process 7b", "/device:TPU:0", "2x of process 7"}) {
        EXPECT_EQ(device_words(name), name);
    }
}

TEST(NsightTrace, HasNoMemoryWhereItsTableLacksAColumn) {
    std::string other = with_memory;
    other.replace(other.find("memKind"), 7, "another");
    const auto trace = read_nsight_bytes(database_of(other), "a.sqlite");
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_TRUE(trace->memory.empty());
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
