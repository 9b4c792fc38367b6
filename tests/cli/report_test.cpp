// Documents about answers, on the command line.

#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/report.h"
#include "core/scenario/examples.h"
#include "core/scenario/scenario.h"
#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
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
    words.insert(words.begin(), "-");
    words.insert(words.end(), {"--measured-step", "30s"});
    const Finished printed = report(words);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    const std::string page = plain_spaces(printed.out);
    EXPECT_THAT(page, AllOf(HasSubstr("**30.0 s**"), HasSubstr("Expected by measured runs: "),
                            HasSubstr("Measured: 30.0 s a step, ")));
}

/// Numbers are those of the command itself.
TEST(ReportCommand, SaysWhatTheCommandSays) {
    std::vector<std::string> gemm = {"--gemm", "8192x8192x8192", "--mesh", "4x4"};
    std::vector<std::string> simulate = {"simulate"};
    simulate.insert(simulate.end(), gemm.begin(), gemm.end());
    const std::string said = meshslice_command(simulate).out;
    gemm.insert(gemm.begin(), "-");
    const Finished printed = report(gemm);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("# One GEMM, 8192x8192x8192, on 16 chips of "));
    EXPECT_THAT(printed.out, HasSubstr(said));
}

TEST(ReportCommand, IsOverEveryOtherQuestion) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"-", "--of", "roofline", "--gemm", "128x8192x8192"},
             {"-", "--of", "collective", "all-gather", "--bytes", "34e6", "--axes", "X=16"},
             {"-", "--of", "tune", "--gemm", "4096x4096x4096", "--mesh", "2x2"},
             {"-", "--of", "estimate", "--gemm", "4096x4096x4096", "--mesh", "2x2"}}) {
        const Finished printed = report(words);
        EXPECT_EQ(printed.exit_code, 0) << words.back() << ": " << printed.err;
        EXPECT_THAT(printed.out, AllOf(StartsWith("# "), HasSubstr("\n## Tables\n"))) << words.back();
    }
    EXPECT_EQ(report({"--of", "report"}).exit_code, 2);
    EXPECT_EQ(report({"--of", "plam"}).exit_code, 2);
}

