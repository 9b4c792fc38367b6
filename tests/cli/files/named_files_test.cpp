// Whatever is wrong in a file that a flag names: the sentence names the file, so that a user who gave five of
// them knows which to open.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string file_refusal(const std::vector<std::string>& arguments) {
    const Finished finished = meshslice_command(arguments);
    EXPECT_EQ(finished.exit_code, 2) << testing::PrintToString(arguments) << finished.err;
    EXPECT_EQ(finished.out, "") << testing::PrintToString(arguments);
    return finished.err;
}

TEST(CliNamedFiles, EveryFlagThatReadsAFileNamesIt) {
    const TemporaryFolder folder;
    const std::string gemms =
        folder.file("gemms.csv", "M,N,K,time\n1024,1024,1024,1e-4 s\n2048,2048,2048,8e-4 s\n");
    struct Flag {
        std::vector<std::string> before; ///< the file's name
        const char* ending;
    };
    const std::vector<Flag> flags = {
        {{"simulate", "--scenario"}, "json"},
        {{"estimate", "--scenario"}, "json"},
        {{"tune", "--scenario"}, "json"},
        {{"verify", "--scenario"}, "json"},
        {{"sweep", "--vary", "batch=8,16", "--scenario"}, "json"},
        {{"plan", "--scenario"}, "json"},
        {{"simulate", "--hardware"}, "json"},
        {{"simulate", "--model"}, "json"},
        {{"simulate", "--measured"}, "csv"},
        {{"plan", "--model"}, "json"},
        {{"plan", "--cluster"}, "json"},
        {{"calibrate", "--gemms"}, "csv"},
        {{"calibrate", "--collectives"}, "csv"},
        {{"calibrate", "--gemms", gemms, "--hardware"}, "json"},
        {{"reproduce", "--hardware"}, "json"},
        {{"reproduce", "--model"}, "json"},
        {{"collective", "all-gather", "--bytes", "1e6", "--axes", "X=16", "--hardware"}, "json"},
        {{"roofline", "--gemm", "128x8192x32768", "--hardware"}, "json"}};
    const std::vector<std::string> contents = {"",
                                               "{",
                                               "[]",
                                               "{}",
                                               "<html></html>",
                                               std::string("\0\x01\xff", 3),
                                               "M,N,K,time\n64,64,64,never\n",
                                               R"({"meshslice_scenario": 1, "batch": 1e99})",
                                               R"({"meshslice_hardware": 99})",
                                               R"({"meshslice_model": -1})",
                                               R"({"meshslice_project": 1, "variants": [{"name": 3}]})"};
    for (const Flag& flag : flags) {
        for (std::size_t k = 0; k < contents.size(); ++k) {
            const std::string file =
                folder.file("the-file-" + std::to_string(k) + "." + flag.ending, contents[k]);
            std::vector<std::string> arguments = flag.before;
            arguments.push_back(file);
            EXPECT_THAT(file_refusal(arguments), HasSubstr(file)) << contents[k];
        }
    }
}

/// Values that only the file itself knows to be wrong: the key stands there, too.
TEST(CliNamedFiles, AFaultOfAFileIsNamedWithItsKey) {
    const TemporaryFolder folder;
    json scenario = json::parse(file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json")));
    const auto with_fault = [&](const char* words) {
        scenario["faults"] = {{"parts", {words}}, {"jitter_s", 0.0}, {"seed", 1}};
        return folder.file("faulty.json", scenario.dump());
    };
    for (const char* bad : {"9,9 east 50%", "1,1 left 50%", "1,1 east", "1,1 core dead", "1,1 east 500%"}) {
        const std::string file = with_fault(bad);
        for (const char* command : {"simulate", "estimate", "tune", "verify"}) {
            EXPECT_THAT(file_refusal({command, "--scenario", file}),
                        StartsWith("meshslice: " + file + ": \"/faults/parts\": "))
                << bad;
        }
    }
    // The file's fault names a chip that the flag's mesh does not have; the flag's own is the flag's.
    const std::string file = with_fault("3,1 east 50%");
    EXPECT_EQ(meshslice_command({"simulate", "--scenario", file}).exit_code, 0);
    EXPECT_THAT(file_refusal({"simulate", "--scenario", file, "--mesh", "2x2"}),
                AllOf(StartsWith("meshslice: " + file + ": \"/faults/parts\": "), HasSubstr("mesh 2x2")));
    EXPECT_THAT(file_refusal({"simulate", "--scenario", file, "--fault", "9,9 east 50%"}),
                testing::Not(HasSubstr(file)));
}

/// A plan's question in a file: what it says is not a flag.
TEST(CliNamedFiles, AWrongQuestionOfAPlanIsTheFiles) {
    const TemporaryFolder folder;
    json scenario = json::parse(file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json")));
    scenario.erase("gemm");
    scenario["meshslice_scenario"] = 2;
    scenario["planning"] = {{"chips", 1021}}; // a prime number of chips
    const std::string file = folder.file("question.json", scenario.dump());
    EXPECT_THAT(file_refusal({"plan", "--scenario", file}), StartsWith("meshslice: " + file + ": "));
    scenario["planning"]["zero"] = "9";
    const std::string other = folder.file("other.json", scenario.dump());
    EXPECT_THAT(file_refusal({"plan", "--scenario", other}),
                StartsWith("meshslice: " + other + ": \"/planning/zero\": "));
}

} // namespace
} // namespace meshslice::test
