#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string printed_of_operation(const std::string& operation) {
    return printed({"hlo", operation, "--mesh", "X=8"});
}

/// The command at the end takes the array of all eight devices, by hand from each operation.
TEST(CliHlo, AsksWhatTheWholeArrayCosts) {
    const std::string eight = ", replica_groups=[1,8]<=[8]";
    EXPECT_THAT(printed_of_operation("%a = bf16[8,1024]{1,0} all-to-all(bf16[8,1024]{1,0} %x)" + eight),
                HasSubstr("collective all-to-all --bytes 131072 --axes X=8"))
        << "8 x 8 x 1024 x 2";
    EXPECT_THAT(printed_of_operation("%r = f32[16]{0} reduce-scatter(%x), dimensions={0}" + eight),
                HasSubstr("collective reduce-scatter --bytes 512 --axes X=8"))
        << "8 x 16 x 4";
    EXPECT_THAT(printed_of_operation("%r = f32[16]{0} reduce-scatter(f32[128]{0} %x)" + eight),
                HasSubstr("--bytes 512 "))
        << "the same with its operand";
    EXPECT_THAT(printed_of_operation("%g = bf16[64]{0} all-gather(bf16[8]{0} %x), dimensions={0}" + eight),
                HasSubstr("collective all-gather --bytes 128 --axes X=8"));
    EXPECT_THAT(
        printed_of_operation("%s = (f32[100]{0}, f32[200]{0}) all-reduce(f32[100] %x, f32[200] %y)" + eight),
        HasSubstr("collective all-reduce --bytes 1200 --axes X=8"))
        << "(100 + 200) x 4";
    EXPECT_THAT(printed_of_operation("%p = f32[8]{0} collective-permute(f32[8]{0} %x), "
                                     "source_target_pairs={{0,1},{1,0}}"),
                HasSubstr("collective send-recv --bytes 32 --axes X=8"));
}

/// The chip that is named stands in the command, also one in a file.
TEST(CliHlo, AsksWhatItCostsOnTheChip) {
    const std::string gather =
        "%g = bf16[64]{0} all-gather(bf16[8]{0} %x), replica_groups=[1,8]<=[8], dimensions={0}";
    EXPECT_THAT(printed({"hlo", gather, "--mesh", "X=8", "--machine", "h100"}),
                HasSubstr("collective all-gather --bytes 128 --axes X=8 --machine h100\n"));
    const nlohmann::json cost =
        meshslice_json({"collective", "all-gather", "--bytes", "128", "--axes", "X=8", "--machine", "h100"});
    const nlohmann::json line = meshslice_json({"hlo", gather, "--mesh", "X=8", "--machine", "h100"});
    EXPECT_EQ(line["time_in_s"], cost["time_in_s"]);
    EXPECT_EQ(line["expected_in_s"], cost["expected_in_s"]);
    EXPECT_THAT(printed({"hlo", gather, "--mesh", "X=8", "--machine", "h100"}),
                HasSubstr(" by measured runs, "));
    EXPECT_THAT(meshslice_command({"hlo", gather, "--machine", "h100"}).err,
                HasSubstr("--machine has no effect"));
    const std::string file = source_file("resources/machines/tpu-v4.json");
    EXPECT_THAT(printed({"hlo", gather, "--mesh", "X=8", "--machine", file}),
                HasSubstr(" --machine " + file));
    EXPECT_THAT(meshslice_command({"hlo", "%0 = stablehlo.add %a, %b : tensor<4xf32>"}).err,
                HasSubstr("That is MLIR"));
}

/// The time is that of the command that stands next to it; without one it says why.
TEST(CliHlo, SaysWhatItTakesOnTheChip) {
    const auto gather = [](const std::string& groups) {
        return "%g = bf16[64]{0} all-gather(bf16[16]{0} %x), replica_groups=" + groups + ", dimensions={0}";
    };
    const double seconds = meshslice_json(
        {"collective", "all-gather", "--bytes", "128", "--axes", "Y=4", "--machine", "tpu-v5e"})["time_in_s"];
    EXPECT_EQ(meshslice_json(
                  {"hlo", gather("[2,4]<=[8]"), "--mesh", "X=2,Y=4", "--machine", "tpu-v5e"})["time_in_s"],
              seconds);
    const auto refused = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"hlo", gather("[2,4]<=[4,2]T(1,0)"), "--machine", "tpu-v5e"};
        words.insert(words.end(), more.begin(), more.end());
        return meshslice_command(words).err;
    };
    EXPECT_THAT(refused({"--mesh", "X=2,Y=4"}),
                HasSubstr("--machine has no effect. Its groups have 4 devices, as along Y, but the first one "
                          "is 0, 2, 4, 6; along Y it is 0, 1, 2, 3."));
    EXPECT_THAT(refused({}), HasSubstr("--machine has no effect without --mesh"));
}