/// A report is for others: without a file it is not known how it should be written.
TEST(ReportCommand, SaysThatItNeedsAFile) {
    const Finished refused = report({"--of", "roofline", "--gemm", "128x8192x8192"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err,
                HasSubstr("The report has no file. Write the name of one that ends with .html, .pdf "
                          "or .md, such as \"meshslice report roofline.html --of roofline\", or - "
                          "to print Markdown."));
}

/// The first lines of a GEMM's say how it was made.
TEST(ReportCommand, NamesDataflowAndAlgorithmFirst) {
    const Finished printed = report({"-", "--gemm", "8192x8192x8192", "--mesh", "4x4"});
    EXPECT_THAT(plain_spaces(printed.out).substr(0, 300),
                HasSubstr("MeshSlice 4x4, output stationary (OS), S = 2, simulated"));
}

/// A chip of TPU v5e has 16 GB; the model's 96 layers on 16 chips need many times that.
TEST(ReportCommand, SaysFirstThatItDoesNotFit) {
    const Finished printed =
        report({"-", "--model", "gpt3-175b", "--machine", "tpu-v5e", "--mesh", "4x4", "--batch", "16"});
    const std::string page = plain_spaces(printed.out);
    EXPECT_THAT(page, HasSubstr("> Does not fit: "));
    EXPECT_LT(page.find("> Does not fit: "), page.find("\n**")) << "before the number";
}

/// A study says how far to trust it: mean and worst deviation, and a table of what was published.
TEST(ReportCommand, SaysHowFarToTrustAStudy) {
    const Finished printed = report({"-", "--of", "reproduce", "dataflows"});
    EXPECT_THAT(
        printed.out,
        AllOf(HasSubstr("## How far to trust it"),
              HasSubstr("6 published numbers are compared with ours: 3.2% apart on average, -4.9% where "
                        "they differ most"),
              HasSubstr("| statement | published | ours | deviation | reading |"),
              HasSubstr("What does it gain to keep the largest matrix of each layer where it is?")));
}

/// Serving: intervals, measured rows and what would change it have sections of their own, in words.
TEST(ReportCommand, SaysHowFarToTrustServing) {
    const Finished printed = report({"-", "--of", "serve", "--model", "llama-3-70b", "--machine", "h100-nvs8",
                                     "--chips", "8", "--tp", "8", "--weights", "fp8"});
    EXPECT_THAT(printed.out,
                AllOf(HasSubstr("Eight of ten measured cases lie between"),
                      HasSubstr("| time to first token |"), HasSubstr("## What would change it"),
                      HasSubstr("With twice the memory bandwidth"),
                      HasSubstr("## Where the machine's numbers come from"), Not(HasSubstr("ttft_s"))));
}

/// Plans say which cannot be distinguished, next to their table; changes are said by the time in front.
TEST(ReportCommand, RanksPlansWithReasons) {
    std::vector<std::string> words = of_plan;
    words.insert(words.begin(), "-");
    const std::string page = report(words).out;
    const std::size_t at = page.find("## Alternatives");
    ASSERT_NE(at, std::string::npos);
    EXPECT_THAT(page.substr(at, page.find("\n## ", at + 1) - at),
                AllOf(HasSubstr("cannot be distinguished"), HasSubstr("| rank | expected |")));
    EXPECT_THAT(page, Not(HasSubstr("Times of changes are ideal ones")));
}

/// One document about two: what differs, both answers, and whether measured runs tell them apart, by pairs of
/// runs and by tokens/s, as one has more to do.
TEST(ReportCommand, IsAboutTwo) {
    std::vector<std::string> words = of_plan;
    words.insert(words.begin(), "-");
    words.insert(words.end(), {"--against", "batch=128"});
    const Finished printed = report(words);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, AllOf(HasSubstr("A: batch 64. B: batch 128."), HasSubstr("| batch | 64 | 128 |"),
                                   HasSubstr("In tokens/s, B is "), HasSubstr("which has more"),
                                   HasSubstr(" groups that share the model, the chip, "),
                                   HasSubstr("--against batch=128")));
}

/// Each example is reported as what it is about, without a flag that says so: a training run, a deployment,
/// or a block or GEMM; of two variants both, by their names.
TEST(ReportCommand, IsAboutWhatAProjectIsAbout) {
    for (const ExampleProject& example : example_projects()) {
        const Project& project = example.project;
        std::vector<std::string> words = {"-", "--scenario",
                                          source_file("resources/examples/" + example.file)};
        std::string kind = "Report: Simulation";
        if (project.task == ProjectTask::training) { // one split, as a search takes seconds
            kind = "Report: Plans";
            words.insert(words.end(), {"--dp", "64", "--pp", "1", "--tp", "4x1"});
        } else if (project.task == ProjectTask::serving) {
            kind = "Report: Serving";
        } else if (!project.scenario().gemm) { // of a block one GEMM, which is simulated sooner
            words.insert(words.end(), {"--gemm", "12288x12288x12288"});
        }
        const Finished printed = report(words);
        ASSERT_EQ(printed.exit_code, 0) << example.file << ": " << printed.err;
        EXPECT_THAT(printed.out, HasSubstr(kind)) << example.file;
        if (project.pinned) {
            EXPECT_THAT(printed.out, AllOf(HasSubstr("A: " + project.variants[*project.pinned].name),
                                           HasSubstr("B: " + project.variants[project.current].name)))
                << example.file;
        }
    }
}

