// Measured traces, on the command line.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
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

TEST(TraceCommand, RefusesStepsThatAreNotThere) {
    EXPECT_THAT(trace({"--step", "3"}).err, HasSubstr("--step is 3; expected 1 to 2"));
    EXPECT_THAT(meshslice_command({"trace", "nowhere.json"}).err, HasSubstr("There is no file nowhere.json"));
}

} // namespace
} // namespace meshslice::test
