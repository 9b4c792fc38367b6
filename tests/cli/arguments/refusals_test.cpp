// Whatever a user types: exit code 2, one sentence on the standard error, nothing on the standard output, no
// file touched.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// The sentence of a refusal; failed expectations where it is not one.
std::string refusal(const std::vector<std::string>& arguments) {
    const Finished finished = meshslice_command(arguments);
    EXPECT_EQ(finished.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_TRUE(finished.out.empty()) << testing::PrintToString(arguments);
    EXPECT_THAT(finished.err, AllOf(StartsWith("meshslice: "), AnyOf(EndsWith(".\n"), EndsWith("?\n"))))
        << testing::PrintToString(arguments);
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    return finished.err;
}

struct Case {
    std::vector<std::string> arguments;
    std::vector<std::string> words; ///< that the sentence has: what was wrong, and what was expected
};

void expect_refusals(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        const std::string sentence = refusal(one.arguments);
        for (const std::string& words : one.words) {
            EXPECT_THAT(sentence, HasSubstr(words)) << testing::PrintToString(one.arguments);
        }
    }
}

TEST(CliRefusals, UnknownPresetsNameTheKnownOnes) {
    expect_refusals(
        {{{"simulate", "--model", "abacus"}, {"\"abacus\"", "gpt3-175b", "llama-3-70b"}},
         {{"plan", "--cihps", "8"}, {"no flag \"--cihps\"", "did you mean --chips?"}},
         {{"simulate", "--hardware", "abacus"}, {"\"abacus\"", "tpu-v4-paper", "tpu-v5e"}},
         {{"simulate", "--chip", "square"}, {"\"square\"", "constant-rate", "tiled"}},
         {{"simulate", "--hardware", "tpu-v6e", "--chip", "tiled", "--mesh", "16x16"},
          {"on-chip memory", "roofline", "output_tile_rows"}},
         {{"simulate", "--algorithm", "magic"}, {"\"magic\"", "collective", "meshslice"}},
         {{"verify", "--algorithm", "magic"}, {"\"magic\"", "collective", "meshslice"}},
         {{"reproduce", "figure-9"}, {"\"figure-9\"", "weak-scaling", "traffic"}},
         {{"reproduce", "--hardware", "abacus"}, {"\"abacus\"", "tpu-v4-paper"}},
         {{"presets", "cars"}, {"\"cars\"", "machines, models, algorithms, examples or studies"}}});
}

/// 7 does not divide 262144 = 2^18 rows.
TEST(CliRefusals, AMeshThatDoesNotDivideNamesOnesThatDo) {
    expect_refusals(
        {{{"simulate", "--mesh", "7x13"}, {"7x13 has 91 chips", "does not divide by 7", "Meshes of "}},
         {{"estimate", "--mesh", "7x13"}, {"does not divide by 7"}},
         {{"verify", "--gemm", "64x64x64", "--mesh", "8x3"}, {"does not divide by 3", "Meshes of "}},
         {{"simulate", "--mesh", "16"}, {"mesh of two", "Meshes of 16 chips that work: 16x1, 8x2"}},
         {{"estimate", "--algorithm", "cannon", "--mesh", "24x24"},
          {"QKV forward", "Meshes of 256 chips that work: 16x16."}},
         {{"simulate", "--mesh", "4x4x4"}, {"3 axes"}},
         {{"simulate", "--mesh", "4x4x4", "--hardware", "tpu-v4"},
          {"3 axes", "On three axes: 2.5D and MeshSlice + DP."}}});
}

/// K = 64 over 4x2 leaves gcd(16, 32) = 16 = 2 blocks of 8 on a chip: one or two slices.
TEST(CliRefusals, ASliceCountThatDoesNotDivideNamesOnesThatDo) {
    expect_refusals(
        {{{"simulate", "--gemm", "64x64x64", "--mesh", "4x2", "--slices", "3"},
          {"S = 3", "K = 64", "Slice counts that work: 1, 2."}},
         {{"verify", "--gemm", "64x64x64", "--mesh", "4x2", "--slices", "3"},
          {"Slice counts that work: 1, 2."}},
         {{"simulate", "--slices", "5"}, {"QKV forward", "S = 5", "Slice counts that work: 1, 2, 3, 4"}}});
}

