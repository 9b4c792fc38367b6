// Measured traces, on the command line.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Finished trace(std::vector<std::string> words) {
    std::vector<std::string> arguments = {"trace", source_file("tests/core/import/kineto.json")};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return meshslice_command(std::move(arguments));
}

TEST(TraceCommand, SaysWhereAStepWent) {
    const Finished printed = trace({});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("100 µs a step: multiplication and attention 50%"));
    EXPECT_THAT(printed.out, HasSubstr("Of 35.0 µs of communication, 15.0 µs (43%) run while"));
    const Finished values = trace({"--step", "2", "--json"});
    EXPECT_THAT(values.out,
                AllOf(HasSubstr("\"steps\": 1"), HasSubstr("\"writer\": \"PyTorch's profiler\"")));
}

TEST(TraceCommand, HoldsAStepAgainstAPlan) {
    const Finished printed = trace(
        {"--of", "plan", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--chips", "8", "--batch", "8"});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, AllOf(HasSubstr("By measured runs it takes "), HasSubstr("outside of that."),
                                   HasSubstr("measured against it"), HasSubstr("communication, exposed")));
    EXPECT_THAT(trace({"--of", "roofline", "--gemm", "128x128x128"}).err, HasSubstr("expected --of plan"));
}

/// A step of 100 us is far from one of 8 chips that takes a second.
TEST(TraceCommand, SaysWhatLikelyDiffersWhereAPlanIsFarOff) {
    const std::vector<std::string> plan = {"--of",      "plan",    "--model", "llama-3-8b", "--machine",
                                           "h100-nvs8", "--chips", "8",       "--batch",    "8"};
    const Finished printed = trace(plan);
    EXPECT_THAT(
        printed.out,
        AllOf(HasSubstr("times as long: the two are likely different runs."),
              HasSubstr("The trace has one device and the plan has 8 chips: it covers a part of them, "
                        "or it is another run."),
              HasSubstr("A device multiplies and attends for "),
              HasSubstr("likely the model, its number of layers, the batch or the sequence differs.")));
    std::vector<std::string> values = plan;
    values.emplace_back("--json");
    EXPECT_THAT(trace(values).out, HasSubstr("\"far_off\""));
    EXPECT_THAT(trace({}).out, Not(HasSubstr("likely")));
}

/// The plan multiplies and attends for 553 ms. With 600 ms the work may be the same, and of what differs
/// most, 5 s of communication, is said that it does. Devices that the plan does not have are of another run.
TEST(TraceCommand, SaysWhichPartOfAStepThatIsFarOffDiffersMost) {
    const TemporaryFolder folder;
    const auto kernel = [](const char* name, int device, const char* at, const char* lasts) {
        return R"({"ph": "X", "cat": "kernel", "name": ")" + std::string(name) + R"(", "ts": )" + at +
               R"(, "dur": )" + lasts + R"(, "args": {"device": )" + std::to_string(device) +
               R"(, "stream": 7}})";
    };
    const std::string waits =
        folder.file("waits.json", R"({"traceEvents": [)" + kernel("gemm", 0, "0", "600000") + "," +
                                      kernel("ncclDevKernel_AllReduce", 0, "600000", "5000000") + "]}");
    const std::vector<std::string> plan = {"--of",      "plan",      "--model", "llama-3-8b",
                                           "--machine", "h100-nvs8", "--batch", "8"};
    const auto of = [&](const std::string& file, const std::string& chips) {
        std::vector<std::string> words = {"trace", file, "--chips", chips};
        words.insert(words.end(), plan.begin(), plan.end());
        return meshslice_command(words).out;
    };
    EXPECT_THAT(of(waits, "8"), AllOf(HasSubstr("attends for 600 ms a step and for "),
                                      HasSubstr(" in the plan, so the work may be the same: the largest "
                                                "difference is in \"communication, exposed\".")));
    const std::string copies =
        folder.file("copies.json", R"({"traceEvents": [)" + kernel("copy", 0, "0", "10") + "," +
                                       kernel("copy", 1, "0", "10") + "]}");
    EXPECT_THAT(
        of(copies, "1"),
        AllOf(HasSubstr("The trace has 2 devices and the plan has one chip: likely it is another run."),
              HasSubstr("The trace has no kernel that is known to multiply.")));
    EXPECT_THAT(of(copies, "8"),
                HasSubstr("The trace has 2 devices and the plan has 8 chips: it covers a part"));
}

/// What is written is a trace that is read again, and tells the same.
TEST(TraceCommand, WritesWhatItReadsAgain) {
    const TemporaryFolder folder;
    const std::string path = folder.path("out.json");
    ASSERT_EQ(trace({"--step", "1", "--trace", path}).exit_code, 0);
    const Finished again = meshslice_command({"trace", path});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("multiplication          40.0 µs"));
    EXPECT_THAT(again.out, HasSubstr("communication, exposed  20.0 µs"));
}

