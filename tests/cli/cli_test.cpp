#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <set>

namespace meshslice::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using testing::Not;
using testing::StartsWith;

std::set<std::string> keys(const json& object) {
    std::set<std::string> keys;
    for (const auto& item : object.items()) {
        keys.insert(item.key());
    }
    return keys;
}

/// The columns of one field of the GEMMs, in their order.
template <class T>
std::vector<T> column(const json& step, const char* field) {
    std::vector<T> values;
    for (const json& gemm : step.at("gemms")) {
        values.push_back(gemm.at(field).get<T>());
    }
    return values;
}

TEST(Cli, HelpAndVersionAreAnswersNotComplaints) {
    EXPECT_THAT(printed({"--help"}), AllOf(HasSubstr("presets"), HasSubstr("simulate"), HasSubstr("estimate"),
                                           HasSubstr("verify"), HasSubstr("reproduce")));
    EXPECT_THAT(printed({"simulate", "--help"}), AllOf(HasSubstr("--mesh"), HasSubstr("--trace")));
    EXPECT_THAT(printed({"verify", "--help"}), AllOf(HasSubstr("(default 4x2)"), Not(HasSubstr("--jitter"))));
    EXPECT_THAT(
        printed({"--version"}),
        testing::MatchesRegex("meshslice [0-9]+\\.[0-9]+\\.[0-9]+( \\(commit [0-9a-f]+(-dirty)?\\))?\n"));
}