/// The variants differ in M alone, 64 and 4096, which the tuner reads again for each point: A is the first.
TEST(ReportCommand, SweepsEachVariantByItself) {
    const TemporaryFolder folder;
    nlohmann::json scenario =
        nlohmann::json::parse(file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json")));
    scenario.erase("compare");
    const auto variant = [&](const char* name, int m) {
        scenario["gemm"]["m"] = m;
        return nlohmann::json{{"name", name}, {"scenario", scenario}};
    };
    const nlohmann::json project = {{"meshslice_project", 1},
                                    {"current", "large"},
                                    {"pinned", "small"},
                                    {"variants", {variant("small", 64), variant("large", 4096)}}};
    const std::string file = folder.file("both.json", project.dump());
    const std::vector<std::string> swept = {"sweep", "--of",   "tune",     "--scenario",
                                            file,    "--vary", "chips=4,8"};
    const auto least = [&](const std::string& name) {
        std::vector<std::string> words = swept;
        words.insert(words.end(), {"--variant", name});
        return meshslice_json(words)["points"][0]["time_s"].get<double>();
    };
    ASSERT_LT(least("small"), least("large"));
    const std::string both =
        report({"-", "--of", "sweep/tune", "--scenario", file, "--vary", "chips=4,8"}).out;
    EXPECT_THAT(both, AllOf(HasSubstr("A: small. B: large."),
                            HasSubstr("points: 0: time " + seconds_text(least("small"))),
                            HasSubstr("points: 0: time " + seconds_text(least("large"))),
                            HasSubstr("| M | 64 | 4096 |"), Not(HasSubstr("| of | sweep"))));
}

/// What is read from the standard input is not what is written to the standard output.
TEST(ReportCommand, PrintsOfWhatItIsGiven) {
    const std::string scenario = source_file("resources/examples/one-product-4x4.json");
    const Finished printed =
        run_process({"/bin/sh", "-c",
                     "'" + std::string(MESHSLICE_COMMAND) + "' report - --scenario - < '" + scenario + "'"});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("Report: Simulation"));
    EXPECT_THAT(report({"-", "--scenario", scenario, "--csv", "-"}).err, HasSubstr("would be written twice"));
}

/// A variant that is named stands alone; a flag that says what is asked wins, and what does not go together
/// is said with the reason.
TEST(ReportCommand, SaysWhyAProjectDoesNotTakeAFlag) {
    const auto example = [](const std::string& name) {
        return source_file("resources/examples/" + name + ".meshslice.json");
    };
    const std::string alone = report({"-", "--scenario", example("dead-link"), "--variant", "A"}).out;
    EXPECT_THAT(alone, AllOf(Not(HasSubstr("B against A")), HasSubstr(" --variant healthy")));
    EXPECT_THAT(report({"-", "--scenario", example("train-llama-3-70b"), "--gemm", "1x2x3"}).err,
                HasSubstr("The file is about a training run, so this is plan; --of names another question."));
    EXPECT_THAT(report({"-", "--scenario", example("train-llama-3-70b"), "--of", "serve"}).out,
                HasSubstr("Report: Serving"));
    EXPECT_THAT(report({"-", "--scenario", source_file("resources/studies/selene-measurements.json")}).err,
                AllOf(HasSubstr("selene-measurements.json is a study; expected a scenario or a project. "),
                      ContainsRegex("\"meshslice reproduce [^\"]*selene-measurements.json\" runs it")));
}

/// Twice the batch takes longer, which says little alone: tokens/s stand next to the time.
TEST(ReportCommand, SaysTokensOfBoth) {
    std::vector<std::string> words = of_plan;
    words.insert(words.begin(), "-");
    words.insert(words.end(), {"--against", "batch=128"});
    EXPECT_THAT(report(words).out, AllOf(HasSubstr("Tokens/s: A "), HasSubstr("| tokens/s | ")));
}

/// Prefill and decode together say the time of the first token first, decode alone has only that of the
/// others: these are compared.
TEST(ReportCommand, ComparesTheSameNumberOfServing) {
    const Finished printed =
        report({"-", "--of", "serve", "--model", "llama-3-70b", "--machine", "h100-nvs8", "--chips", "8",
                "--tp", "8", "--weights", "fp8", "--against", "phase=decode"});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out,
                AllOf(HasSubstr("ime per output token of B: "), HasSubstr("A: time per output token "),
                      Not(HasSubstr("first token of B"))));
}