/// The tuple of a start has its operands, and what waits for it.
TEST(CliHlo, AsksWhatAStartMakes) {
    const std::string eight = ", replica_groups=[1,8]<=[8]";
    EXPECT_THAT(printed_of_operation("%g = (f32[8]{0}, f32[64]{0}) all-gather-start(f32[8]{0} %x)" + eight),
                HasSubstr("--bytes 256 "));
    EXPECT_THAT(printed_of_operation("%g = ((f32[8], f32[4]), (f32[64], f32[32])) "
                                     "all-gather-start(f32[8] %x, f32[4] %y)" +
                                     eight),
                HasSubstr("--bytes 384 "))
        << "(64 + 32) x 4";
    EXPECT_THAT(
        printed_of_operation("%s = (f32[100], f32[200]) all-reduce-start(f32[100] %x, f32[200] %y)" + eight),
        HasSubstr("--bytes 1200 "))
        << "all of them are results";
    EXPECT_THAT(printed_of_operation("%r = ((f32[128]), f32[16]) reduce-scatter-start(f32[128] %x)" + eight),
                HasSubstr("--bytes 512 "));
    EXPECT_THAT(printed_of_operation("%p = (f32[8], f32[8], u32[], u32[]) collective-permute-start(f32[8] "
                                     "%x), source_target_pairs={{0,1},{1,0}}"),
                HasSubstr("--bytes 32 "));
}

/// 4 x 100 x 3 bytes of elements take 4 x 104 x 128 once tiles are filled up.
TEST(CliHlo, DrawsWhatFillsUpTiles) {
    const TemporaryFolder folder;
    ASSERT_EQ(meshslice_command(
                  {"hlo", "%a = f32[100,3]{1,0:T(8,128)} copy(%b)", "--svg", folder.path("tiles.svg")})
                  .exit_code,
              0);
    EXPECT_THAT(file_content(folder.path("tiles.svg")),
                AllOf(HasSubstr(" of elements take 53.2"), HasSubstr(" once tiles are filled up"),
                      HasSubstr("what fills up tiles")));
}

/// A gigabyte of parameters, and four more while the gathered array is read: 5 x 2^30 bytes.
TEST(CliHlo, SaysWhatAProgramHolds) {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "step.txt",
        "HloModule step, is_scheduled=true\n"
        "ENTRY %main (w: bf16[16384,32768]) -> bf16[16384] {\n"
        "  %w = bf16[16384,32768]{1,0} parameter(0)\n"
        "  %g = bf16[65536,32768]{1,0} all-gather(%w), replica_groups=[2,4]<=[8], dimensions={0}\n"
        "  ROOT %r = bf16[16384]{0} fusion(%g), kind=kLoop, calls=%f\n"
        "}\n");
    const std::vector<std::string> ask = {"hlo", file, "--mesh", "X=2,Y=4", "--machine", "tpu-v5e"};
    const Finished words = meshslice_command(ask);
    ASSERT_EQ(words.exit_code, 0) << words.err;
    EXPECT_THAT(words.out,
                AllOf(HasSubstr("3 operations hold at most 5.37 GB of HBM, at operation 3, r; TPU v5e "
                                "leaves "),
                      HasSubstr("Parameters and constants hold 1.07 GB all the time."),
                      HasSubstr("meshslice collective all-gather --bytes 4294967296 --axes Y=4")));
    const nlohmann::json values =
        nlohmann::json::parse(printed({"hlo", file, "--machine", "tpu-v5e", "--json"}));
    EXPECT_EQ(values["peak_bytes"], 5368709120 + 32768);
    EXPECT_EQ(values["peak_line"], 5);
    EXPECT_EQ(values["fits"], true);
    EXPECT_EQ(values["arrays"][0]["name"], "g");
    ASSERT_EQ(meshslice_command({"hlo", file, "--svg", folder.path("memory.svg")}).exit_code, 0);
    EXPECT_THAT(file_content(folder.path("memory.svg")), HasSubstr("held in HBM"));
    EXPECT_THAT(meshslice_command({"hlo", folder.path("none.txt")}).err, HasSubstr("none.txt"));
    EXPECT_THAT(meshslice_command({"hlo", "%a = f32[4] copy(%b)", "--machine", "tpu-v5e"}).err,
                HasSubstr("--machine has no effect"));
}

