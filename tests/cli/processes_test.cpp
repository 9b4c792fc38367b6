// A sweep over several processes, where Open MPI is installed: what is printed, what stays after a kill, and
// that the same command does the rest.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

const std::string swept_words = " sweep --gemm 2048x2048x2048 --mesh 4x4 --vary links=x0.25:x8:x1.25 "
                                "--vary slices=1,2,3,4,8";

#ifdef MESHSLICE_MPIRUN

/// As many processes as are asked for, on however many cores there are.
Finished started_together(int processes, const std::string& command, const std::string& before = {},
                          const std::string& after = {}) {
    const std::string run = before + "'" + std::string(MESHSLICE_MPIRUN) +
                            "' --allow-run-as-root --oversubscribe -n " + std::to_string(processes) + " '" +
                            std::string(MESHSLICE_COMMAND) + "'" + command + after;
    return run_process({"/bin/bash", "-c", run});
}

TEST(Processes, PrintWhatOnePrints) {
    for (const char* how : {"", " --csv", " --json"}) {
        const Finished one =
            run_process({"/bin/bash", "-c", "'" + std::string(MESHSLICE_COMMAND) + "'" + swept_words + how});
        ASSERT_EQ(one.exit_code, 0) << one.err;
        for (const int processes : {1, 2, 4}) {
            const Finished all = started_together(processes, swept_words + how);
            EXPECT_EQ(all.exit_code, 0) << all.err;
            EXPECT_EQ(all.out, one.out) << processes << how;
        }
    }
}

/// The first process alone answers what is not a sweep, and refuses for all.
TEST(Processes, LeaveOtherCommandsToTheFirst) {
    const Finished version = started_together(3, " version");
    EXPECT_EQ(version.exit_code, 0) << version.err;
    EXPECT_EQ(version.out, meshslice_command({"version"}).out);
    const Finished wrong = started_together(2, " sweep --vary nothing=1,2");
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("nothing"));
}

/// The rows that are written stay, whole, and the same command does those that are missing.
TEST(Processes, GoOnAfterAKill) {
    const TemporaryFolder folder;
    const std::string file = folder.path("points.jsonl");
    const std::string command = swept_words + " --csv --resume --out '" + file + "'";
    const Finished killed =
        started_together(4, command, "exec 3>&1; ",
                         " > /dev/null 2>&1 & job=$!; for k in $(seq 2000); do "
                         "[ \"$(wc -l < '" +
                             file +
                             "' 2> /dev/null || echo 0)\" -ge 5 ] && break; "
                             "kill -0 $job 2> /dev/null || break; sleep 0.01; done; kill -9 $job; wait $job");
    (void)killed;
    const std::string kept = file_content(file);
    ASSERT_NE(kept.find('\n'), std::string::npos);
    const Finished again = started_together(2, command);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(again.out, run_process({"/bin/bash", "-c",
                                      "'" + std::string(MESHSLICE_COMMAND) + "'" + swept_words + " --csv"})
                             .out);
    EXPECT_TRUE(file_content(file).starts_with(kept.substr(0, kept.rfind('\n') + 1)));
}

#endif

/// A program without the library that joins them says so, instead of printing everything several times.
TEST(Processes, AreRefusedWhereNothingJoinsThem) {
    const TemporaryFolder folder;
    const Finished refused =
        run_process({"/bin/bash", "-c",
                     "mkdir '" + folder.path("bin") + "' && cp '" + std::string(MESHSLICE_COMMAND) + "' '" +
                         folder.path("bin/meshslice") + "' && OMPI_COMM_WORLD_SIZE=4 '" +
                         folder.path("bin/meshslice") + "'" + swept_words});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("4 processes were started together"));
}

} // namespace
} // namespace meshslice::test