TEST(CliRefusals, ZeroNegativeFractionalAndOverflowingNumbers) {
    for (const char* flag : {"--batch", "--sequence", "--slices", "--block"}) {
        for (const char* number : {"0", "-3", "1.5", "99999999999999999999", "1e30", "many", "4 4"}) {
            EXPECT_THAT(refusal({"simulate", flag, number}), AllOf(HasSubstr(flag), HasSubstr(number)))
                << flag;
        }
    }
    for (const char* mesh :
         {"0x4", "-4x4", "99999999999999999999x2", "2147483648x2", "4x", "x4", "4,4", "4x4x4x4"}) {
        EXPECT_THAT(refusal({"simulate", "--mesh", mesh}), AllOf(HasSubstr(mesh), HasSubstr("such as 32x8")));
    }
    for (const char* gemm : {"64x64", "axbxc", "99999999999999999999x1x1", "64x64x64x64", "64xx64"}) {
        EXPECT_THAT(refusal({"simulate", "--gemm", gemm}), AllOf(HasSubstr(gemm), HasSubstr("MxNxK")))
            << gemm;
    }
    expect_refusals({{{"simulate", "--gemm", "0x64x64"}, {"0x64x64", "from 1"}},
                     {{"simulate", "--prefetch", "-1"}, {"\"-1\"", "unbounded"}},
                     {{"simulate", "--prefetch", "99999999999999999999"}, {"unbounded"}},
                     {{"verify", "--seed", "-1"}, {"--seed", "from 0 on"}}});
}

/// Each is refused by its numbers, long before memory or a day is spent on it.
TEST(CliRefusals, AbsurdSizes) {
    expect_refusals(
        {{{"simulate", "--batch", "9000000000000000000"}, {"batch", "16777216"}},
         {{"simulate", "--mesh", "65536x65536"}, {"more than 65536 chips"}},
         {{"simulate", "--mesh", "256x256", "--wrap", "none"}, {"busy intervals"}},
         {{"simulate", "--mesh", "64x64", "--slices", "12", "--trace", "trace.json", "--trace-chips", "all"},
          {"50000000", "trace"}},
         {{"simulate", "--gemm", "9000000000000000000x1x1"}, {"2147483648"}},
         {{"simulate", "--gemm", "1073741824x1073741824x1073741824", "--mesh", "2x2"}, {"elements"}},
         {{"simulate", "--gemm", "268435456x268435456x268435456", "--mesh", "2x2"}, {"FLOP"}},
         {{"verify", "--gemm", "100000x100000x100000"}, {"too large to run on real matrices"}}});
}

TEST(CliRefusals, WordsThatAreNoneOfTheChoices) {
    expect_refusals(
        {{{"simulate", "--dataflow", "Z"}, {"auto, Y, X or W"}},
         {{"simulate", "--dataflow", "OS"}, {"Only a single GEMM (--gemm) uses it"}},
         {{"simulate", "--gemm", "64x64x64", "--dataflow", "Y"}, {"OS", "LS", "RS"}},
         {{"simulate", "--ring", "sideways"}, {"\"sideways\"", "both", "one-way"}},
         {{"simulate", "--wrap", "sideways"}, {"\"sideways\"", "both", "horizontal", "none"}},
         {{"simulate", "--data-type", "fp8"}, {"\"fp8\"", "bf16", "int8"}},
         {{"simulate", "--links", "0 GB/s"}, {"a factor of the preset's such as x 0.5 or \"by axis\""}},
         {{"verify", "--numbers", "letters"}, {"integers or floats"}}});
}

