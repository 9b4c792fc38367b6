// Sweeps and edited hardware on the command line.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
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
    EXPECT_THAT(run.out, HasSubstr("\n7x13,,,"));
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

/// The best plan of each number of chips, as `plan` says it: time, memory, the plan itself.
TEST(SweepOfAnother, SweepsPlans) {
    const std::vector<std::string> chips = {"sweep", "--of",   "plan",         "--machine",
                                            "h100",  "--vary", "chips=256,512"};
    const auto swept = meshslice_json(chips);
    EXPECT_EQ(swept["of"], "plan");
    ASSERT_EQ(swept["points"].size(), 2u);
    for (const auto& point : swept["points"]) {
        const auto plans = meshslice_json(
            {"plan", "--machine", "h100", "--top", "1", "--chips", point["planning.chips"].dump()});
        EXPECT_EQ(point["time_s"], plans["plans"][0]["time_s"]);
        EXPECT_EQ(point["memory_bytes"], plans["plans"][0]["memory_bytes"]);
        EXPECT_EQ(point["chips"], point["planning.chips"]);
    }
    const Finished text = meshslice_command(chips);
    EXPECT_THAT(text.out, AllOf(StartsWith("Plans, GPT-3 175B on NVIDIA H100"), HasSubstr("\n256 "),
                                HasSubstr(" dp "), HasSubstr("Fastest: ")));
}

/// A field that only plans have, by the name of its flag: the number of data-parallel groups.
TEST(SweepOfAnother, SweepsItsOwnFields) {
    const auto swept = meshslice_json({"sweep", "--of", "plan", "--machine", "h100", "--chips", "256",
                                       "--vary", "dp=4,8", "--vary", "batch=128,256"});
    const auto one = meshslice_json(
        {"plan", "--machine", "h100", "--chips", "256", "--dp", "8", "--batch", "128", "--top", "1"});
    ASSERT_EQ(swept["points"].size(), 4u);
    EXPECT_EQ(swept["points"][2]["planning.dp"], 8);
    EXPECT_EQ(swept["points"][2]["time_s"], one["plans"][0]["time_s"]);
}

TEST(SweepOfAnother, TunesOnAsManyChips) {
    const auto swept = meshslice_json({"sweep", "--of", "tune", "--vary", "chips=64,128"});
    const auto tuned = meshslice_json({"tune", "--chips", "128"});
    ASSERT_EQ(swept["points"].size(), 2u);
    EXPECT_EQ(swept["points"][1]["time_s"], tuned["ranked"][0]["estimated_s"]);
}

/// A question without a scenario, by all of its numbers, with its pictures.
TEST(SweepOfAnother, SweepsACollective) {
    const TemporaryFolder folder;
    const std::vector<std::string> sizes = {"sweep",  "--of", "collective", "all-gather",
                                            "--axes", "X=4",  "--vary",     "bytes=1MB:4MB:x2"};
    const auto swept = meshslice_json(sizes);
    const auto one = meshslice_json({"collective", "all-gather", "--axes", "X=4", "--bytes", "2MB"});
    ASSERT_EQ(swept["points"].size(), 3u);
    EXPECT_EQ(swept["points"][1]["at"]["bytes"], "2000000");
    EXPECT_EQ(swept["points"][1]["values"], one);
    std::vector<std::string> pairs = sizes;
    pairs.insert(pairs.end(), {"--vary", "machine=tpu-v4,tpu-v5e", "--heat-map", folder.path("heat.svg")});
    const Finished run = meshslice_command(pairs);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Time: least "));
    EXPECT_THAT(file_content(folder.path("heat.svg")), AllOf(HasSubstr("TPU v5e"), EndsWith("</svg>\n")));
}

/// The plan of twice as many chips next to the first one; of a step another mesh.
TEST(Compared, PutsPlansAndMeshesNextToEachOther) {
    const std::vector<std::string> plans = {"plan", "--machine", "h100",     "--chips",
                                            "256",  "--compare", "chips=512"};
    const auto both = meshslice_json(plans);
    const auto one = meshslice_json({"plan", "--machine", "h100", "--chips", "256"});
    const auto other = meshslice_json({"plan", "--machine", "h100", "--chips", "512"});
    EXPECT_EQ(both["first"], one);
    EXPECT_EQ(both["second"], other);
    EXPECT_EQ(both["differences"][2]["number"], "run/chips");
    EXPECT_EQ(both["differences"][2]["ratio"], 2.0);
    EXPECT_THAT(meshslice_command(plans).out,
                AllOf(HasSubstr("number of chips of the run 256 and number of chips of the run 512: "),
                      HasSubstr("run/chips"), HasSubstr("x 2")));
    const auto meshes = meshslice_json({"simulate", "--mesh", "4x4", "--compare", "2x8"});
    EXPECT_EQ(meshes["compared_with"]["mesh"], "2x8");
    EXPECT_EQ(meshes["compared_with"]["time_s"], meshslice_json({"simulate", "--mesh", "2x8"})["time_s"]);
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, const char*>>{
             {{"simulate", "--mesh", "4x4", "--compare", "colour=red"}, "--compare: \"colour\" cannot vary"},
             {{"simulate", "--mesh", "4x4", "--compare", "batch=8,16"},
              "--compare has 2 values; expected one"},
             {{"plan", "--compare", "chips"}, "--compare: \"chips\" has no values"},
             {{"simulate", "--mesh", "4x4", "--compare", "sorting"},
              "The algorithm is \"sorting\"; expected cannon"}}) {
        const Finished run = meshslice_command(arguments);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr(says));
    }
}

