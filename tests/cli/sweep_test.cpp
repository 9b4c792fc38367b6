// Sweeps and edited hardware on the command line.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(SweepCommand, PrintsARowAPoint) {
    const Finished run = meshslice_command({"sweep", "--vary", "batch=16,32", "--vary", "links=0.5,1"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("MeshSlice, one block of GPT-3 175B on 32x8 of TPU v4"));
    EXPECT_THAT(run.out, AllOf(HasSubstr("\nbatch  link bandwidth "), HasSubstr("\n16     x 0.5 "),
                               HasSubstr("\n32     x 1 "), HasSubstr("Highest FLOP utilization: ")));
}

/// The same numbers as an estimate of the same scenario; a mesh that does not run keeps its row.
TEST(SweepCommand, PrintsCsvAndJson) {
    const Finished run = meshslice_command({"sweep", "--vary", "mesh=7x13,16x16", "--csv"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("mesh,time_s,flop_utilization,"));
    EXPECT_THAT(run.out, HasSubstr("\r\n7x13,,,"));
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 3);
    const auto json = meshslice_json({"sweep", "--vary", "mesh=7x13,16x16"});
    ASSERT_EQ(json["points"].size(), 2u);
    EXPECT_THAT(json["points"][0]["does_not_run"].get<std::string>(), HasSubstr("does not divide by 7"));
    const auto estimate = meshslice_json({"estimate", "--mesh", "16x16"});
    EXPECT_EQ(json["points"][1]["time_s"], estimate["time_s"]);
    EXPECT_EQ(json["points"][1]["flop_utilization"], estimate["flop_utilization"]);
}

TEST(SweepCommand, WritesAChart) {
    const TemporaryFolder folder;
    const Finished run =
        meshslice_command({"sweep", "--vary", "batch=8:64:x2", "--svg", folder.path("sweep.svg")});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(file_content(folder.path("sweep.svg")),
                AllOf(HasSubstr("FLOP utilization"), HasSubstr("Highest"), EndsWith("</svg>\n")));
}

/// A cell for each of the six pairs.
TEST(SweepCommand, WritesAHeatMap) {
    const TemporaryFolder folder;
    const Finished run = meshslice_command({"sweep", "--vary", "batch=64,128,256", "--vary", "mesh=32x8,7x13",
                                            "--heat-map", folder.path("heat.svg")});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(file_content(folder.path("heat.svg")),
                AllOf(HasSubstr("Crossed: does not run."), HasSubstr("Hatched: does not fit"),
                      HasSubstr("batch 256, mesh 32x8"), EndsWith("</svg>\n")));
}

/// Machine of a file that came from no preset: what was edited on the command line is listed.
TEST(SweepCommand, ListsTheEditsOfNoPreset) {
    const TemporaryFolder folder;
    auto chip = nlohmann::json::parse(file_content(source_file("resources/machines/tpu-v5p.json")));
    chip["name"] = "mine";
    chip["title"] = "Mine";
    const std::string file = folder.file("mine.json", chip.dump());
    const auto json = meshslice_json({"estimate", "--hardware", file, "--mesh", "8x8", "--links", "x0.5"});
    ASSERT_EQ(json["hardware_edits"].size(), 1u);
    EXPECT_EQ(json["hardware_edits"][0]["value"], 45e9);
    EXPECT_EQ(json["hardware_edits"][0]["before"], 90e9);
    const Finished text =
        meshslice_command({"estimate", "--hardware", file, "--mesh", "8x8", "--links", "x0.5"});
    EXPECT_THAT(text.out, HasSubstr(", link bandwidth 45.0 GB/s: "));
}