/// A fusion that calls a collective is that collective, among the devices that what it calls names: one
/// reduce-scatter of 16 x 4 bytes, and no all-reduce. Of a start the result counts: 32 x 4 bytes of the
/// gather, 8 x 2 of the permute.
TEST(CliHlo, CountsEachCollectiveOfAProgramOnce) {
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "step.txt",
        "HloModule step, is_scheduled=true\n"
        "%all-reduce-scatter.3 (p: f32[64]) -> f32[16] {\n"
        "  %p = f32[64]{0} parameter(0)\n"
        "  %s = f32[64]{0} all-reduce(%p), replica_groups=[2,4]<=[8]\n"
        "  ROOT %d = f32[16]{0} slice(%s), slice={[0:16]}\n"
        "}\n"
        "ENTRY %main (a: f32[64], b: f32[8], c: bf16[8]) -> f32[16] {\n"
        "  %a = f32[64]{0} parameter(0)\n"
        "  %b = f32[8]{0} parameter(1)\n"
        "  %c = bf16[8]{0} parameter(2)\n"
        "  %g = (f32[8]{0}, f32[32]{0}) all-gather-start(%b), replica_groups=[2,4]<=[8], dimensions={0}\n"
        "  %h = f32[32]{0} all-gather-done(%g)\n"
        "  %q = (bf16[8]{0}, bf16[8]{0}, u32[], u32[]) collective-permute-start(%c), "
        "source_target_pairs={{0,1},{1,0}}\n"
        "  %k = bf16[8]{0} collective-permute-done(%q)\n"
        "  ROOT %r = f32[16]{0} fusion(%a), kind=kCustom, calls=%all-reduce-scatter.3\n"
        "}\n");
    const nlohmann::json collectives =
        nlohmann::json::parse(printed({"hlo", file, "--mesh", "X=2,Y=4", "--json"}))["collectives"];
    ASSERT_EQ(collectives.size(), 3U) << collectives;
    const auto expect = [&](std::size_t at, const char* name, double bytes) {
        EXPECT_EQ(collectives[at]["collective"], name);
        EXPECT_EQ(collectives[at]["count"], 1);
        EXPECT_EQ(collectives[at]["bytes"], bytes);
        EXPECT_EQ(collectives[at]["axes"], "Y");
    };
    expect(0, "all-gather", 128);
    expect(1, "collective-permute", 16);
    expect(2, "reduce-scatter", 64);
    EXPECT_THAT(printed({"hlo", file, "--mesh", "X=2,Y=4"}),
                AllOf(HasSubstr("f32[32]{0}"), HasSubstr("bf16[8]{0}"), Not(HasSubstr("u32[]")),
                      HasSubstr("meshslice collective reduce-scatter --bytes 256 --axes Y=4")));
    EXPECT_THAT(printed({"hlo", "%g = (f32[8]{0}, f32[32]{0}) all-gather-start(f32[8]{0} %b), "
                                "replica_groups=[2,4]<=[8], dimensions={0}"}),
                HasSubstr("all-gather-start makes f32[32]{0}."));
}

