// What shells offer for the next word, and the manual page: both from what the commands declare.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace meshslice::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

/// The candidates, line by line.
std::vector<std::string> offered(const std::vector<std::string>& words) {
    std::vector<std::string> arguments = {"complete", "--"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::istringstream lines(printed(arguments));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) {
            all.push_back(line);
        }
    }
    return all;
}

TEST(Completion, OffersCommands) {
    EXPECT_THAT(offered({""}), IsSupersetOf({"simulate", "plan", "help", "version"}));
    EXPECT_THAT(offered({""}), Not(Contains("complete"))); // is for shells
    EXPECT_THAT(offered({"simu"}), ElementsAre("simulate"));
    EXPECT_THAT(offered({"help", "simu"}), ElementsAre("simulate"));
}

TEST(Completion, OffersTheFlagsOfACommand) {
    EXPECT_THAT(offered({"plan", "--mod"}), ElementsAre("--model"));
    EXPECT_THAT(offered({"plan", "--"}), IsSupersetOf({"--machine", "--chips", "--json"}));
    EXPECT_THAT(offered({"no-such-command", "--"}), IsEmpty());
    EXPECT_EQ(printed({"complete", "--", "plan", "--scenario", "x"}), "")
        << "so that names of files are completed";
}

TEST(Completion, OffersWhatAFlagTakes) {
    EXPECT_THAT(offered({"plan", "--model", "llama-3-8"}), ElementsAre("llama-3-8b"));
    EXPECT_THAT(offered({"simulate", "--machine", "tpu-v5"}), ElementsAre("tpu-v5e", "tpu-v5p"));
    // As one word, and as bash splits it.
    EXPECT_THAT(offered({"plan", "--model=llama-3-8"}), ElementsAre("--model=llama-3-8b"));
    EXPECT_THAT(offered({"plan", "--model", "=", "llama-3-8"}), ElementsAre("llama-3-8b"));
    EXPECT_THAT(offered({"plan", "--model", "="}), Contains("llama-3-8b"));
    // A number may be anything.
    EXPECT_THAT(offered({"plan", "--chips", ""}), IsEmpty());
}

TEST(Completion, OffersWhatAPlaceTakes) {
    EXPECT_THAT(offered({"model", "llama-3-8"}), ElementsAre("llama-3-8b"));
    EXPECT_THAT(offered({"collective", "all-r"}), ElementsAre("all-reduce"));
    EXPECT_THAT(offered({"presets", "tpu-v5"}), ElementsAre("tpu-v5e", "tpu-v5p"));
    EXPECT_THAT(offered({"schema", "les"}), ElementsAre("lesson"));
    EXPECT_THAT(offered({"lesson", "sli"}), ElementsAre("slicing"));
    EXPECT_THAT(offered({"glossary", "exp"}), Contains("exposed"));
}

/// The function that the package installs, in a bash of its own.
TEST(Completion, WorksInBash) {
    const Finished finished =
        run_process({"/bin/bash", "-c",
                     "meshslice() { \"$0\" \"$@\"; }; . \"$1\"; COMP_WORDS=(meshslice plan --model = "
                     "llama-3-8); COMP_CWORD=4; "
                     "_meshslice; printf '%s\\n' \"${COMPREPLY[@]}\"",
                     MESHSLICE_COMMAND, source_file("resources/desktop/meshslice.bash")});
    EXPECT_EQ(finished.out, "llama-3-8b\n") << finished.err;
}

TEST(Completion, TheManualPageHasEveryCommand) {
    const std::string page = printed({"complete", "--manual"});
    EXPECT_THAT(page, StartsWith(".TH MESHSLICE 1 "));
    for (const std::string& command : offered({""})) {
        if (command != "help" && command != "version") {
            EXPECT_THAT(page, HasSubstr("\n.TP\n.B " + command + "\n"));
        }
    }
    EXPECT_THAT(page, HasSubstr("\n  \\-\\-model NAME"));
    // No line begins a request that is not one of ours.
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('.')) {
            EXPECT_THAT(line, testing::MatchesRegex("\\.(TH|SH|TP|B|BR|nf|fi).*"));
        }
    }
}

} // namespace
} // namespace meshslice::test
