#include "tests/cli/support/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <system_error>

namespace meshslice::test {
namespace {

Finished shell(const std::string& script, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    return run_process({"/bin/sh", "-c", script}, limit);
}

TEST(RunProcess, KeepsTheTwoOutputsApartAndTheExitCode) {
    const Finished finished = shell("echo answer; echo complaint >&2; exit 3");
    EXPECT_EQ(finished.out, "answer\n");
    EXPECT_EQ(finished.err, "complaint\n");
    EXPECT_EQ(finished.exit_code, 3);
    EXPECT_EQ(finished.signal, 0);
    EXPECT_FALSE(finished.timed_out);
}

TEST(RunProcess, PassesArgumentsAsTheyAre) {
    EXPECT_EQ(run_process({"/bin/echo", "a b", "", "$HOME", "\""}).out, "a b  $HOME \"\n");
}

/// 300 kB on each output, more than the 64 kB that a pipe holds.
TEST(RunProcess, ReadsMoreThanAPipeHolds) {
    const Finished finished = shell("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero");
    EXPECT_EQ(finished.out.size(), 300'000u);
    EXPECT_EQ(finished.err.size(), 300'000u);
    EXPECT_EQ(finished.exit_code, 0);
}

TEST(RunProcess, KillsWhatRunsTooLong) {
    const Finished finished = run_process({"/bin/sleep", "60"}, std::chrono::milliseconds(50));
    EXPECT_TRUE(finished.timed_out);
    EXPECT_EQ(finished.exit_code, -1);
    EXPECT_EQ(finished.signal, SIGKILL);
}

TEST(RunProcess, SaysWhichSignalEndedIt) {
    const Finished finished = shell("kill -TERM $$");
    EXPECT_EQ(finished.exit_code, -1);
    EXPECT_EQ(finished.signal, SIGTERM);
}

TEST(RunProcess, ThrowsWhereThereIsNoSuchProgram) {
    EXPECT_THROW(static_cast<void>(run_process({"/no/such/program"})), std::system_error);
}

} // namespace
} // namespace meshslice::test