/// Table 2 has four numbers; a study's table is one file with a header and a row for each of two models.
TEST(Cli, ReproduceSetsThePapersNumbersBesideOurs) {
    const TemporaryFolder folder;
    const std::string text = printed({"reproduce", "dataflows", "--out", folder.path("tables")});
    EXPECT_THAT(text, AllOf(HasSubstr("Table 2"), HasSubstr("67.4%"), HasSubstr("deviation")));
    const std::string table = file_content(folder.path("tables") + "/dataflows.csv");
    EXPECT_THAT(table, StartsWith("panel,model,Y stationary_share"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);

    const json all = meshslice_json({"reproduce", "dataflows", "--hardware", "tpu-v3"});
    EXPECT_EQ(all.at("hardware"), "tpu-v3");
    EXPECT_EQ(all.at("studies").size(), 1u);
    EXPECT_EQ(all.at("studies")[0].at("claims").size(), 6u);
    EXPECT_TRUE(all.at("studies")[0].at("claims")[0].at("deviation").is_null());
    EXPECT_THAT(printed({"reproduce", "dataflows", "--hardware", "tpu-v3"}),
                AllOf(HasSubstr("not judged"),
                      HasSubstr("Not judged against the paper: asked with TPU v3 instead of TPU v4.")));
}

/// Studies of plans run on clusters: a name of the other kind of hardware is refused, by a sentence that says
/// what it takes. A publication's name asks for all of its studies.
TEST(Cli, ReproduceKnowsWhichHardwareAStudyTakes) {
    const json depth = meshslice_json({"reproduce", "pipeline-depth"});
    EXPECT_EQ(depth.at("hardware"), "b200-nvs8");
    EXPECT_FALSE(depth.contains("other_publications"));
    EXPECT_EQ(meshslice_json({"reproduce", "pipeline-depth", "--hardware", "h200-nvs4"}).at("hardware"),
              "h200-nvs4");
    const Finished refused = meshslice_command({"reproduce", "pipeline-depth", "--hardware", "tpu-v5e"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("TPU v5e"), HasSubstr("b200-nvs8")));
    EXPECT_THAT(printed({"reproduce", "pipeline-depth", "--model", "gpt3-175b"}),
                AllOf(HasSubstr("GPT-3 175B on 16384 chips"), HasSubstr("instead of")));
    const Finished no_model = meshslice_command({"reproduce", "collectives", "--model", "gpt3-175b"});
    EXPECT_EQ(no_model.exit_code, 2);
    EXPECT_THAT(no_model.err, HasSubstr("None of these studies accepts --model"));
    EXPECT_EQ(meshslice_json({"reproduce", "selene-measurements"}).at("studies").size(), 2u);
}

/// Studies of T3 run on GPUs in a ring, by name or from a file, and on nothing else.
TEST(Cli, ReproduceRunsT3OnRingsOfGpus) {
    const json own = meshslice_json({"reproduce", "t3-speed-ups"});
    EXPECT_EQ(own.at("hardware"), "t3-paper");
    EXPECT_TRUE(own.at("studies")[0].at("not_judged").empty());
    const json twice = meshslice_json({"reproduce", "t3-paper", "--hardware", "t3-paper-2x-cu"});
    EXPECT_EQ(twice.at("hardware"), "t3-paper-2x-cu");
    EXPECT_EQ(twice.at("studies").size(), 14u);
    EXPECT_FALSE(twice.at("studies")[3].at("not_judged").empty());
    EXPECT_EQ(meshslice_json({"reproduce", "t3-sub-layers", "--hardware",
                              std::string(MESHSLICE_SOURCE_DIR) + "/resources/machines/mi210-like.json"})
                  .at("hardware"),
              "mi210-like");
    const Finished refused = meshslice_command({"reproduce", "t3-sub-layers", "--hardware", "tpu-v4"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("TPU v4"), HasSubstr("t3-paper")));
    EXPECT_THAT(printed({"presets", "gpus"}), AllOf(HasSubstr("t3-paper-2x-cu"), HasSubstr("150 GB/s")));
}

/// The fit to measured steps says what was fitted and writes a cluster with which they come out without a
/// fit.
TEST(Cli, ReproduceFitsEfficienciesToMeasuredSteps) {
    const TemporaryFolder folder;
    const std::string text = printed({"reproduce", "measured-steps", "--fit", "--out", folder.path("fit")});
    EXPECT_THAT(text, AllOf(HasSubstr("eight measured steps"), HasSubstr("bandwidth of HBM"),
                            HasSubstr("94.4 s"), HasSubstr("Deviations: ")));
    const json again =
        meshslice_json({"plan", "--model", "gpt3-175b", "--cluster", folder.path("fit") + "/fitted.json",
                        "--chips", "64", "--batch", "64", "--strategy", "1d"});
    EXPECT_GT(again.at("feasible").get<int>(), 0);
    const Finished other =
        meshslice_command({"reproduce", "measured-steps", "--fit", "--hardware", "h100-nvs8"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("measured on another chip"));
    const Finished ignored = meshslice_command({"reproduce", "--fit", "--hardware", "h100-nvs8"});
    EXPECT_EQ(ignored.exit_code, 2);
    EXPECT_THAT(ignored.err, HasSubstr("not what meshslice-paper runs on"));
    const Finished refused = meshslice_command({"reproduce", "pipeline-depth", "--fit"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("transformers-paper"), HasSubstr("selene-measurements")));
}

/// A table and a chart of each study, which says the study's finding. Twice the same bytes. Of the planner's
/// studies the one that is over soonest, for all: their text is a golden table, their charts are drawn by
/// ChartSvg's test.
TEST(Cli, ReproduceWritesATableAndAChartPerStudy) {
    const TemporaryFolder folder;
    constexpr std::array asked = {"meshslice-paper", "selene-measurements", "t3-paper", "pipeline-depth"};
    std::string text;
    for (const char* study : asked) {
        text += printed({"reproduce", study, "--out", folder.path("a/b")});
    }
    std::size_t charts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("a/b"))) {
        const std::filesystem::path path = entry.path();
        const std::string content = file_content(path.string());
        if (path.extension() == ".svg") {
            ++charts;
            EXPECT_THAT(content, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ")) << path;
            EXPECT_TRUE(content.ends_with("</svg>\n")) << path;
            std::filesystem::path table = path;
            table.replace_extension(".csv");
            EXPECT_TRUE(std::filesystem::exists(table)) << table;
            const std::size_t begin = content.find("<title>") + 7;
            std::string finding = content.substr(begin, content.find("</title>") - begin);
            // A picture has thin spaces between numbers and units, a terminal need not have them.
            finding = std::regex_replace(finding, std::regex("\u2009"), " ");
            EXPECT_THAT(text, HasSubstr(std::regex_replace(finding, std::regex("&apos;"), "'"))) << path;
        }
    }
    EXPECT_EQ(charts, 12u + 2u + 14u + 1u);
    for (const char* study : asked) {
        (void)printed({"reproduce", study, "--out", folder.path("again")});
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("again"))) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(file_content(folder.path("again/" + name)), file_content(folder.path("a/b/" + name)));
    }
}

