// What a command writes: whole or not at all, and nothing else is touched.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <utility>

namespace meshslice::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const std::vector<std::string> small = {"simulate", "--gemm", "64x64x64", "--mesh", "2x2"};

std::vector<std::string> small_with(std::initializer_list<std::string> more) {
    std::vector<std::string> arguments = small;
    arguments.insert(arguments.end(), more);
    return arguments;
}

/// The command line in a shell, in a folder: "$0" is the program, "$1" the folder.
Finished in_shell(const TemporaryFolder& folder, const std::string& script) {
    return run_process(
        {"/bin/sh", "-c", "cd \"$1\" || exit 1; " + script, MESHSLICE_COMMAND, folder.path("")});
}

TEST(OutputFiles, AFileOfTheUsersOwnWithAPartialNameStays) {
    const TemporaryFolder folder;
    const std::string own = folder.file("trace.json.part", "mine");
    EXPECT_EQ(meshslice_command(small_with({"--trace", folder.path("trace.json")})).exit_code, 0);
    EXPECT_EQ(file_content(own), "mine");
    EXPECT_THAT(folder.names(), ElementsAre("trace.json", "trace.json.part"));
}

/// Whichever ends last wins; the file is whole either way.
TEST(OutputFiles, TwoRunsThatWriteOneFileBothWriteItWhole) {
    const TemporaryFolder folder;
    const Finished finished = in_shell(folder, R"(
        "$0" simulate --mesh 4x2 --batch 16 --trace t.json > one 2>&1 & first=$!
        "$0" simulate --mesh 4x2 --batch 16 --trace t.json > two 2>&1 & second=$!
        wait $first && wait $second && rm one two)");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(folder.names(), ElementsAre("t.json"));
    EXPECT_TRUE(nlohmann::json::accept(file_content(folder.path("t.json"))));
}

/// A trace of 171 MB. A run that is over before the signal comes has written all of it.
TEST(OutputFiles, ASignalInTheMiddleLeavesNothingBehind) {
    for (const auto& [name, number] :
         {std::pair("INT", SIGINT), std::pair("TERM", SIGTERM), std::pair("HUP", SIGHUP),
          std::pair("QUIT", SIGQUIT), std::pair("PIPE", SIGPIPE)}) {
        const TemporaryFolder folder;
        const Finished finished =
            in_shell(folder, std::string("ulimit -c 0; (until [ -n \"$(ls -A)\" ]; do :; done; kill -") +
                                 name + R"( $$) & exec "$0" simulate --mesh 8x8 --batch 64 --trace t.json)");
        if (finished.signal == 0) {
            EXPECT_EQ(finished.exit_code, 0) << name << ": " << finished.err;
            EXPECT_THAT(folder.names(), ElementsAre("t.json")) << name;
        } else {
            EXPECT_EQ(finished.signal, number) << name;
            EXPECT_THAT(folder.names(), IsEmpty()) << name;
        }
    }
}

/// 255 bytes is the longest name that Linux's file systems have.
TEST(OutputFiles, TheLongestNameThereIsCanBeWritten) {
    const TemporaryFolder folder;
    const std::string name = std::string(250, 'a') + ".json";
    EXPECT_EQ(meshslice_command(small_with({"--trace", folder.path(name)})).exit_code, 0);
    EXPECT_THAT(folder.names(), ElementsAre(name));
}

TEST(OutputFiles, ALinkStaysALinkEvenIfItsFileIsNotThereYet) {
    const TemporaryFolder folder;
    const Finished finished = in_shell(
        folder,
        R"(ln -s there.json link.json && "$0" simulate --gemm 64x64x64 --mesh 2x2 --trace link.json)");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.json")));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder.path("there.json")));
}

/// "q.json" and "./q.json" are one file, and so are a folder's file and the same seen through a link.
TEST(OutputFiles, OneFileUnderTwoNamesIsNotWrittenTwice) {
    const TemporaryFolder folder;
    for (const char* other : {"./q.json", "$PWD/q.json", "link/q.json"}) {
        const Finished finished = in_shell(
            folder, std::string("{ [ -e link ] || ln -s . link; } && \"$0\" simulate --gemm 64x64x64 --mesh "
                                "2x2 --trace q.json --intervals \"") +
                        other + "\"");
        EXPECT_EQ(finished.exit_code, 2) << other;
        EXPECT_THAT(finished.err, HasSubstr("would be written twice")) << other;
    }
    EXPECT_THAT(folder.names(), ElementsAre("link"));
}

TEST(OutputFiles, AFitDoesNotOverwriteTheHardwareThatItStartsFrom) {
    const TemporaryFolder folder;
    const std::string hardware = file_content(source_file("resources/machines/tpu-v4.json"));
    const std::string start = folder.file("fitted.json", hardware);
    const Finished finished =
        meshslice_command({"reproduce", "--fit", "--hardware", start, "--out", folder.path("")});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("would be overwritten"));
    EXPECT_EQ(file_content(start), hardware);
}

} // namespace
} // namespace meshslice::test
