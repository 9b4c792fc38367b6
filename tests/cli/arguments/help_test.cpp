// The help of the program and of every command, and what may stand for a name.

#include "core/question/catalogue/questions.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto letters = std::ranges::count_if(
            line, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; });
        longest = std::max(longest, static_cast<std::size_t>(letters));
    }
    return longest;
}

TEST(CliHelp, IsThereUnderEveryName) {
    const std::string help = printed({"--help"});
    EXPECT_EQ(printed({}), help);
    EXPECT_EQ(printed({"help"}), help);
    EXPECT_EQ(printed({"-h"}), help);
    EXPECT_EQ(printed({"help", "plan"}), printed({"plan", "--help"}));
    EXPECT_EQ(printed({"version"}), printed({"-V"}));
    EXPECT_EQ(printed({"version"}), printed({"--version"}));
}

/// No word of the library that parses flags, no line wider than a terminal, three examples.
TEST(CliHelp, OfEveryCommandIsInGroups) {
    for (const Question& question : all_questions()) {
        const std::string help = printed({question.id, "--help"});
        EXPECT_THAT(help, AllOf(HasSubstr("\nUsage\n"), HasSubstr("\nExamples\n"), HasSubstr("\nOutput\n"),
                                Not(HasSubstr("REQUIRED")), Not(HasSubstr("OPTIONS")),
                                Not(HasSubstr("Needs:")), Not(HasSubstr("Excludes:"))))
            << question.id;
        EXPECT_GE(question.examples.size(), 3u) << question.id;
        const std::size_t options = help.find("\nFlags\n");
        EXPECT_LE(longest_line(help.substr(std::min(options, help.size()))), 80u) << question.id;
    }
    const std::string help = printed({"simulate", "--help"});
    EXPECT_THAT(help, AllOf(HasSubstr("\nWork\n"), HasSubstr("\nMachine\n"), HasSubstr("\nAlgorithm\n"),
                            HasSubstr("\nWhat if\n"), Not(HasSubstr("--hbm-bandwidth"))));
    EXPECT_THAT(printed({"simulate", "--help-all"}), HasSubstr("--hbm-bandwidth"));
}

TEST(CliHelp, NamesMayBeTypedInAnotherWay) {
    const std::string wanted = printed({"collective", "all-reduce", "--bytes", "1e6", "--axes", "X=16"});
    EXPECT_EQ(printed({"collective", "All_Reduce", "--bytes", "1e6", "--axes", "X=16"}), wanted);
    EXPECT_EQ(printed({"coll", "all-r", "--by", "1e6", "--ax", "X=16"}), wanted);
    EXPECT_EQ(printed({"collective", "all-reduce", "--bytes", "1e6", "--mesh", "16"}), wanted);
    const auto refused = [](const std::vector<std::string>& arguments) {
        const Finished finished = meshslice_command(arguments);
        EXPECT_EQ(finished.exit_code, 2);
        return finished.err;
    };
    EXPECT_THAT(refused({"collective", "allreduce", "--bytes", "1", "--axes", "X=4"}),
                HasSubstr("did you mean all-reduce?"));
    EXPECT_THAT(refused({"simulate", "--model", "llama"}), HasSubstr("did you mean llama-"));
    EXPECT_THAT(refused({"simulate", "llama-3-8b"}), HasSubstr("did you mean --model llama-3-8b?"));
    EXPECT_THAT(refused({"simulat3"}), HasSubstr("did you mean simulate?"));
    EXPECT_THAT(refused({"plan", "--machin", "h10"}), HasSubstr("did you mean h100"));
    EXPECT_THAT(refused({"presets", "modells"}), HasSubstr("did you mean models?"));
}

/// 57 GB of GPT-3's block do not fit into a chip's 32 GB; a block of Llama 3 8B does.
TEST(CliHelp, RequireFitIsAnExitCode) {
    EXPECT_EQ(meshslice_command({"estimate"}).exit_code, 0);
    EXPECT_EQ(meshslice_command({"estimate", "--require-fit"}).exit_code, 1);
    EXPECT_EQ(meshslice_command({"estimate", "--model", "llama-3-8b", "--machine", "tpu-v5p", "--mesh",
                                 "16x16", "--batch", "16", "--require-fit"})
                  .exit_code,
              0);
    EXPECT_EQ(meshslice_command({"sweep", "--vary", "batch=64,128", "--require-fit"}).exit_code, 1);
}

/// All that is wrong, at once, and with what was probably meant.
TEST(CliHelp, ValidateNamesEverythingThatIsWrong) {
    const TemporaryFolder folder;
    const std::string good = folder.file("good.json", printed({"presets", "tpu-v5e"}));
    EXPECT_THAT(printed({"validate", good}), HasSubstr("is valid: machine."));
    for (const char* name : {"llama-3-8b", "slicing", "gpt3-32x8"}) {
        const std::string file = folder.file("one.json", printed({"presets", name}));
        EXPECT_EQ(meshslice_command({"validate", file}).exit_code, 0) << name;
    }
    const std::string bad = folder.file(
        "bad.json", R"({"meshslice_model": 3, "name": "mine", "title": "Mine", "hiden": 8, "layers": 0})");
    const Finished finished = meshslice_command({"validate", bad});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out,
                AllOf(HasSubstr("\"/layers\" is 0"),
                      HasSubstr("unknown key \"/hiden\"; did you mean \"hidden\"?"), HasSubstr(" errors.")));
}

/// What is missing is one list, without what is in another thing that is missing.
TEST(CliHelp, ValidateListsWhatIsMissingOnce) {
    const TemporaryFolder folder;
    const std::string file = folder.file("few.json", R"({"meshslice_hardware": 4, "name": "few"})");
    const std::string said = meshslice_command({"validate", file}).out;
    EXPECT_THAT(said,
                AllOf(HasSubstr("few.json lacks \"/levels\", \"/title\", "), Not(HasSubstr("/cores/value"))));
    EXPECT_EQ(said.find(" lacks "), said.rfind(" lacks ")) << said;
}

/// A line for each good file, also of what a publication claims.
TEST(CliHelp, ValidateTakesSeveralFiles) {
    const TemporaryFolder folder;
    const std::string good = folder.file("good.json", printed({"presets", "tpu-v5e"}));
    const std::string claims = source_file("resources/studies/meshslice-paper.json");
    EXPECT_EQ(printed({"validate", good, claims}),
              good + " is valid: machine.\n" + claims + " is valid: publication.\n");
    const std::string bad = folder.file("bad.json", R"({"meshslice_model": 3, "layers": 0})");
    const Finished some = meshslice_command({"validate", good, bad});
    EXPECT_EQ(some.exit_code, 1);
    EXPECT_THAT(some.out, AllOf(HasSubstr(good + " is valid: machine.\n"), HasSubstr(bad + " has ")));
    const std::string missing = folder.path("missing.json");
    const std::string unknown = folder.file("unknown.json", "{}");
    const Finished all = meshslice_command({"validate", bad, missing, unknown, good});
    EXPECT_EQ(all.exit_code, 1);
    EXPECT_THAT(all.out,
                AllOf(HasSubstr("\"/layers\" is 0"), HasSubstr(bad + " has "),
                      HasSubstr("There is no file " + missing + ".\n" + missing + " has 1 error.\n"),
                      HasSubstr(unknown + " does not say what it is; "), HasSubstr(good + " is valid: ")));
    EXPECT_THAT(meshslice_command({"validate", missing}).err, HasSubstr("There is no file " + missing));
}

} // namespace
} // namespace meshslice::test
