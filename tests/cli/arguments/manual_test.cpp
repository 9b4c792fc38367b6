// README.md and the manual in resources/docs: what they show as printed is printed, what they name is there,
// and every page is found.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace meshslice::test {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;

constexpr std::size_t most_readme_bytes = 5000;
constexpr std::ptrdiff_t most_readme_lines = 80;
constexpr std::size_t most_change_log_bytes = 3000;

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

/// The files of the manual, from the root: "resources/docs/command-line/plan.md".
std::vector<std::string> manual_pages() {
    std::vector<std::string> pages;
    for (const auto& entry : fs::recursive_directory_iterator(source_file("resources/docs"))) {
        if (entry.path().extension() == ".md") {
            pages.push_back(fs::relative(entry.path(), source_file("")).generic_string());
        }
    }
    std::ranges::sort(pages);
    return pages;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
        found.push_back((*at)[1]);
    }
    return found;
}

/// What the links and pictures of a page lead to, from the root; links into the web are left out.
std::vector<std::string> link_targets(const std::string& page, const std::string& markdown) {
    static const std::regex link(R"re(\]\(([^)\s#]+)(?:#[^)\s]*)?\))re");
    std::vector<std::string> targets = matches(markdown, link);
    std::erase_if(targets, [](const std::string& target) { return target.starts_with("http"); });
    for (std::string& target : targets) {
        target = (fs::path(page).parent_path() / target).lexically_normal().generic_string();
    }
    return targets;
}

/// Paths of this repository that stand in the text: `core/gemm/meshslice.cpp`. Patterns, and names that stand
/// for others (`build/<preset>`, `NAME`), are not paths.
std::vector<std::string> named_files(const std::string& markdown) {
    static const std::regex name(
        R"re((?:^|[\s`(])((?:app|core|ui|tests|resources|\.ci)/[A-Za-z0-9_./-]*[A-Za-z0-9_-]))re");
    return matches(markdown, name);
}

TEST(Manual, IsReadBlockByBlock) {
    EXPECT_THAT(shown_commands("text\n```console\n$ a b\none\n\ntwo\n$ c\n```\n$ d\n```sh\n$ e\n```\n"),
                ElementsAre(Shown{"a b", {"one", "", "two"}}, Shown{"c", {}}));
    EXPECT_EQ(first_difference({"a", "...", "d"}, {"a", "b", "c", "d"}), -1);
    EXPECT_EQ(first_difference({"a", "..."}, {"a", "b"}), -1);
    EXPECT_EQ(first_difference({"a", "c"}, {"a", "b"}), 1);
    EXPECT_EQ(first_difference({"a"}, {"a", "b"}), 1);
    EXPECT_EQ(first_difference({"a", "...", "e"}, {"a", "b", "c"}), 2);
    EXPECT_THAT(link_targets("a/b/c.md", "[x](d.md) ![y](../e.png) [z](http://f) [w](../g.md#h)"),
                ElementsAre("a/b/d.md", "a/e.png", "a/g.md"));
    EXPECT_THAT(named_files("`core/a.cpp`, (ui/b), tests/run. xcore/d"),
                ElementsAre("core/a.cpp", "ui/b", "tests/run"));
}

/// A newcomer who types the commands sees what the pages show.
TEST(Manual, ShowsWhatTheProgramPrints) {
    std::size_t commands = 0;
    const TemporaryFolder folder; // with the folders of the repository, which what is written stays out of
    for (const fs::directory_entry& entry : fs::directory_iterator(source_file(""))) {
        if (entry.is_directory()) {
            fs::create_directory_symlink(entry.path(), folder.path(entry.path().filename().string()));
        }
    }
    for (const std::string& page : manual_pages()) {
        for (const Shown& shown : shown_commands(file_content(source_file(page)))) {
            if (!shown.command.starts_with("meshslice ")) {
                ADD_FAILURE() << page << ": " << shown.command;
                continue;
            }
            ++commands;
            const std::string arguments = shown.command.substr(std::string("meshslice").size());
            const Finished finished =
                run_process({"/bin/sh", "-c",
                             "cd '" + folder.path("") + "' && '" + std::string(MESHSLICE_COMMAND) + "'" +
                                 arguments + " 2>&1"});
            EXPECT_EQ(first_difference(shown.lines, lines_of(finished.out)), -1)
                << page << " shows for \"" << shown.command << "\" what it does not print; it prints\n"
                << finished.out;
        }
    }
    EXPECT_GE(commands, 4u);
}

TEST(Manual, EveryPageIsWithinTwoLinksOfTheReadme) {
    std::set<std::string> reached;
    for (const std::string& first : link_targets("README.md", file_content(source_file("README.md")))) {
        reached.insert(first);
        if (first.ends_with(".md")) {
            const std::vector<std::string> second = link_targets(first, file_content(source_file(first)));
            reached.insert(second.begin(), second.end());
        }
    }
    for (const std::string& page : manual_pages()) {
        EXPECT_TRUE(reached.contains(page)) << page;
    }
}

TEST(Manual, WhatItLinksAndNamesIsThere) {
    std::vector<std::string> pages = manual_pages();
    pages.insert(pages.end(), {"README.md", "CHANGELOG.md"});
    for (const std::string& page : pages) {
        const std::string text = file_content(source_file(page));
        for (const std::string& target : link_targets(page, text)) {
            EXPECT_TRUE(fs::exists(source_file(target))) << page << " links " << target;
        }
        for (const std::string& file : named_files(text)) {
            EXPECT_TRUE(fs::exists(source_file(file))) << page << " names " << file;
        }
    }
}

TEST(Manual, EveryCommandHasAPage) {
    static const std::regex listed(R"re(\n  ([a-z]+)  )re");
    std::set<std::string> wanted = {"resources/docs/command-line/index.md"};
    for (const std::string& command : matches(printed({"--help"}), listed)) {
        wanted.insert("resources/docs/command-line/" + command + ".md");
    }
    std::set<std::string> there;
    for (const std::string& page : manual_pages()) {
        if (page.starts_with("resources/docs/command-line/")) {
            there.insert(page);
        }
    }
    EXPECT_EQ(there, wanted);
}

TEST(Manual, ReadmeAndChangeLogAreShort) {
    const std::string readme = file_content(source_file("README.md"));
    EXPECT_LE(readme.size(), most_readme_bytes);
    EXPECT_LE(std::ranges::count(readme, '\n'), most_readme_lines);
    EXPECT_LE(file_content(source_file("CHANGELOG.md")).size(), most_change_log_bytes);
}

} // namespace
} // namespace meshslice::test