/// Where a folder should be there is a file; the sentence says which path could not be written.
TEST(Cli, ReproduceSaysWhereItCannotWrite) {
    const TemporaryFolder folder;
    const std::string in_the_way = folder.file("taken", "no folder");
    const Finished finished = meshslice_command({"reproduce", "traffic", "--out", in_the_way});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err,
                AllOf(HasSubstr(in_the_way), HasSubstr("is not a folder"), testing::EndsWith(".\n")));
    EXPECT_EQ(file_content(in_the_way), "no folder");
}

/// 10 us to launch, 1 us a step, 2 GB/s for a ring, so 1 GB/s a link: 2 chips take 11 us + half the bytes
/// over 2 GB/s, 4 chips 13 us + three quarters. The file that is written is hardware to simulate on.
TEST(Cli, CalibrateWritesHardware) {
    const TemporaryFolder folder;
    const std::string measured = folder.file("ring.csv", "operation,chips,bytes,time\n"
                                                         "all_gather,2,40 kB,21 us\n"
                                                         "all_gather,4,40 kB,28 us\n"
                                                         "all_gather,4,80 kB,43 us\n"
                                                         "all_gather,2,80 kB,31 us\n");
    const std::string text =
        printed({"calibrate", "--collectives", measured, "--out", folder.path("mine.json")});
    EXPECT_THAT(text, AllOf(HasSubstr("10.0 µs"), HasSubstr("1.00 µs"), HasSubstr("1.00 GB/s")));
    EXPECT_THAT(file_content(folder.path("mine.json")), HasSubstr("4 measured collectives"));
    EXPECT_THAT(printed({"estimate", "--hardware", folder.path("mine.json")}), HasSubstr("of peak"));

    const std::string products = folder.file("products.csv", "M,N,K,time\n1000,1000,1000,30 us\n"
                                                             "2000,1000,1000,50 us\n");
    const json answer = meshslice_json({"calibrate", "--collectives", measured, "--gemms", products,
                                        "--hardware", folder.path("mine.json"), "--name", "both"});
    std::vector<std::string> names;
    std::vector<double> values;
    for (const json& constant : answer.at("constants")) {
        names.push_back(constant.at("name"));
        values.push_back(constant.at("value"));
    }
    EXPECT_THAT(names, ElementsAre("launch all_gather", "sync", "link, one way", "launch multiply",
                                   "effective rate"));
    // 20 us are 2 x 10^9 FLOP.
    EXPECT_THAT(values, ElementsAre(DoubleNear(10e-6, 1e-11), DoubleNear(1e-6, 1e-11), DoubleNear(1e9, 1e3),
                                    DoubleNear(10e-6, 1e-11), DoubleNear(1e14, 1e8)));
    EXPECT_TRUE(answer.at("constants").at(4).at("standard_error").is_null()); // as many as measurements
    EXPECT_EQ(answer.at("collectives").at("measurements"), 4);
    EXPECT_EQ(answer.at("products").at("measured_in"), "products.csv");
    EXPECT_EQ(answer.at("hardware").at("name"), "both");
}