/// A gather of the outer loop, 6 times, one of the inner, 6 x 10 by its condition, and one of a loop of which
/// nothing is known. At the peak 4096 bytes are the array within the inner loop.
constexpr const char* loops_in_loops =
    "HloModule step, is_scheduled=true\n"
    "%inner (t: (s32[], f32[256])) -> (s32[], f32[256]) {\n"
    "  %t = (s32[], f32[256]{0}) parameter(0)\n"
    "  %i = s32[] get-tuple-element(%t), index=0\n"
    "  %x = f32[256]{0} get-tuple-element(%t), index=1\n"
    "  %one = s32[] constant(1)\n"
    "  %next = s32[] add(%i, %one)\n"
    "  %big = f32[1024]{0} all-gather(%x), replica_groups=[8,4]<=[32], dimensions={0}\n"
    "  %y = f32[256]{0} slice(%big), slice={[0:256]}\n"
    "  ROOT %r = (s32[], f32[256]{0}) tuple(%next, %y)\n"
    "}\n"
    "%ci (t: (s32[], f32[256])) -> pred[] {\n"
    "  %t = (s32[], f32[256]{0}) parameter(0)\n"
    "  %i = s32[] get-tuple-element(%t), index=0\n"
    "  %ten = s32[] constant(10)\n"
    "  ROOT %c = pred[] compare(%i, %ten), direction=LT\n"
    "}\n"
    "%outer (x: f32[256]) -> f32[256] {\n"
    "  %x = f32[256]{0} parameter(0)\n"
    "  %zero = s32[] constant(0)\n"
    "  %s = f32[256]{0} all-reduce(%x), replica_groups=[4,8]<=[8,4]T(1,0), to_apply=%add\n"
    "  %b = (s32[], f32[256]{0}) tuple(%zero, %s)\n"
    "  %wi = (s32[], f32[256]{0}) while(%b), condition=%ci, body=%inner\n"
    "  ROOT %o = f32[256]{0} get-tuple-element(%wi), index=1\n"
    "}\n"
    "%free (x: f32[256]) -> f32[256] {\n"
    "  %x = f32[256]{0} parameter(0)\n"
    "  ROOT %p = f32[256]{0} collective-permute(%x), source_target_pairs={{0,5}}\n"
    "}\n"
    "%yes (x: f32[256]) -> pred[] {\n"
    "  %x = f32[256]{0} parameter(0)\n"
    "  ROOT %c = pred[] custom-call(%x)\n"
    "}\n"
    "ENTRY %main (a: f32[256]) -> f32[256] {\n"
    "  %a = f32[256]{0} parameter(0)\n"
    "  %wo = f32[256]{0} while(%a), condition=%yes, body=%outer, "
    "backend_config={\"known_trip_count\":{\"n\":\"6\"}}\n"
    "  ROOT %wf = f32[256]{0} while(%wo), condition=%yes, body=%free\n"
    "}\n";

TEST(CliHlo, MultipliesCollectivesByTheTripsOfLoops) {
    const TemporaryFolder folder;
    const std::string file = folder.file("loops.txt", loops_in_loops);
    const nlohmann::json values =
        nlohmann::json::parse(printed({"hlo", file, "--mesh", "X=8,Y=4", "--json"}));
    const nlohmann::json& collectives = values["collectives"];
    ASSERT_EQ(collectives.size(), 3U) << collectives;
    EXPECT_EQ(collectives[0]["collective"], "all-gather");
    EXPECT_EQ(collectives[0]["count"], 60);
    EXPECT_EQ(collectives[0]["axes"], "Y");
    EXPECT_EQ(collectives[1]["count"], 6);
    EXPECT_EQ(collectives[1]["axes"], "X");
    EXPECT_EQ(collectives[1]["count_known"], true);
    EXPECT_EQ(collectives[2]["count"], 1);
    EXPECT_EQ(collectives[2]["count_known"], false);
    EXPECT_TRUE(collectives[0]["time_in_s"].is_null()) << "of no chip";
    EXPECT_EQ(values["loops"][0]["trips"], 10);
    EXPECT_EQ(values["loops"][1]["trips"], 6);
    EXPECT_TRUE(values["loops"][2]["trips"].is_null());
    EXPECT_THAT(printed({"hlo", file}),
                AllOf(HasSubstr("counted once: trip count unknown"), HasSubstr("1, unknown trips once"),
                      Not(HasSubstr("or more")), HasSubstr("--mesh X=2,Y=4 names their axes")));
}

