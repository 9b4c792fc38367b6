// Documents about answers, on the command line.

#include "core/base/text/text_table.h"
#include "core/question/catalogue/questions.h"
#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> of_plan = {"--of",      "plan",    "--model", "llama-3-70b", "--machine",
                                          "h100-nvs8", "--chips", "64",      "--batch",     "64"};

Finished report(const std::vector<std::string>& words) {
    std::vector<std::string> arguments = {"report"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return meshslice_command(std::move(arguments));
}

/// One page that needs no other: nothing in it is fetched, and the same command makes the same bytes.
TEST(ReportCommand, WritesAPageThatStandsAlone) {
    const TemporaryFolder folder;
    const std::string path = folder.path("plan.html");
    std::vector<std::string> words = of_plan;
    words.insert(words.begin(), path);
    ASSERT_EQ(report(words).exit_code, 0);
    const std::string page = file_content(path);
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, AllOf(HasSubstr("One step of training Llama 3 70B on 64 chips"), HasSubstr("<svg"),
                            HasSubstr("How far to trust it"), HasSubstr("Expected by measured runs: "),
                            HasSubstr("What would change it"), HasSubstr("Left out: "),
                            HasSubstr("meshslice report "), HasSubstr(" --of plan")));
    EXPECT_THAT(page, AllOf(Not(HasSubstr("src=")), Not(HasSubstr("<script")), Not(HasSubstr("<link")),
                            Not(HasSubstr("@import")), Not(HasSubstr("url(http"))));
    EXPECT_LT(page.size(), 2'000'000u);
    ASSERT_EQ(report(words).exit_code, 0);
    EXPECT_EQ(file_content(path), page);
}

/// What another program reads on the pages of the PDF file. It says the same twice, and has no date.
TEST(ReportCommand, WritesPagesThatOtherProgramsRead) {
    const TemporaryFolder folder;
    const std::string path = folder.path("plan.pdf");
    std::vector<std::string> words = of_plan;
    words.insert(words.begin(), path);
    const Finished printed = report(words);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    const std::string bytes = file_content(path);
    EXPECT_THAT(bytes, AllOf(StartsWith("%PDF-"), Not(HasSubstr("/CreationDate"))));
    EXPECT_LT(bytes.size(), 2'000'000u);
    ASSERT_EQ(report(words).exit_code, 0);
    EXPECT_EQ(file_content(path), bytes);
    const std::string text = folder.path("plan.txt");
    if (std::system(("pdftotext -layout " + path + " " + text).c_str()) != 0) {
        GTEST_SKIP() << "pdftotext is not installed; the pages were not read.";
    }
    const std::string read = file_content(text);
    EXPECT_THAT(read,
                AllOf(HasSubstr("Report: Plans"), HasSubstr("How far to trust it"),
                      HasSubstr("Expected by measured runs: "), HasSubstr("75 plans trade time for memory"),
                      HasSubstr("Where the machine's numbers come from")));
    EXPECT_GE(std::ranges::count(read, '\f'), 2) << "pages";
}

/// The number on top is corrected by the user's own step, as the window's is; what measured runs let expect
/// stands below with it.
TEST(ReportCommand, HasTheMeasuredStepInItsNumber) {
    std::vector<std::string> words = of_plan;
    words.insert(words.end(), {"--measured-step", "30s"});
    const Finished printed = report(words);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    const std::string page = plain_spaces(printed.out);
    EXPECT_THAT(page, AllOf(HasSubstr("**30.0 s**"), HasSubstr("Expected by measured runs: "),
                            HasSubstr("Measured: 30.0 s a step, ")));
}

/// Numbers are those of the command itself.
TEST(ReportCommand, SaysWhatTheCommandSays) {
    const std::vector<std::string> gemm = {"--gemm", "8192x8192x8192", "--mesh", "4x4"};
    std::vector<std::string> simulate = {"simulate"};
    simulate.insert(simulate.end(), gemm.begin(), gemm.end());
    const std::string said = meshslice_command(simulate).out;
    const Finished printed = report(gemm);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("# One GEMM, 8192x8192x8192, on 16 chips of "));
    EXPECT_THAT(printed.out, HasSubstr(said));
}

TEST(ReportCommand, IsOverEveryOtherQuestion) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--of", "roofline", "--gemm", "128x8192x8192"},
             {"-", "--of", "collective", "all-gather", "--bytes", "34e6", "--axes", "X=16"},
             {"--of", "tune", "--gemm", "4096x4096x4096", "--mesh", "2x2"},
             {"--of", "estimate", "--gemm", "4096x4096x4096", "--mesh", "2x2"}}) {
        const Finished printed = report(words);
        EXPECT_EQ(printed.exit_code, 0) << words.back() << ": " << printed.err;
        EXPECT_THAT(printed.out, AllOf(StartsWith("# "), HasSubstr("\n## Tables\n"))) << words.back();
    }
    EXPECT_EQ(report({"--of", "report"}).exit_code, 2);
    EXPECT_EQ(report({"--of", "plam"}).exit_code, 2);
}

} // namespace
} // namespace meshslice::test