TEST(CliRefusals, FlagsThatWouldDoNothing) {
    expect_refusals(
        {{{"simulate", "--algorithm", "collective", "--packets", "4"}, {"--packets", "Collective"}},
         {{"simulate", "--algorithm", "cannon", "--slices", "4"}, {"--slices", "Cannon"}},
         {{"simulate", "--decompose", "vertical"}, {"--decompose", "MeshSlice"}},
         {{"verify", "--model", "llama-3-8b"}, {"--model", "--gemm MxNxK"}},
         {{"verify", "--fault", "0,0 core 50%"}, {"--fault", "knows no time"}},
         {{"verify", "--jitter", "5us"}, {"--jitter", "knows no time"}}});
    for (const char* flag : {"--model", "--batch", "--sequence"}) {
        const std::string value = flag == std::string("--model") ? "llama-3-8b" : "64";
        expect_refusals({{{"simulate", "--gemm", "64x64x64", flag, value},
                          {flag, "A single GEMM (--gemm) does not use it"}}});
        expect_refusals({{{"tune", "--gemm", "64x64x64", flag, value},
                          {flag, "A single GEMM (--gemm) does not use it"}}});
    }
    const std::string alone = source_file("resources/examples/one-product-4x4.json");
    expect_refusals(
        {{{"simulate", "--scenario", alone, "--batch", "64"}, {"--batch", "one-product-4x4.json"}}});
    const TemporaryFolder folder;
    const std::string measured = folder.file("gemms.csv", "M,N,K,time\n4096,4096,4096,1 ms\n");
    expect_refusals(
        {{{"simulate", "--measured", measured, "--data-type", "int8"}, {"--measured", "bf16", "int8"}}});
}

/// One ring through all chips of 4x5 has 20, and M = 262144 = 2^18 is divided by none above 16 up to that.
TEST(CliRefusals, ARingThatDoesNotDivideSaysWhichWould) {
    expect_refusals({{{"simulate", "--algorithm", "1d-tp", "--mesh", "4x5"},
                      {"A ring of all 20 chips cuts M = 262144 into 20 parts", "Meshes of 16 chips"}},
                     {{"simulate", "--algorithm", "1d-tp", "--mesh", "5x5", "--wrap", "folded"},
                      {"A ring of all 25 chips", "Meshes of 32 chips"}}});
}

/// What a file says wrongly is refused with the file, a table with the line, a number with what is taken.
TEST(CliRefusals, SayWhereAFileIsWrong) {
    const TemporaryFolder folder;
    auto hardware =
        nlohmann::ordered_json::parse(file_content(source_file("resources/machines/tpu-v5e.json")));
    hardware["measured_products"] = {{"value", {"1024x1024x1024 -1 us"}}, {"source", "ours"}};
    const std::string machine = folder.file("machine.json", hardware.dump());
    const std::string table =
        folder.file("gemms.csv", "M,N,K,time\n1024,1024,512,1e-3 s\n1024,1024,512,1e300 s\n");
    expect_refusals(
        {{{"simulate", "--hardware", machine, "--mesh", "4x4"}, {"machine.json", "1024x1024x1024 -1 us"}},
         {{"simulate", "--measured", table}, {"gemms.csv, line 3", "1e300", "86400"}},
         {{"simulate", "--batch", "16777217"}, {"from 1 to 16777216"}}});
}

/// A model's file, ours or Hugging Face's, in the place of a scenario is named for what it is.
TEST(CliRefusals, AModelIsNoScenario) {
    const TemporaryFolder folder;
    for (const std::string& model : {source_file("resources/models/gpt3-175b.json"),
                                     source_file("tests/core/model/fixtures/llama-3-70b.json")}) {
        expect_refusals({{{"simulate", "--scenario", model},
                          {model, "is a model, not a scenario", "--model", "Open a model's config.json"}}});
    }
    const std::string neither = folder.file("neither.json", "{\"batch\": 4}");
    expect_refusals({{{"simulate", "--scenario", neither}, {"neither.json lacks \"/meshslice_scenario\""}}});
}