/// A model and a machine of files, next to presets.
TEST(SweepCommand, ReadsFilesAmongTheValues) {
    const TemporaryFolder folder;
    const std::string model =
        folder.file("mine.json", file_content(source_file("resources/models/llama-3-8b.json")));
    const auto swept = meshslice_json({"sweep", "--mesh", "4x4", "--vary", "model=" + model + ",llama-3-8b"});
    ASSERT_EQ(swept["points"].size(), 2u);
    EXPECT_EQ(swept["points"][0]["model"], model);
    EXPECT_EQ(swept["points"][0]["time_s"], swept["points"][1]["time_s"]);
    const Finished none = meshslice_command({"sweep", "--vary", "hardware=/no/such.json,tpu-v4"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("/no/such.json"));
}

/// Nearly 10^9 points: rows are printed as they come, those of a smaller sweep first; from a file that is
/// gone on with, too. What needs all of them is refused.
TEST(SweepCommand, PrintsManyPointsAsTheyCome) {
    const TemporaryFolder folder;
    const std::string many = "sweep --vary batch=32:1011904:+32 --vary sequence=8:252976:+8 --csv";
    const std::string kept = many + " --out \"" + folder.path("points.jsonl") + "\"";
    const std::string few = printed({"sweep", "--vary", "batch=32", "--vary", "sequence=8,16", "--csv"});
    const auto first_of = [](const std::string& words) {
        return run_process({"/bin/sh", "-c", "\"$0\" " + words + " | head -n 3", MESHSLICE_COMMAND}).out;
    };
    EXPECT_EQ(first_of(many), few);
    EXPECT_EQ(first_of(kept), few);
    EXPECT_EQ(first_of(kept + " --resume"), few);
    // Each point once, in the order of the sweep.
    std::istringstream file(file_content(folder.path("points.jsonl")));
    std::string line;
    std::getline(file, line); // what is swept
    int points = 0;
    while (std::getline(file, line) && !file.eof()) { // the last one may not be whole
        ++points;
        EXPECT_EQ(nlohmann::json::parse(line)["at"],
                  nlohmann::json({{"batch", "32"}, {"sequence", std::to_string(8 * points)}}));
    }
    EXPECT_GE(points, 2);
    const Finished json =
        meshslice_command({"sweep", "--vary", "batch=1:300:+1", "--vary", "sequence=8:2400:+8", "--json"});
    EXPECT_EQ(json.exit_code, 2);
    EXPECT_THAT(json.err, HasSubstr("--json shows all points at once, and this sweep has 90000; print them "
                                    "with --csv"));
}

TEST(SweepCommand, RefusesWhatIsNoSweep) {
    const struct {
        std::vector<std::string> arguments;
        const char* says;
    } rows[] = {
        {{"sweep"}, "Nothing varies: expected --vary NAME=VALUES"},
        {{"sweep", "--vary", "colour=red"}, "\"colour\" cannot vary"},
        {{"sweep", "--of", "plam", "--vary", "chips=8"},
         "--of is \"plam\"; expected one of simulate, estimate,"},
        {{"sweep", "--of", "sweep"}, "--of is \"sweep\""},
        {{"sweep", "--of", "plan", "--vary", "mesh=8x8"},
         "\"mesh\" cannot vary; expected one of rules, placement,"},
        {{"sweep", "--of", "collective", "all-gather", "--axes", "X=4", "--vary", "bytes=1MB,2MB", "--number",
          "height"},
         "--number is \"height\"; expected one such as bytes, "},
        {{"sweep", "--of", "collective", "all-gather", "--axes", "X=4", "--vary", "bytes=1MB,2MB", "--number",
          "time_in"},
         "--number is \"time_in\"; did you mean time_in_s?"},
        {{"sweep", "--vary", "batch=8:512:x1.00000001"},
         "the step x1.00000001 is too small: it gives the same value again."},
        {{"sweep", "--vary", "batch=8:512"}, "the range has no step; expected one such as x2 or +8"},
        {{"sweep", "--vary", "batch=8", "--vary", "batch=16"}, "The batch varies twice"},
        {{"sweep", "--vary", "batch=8", "--csv", "--json"}, "choose one of them"},
        {{"sweep", "--vary", "batch=8", "--batch", "0"}, "--batch is \"0\""},
        {{"sweep", "--vary", "hardware=tpu_v4"}, "tpu_v4"},
        {{"sweep", "--simulate", "--vary", "seed-jitter=1,2"}, "The seed has no effect."},
        {{"sweep", "--vary", "jitter=0,1us"}, "it needs a simulation. Add --simulate."},
        {{"sweep", "--vary"}, "--vary needs a value; meshslice sweep --help"},
        {{"sweep", "--vary", "batch=8", "--batch", "8", "--batch", "9"}, "--batch is given twice."},
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
