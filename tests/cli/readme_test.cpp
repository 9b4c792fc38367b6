// README.md shows commands with what they print. A newcomer who types them should see the same.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>

namespace meshslice::test {
namespace {

using testing::ElementsAre;

struct Shown {
    std::string command;            ///< "meshslice presets"
    std::vector<std::string> lines; ///< of its output; "..." stands for any lines

    bool operator==(const Shown&) const = default;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The commands of all ```console blocks.
std::vector<Shown> shown_commands(const std::string& markdown) {
    std::vector<Shown> shown;
    bool inside = false;
    for (const std::string& line : lines_of(markdown)) {
        if (line.starts_with("```")) {
            inside = line == "```console";
        } else if (inside && line.starts_with("$ ")) {
            shown.push_back({line.substr(2), {}});
        } else if (inside && !shown.empty()) {
            shown.back().lines.push_back(line);
        }
    }
    return shown;
}

/// The first expected line that is not there in its place; -1 when all are.
std::ptrdiff_t first_difference(const std::vector<std::string>& expected,
                                const std::vector<std::string>& printed) {
    std::size_t at = 0;
    bool skipping = false;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        if (expected[k] == "...") {
            skipping = true;
            continue;
        }
        while (skipping && at < printed.size() && printed[at] != expected[k]) {
            ++at;
        }
        if (at == printed.size() || printed[at] != expected[k]) {
            return static_cast<std::ptrdiff_t>(k);
        }
        skipping = false;
        ++at;
    }
    return skipping || at == printed.size() ? -1 : static_cast<std::ptrdiff_t>(expected.size());
}

TEST(Readme, IsReadBlockByBlock) {
    EXPECT_THAT(shown_commands("text\n```console\n$ a b\none\n\ntwo\n$ c\n```\n$ d\n```sh\n$ e\n```\n"),
                ElementsAre(Shown{"a b", {"one", "", "two"}}, Shown{"c", {}}));
    EXPECT_EQ(first_difference({"a", "...", "d"}, {"a", "b", "c", "d"}), -1);
    EXPECT_EQ(first_difference({"a", "..."}, {"a", "b"}), -1);
    EXPECT_EQ(first_difference({"a", "c"}, {"a", "b"}), 1);
    EXPECT_EQ(first_difference({"a"}, {"a", "b"}), 1);
    EXPECT_EQ(first_difference({"a", "...", "e"}, {"a", "b", "c"}), 2);
}

TEST(Readme, ShowsWhatTheProgramPrints) {
    const std::vector<Shown> commands = shown_commands(file_content(source_file("README.md")));
    EXPECT_GE(commands.size(), 4u);
    for (const Shown& shown : commands) {
        ASSERT_TRUE(shown.command.starts_with("meshslice ")) << shown.command;
        const std::string arguments = shown.command.substr(std::string("meshslice").size());
        const Finished finished =
            run_process({"/bin/sh", "-c",
                         "cd '" + source_file("") + "' && '" + std::string(MESHSLICE_COMMAND) + "'" +
                             arguments + " 2>&1"});
        const std::ptrdiff_t difference = first_difference(shown.lines, lines_of(finished.out));
        EXPECT_EQ(difference, -1) << "README.md shows for \"" << shown.command
                                  << "\" what it does not print; it prints\n"
                                  << finished.out;
    }
}

} // namespace
} // namespace meshslice::test