TEST(CliRefusals, FaultsOfWhatIsNotThere) {
    expect_refusals({{{"calibrate"}, {"--collectives", "--gemms"}},
                     {{"calibrate", "--gemms", "/nowhere.csv"}, {"/nowhere.csv"}},
                     {{"calibrate", "--gemms", "x", "--ring", "sideways"}, {"\"sideways\"", "one-way"}}});
    expect_refusals({{{"simulate", "--fault", "40,1 core 50%"}, {"40,1", "32x8"}},
                     {{"simulate", "--fault", "3,5 sideways 50%"}, {"sideways", "north"}},
                     {{"simulate", "--fault", "3,5 east 150%"}, {"150%", "or dead"}},
                     {{"simulate", "--wrap", "none", "--fault", "3,5 east dead"}, {"the torus is cut"}},
                     {{"simulate", "--jitter", "2 parsecs"}, {"2 parsecs"}},
                     {{"simulate", "--jitter", "1 s"}, {"--jitter is"}}});
}

TEST(CliRefusals, FilesThatAreNone) {
    const TemporaryFolder folder;
    const std::string missing = folder.path("missing.json");
    const std::string empty = folder.file("empty.json", "");
    const std::string truncated = folder.file("truncated.json", "{\"hidden_size\": 8192,");
    const std::string binary = folder.file("binary.json", std::string("\x7f"
                                                                      "ELF\0\1\2\xff",
                                                                      8));
    const std::string directory = folder.path("");
    for (const char* flag : {"--model", "--hardware", "--scenario"}) {
        expect_refusals({{{"simulate", flag, missing}, {"There is no file", "missing.json"}},
                         {{"simulate", flag, empty}, {"empty.json", "is empty"}},
                         {{"simulate", flag, truncated}, {"truncated.json", "line 1"}},
                         {{"simulate", flag, binary}, {"binary.json", "not valid JSON"}},
                         {{"simulate", flag, directory}, {"is a directory"}}});
    }
}

TEST(CliRefusals, FilesWithWrongContent) {
    const TemporaryFolder folder;
    const auto with = [&](const char* name, const std::string& content) {
        return folder.file(name, content);
    };
    std::string scenario = file_content(source_file("resources/examples/gpt3-32x8.json"));
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string changed = scenario;
        const std::size_t at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return changed.replace(std::min(at, changed.size()), from.size(), to);
    };
    expect_refusals(
        {{{"simulate", "--model",
           with("config.json", R"({"model_type": "llama", "hidden_size": "wide", "num_hidden_layers": 2,
                 "num_attention_heads": 4, "intermediate_size": 8})")},
          {"config.json", "hidden_size"}},
         {{"simulate", "--hardware", with("chip.json", R"({"meshslice_hardware": "one"})")},
          {"chip.json", "meshslice_hardware"}},
         {{"simulate", "--scenario", with("batch.json", replaced("\"batch\": 128", "\"batch\": \"many\""))},
          {"batch.json", "/batch"}},
         {{"simulate", "--scenario", with("half.json", replaced("\"batch\": 128", "\"batch\": 12.5"))},
          {"half.json", "/batch"}},
         {{"simulate", "--scenario",
           with("twice.json", replaced("\"batch\": 128", "\"batch\": 128, \"batch\": 1"))},
          {"twice.json", "batch"}},
         {{"simulate", "--scenario", with("key.json", replaced("\"batch\"", "\"batches\""))},
          {"key.json", "batch"}},
         {{"simulate", "--scenario",
           with("new.json", replaced("\"meshslice_scenario\": 3", "\"meshslice_scenario\": 4"))},
          {"new.json", "version 4", "up to version 3"}},
         {{"simulate", "--scenario", with("list.json", "[1, 2]")}, {"list.json"}}});
}

