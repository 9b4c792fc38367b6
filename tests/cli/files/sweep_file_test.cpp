// The file of a sweep that goes on: every point in a line, what stays of a sweep that was killed, and files
// that are not of this one.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> swept = {"sweep", "--gemm", "1024x1024x1024",         "--mesh",
                                        "4x4",   "--vary", "links=x0.5,x1,x2,x4,x8", "--csv"};

std::vector<std::string> swept_with(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = swept;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::vector<std::string> file_lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// A line that says what is swept, then one for each of five points.
TEST(SweepFile, HasALineForEachPoint) {
    const TemporaryFolder folder;
    const std::string file = folder.path("s.jsonl");
    const std::string rows = printed(swept);
    EXPECT_EQ(printed(swept_with({"--out", file})), rows);
    const std::vector<std::string> lines = file_lines(file_content(file));
    ASSERT_EQ(lines.size(), 1u + 5u);
    EXPECT_EQ(json::parse(lines[0])["of"], "estimate");
    EXPECT_EQ(json::parse(lines[3])["at"]["links"], "x 2");
    EXPECT_GT(json::parse(lines[3])["numbers"]["time_s"], 0.0);
}

/// Two points and a half are left. The second one's time is made another, so that it is seen that the point
/// was not asked for again.
TEST(SweepFile, GoesOnWhereItWasStopped) {
    const TemporaryFolder folder;
    const std::string file = folder.path("s.jsonl");
    const std::string rows = printed(swept_with({"--out", file}));
    const std::string whole = file_content(file);
    const std::vector<std::string> lines = file_lines(whole);
    ASSERT_EQ(lines.size(), 1u + 5u);
    const std::string stopped =
        lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n" + lines[3].substr(0, lines[3].size() / 2);
    (void)folder.file("s.jsonl", stopped);
    EXPECT_EQ(printed(swept_with({"--out", file, "--resume"})), rows);
    EXPECT_EQ(file_content(file), whole);
    // A file that is whole is only read.
    EXPECT_EQ(printed(swept_with({"--out", file, "--resume"})), rows);
    EXPECT_EQ(file_content(file), whole);
    json second = json::parse(lines[2]);
    second["numbers"]["time_s"] = 12345.0;
    (void)folder.file("s.jsonl", lines[0] + "\n" + lines[1] + "\n" + second.dump() + "\n");
    EXPECT_THAT(printed(swept_with({"--out", file, "--resume"})), HasSubstr("12345"));
}

TEST(SweepFile, BeginsWhereThereIsNoneYet) {
    const TemporaryFolder folder;
    EXPECT_EQ(printed(swept_with({"--out", folder.path("s.jsonl"), "--resume"})), printed(swept));
    EXPECT_THAT(folder.names(), ElementsAre("s.jsonl"));
}

/// The points that do not run are kept as well, and so is the answer of another question.
TEST(SweepFile, KeepsAnyQuestionsPoints) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"sweep", "--gemm", "1024x1024x1024", "--mesh", "4x4", "--vary",
                                   "slices=1,3,4"},
          {"sweep", "--of", "collective", "--vary", "bytes=1MB,10MB,100MB", "--axes", "X=16",
           "all-gather"}}) {
        const std::string file = folder.path(arguments[2] + ".jsonl");
        std::vector<std::string> kept = arguments;
        kept.insert(kept.end(), {"--json", "--out", file});
        const std::string answer = printed(kept);
        const std::vector<std::string> lines = file_lines(file_content(file));
        ASSERT_EQ(lines.size(), 1u + 3u) << arguments[2];
        (void)folder.file(arguments[2] + ".jsonl", lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n");
        kept.emplace_back("--resume");
        EXPECT_EQ(printed(kept), answer) << arguments[2];
        EXPECT_EQ(file_lines(file_content(file)), lines) << arguments[2];
    }
}

TEST(SweepFile, RefusesAnotherSweepsFile) {
    const TemporaryFolder folder;
    const std::string file = folder.path("s.jsonl");
    (void)printed(swept_with({"--out", file}));
    const std::string whole = file_content(file);
    const auto refused = [&](const std::vector<std::string>& more) {
        const Finished finished = meshslice_command(swept_with(more));
        EXPECT_EQ(finished.exit_code, 2);
        return finished.err;
    };
    EXPECT_THAT(refused({"--out", file}), HasSubstr("is there already; --resume continues it"));
    EXPECT_THAT(refused({"--out", file, "--resume", "--machine", "tpu-v5e"}),
                HasSubstr("holds another sweep"));
    EXPECT_THAT(refused({"--out", file, "--resume", "--simulate"}), HasSubstr("holds another sweep"));
    EXPECT_THAT(refused({"--resume"}), HasSubstr("give both"));
    EXPECT_THAT(refused({"--out", "-"}), HasSubstr("needs the name of a file"));
    EXPECT_THAT(refused({"--out", "/dev/null", "--resume"}), HasSubstr("it is not a file"));
    EXPECT_THAT(refused({"--out", folder.path("no/s.jsonl")}), HasSubstr("there is no folder"));
    EXPECT_EQ(file_content(file), whole);
    // What is not a sweep stays as it is, whole lines or not.
    for (const char* mine : {"{\"mine\": 1}", "a\nb", "\n"}) {
        const std::string other = folder.file("mine.txt", mine);
        EXPECT_THAT(refused({"--out", other, "--resume"}), HasSubstr("holds another sweep"));
        EXPECT_EQ(file_content(other), mine);
    }
    (void)folder.file("s.jsonl", file_lines(whole)[0] + "\n{\"at\": {}}\n");
    EXPECT_THAT(refused({"--out", file, "--resume"}), HasSubstr("s.jsonl is damaged at line 2."));
}

/// With its picture and its values wanted, the sweep runs once: both have what the file says of a point.
TEST(SweepFile, ValuesAndPictureAreOfOneRun) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = swept;
    arguments.pop_back();
    arguments.insert(arguments.end(),
                     {"--json", "--svg", folder.path("s.svg"), "--out", folder.path("s.jsonl")});
    const json answer = json::parse(printed(arguments));
    EXPECT_EQ(file_lines(file_content(folder.path("s.jsonl"))).size(), 1u + 5u);
    EXPECT_THAT(folder.names(), ElementsAre("s.jsonl", "s.svg"));
    EXPECT_EQ(answer.at("points").size(), 5u);
    const std::string picture = file_content(folder.path("s.svg"));
    const std::vector<std::string> lines = file_lines(file_content(folder.path("s.jsonl")));
    ASSERT_EQ(lines.size(), 1u + 5u);
    json first = json::parse(lines[1]);
    first["numbers"]["time_s"] = 12345.0;
    (void)folder.file("s.jsonl", lines[0] + "\n" + first.dump() + "\n");
    arguments.emplace_back("--resume");
    EXPECT_THAT(printed(arguments), HasSubstr("12345"));
    EXPECT_NE(file_content(folder.path("s.svg")), picture);
}

} // namespace
} // namespace meshslice::test