TEST(Cli, PresetsAreListedWithTheirNames) {
    const std::string all = printed({"presets"});
    for (const char* name :
         {"tpu-v4-paper", "tpu-v5e", "gpt3-175b", "llama-3-70b", "collective", "meshslice"}) {
        EXPECT_THAT(all, HasSubstr(name));
    }
    const std::string machines = printed({"presets", "machines"});
    EXPECT_THAT(machines, AllOf(StartsWith("machine"), HasSubstr("\ntpu-v5e "), HasSubstr("\nh100-nvs8 "),
                                HasSubstr("\nt3-paper "), Not(HasSubstr("gpt3-175b"))));
    EXPECT_EQ(printed({"presets", "hardware"}), machines) << "the name of before";
    EXPECT_THAT(printed({"presets", "models"}), AllOf(StartsWith("model"), Not(HasSubstr("tpu-v5e"))));
    EXPECT_THAT(printed({"presets", "algorithms"}), HasSubstr("source:"));
    // Rows are as long as a wide terminal; programs get the network in full.
    EXPECT_THAT(machines, AllOf(HasSubstr("8 at 450 GB/s, NIC 50.0 GB/s\n"),
                                HasSubstr("3 axes at 90.0 GB/s, NIC 6.25 GB/s")));
    std::istringstream rows(machines);
    for (std::string row; std::getline(rows, row);) {
        EXPECT_LE(row.size(), 220u) << row;
    }
    EXPECT_THAT(printed({"presets", "machines", "--csv"}), HasSubstr("8 chips behind a switch, "));
}

/// A transformer block has four fully connected layers, and training multiplies three times for each.
TEST(Cli, SimulateTellsEveryProductTheBlockAndTheModel) {
    const std::string table = printed({"simulate"});
    EXPECT_THAT(table, StartsWith("MeshSlice 32x8, S = "));
    for (const char* words : {"QKV", "Output", "FF1", "FF2", "forward", "backward data", "backward weight",
                              "OS", "LS", "RS", "one block", "FLOP utilization: ", "% simulated, "}) {
        EXPECT_THAT(table, HasSubstr(words));
    }
    // Tokens 128 x 2048 = 262144 and GPT-3's hidden width of 12288, three times for Q, K and V.
    EXPECT_THAT(table, HasSubstr("262144x36864x12288"));
    // GPT-3 has 96 such blocks; what they leave out and what a chip holds for them is said below.
    EXPECT_THAT(table, HasSubstr("one block 6"));
    EXPECT_THAT(table, HasSubstr("\nAll 96 blocks: 5.9"));
    EXPECT_THAT(table, HasSubstr("Left out: attention's own GEMMs"));
    EXPECT_THAT(table,
                HasSubstr("Memory of a chip: weights 1.36 GB, embeddings 4.82 MB, gradients 1.37 GB, "));
    EXPECT_THAT(table, HasSubstr("; does not fit: 57.6 of 32.0 GB per chip.\n"));
    EXPECT_THAT(table, Not(HasSubstr("training step")));
    EXPECT_THAT(table, Not(HasSubstr("whole step")));
    // Thin spaces are for the window: not every terminal draws them.
    EXPECT_THAT(table, Not(HasSubstr("\u2009")));
}

/// A chip of 32 GB does not hold its share of GPT-3 on four chips: that comes before the time.
TEST(Cli, SaysFirstWhatDoesNotFit) {
    for (const char* command : {"simulate", "estimate"}) {
        const std::string words = printed({command, "--mesh", "2x2", "--batch", "4"});
        EXPECT_THAT(words,
                    testing::ContainsRegex("^MeshSlice 2x2, S = [0-9a-z ]*: does not fit: [0-9.]+ of 32.0 GB "
                                           "per chip; one block "));
    }
    const json step = meshslice_json({"estimate", "--mesh", "2x2", "--batch", "4"});
    EXPECT_EQ(step.at("fits"), false);
    EXPECT_GT(step.at("memory_bytes").at("total"), step.at("hbm_bytes"));
}

TEST(Cli, EstimateTellsPrologueSteadyStateAndEpilogue) {
    const std::string table = printed({"estimate"});
    for (const char* words : {"prologue", "steady", "epilogue", "one block", "% by estimate"}) {
        EXPECT_THAT(table, HasSubstr(words));
    }
    EXPECT_THAT(table, Not(HasSubstr("simulated")));
}

