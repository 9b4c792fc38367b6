// What a command writes: whole or not at all, and nothing else is touched.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <utility>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
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

/// A trace of 171 MB. The signal comes when the file is open, which has no name yet. A run that is over
/// before the signal comes has written all of it.
TEST(OutputFiles, ASignalInTheMiddleLeavesNothingBehind) {
    for (const auto& [name, number] :
         {std::pair("INT", SIGINT), std::pair("TERM", SIGTERM), std::pair("HUP", SIGHUP),
          std::pair("QUIT", SIGQUIT), std::pair("PIPE", SIGPIPE), std::pair("USR1", SIGUSR1),
          std::pair("KILL", SIGKILL)}) {
        const TemporaryFolder folder;
        const Finished finished = in_shell(
            folder,
            std::string("ulimit -c 0; (until ls -l /proc/$$/fd | grep -q \"$PWD/#\" || [ -n "
                        "\"$(ls -A)\" ]; do :; done; kill -") +
                name + R"( $$) & exec "$0" simulate --mesh 8x8 --batch 64 --trace t.json --trace-chips all)");
        if (finished.signal == 0) {
            EXPECT_EQ(finished.exit_code, 0) << name << ": " << finished.err;
            EXPECT_THAT(folder.names(), ElementsAre("t.json")) << name;
        } else {
            EXPECT_EQ(finished.signal, number) << name;
            EXPECT_THAT(folder.names(), IsEmpty()) << name;
        }
    }
}

/// Where a file system gives no file without a name, a process that is killed leaves its part; who writes
/// one holds a lock on it.
TEST(OutputFiles, APartOfADeadProcessIsRemovedAndThatOfALivingOneIsNot) {
    const TemporaryFolder folder;
    (void)folder.file(".meshslice-1-0.part", "half");
    (void)folder.file(".meshslice-2-0.part", "half");
    const Finished finished =
        in_shell(folder, R"(exec 9< .meshslice-2-0.part; flock 9; "$0" presets models --csv p.csv)");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(folder.names(), ElementsAre(".meshslice-2-0.part", "p.csv"));
}

/// The mode of what was there; 0644 under this umask of what was not.
TEST(OutputFiles, AFileKeepsItsMode) {
    const TemporaryFolder folder;
    const Finished finished =
        in_shell(folder, R"(umask 022; echo x > a.csv; chmod 600 a.csv; "$0" presets models --csv a.csv >&2 &&
                   "$0" presets models --csv b.csv >&2; stat -c %a a.csv b.csv)");
    EXPECT_EQ(finished.out, "600\n644\n") << finished.err;
}

TEST(OutputFiles, AWriteProtectedFileStays) {
    const TemporaryFolder folder;
    const Finished finished =
        in_shell(folder, R"(echo x > a.csv; chmod 444 a.csv; "$0" presets models --csv a.csv)");
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("a.csv cannot be written: it is write-protected."));
    EXPECT_EQ(file_content(folder.path("a.csv")), "x\n");
}

/// Each reason has a sentence of its own.
TEST(OutputFiles, ARefusalSaysWhyTheSystemRefused) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file", "x");
    for (const auto& [path, why] :
         {std::pair(folder.path("no/a.csv"), "there is no folder " + folder.path("no")),
          std::pair(folder.path(""), std::string("it is a folder")),
          std::pair(file + "/a.csv", file + " is not a folder"),
          std::pair(folder.path(std::string(256, 'a')), std::string("its name is too long")),
          std::pair(std::string("/proc/version"), std::string("it is write-protected"))}) {
        const Finished finished = meshslice_command({"presets", "models", "--csv", path});
        EXPECT_EQ(finished.exit_code, 2) << path;
        EXPECT_THAT(finished.err, HasSubstr("cannot be written: " + why)) << path;
    }
    const Finished full = meshslice_command({"presets", "models", "--csv", "/dev/full"});
    EXPECT_THAT(full.err, HasSubstr("/dev/full cannot be written: its disk has no room left."));
    const Finished circle = in_shell(folder, R"(ln -s a b; ln -s b a; "$0" presets models --csv a)");
    EXPECT_THAT(circle.err, HasSubstr("a cannot be written: its links lead back to themselves."));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("a")));
}