/// 60 gathers and 6 others one after the other, each as the command next to it has it; what has no axes, and
/// so no time, is named as left out.
TEST(CliHlo, SumsWhatCollectivesOfAProgramTake) {
    const TemporaryFolder folder;
    const std::string file = folder.file("loops.txt", loops_in_loops);
    const std::vector<std::string> words = {"hlo", file, "--mesh", "X=8,Y=4", "--machine", "tpu-v5e"};
    std::vector<std::string> for_programs = words;
    for_programs.emplace_back("--json");
    const nlohmann::json values = nlohmann::json::parse(meshslice_command(for_programs).out);
    const nlohmann::json& all = values["collectives"];
    const double gather = all[0]["time_in_s"], other = all[1]["time_in_s"];
    EXPECT_GT(gather, 0);
    EXPECT_DOUBLE_EQ(all[0]["all_in_s"].get<double>(), 60 * gather);
    EXPECT_TRUE(all[2]["time_in_s"].is_null());
    EXPECT_DOUBLE_EQ(values["collectives_in_s"].get<double>(), 60 * gather + 6 * other);
    EXPECT_THAT(meshslice_command(words).out,
                AllOf(HasSubstr("one takes"), HasSubstr("One after the other the collectives take "),
                      HasSubstr("Lines without a time are not in it.")));
}

/// What collectives take one after the other, where some count is not known: how often they are counted
/// stands in the table, and programs get no sum. The outer loop without its trips counts once, the inner one
/// 10 times; of two branches one runs, and both are counted.
TEST(CliHlo, SumsByTheTableWhereACountIsNotKnown) {
    std::string loops = loops_in_loops;
    const std::string trips = ", backend_config={\"known_trip_count\":{\"n\":\"6\"}}";
    loops.erase(loops.find(trips), trips.size());
    const auto branch = [](const std::string& name) {
        return name +
               " {\n  p = f32[8] parameter(0)\n  g = f32[64] all-gather(p), replica_groups=[1,8]<=[8], "
               "dimensions={0}\n  ROOT n = f32[8] negate(p)\n}\n";
    };
    const std::string branches =
        "HloModule m\n" + branch("left") + branch("right") +
        "ENTRY main {\n  p = f32[8] parameter(0)\n  w = pred[] custom-call(p)\n"
        "  ROOT c = f32[8] conditional(w, p, p), true_computation=left, false_computation=right\n}\n";
    const auto counts_as = [](const std::string& program, const std::string& mesh, int count) {
        const TemporaryFolder folder;
        const std::vector<std::string> words = {
            "hlo", folder.file("program.txt", program), "--mesh", mesh, "--machine", "tpu-v5e"};
        EXPECT_THAT(printed(words), AllOf(HasSubstr("\nCounted as in the table, the collectives take "),
                                          HasSubstr(" on TPU v5e one after the other by their closed forms"),
                                          Not(HasSubstr("One after the other the"))));
        const nlohmann::json values = meshslice_json(words);
        const nlohmann::json& first = values["collectives"][0];
        EXPECT_EQ(first["count_known"], false);
        EXPECT_DOUBLE_EQ(first["all_in_s"].get<double>(), count * first["time_in_s"].get<double>());
        EXPECT_FALSE(values.contains("collectives_in_s"));
    };
    counts_as(loops, "X=8,Y=4", 10);
    counts_as(branches, "X=8", 2);
}

/// Of two branches of which one runs, each has a gather of an array of 0 bytes: at most two. Its axes are
/// known, and its costs are not, as those of a type that is not known.
TEST(CliHlo, SaysHowOftenAtMostBranchesRun) {
    const TemporaryFolder folder;
    const auto branch = [](const std::string& name) {
        const std::string groups = ", replica_groups=[1,8]<=[8], dimensions={0}\n";
        return name +
               " {\n  p = f32[8] parameter(0)\n  z = f32[0] custom-call(p)\n  q = q7[8] custom-call(p)\n"
               "  g = f32[0] all-gather(z)" +
               groups + "  h = q7[64] all-gather(q)" + groups + "  ROOT n = f32[8] negate(p)\n}\n";
    };
    const std::string file = folder.file(
        "branches.txt",
        "HloModule m\n" + branch("left") + branch("right") +
            "ENTRY main {\n  p = f32[8] parameter(0)\n  w = pred[] custom-call(p)\n"
            "  ROOT c = f32[8] conditional(w, p, p), true_computation=left, false_computation=right\n}\n");
    const nlohmann::json gathers =
        nlohmann::json::parse(printed({"hlo", file, "--mesh", "X=8", "--json"}))["collectives"];
    ASSERT_EQ(gathers.size(), 2U) << gathers;
    for (const nlohmann::json& one : gathers) {
        EXPECT_EQ(one["count"], 2);
        EXPECT_EQ(one["count_known"], false);
        EXPECT_EQ(one["axes"], "X");
        EXPECT_TRUE(one["why_no_axes"].is_null());
    }
    EXPECT_EQ(gathers[0]["why_no_costs"], "It makes 0 bytes.");
    EXPECT_EQ(gathers[1]["why_no_costs"], "The size of its type is not known.");
    EXPECT_THAT(printed({"hlo", file, "--mesh", "X=8"}),
                AllOf(HasSubstr("all-gather  at most 2 "), HasSubstr("It makes 0 bytes."),
                      HasSubstr("Collectives in a branch of a conditional are counted as if it ran every "
                                "time.")));
}