TEST(SweepCommand, RefusesWhatIsNoSweep) {
    const struct {
        std::vector<std::string> arguments;
        const char* says;
    } rows[] = {
        {{"sweep"}, "Nothing varies: expected --vary NAME=VALUES"},
        {{"sweep", "--vary", "colour=red"}, "\"colour\" cannot vary"},
        {{"sweep", "--vary", "batch=8", "--vary", "batch=16"}, "The batch varies twice"},
        {{"sweep", "--vary", "batch=8", "--csv", "--json"}, "give one of them"},
        {{"sweep", "--vary", "batch=8", "--batch", "0"}, "--batch is \"0\""},
        {{"sweep", "--vary", "hardware=tpu_v4"}, "tpu_v4"},
        {{"sweep", "--simulate", "--vary", "seed-jitter=1,2"}, "The seed has no effect."},
        {{"sweep", "--vary", "jitter=0,1us"}, "it needs a simulation. Add --simulate."},
        {{"sweep", "--vary"}, "--vary needs a value; meshslice sweep --help"},
        {{"sweep", "--vary", "batch=8", "--batch", "8", "--batch", "9"}, "--batch takes one value, once"},
        {{"sweep", "--vary", "batch=8", "--heat-map", "heat.svg"}, "expected a second --vary"},
        {{"sweep", "--vary", "batch=8", "--heat-map", "heat.svg", "--svg", "sweep.svg"}, "excludes"},
        {{"sweep", "--vary", "batch=8,16", "--vary", "links=1,2", "--heat-map", "/no/such/folder/heat.svg"},
         "cannot be written"},
        {{"sweep", "--vary", "batch=8", "--svg", "/no/such/folder/sweep.svg"}, "cannot be written"},
    };
    for (const auto& row : rows) {
        const Finished run = meshslice_command(row.arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr(row.says));
    }
}

/// What has been printed stays, and the exit code says that nothing came of it.
TEST(SweepCommand, FailsWhereNoPointRuns) {
    const Finished run = meshslice_command({"sweep", "--vary", "mesh=7x13,7x11"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, HasSubstr("2 of 2 points do not run."));
    EXPECT_THAT(run.err, HasSubstr("No point of the sweep runs. "));
}

/// The edit that the title names is in every row.
TEST(SweepCommand, KeepsEditsWhereTheHardwareVaries) {
    const auto swept = meshslice_json(
        {"sweep", "--links", "x0.5", "--mesh", "8x8", "--vary", "hardware=tpu-v4-paper,tpu-v5p"});
    const auto alone =
        meshslice_json({"estimate", "--links", "x0.5", "--mesh", "8x8", "--hardware", "tpu-v5p"});
    EXPECT_EQ(swept["points"][1]["time_s"], alone["time_s"]);
}

/// Half as fast links take longer, and the answer says what was edited and what the preset has.
TEST(HardwareFlags, EditNumbersOfThePreset) {
    const auto whole = meshslice_json({"estimate", "--hardware", "tpu-v5p", "--mesh", "8x8"});
    const auto half =
        meshslice_json({"estimate", "--hardware", "tpu-v5p", "--mesh", "8x8", "--links", "x 0.5"});
    EXPECT_GT(half["time_s"], whole["time_s"]);
    EXPECT_FALSE(whole.contains("hardware_edits"));
    ASSERT_EQ(half["hardware_edits"].size(), 1u);
    EXPECT_EQ(half["hardware_edits"][0]["value"], 45e9);
    EXPECT_EQ(half["hardware_edits"][0]["preset"], 90e9);
    const Finished text =
        meshslice_command({"estimate", "--hardware", "tpu-v5p", "--mesh", "8x8", "--links", "45 GB/s"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("link bandwidth x 0.5: "),
                                HasSubstr("The hardware is TPU v5p with link bandwidth 45.0 GB/s instead of "
                                          "90.0 GB/s (x 0.5).")));
    const Finished tuned =
        meshslice_command({"tune", "--hardware", "tpu-v5p", "--chips", "64", "--links", "x 0.5"});
    EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
    EXPECT_THAT(tuned.out, HasSubstr("link bandwidth 45.0 GB/s instead of 90.0 GB/s"));
}

TEST(HardwareFlags, RefuseWhatHasNoEffect) {
    const Finished run =
        meshslice_command({"estimate", "--hardware", "tpu-v5p", "--mesh", "8x8", "--cores", "x 2"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("--cores has no effect. The chip model is roofline"));
    const Finished fast = meshslice_command({"estimate", "--hbm-bandwidth", "fast"});
    EXPECT_EQ(fast.exit_code, 2);
    EXPECT_THAT(fast.err,
                HasSubstr("--hbm-bandwidth: \"fast\" is not a quantity in B/s: write a number and a "
                          "unit, such as \"90 GB/s\", or a factor such as x 0.5."));
    const Finished pod = meshslice_command({"estimate", "--pod", "8"});
    EXPECT_THAT(pod.err,
                HasSubstr("The mesh 32x8 has 256 chips; the largest torus of TPU v4, as in the MeshSlice "
                          "paper (edited) has 8."));
}

} // namespace
} // namespace meshslice::test