/// What takes much memory is said before it begins, where it does not disturb the answer.
TEST(Cli, SimulateSaysWhatItWillRecordWhereThatIsMuch) {
    const Finished much = meshslice_command(
        {"simulate", "--gemm", "65536x65536x65536", "--mesh", "32x16", "--slices", "64", "--jitter", "1us"});
    EXPECT_EQ(much.exit_code, 0);
    EXPECT_THAT(much.err, testing::MatchesRegex(
                              "meshslice: the simulation records [0-9.]+ million busy intervals, "
                              "[0-9.]+ MB; to find its critical path takes about [0-9.]+ [MG]B more for a "
                              "while\\.\n"));
    EXPECT_THAT(much.out, StartsWith("MeshSlice 32x16, S = 64"));
}

/// Programs read these: the change log names every field that goes or comes.
TEST(CliJson, HasThePromisedFieldsAndNoOthers) {
    std::set<std::string> step_fields = {"algorithm",
                                         "mesh",
                                         "chips",
                                         "time_s",
                                         "estimated_s",
                                         "flop",
                                         "gemms",
                                         "launch_s",
                                         "sync_s",
                                         "transfer_s",
                                         "copy_s",
                                         "exposed_s",
                                         "flop_utilization",
                                         "compute_s",
                                         "bound_by",
                                         "saves_if_twice_as_fast",
                                         "hidden_share",
                                         "estimated_flop_utilization",
                                         "layers",
                                         "model_time_s",
                                         "fits",
                                         "hbm_bytes",
                                         "memory_bytes",
                                         "memory_counted",
                                         "block_memory_bytes"};
    std::set<std::string> gemm_fields = {"bound_by",
                                         "layer",
                                         "pass",
                                         "dataflow",
                                         "m",
                                         "n",
                                         "k",
                                         "copies",
                                         "slices",
                                         "time_s",
                                         "estimated_s",
                                         "compute_s",
                                         "launch_s",
                                         "sync_s",
                                         "transfer_s",
                                         "copy_s",
                                         "exposed_s",
                                         "prologue_s",
                                         "steady_s",
                                         "epilogue_s",
                                         "flop_per_chip",
                                         "busiest_link_bytes",
                                         "sent_per_chip_bytes",
                                         "peak_memory_bytes"};
    // Only a simulation has a critical path; the closed form comes first, without.
    for (const char* command : {"estimate", "simulate"}) {
        if (command == std::string("simulate")) {
            step_fields.insert("why");
            gemm_fields.insert("why");
        }
        const json step = meshslice_json({command});
        EXPECT_EQ(keys(step), step_fields);
        ASSERT_EQ(step.at("gemms").size(), 12u);
        for (const json& gemm : step.at("gemms")) {
            EXPECT_EQ(keys(gemm), gemm_fields);
        }
    }
}

/// The paper's main claim: on the default scenario MeshSlice is faster than Collective, because it hides
/// communication and Collective hides none.
TEST(CliJson, MeshSliceBeatsCollectiveOnTheDefault) {
    const json sliced = meshslice_json({"simulate", "--algorithm", "meshslice"});
    const json collective = meshslice_json({"simulate", "--algorithm", "collective"});
    EXPECT_LT(sliced.at("time_s"), collective.at("time_s"));
    EXPECT_GT(sliced.at("flop_utilization"), collective.at("flop_utilization"));
    EXPECT_EQ(sliced.at("flop"), collective.at("flop"));
    EXPECT_GT(sliced.at("hidden_share"), 0.5);
    EXPECT_EQ(collective.at("hidden_share"), 0.0);
    EXPECT_THAT(column<std::int64_t>(collective, "slices"), Each(1));
}