TEST(CliHlo, NamesWhatALoopHoldsAtThePeak) {
    const TemporaryFolder folder;
    const std::string file = folder.file("loops.txt", loops_in_loops);
    const nlohmann::json values = nlohmann::json::parse(printed({"hlo", file, "--json"}));
    EXPECT_EQ(values["arrays"][0]["name"], "big");
    EXPECT_EQ(values["arrays"][0]["bytes"], 4096);
    EXPECT_EQ(values["arrays"][0]["from_line"], 8);
    EXPECT_EQ(values["arrays"][0]["to_line"], 9);
    ASSERT_EQ(meshslice_command({"hlo", file, "--svg", folder.path("memory.svg")}).exit_code, 0);
    EXPECT_THAT(file_content(folder.path("memory.svg")),
                HasSubstr("The largest arrays at the peak: big 4.10"));
}

/// Why a mesh does not suit, each by hand: devices of X=2,Y=4 are 4 x + y.
TEST(CliHlo, SaysWhyAMeshDoesNotSuit) {
    const auto said_of = [](const std::string& groups) {
        return printed({"hlo", "%r = f32[16]{0} all-reduce(f32[16]{0} %x), " + groups, "--mesh", "X=2,Y=4"});
    };
    EXPECT_THAT(said_of("replica_groups=[2,8]<=[16]"),
                HasSubstr("Device 15 takes part, and {X:2, Y:4} has 8 devices."));
    EXPECT_THAT(
        said_of("replica_groups=[2,4]<=[4,2]T(1,0)"),
        HasSubstr("Its groups have 4 devices, as along Y, but the first one is 0, 2, 4, 6; along Y it "
                  "is 0, 1, 2, 3."));
    EXPECT_THAT(said_of("replica_groups={{0,1,2,3}}"),
                HasSubstr("4 of the 8 devices of {X:2, Y:4} take part."));
    EXPECT_THAT(said_of("replica_groups={{0,1},{2,3,4},{5,6,7}}"),
                HasSubstr("Its groups have 2 and 3 devices; along axes all have as many."));
    EXPECT_THAT(said_of("replica_groups=[8,1]<=[8]"),
                HasSubstr("Each group is one device, which sends nothing."));
    EXPECT_THAT(printed({"hlo", "%r = f32[16]{0} all-reduce(f32[16]{0} %x), replica_groups=[2,2]<=[4]",
                         "--mesh", "X=4"}),
                HasSubstr("Its groups have 2 devices, and no axes of {X:4} have as many together."));
    EXPECT_THAT(
        printed({"hlo",
                 "%p = f32[8]{0} collective-permute(f32[8]{0} %x), "
                 "source_target_pairs={{0,1},{1,6}}",
                 "--mesh", "X=2,Y=4"}),
        HasSubstr("Device 1 sends to 6, which differs along XY of {X:2, Y:4}; expected pairs along one "
                  "axis."));
}

/// No command where a type's size is not known.
TEST(CliHlo, AsksNothingOfAnUnknownType) {
    EXPECT_THAT(printed_of_operation("%s = (f32[100], q7[200]) all-reduce(%x, %y), replica_groups={}"),
                Not(HasSubstr("meshslice collective")));
}

} // namespace
} // namespace meshslice::test