/// A window's report about two ends with the file of each, from which both are made again.
TEST(ReportText, HasTheFilesOfBoth) {
    Scenario a = default_scenario();
    a.gemm = SingleGemm{{4096, 4096, 4096}};
    a.mesh = {2, 2};
    Scenario b = a;
    b.mesh = {1, 4};
    const Result<std::string> page =
        report_text(simulate_question(), {}, a, "ab.md", {}, {}, ReportedAgainst{b, "first", "second"});
    ASSERT_TRUE(page) << page.error().sentence;
    const std::size_t at = page->find("## To make it again");
    ASSERT_NE(at, std::string::npos);
    const std::string end = page->substr(at);
    const std::size_t of_a = end.find("The scenario of A:"), of_b = end.find("The scenario of B:");
    ASSERT_LT(of_a, of_b);
    ASSERT_NE(of_b, std::string::npos);
    EXPECT_THAT(end.substr(of_a, of_b - of_a), HasSubstr(write_scenario(a)));
    EXPECT_THAT(end.substr(of_b), HasSubstr(write_scenario(b)));
}

/// Questions over another one, alone and with it; a file that is read follows the report's. The command that
/// makes it again has both.
TEST(ReportCommand, IsAlsoAboutQuestionsOverOthers) {
    const std::string kineto = source_file("tests/core/import/kineto.json");
    const Finished trace = report({"-", kineto, "--of", "trace"});
    ASSERT_EQ(trace.exit_code, 0) << trace.err;
    EXPECT_THAT(trace.out, AllOf(HasSubstr("Report: Measured traces"), HasSubstr("| nothing runs | 0 | 15.0"),
                                 HasSubstr("meshslice report - " + kineto + " --of trace")));
    const Finished sweep = report({"-", "--of", "sweep/roofline", "--gemm", "128x8192x8192", "--vary",
                                   "gemm=128x8192x8192,256x8192x8192"});
    ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
    EXPECT_THAT(sweep.out, AllOf(HasSubstr("Report: Sweep"), HasSubstr("| 256x8192x8192 | 174"),
                                 HasSubstr("--of sweep/roofline"), Not(HasSubstr("```text\n\n```"))));
    EXPECT_THAT(report({"-", "--of", "report"}).err, HasSubstr("--of is \"report\"; expected one of"));
    const Finished two = report({"-", "--of", "sweep/roofline", "--gemm", "128x8192x8192", "--vary",
                                 "gemm=128x8192x8192,256x8192x8192", "--vary", "machine=tpu-v4,tpu-v5e"});
    EXPECT_THAT(two.out,
                ContainsRegex("--vary '?gemm=128x8192x8192,256x8192x8192'? --vary '?machine=tpu-v4,tpu-v5e"))
        << two.err;
    EXPECT_THAT(report({"-", "--of", "trace/sweep", kineto}).err, HasSubstr("trace/plan"));
}

/// B may be the scenario of a file.
TEST(ReportCommand, IsAgainstAFile) {
    const Finished printed = report({"-", "--gemm", "4096x4096x4096", "--mesh", "4x4", "--against",
                                     source_file("resources/examples/one-product-4x4.json")});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, AllOf(HasSubstr("## What differs"), HasSubstr("one-product-4x4.json.")));
    const Finished refused =
        report({"-", "--gemm", "4096x4096x4096", "--mesh", "4x4", "--against", "no.json"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("--against"), HasSubstr("no.json")));
    const Finished several = report({"-", "--gemm", "4096x4096x4096", "--against", "mesh=4x4,2x8"});
    EXPECT_EQ(several.exit_code, 2);
    EXPECT_THAT(several.err, HasSubstr("--against has 2 values of mesh=4x4,2x8"));
}

/// A sweep concludes: the best point, the others, and a chart before the table.
TEST(ReportCommand, ConcludesFromASweep) {
    const Finished printed =
        report({"-", "--of", "sweep", "--gemm", "4096x4096x4096", "--mesh", "2x2", "--vary", "slices=1,2,4"});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    const std::string page = plain_spaces(printed.out);
    EXPECT_THAT(
        page, AllOf(HasSubstr(" is the best.\n\n- The next is "), HasSubstr("doubling of the slice count")));
    EXPECT_LT(page.find("## Pictures"), page.find("## Tables"));
    EXPECT_THAT(page, HasSubstr("| slice count | time |"));
}

} // namespace
} // namespace meshslice::test