/// 2 M N K of all twelve GEMMs over chips x peak x time. One layer's three GEMMs cost the same, so GPT-3 with
/// hidden width H and T tokens has 3 x 2 T (3 H^2 + H^2 + 4 H^2 + 4 H^2) = 72 T H^2 FLOP: 72 x 262144 x
/// 12288^2 = 2 849 934 139 195 392. The paper's TPU v4 has a peak of 272 TFLOP/s.
TEST(CliJson, FlopUtilizationIsWorkOverPeakAndTime) {
    const json step = meshslice_json({"simulate"});
    EXPECT_EQ(step.at("flop"), 2'849'934'139'195'392);
    const double time = step.at("time_s").get<double>();
    EXPECT_NEAR(step.at("flop_utilization").get<double>(), 2'849'934'139'195'392.0 / (256 * 272e12 * time),
                1e-9);
}

TEST(CliJson, ASingleProductIsTakenInsteadOfAModel) {
    const json step = meshslice_json({"simulate", "--gemm", "4096x2048x1024", "--dataflow", "RS", "--mesh",
                                      "4x2", "--slices", "4", "--algorithm", "meshslice"});
    ASSERT_EQ(step.at("gemms").size(), 1u);
    const json& gemm = step.at("gemms").front();
    EXPECT_EQ(gemm.at("dataflow"), "RS");
    EXPECT_EQ(gemm.at("m"), 4096);
    EXPECT_EQ(gemm.at("n"), 2048);
    EXPECT_EQ(gemm.at("k"), 1024);
    EXPECT_EQ(gemm.at("slices"), 4);
    EXPECT_EQ(gemm.at("time_s"), step.at("time_s"));
    EXPECT_EQ(step.at("chips"), 8);
    EXPECT_EQ(step.at("mesh"), "4x2");
    EXPECT_EQ(gemm.at("flop_per_chip"), 2 * 4096 * 2048 * 1024LL / 8);
}

/// Llama 3 70B: 64 query heads and 2 x 8 key and value heads of 128 make N = 80 x 128 = 10240; the gate
/// doubles FF1's 28672 to 57344. Tokens 32 x 8192 = 262144.
TEST(CliJson, AHuggingFaceConfigDrivesTheSimulation) {
    const json step =
        meshslice_json({"simulate", "--model", source_file("tests/core/model/fixtures/llama-3-70b.json"),
                        "--hardware", "tpu-v5e", "--mesh", "16x16", "--batch", "32", "--sequence", "8192"});
    ASSERT_EQ(step.at("gemms").size(), 12u);
    const auto forward = [&](const char* layer) {
        for (const json& gemm : step.at("gemms")) {
            if (gemm.at("layer") == layer && gemm.at("pass") == "forward") {
                return std::vector<std::int64_t>{gemm.at("m"), gemm.at("n"), gemm.at("k")};
            }
        }
        return std::vector<std::int64_t>();
    };
    EXPECT_THAT(forward("QKV"), testing::ElementsAre(262144, 10240, 8192));
    EXPECT_THAT(forward("Output"), testing::ElementsAre(262144, 8192, 8192));
    EXPECT_THAT(forward("FF1"), testing::ElementsAre(262144, 57344, 8192));
    // The preset of that name is the same model.
    EXPECT_EQ(step, meshslice_json({"simulate", "--model", "llama-3-70b", "--hardware", "tpu-v5e", "--mesh",
                                    "16x16", "--batch", "32", "--sequence", "8192"}));
}

TEST(CliJson, TwoRunsAreEqualToTheLastDigit) {
    EXPECT_EQ(printed({"simulate", "--json"}), printed({"simulate", "--json"}));
}

TEST(CliJson, FlagsChangeWhatTheyName) {
    const json one_way = meshslice_json({"simulate", "--ring", "one-way"});
    const json both = meshslice_json({"simulate", "--ring", "both"});
    EXPECT_GT(one_way.at("transfer_s"), both.at("transfer_s"));
    // An int8 element is half a bf16's bytes.
    const json int8 =
        meshslice_json({"simulate", "--gemm", "4096x4096x4096", "--mesh", "4x4", "--data-type", "int8"});
    const json bf16 =
        meshslice_json({"simulate", "--gemm", "4096x4096x4096", "--mesh", "4x4", "--data-type", "bf16"});
    EXPECT_EQ(2 * int8["gemms"][0]["busiest_link_bytes"].get<std::int64_t>(),
              bf16["gemms"][0]["busiest_link_bytes"].get<std::int64_t>());
    // With every layer Y-stationary, forward is OS, backward data LS and backward weight RS.
    const json stationary = meshslice_json({"estimate", "--dataflow", "Y"});
    EXPECT_THAT(column<std::string>(stationary, "dataflow"),
                testing::ElementsAre("OS", "LS", "RS", "OS", "LS", "RS", "OS", "LS", "RS", "OS", "LS", "RS"));
}

/// C = A B^T, 64x48 over 4x2 chips, K = 32, left stationary, two slices of N.
/// Vertically each chip's shard of B, 48/4 x 32/2 = 192 elements, is gathered: a chip sends three shards'
/// worth, 3 x 192 x 2 bytes = 1152, half of it each way: 576. Horizontally the partial C of the chip's 16
/// rows, 16 x 48 elements, is reduce-scattered between two chips: half of it, 384 elements, leaves the chip:
/// 768 bytes, half of them by either link to the one neighbour: 384. Eight chips, so eight links of each
/// direction.
TEST(CliVerify, RunsTheProductAndCountsTheBytes) {
    const std::vector<std::string> arguments = {
        "verify", "--algorithm", "meshslice", "--dataflow", "LS",      "--mesh", "4x2",
        "--gemm", "64x48x32",    "--slices",  "2",          "--block", "2"};
    const std::string text = printed(arguments);
    EXPECT_THAT(
        text,
        StartsWith("MeshSlice LS 64x48x32 on 4x2, S = 2, B = 2, integers\ncorrect: largest error 0, allowed "
                   "0\n"));
    for (const char* line : {"south links      8         576\n", "north links      8         576\n",
                             "east links       8         384\n", "west links       8         384\n"}) {
        EXPECT_THAT(text, HasSubstr(line));
    }
    const json answer = meshslice_json(arguments);
    EXPECT_EQ(answer.at("correct"), true);
    EXPECT_EQ(answer.at("largest_error"), 0.0);
    EXPECT_EQ(answer.at("tolerance"), 0.0);
    ASSERT_EQ(answer.at("links").size(), 32u);
    std::set<std::string> links;
    for (const json& link : answer.at("links")) {
        const std::string words = link.at("link");
        EXPECT_EQ(link.at("bytes"), words == "east link" || words == "west link" ? 384 : 576) << link;
        links.insert(link.at("chip").get<std::string>() + " " + words);
    }
    EXPECT_EQ(links.size(), 32u);
}

TEST(CliVerify, FloatsAreJudgedByATolerance) {
    const json answer = meshslice_json({"verify", "--numbers", "floats", "--seed", "7"});
    EXPECT_EQ(answer.at("correct"), true);
    EXPECT_GT(answer.at("tolerance"), 0.0);
    EXPECT_LE(answer.at("largest_error"), answer.at("tolerance"));
}

/// Every algorithm, every dataflow, on meshes of the shapes it is meant for.
TEST(CliVerify, EveryAlgorithmIsRight) {
    const std::vector<std::pair<const char*, std::vector<const char*>>> rows = {
        {"cannon", {"2x2", "4x4"}},
        {"summa", {"2x2", "4x4", "2x4", "4x2", "3x6"}},
        {"collective", {"2x2", "4x4", "2x4", "4x2", "3x6"}},
        {"wang", {"2x2", "4x4", "2x4", "4x2", "3x6"}},
        {"meshslice", {"2x2", "4x4", "2x4", "4x2", "3x6"}},
        {"1d-tp", {"8", "2x4"}}, // A mesh is taken as one ring through all of its chips.
        {"fsdp", {"8", "2x4"}},
        {"2.5d", {"2x2x2", "4x4x2"}},
        {"meshslice-dp", {"2x2x2", "4x4x2"}}};
    for (const auto& [algorithm, meshes] : rows) {
        for (const char* mesh : meshes) {
            for (const char* dataflow : {"OS", "LS", "RS"}) {
                EXPECT_THAT(printed({"verify", "--algorithm", algorithm, "--dataflow", dataflow, "--mesh",
                                     mesh, "--gemm", "144x144x144"}),
                            HasSubstr("\ncorrect: largest error 0, allowed 0\n"))
                    << algorithm << " " << dataflow << " " << mesh;
            }
        }
    }
}

/// A scenario file says itself what to run; its GEMM is small enough to run for real.
TEST(CliVerify, RunsTheProductOfAScenario) {
    const std::string example =
        std::string(MESHSLICE_SOURCE_DIR) + "/tests/cli/scenarios/small-gemm-4x2.json";
    EXPECT_THAT(printed({"verify", "--scenario", example}),
                StartsWith("MeshSlice LS 64x48x32 on 4x2, S = 2, B = 2, integers\ncorrect:"));
    const std::string step = std::string(MESHSLICE_SOURCE_DIR) + "/resources/examples/gpt3-32x8.json";
    const Finished finished = meshslice_command({"verify", "--scenario", step});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("describes a whole training step"));
}