TEST(CliRefusals, WordsThatNoCommandKnows) {
    expect_refusals({{{"dance"}, {"\"dance\"", "presets, simulate, estimate"}},
                     {{"--dance"}, {"\"--dance\""}},
                     {{"simulate", "--dance"}, {"\"--dance\"", "meshslice simulate --help"}},
                     {{"simulate", "extra"}, {"\"extra\""}},
                     {{"simulate", "verify"}, {"\"verify\""}},
                     {{"estimate", "--trace", "x.json"}, {"--trace"}},
                     {{"simulate", "--mesh"}, {"--mesh needs a value"}},
                     {{"simulate", "--mesh", "4x4", "--mesh", "8x8"}, {"--mesh", "twice"}}});
}

/// A script's variable that is not set must not become the default.
TEST(CliRefusals, EmptyValues) {
    for (const char* flag : {"--model", "--mesh", "--batch", "--slices", "--gemm", "--trace", "--scenario"}) {
        EXPECT_THAT(refusal({"simulate", flag, ""}),
                    HasSubstr(std::string(flag) + " needs a value that is not empty"));
    }
}

TEST(CliRefusals, AFileThatCannotBeWrittenIsToldAndNothingIsLeft) {
    const TemporaryFolder folder;
    const std::vector<std::string> simulate = {"simulate", "--gemm", "64x64x64", "--mesh", "2x2"};
    for (const char* flag : {"--trace", "--intervals"}) {
        for (const std::string& path : {folder.path("nowhere/out.json"), folder.path("")}) {
            std::vector<std::string> arguments = simulate;
            arguments.insert(arguments.end(), {flag, path});
            EXPECT_THAT(refusal(arguments), HasSubstr("cannot be written"));
        }
    }
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(CliRefusals, AFailingRunTouchesNoFile) {
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace.json", "what was there");
    const std::string absent = folder.path("intervals.csv");
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--mesh", "7x13"}, {"--model", "gpt9"}, {"--slices", "5"}, {"--dance"}}) {
        std::vector<std::string> arguments = {"simulate", "--trace", trace, "--intervals", absent};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        static_cast<void>(refusal(arguments));
    }
    EXPECT_THAT(folder.names(), ElementsAre("trace.json"));
    EXPECT_EQ(file_content(trace), "what was there");
}

/// What a command reads, under whatever name, and what it has just written, it does not write over.
TEST(CliRefusals, AnOutputThatIsAnInputIsLeftAsItIs) {
    const TemporaryFolder folder;
    const std::string example = file_content(source_file("tests/cli/scenarios/small-gemm-4x2.json"));
    const std::string scenario = folder.file("scenario.json", example);
    const std::string products = folder.file("products.csv", "M,N,K,time\n1024,1024,1024,1e-4 s\n");
    const std::string twice = folder.path("twice.json");
    expect_refusals(
        {{{"simulate", "--scenario", scenario, "--trace", scenario}, {"would be overwritten"}},
         {{"simulate", "--scenario", scenario, "--trace", folder.path("./scenario.json")},
          {"would be overwritten"}},
         {{"simulate", "--scenario", scenario, "--trace", twice, "--intervals", twice},
          {"would be written twice"}},
         {{"simulate", "--measured", products, "--intervals", products}, {"would be overwritten"}},
         {{"tune", "--measured", products, "--csv", products}, {"would be overwritten"}},
         {{"calibrate", "--gemms", products, "--hardware", "tpu-v4", "--out", products},
          {"would be overwritten"}}});
    EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("scenario.json", "products.csv"));
    EXPECT_EQ(file_content(scenario), example);
}

/// The disk that is always full.
TEST(CliRefusals, AnOutputThatCannotBeWrittenIsTold) {
    const std::string command = MESHSLICE_COMMAND;
    for (const char* what : {"presets", "simulate --json", "estimate", "verify"}) {
        const Finished finished =
            run_process({"/bin/sh", "-c", "'" + command + "' " + what + " > /dev/full"});
        EXPECT_EQ(finished.exit_code, 2) << what;
        EXPECT_THAT(finished.err, HasSubstr("standard output cannot be written")) << what;
    }
}

} // namespace
} // namespace meshslice::test