/// SUMMA on 512 chips takes seconds; a file that cannot be written is refused before.
TEST(OutputFiles, OutputsAreTriedBeforeTheWork) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"simulate", "--mesh", "1x512", "--algorithm", "summa", "--trace"},
          {"simulate", "--mesh", "1x512", "--algorithm", "summa", "--intervals"},
          {"tune", "--chips", "65536", "--simulate", "1000", "--csv"}}) {
        std::vector<std::string> arguments = command;
        arguments.push_back(folder.path("no/such.file"));
        arguments.insert(arguments.begin(), MESHSLICE_COMMAND);
        const Finished finished = run_process(arguments);
        EXPECT_EQ(finished.exit_code, 2) << command.back();
        EXPECT_THAT(finished.err, AllOf(HasSubstr("there is no folder"), Not(HasSubstr("will have")),
                                        Not(HasSubstr("records"))));
    }
}

TEST(OutputFiles, OfSeveralAllAreWrittenOrNone) {
    const TemporaryFolder folder;
    const std::string measured = source_file("tests/core/scenario/fixtures/measured-collectives.csv");
    for (const char* other : {"--svg", "--residuals"}) {
        for (const std::string& nowhere : {folder.path("no/f"), std::string("/dev/full")}) {
            const Finished finished = meshslice_command(
                {"calibrate", "--collectives", measured, "--out", folder.path("h.json"), other, nowhere});
            EXPECT_EQ(finished.exit_code, 2) << other << nowhere;
            EXPECT_THAT(folder.names(), IsEmpty()) << other << nowhere;
        }
    }
}

/// 657,281 lines of 74 bytes are 48.7 MB; the trace says its size too.
TEST(OutputFiles, LargeFilesAreAnnounced) {
    const TemporaryFolder folder;
    const std::string path = folder.path("i.csv");
    const Finished finished =
        meshslice_command({"simulate", "--mesh", "8x8", "--batch", "64", "--intervals", path});
    EXPECT_EQ(finished.exit_code, 0);
    const auto size = static_cast<double>(file_content(path).size());
    double megabytes = 0;
    const std::size_t at = finished.err.find("will have about ");
    ASSERT_NE(at, std::string::npos) << finished.err;
    megabytes = std::stod(finished.err.substr(at + std::string("will have about ").size()));
    EXPECT_NEAR(1e6 * megabytes, size, 0.2 * size);
}

TEST(OutputFiles, AHyphenIsTheStandardOutputOrInput) {
    const TemporaryFolder folder;
    const Finished trace = meshslice_command(small_with({"--trace", "-"}));
    EXPECT_EQ(trace.exit_code, 0) << trace.err;
    EXPECT_TRUE(nlohmann::json::accept(trace.out)) << "and nothing else";
    EXPECT_EQ(meshslice_command(small_with({"--trace", "-", "--json"})).exit_code, 2);
    EXPECT_EQ(meshslice_command(small_with({"--trace", "-", "--intervals", "-"})).exit_code, 2);
    const std::string scenario = source_file("tests/cli/scenarios/small-gemm-4x2.json");
    const Finished piped = in_shell(folder, "\"$0\" simulate --scenario - --json < \"" + scenario + "\"");
    EXPECT_EQ(piped.out, meshslice_command({"simulate", "--scenario", scenario, "--json"}).out);
    EXPECT_THAT(folder.names(), IsEmpty());
}

/// A picture is written although nobody reads the rows to their end.
TEST(OutputFiles, AClosedPipeLosesNoFile) {
    const TemporaryFolder folder;
    const Finished finished = in_shell(folder, R"("$0" sweep --vary batch=8:512:x2 --svg a.svg | head -1)");
    EXPECT_THAT(folder.names(), Contains("a.svg")) << finished.err;
}

/// A refusal needs nobody who hears it.
TEST(OutputFiles, ClosedStandardStreamsEndNothing) {
    const TemporaryFolder folder;
    for (const char* closed : {"2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
        EXPECT_EQ(in_shell(folder, std::string("\"$0\" simulate --mesh 7x13 ") + closed).exit_code, 2)
            << closed;
    }
    const Finished written =
        in_shell(folder, R"("$0" presets models --csv m.csv <&- >&- 2>&-; "$0" presets models --csv)");
    EXPECT_EQ(file_content(folder.path("m.csv")), written.out) << "no file became a standard stream";
    EXPECT_EQ(in_shell(folder, R"("$0" presets models >&-)").exit_code, 2);
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