TEST(CliScenario, AFileAndTheSameFlagsGiveTheSameStep) {
    const json by_file =
        meshslice_json({"simulate", "--scenario", source_file("resources/examples/gpt3-32x8.json")});
    EXPECT_EQ(by_file, meshslice_json({"simulate"}));
}

TEST(CliScenario, FlagsChangeAFile) {
    const std::string file = source_file("resources/examples/gpt3-32x8.json");
    const json changed = meshslice_json({"simulate", "--scenario", file, "--mesh", "16x16"});
    EXPECT_EQ(changed.at("mesh"), "16x16");
    EXPECT_EQ(changed, meshslice_json({"simulate", "--mesh", "16x16"}));
}

/// Where no sequence is said it is the model's own in every command, and the headline says it. A file keeps
/// its own.
TEST(Cli, TakesTheModelsOwnSequence) {
    const auto own = [](const std::string& model) {
        return json::parse(file_content(source_file("resources/models/" + model + ".json")))
            .at("sequence")
            .get<std::int64_t>();
    };
    for (const std::string model : {"llama-3-8b", "llama-2-13b", "mega-gpt-2", "gpt3-175b"}) {
        const std::vector<std::string> about = {"--model", model, "--machine", "tpu-v5p", "--batch", "32"};
        const std::string tokens = std::to_string(own(model)) + " tokens";
        for (const std::string command : {"simulate", "estimate", "tune"}) {
            std::vector<std::string> words = {command, "--mesh", "2x2"};
            words.insert(words.end(), about.begin(), about.end());
            const std::string unsaid = meshslice_command(words).out;
            EXPECT_THAT(unsaid.substr(0, unsaid.find('\n')),
                        HasSubstr(" (sequence " + std::to_string(own(model)) + ")"))
                << command << " " << model;
            words.insert(words.end(), {"--sequence", std::to_string(own(model))});
            EXPECT_EQ(meshslice_command(words).out, unsaid);
            words.back() = "512";
            EXPECT_THAT(meshslice_command(words).out, HasSubstr(" (sequence 512)"));
        }
        std::vector<std::string> plan = {"plan", "--chips", "64"};
        plan.insert(plan.end(), about.begin(), about.end());
        EXPECT_THAT(meshslice_command(plan).out, HasSubstr("samples of " + tokens)) << model;
    }
    const std::vector<std::string> file = {
        "estimate", "--scenario", source_file("resources/examples/gpt3-32x8.json"), "--model", "llama-3-8b"};
    EXPECT_THAT(meshslice_command(file).out, HasSubstr(" (sequence 2048)"));
}

} // namespace
} // namespace meshslice::test