/// A trace that we wrote of a plan is a prediction. One that we wrote of a measurement is not.
TEST(TraceCommand, CallsItsOwnPredictionOne) {
    const TemporaryFolder folder;
    const std::string path = folder.path("plan.json");
    ASSERT_EQ(meshslice_command({"plan", "--model", "llama-3-8b", "--machine", "h100-nvs8", "--chips", "8",
                                 "--batch", "8", "--strategy", "1d", "--trace", path})
                  .exit_code,
              0);
    const std::vector<std::string> plan = {"trace",   path,         "--of",      "plan",
                                           "--model", "llama-3-8b", "--machine", "h100-nvs8",
                                           "--chips", "8",          "--batch",   "8"};
    const Finished printed = meshslice_command(plan);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, AllOf(StartsWith("A prediction of MeshSlice Explorer, nothing measured: "),
                                   HasSubstr("the file against it")));
    EXPECT_EQ(meshslice_json({"trace", path})["measured"], false);
    const std::string copy = folder.path("copy.json");
    ASSERT_EQ(trace({"--trace", copy}).exit_code, 0);
    EXPECT_EQ(meshslice_json({"trace", copy})["measured"], true);
}

/// 60 GB at 4 us; the allocator has 70 GB of the 80 GB of the device. An H100 has 80 GiB, 85.9 GB.
TEST(TraceCommand, SaysWhatDevicesHold) {
    const TemporaryFolder folder;
    const std::string file =
        folder.file("t.json",
                    R"({"deviceProperties": [{"id": 0, "totalGlobalMem": 80e9}], "traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 100, "dur": 10, "args": {"device": 0, "stream": 7}},
      {"ph": "i", "name": "[memory]", "ts": 104, "args": {"Total Reserved": 70e9, "Total Allocated": 60e9,
       "Device Id": 0, "Device Type": 1}}]})");
    const Finished alone = meshslice_command({"trace", file});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_THAT(alone.out, HasSubstr("Memory: device 0 holds most, 60.0 GB, 4.00 µs after the begin; its "
                                     "allocator reserves 70.0 GB. Of the 80.0 GB of device 0, 10.0 GB are "
                                     "free."));
    const nlohmann::json memory = meshslice_json({"trace", file})["memory"];
    EXPECT_EQ(memory["peak_bytes"], 60e9);
    EXPECT_EQ(memory["free_bytes"], 10e9);
    EXPECT_TRUE(memory["predicted_bytes"].is_null());
    EXPECT_EQ(memory["curve"].size(), 1U);
    const std::string picture = folder.path("memory.svg");
    ASSERT_EQ(meshslice_command({"trace", file, "--svg-memory", picture}).exit_code, 0);
    EXPECT_THAT(file_content(picture), AllOf(HasSubstr(">memory of the<"), HasSubstr(">device 0<")));
    const Finished planned = meshslice_command({"trace", file, "--of", "plan", "--model", "llama-3-8b",
                                                "--machine", "h100-nvs8", "--chips", "8", "--batch", "8"});
    ASSERT_EQ(planned.exit_code, 0) << planned.err;
    EXPECT_THAT(planned.out, AllOf(HasSubstr("Of the 85.9 GB of NVIDIA H100 SXM"),
                                   HasSubstr("15.9 GB are free"), HasSubstr("The plan predicts ")));
    EXPECT_THAT(trace({}).out, Not(HasSubstr("Memory"))) << "its file does not say it";
    EXPECT_THAT(trace({"--svg-memory", picture}).err,
                AllOf(HasSubstr("--svg-memory has no effect"), HasSubstr("says nothing of memory")));
}

/// Device 1 holds less than device 0, and its allocator reserves more: of the 80 GB it has 4 GB left.
TEST(TraceCommand, SaysWhatIsLeftOfTheFullestDevice) {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "t.json",
        R"({"deviceProperties": [{"id": 0, "totalGlobalMem": 80e9}, {"id": 1, "totalGlobalMem": 80e9}],
      "traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 100, "dur": 10, "args": {"device": 0, "stream": 7}},
      {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 100, "dur": 10, "args": {"device": 1, "stream": 7}},
      {"ph": "i", "name": "[memory]", "ts": 104, "args": {"Total Reserved": 70e9, "Total Allocated": 60e9,
       "Device Id": 0, "Device Type": 1}},
      {"ph": "i", "name": "[memory]", "ts": 104, "args": {"Total Reserved": 76e9, "Total Allocated": 50e9,
       "Device Id": 1, "Device Type": 1}}]})");
    const Finished printed = meshslice_command({"trace", file});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("its allocator reserves 70.0 GB. The allocator of device 1 reserves "
                                       "most, 76.0 GB. Of the 80.0 GB of device 1, 4.00 GB are free."));
}

TEST(TraceCommand, RefusesStepsThatAreNotThere) {
    EXPECT_THAT(trace({"--step", "3"}).err, HasSubstr("--step is 3; expected 1 to 2"));
    EXPECT_THAT(meshslice_command({"trace", "nowhere.json"}).err, HasSubstr("There is no file nowhere.json"));
}

} // namespace
} // namespace meshslice::test
