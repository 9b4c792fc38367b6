#include "core/import/hlo/hlo_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

HloMemory memory_of(const std::string& text) {
    const auto module = read_hlo_module(text, "step.txt");
    EXPECT_TRUE(module) << module.error().sentence;
    return hlo_memory(*module);
}

/// A program with a loop, a result that stands in its parameter's memory, and tables around it.
constexpr const char* program_with_a_loop =
    R"(HloModule step, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

FileNames
1 "train.py"

%body (p: (f32[1000], s32[])) -> (f32[1000], s32[]) {
  %p = (f32[1000]{0}, s32[]) parameter(0)
  %x = f32[1000]{0} get-tuple-element(%p), index=0
  %i = s32[] get-tuple-element(%p), index=1
  %t = f32[500]{0} slice(%x), slice={[0:500]}
  %y = f32[1000]{0} concatenate(%t, %t), dimensions={0}
  ROOT %r = (f32[1000]{0}, s32[]) tuple(%y, %i)
}

%cond (q: (f32[1000], s32[])) -> pred[] {
  %q = (f32[1000]{0}, s32[]) parameter(0)
  %j = s32[] get-tuple-element(%q), index=1
  ROOT %less = pred[] compare(%j, %j), direction=LT
}

ENTRY %main (w: f32[1000], b: f32[100]) -> (f32[1000], f32[250]) {
  %w = f32[1000]{0} parameter(0)
  %b = f32[100]{0} parameter(1)
  %a = f32[2000]{0} broadcast(%b), dimensions={0}
  %c = f32[250]{0} slice(%a), slice={[0:250]}
  %s = s32[] constant(0)
  %n = f32[1000]{0} negate(%w)
  %in = (f32[1000]{0}, s32[]) tuple(%n, /*index=1*/%s)
  %loop = (f32[1000]{0}, s32[]) while(%in), condition=%cond, body=%body
  %g = f32[1000]{0} get-tuple-element(%loop), index=0
  %u = f32[1000]{0} add(%g, %w)
  ROOT %out = (f32[1000]{0}, f32[250]{0}) tuple(%u, %c)
}
)";

TEST(HloModules, HaveComputationsAndLines) {
    const auto module = read_hlo_module(program_with_a_loop, "step.txt");
    ASSERT_TRUE(module) << module.error().sentence;
    EXPECT_EQ(module->name, "step");
    EXPECT_TRUE(module->scheduled);
    EXPECT_THAT(module->computations, SizeIs(3));
    EXPECT_EQ(module->main().name, "main");
    EXPECT_THAT(module->main().lines, SizeIs(11));
    EXPECT_EQ(module->main().lines.front().line, 22);
    EXPECT_TRUE(module->main().lines.back().root);
    EXPECT_THAT(module->donated, ElementsAre(std::pair<std::int64_t, std::int64_t>(0, 0)));
    EXPECT_NE(module->computation("body"), nullptr);
    EXPECT_EQ(module->computation("none"), nullptr);
}

/// w, b and the constant are 4000 + 400 + 4 bytes all the time. a has 8000 until c is made of it; c has 1000
/// and is returned; n has 4000, is what the loop goes through, and is read last by u, which stands in the
/// memory of w. The loop itself holds t, 2000; what it returns stands with n.
TEST(HloMemoryOverTime, IsHeldFromTheFirstToTheLastUse) {
    const HloMemory memory = memory_of(program_with_a_loop);
    EXPECT_THAT(memory.held,
                ElementsAre(4404, 4404, 12404, 13404, 5404, 9404, 9404, 11404, 9404, 9404, 5404));
    EXPECT_EQ(memory.peak, 3U);
    EXPECT_DOUBLE_EQ(memory.most(), 13404);
    EXPECT_DOUBLE_EQ(memory.inputs, 4404);
    EXPECT_DOUBLE_EQ(memory.within[7], 2000);
}

/// [100, 3] in tiles of 8 x 128 takes 104 x 128 elements of 4 bytes; VMEM is not HBM.
TEST(HloMemoryOverTime, CountsTilesAndHbmAlone) {
    EXPECT_THAT(memory_of("%a = f32[100,3]{1,0:T(8,128)} parameter(0)\n"
                          "%b = f32[100,3]{1,0:T(8,128)S(1)} copy(%a)\n")
                    .held,
                ElementsAre(53248, 53248));
}

/// The result of a copy and of a collective is held from its start on, and is not another at its done.
TEST(HloMemoryOverTime, StartsHoldTheirResults) {
    EXPECT_THAT(memory_of("%x = f32[8]{0} parameter(0)\n"
                          "%s = (f32[8]{0}, f32[32]{0}) all-gather-start(%x), replica_groups=[1,4]<=[4], "
                          "dimensions={0}\n"
                          "%c = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%x)\n"
                          "%d = f32[32]{0} all-gather-done(%s)\n"
                          "%e = f32[8]{0} copy-done(%c)\n"
                          "ROOT %r = (f32[32]{0}, f32[8]{0}) tuple(%d, %e)\n")
                    .held,
                ElementsAre(32, 32 + 128, 32 + 128 + 32, 192, 192, 192));
}

/// A name counts within its computation alone: what the call does finds no start there. The call makes 128
/// bytes, besides the 128 of what was gathered and the 32 of the parameter; what the body returns is that of
/// the call.
TEST(HloMemoryOverTime, StartsEndWithTheirComputation) {
    const HloMemory memory = memory_of("HloModule names, is_scheduled=true\n"
                                       "%body (s: f32[8]) -> f32[32] {\n"
                                       "  %s = f32[8]{0} parameter(0)\n"
                                       "  %d = f32[32]{0} all-gather-done(%s)\n"
                                       "  ROOT %r = f32[32]{0} negate(%d)\n"
                                       "}\n"
                                       "ENTRY %main (a: f32[8]) -> f32[32] {\n"
                                       "  %a = f32[8]{0} parameter(0)\n"
                                       "  %s = (f32[8]{0}, f32[32]{0}) all-gather-start(%a), "
                                       "replica_groups=[1,4]<=[4], dimensions={0}\n"
                                       "  %c = f32[32]{0} call(%a), to_apply=%body\n"
                                       "  %d = f32[32]{0} all-gather-done(%s)\n"
                                       "  ROOT %r = f32[32]{0} add(%c, %d)\n"
                                       "}\n");
    EXPECT_THAT(memory.held, ElementsAre(32, 32 + 128, 32 + 128 + 128, 288, 288 + 128));
}

/// The root is what is returned, wherever it stands: y, 400 bytes, to the end; z ends at its line.
TEST(HloMemoryOverTime, ReturnsItsRoot) {
    EXPECT_THAT(memory_of("%x = f32[10]{0} parameter(0)\n"
                          "ROOT %y = f32[100]{0} broadcast(%x), dimensions={0}\n"
                          "%z = f32[5]{0} slice(%x), slice={[0:5]}\n"
                          "%w = f32[2]{0} slice(%z), slice={[0:2]}\n")
                    .held,
                ElementsAre(40, 440, 460, 468));
}

/// Element 1 of ((a, b), c) is c, 400 bytes, and element 0 both a and b: c ends where it is read, at e, and b
/// at r. Tuples read nothing: a, 32 bytes, ends where it is made.
TEST(HloMemoryOverTime, TuplesHaveTuples) {
    EXPECT_THAT(memory_of("%x = f32[10]{0} parameter(0)\n"
                          "%a = f32[8]{0} slice(%x), slice={[0:8]}\n"
                          "%b = f32[9]{0} slice(%x), slice={[0:9]}\n"
                          "%c = f32[100]{0} broadcast(%x), dimensions={0}\n"
                          "%ab = (f32[8]{0}, f32[9]{0}) tuple(%a, %b)\n"
                          "%t = ((f32[8]{0}, f32[9]{0}), f32[100]{0}) tuple(%ab, %c)\n"
                          "%d = f32[100]{0} get-tuple-element(%t), index=1\n"
                          "%f = (f32[8]{0}, f32[9]{0}) get-tuple-element(%t), index=0\n"
                          "%g = f32[9]{0} get-tuple-element(%f), index=1\n"
                          "%e = f32[1]{0} slice(%d), slice={[0:1]}\n"
                          "ROOT %r = f32[1]{0} slice(%g), slice={[0:1]}\n")
                    .held,
                ElementsAre(40, 72, 76, 476, 476, 476, 476, 476, 476, 40 + 36 + 400 + 4, 40 + 36 + 4));
}

/// An update of a slice stands where it updates.
TEST(HloMemoryOverTime, UpdatesStandInPlace) {
    EXPECT_THAT(memory_of("%x = f32[100]{0} parameter(0)\n"
                          "%y = f32[100]{0} negate(%x)\n"
                          "%z = f32[10]{0} slice(%x), slice={[0:10]}\n"
                          "%i = s32[] constant(7)\n"
                          "%u = f32[100]{0} dynamic-update-slice(%y, %z, %i)\n"
                          "ROOT %r = f32[100]{0} negate(%u)\n")
                    .held,
                ElementsAre(404, 804, 844, 844, 844, 1204));
}

TEST(HloModules, SayWhichLineIsWrong) {
    const auto refusal = [](const std::string& text) {
        const auto module = read_hlo_module(text, "step.txt");
        return module ? std::string() : module.error().sentence;
    };
    EXPECT_EQ(refusal("%x = f32[8]{0} parameter(0)\n\n"
                      "%g = f32[31]{0} all-gather(%x), replica_groups=[1,4]<=[4], dimensions={0}\n"),
              "step.txt, line 3: all-gather of f32[8] among 4 devices makes f32[32]; the text has f32[31].");
    EXPECT_THAT(refusal("%x = f32[8]{0} parameter(0\n"), HasSubstr("step.txt, line 1: Letter 27"));
    EXPECT_THAT(refusal("HloModule empty\n"), HasSubstr("step.txt has no operation"));
}

/// A computation that names itself ends.
TEST(HloMemoryOverTime, OfOddProgramsEnds) {
    const HloMemory memory = memory_of("HloModule odd\n"
                                       "%f (p: f32[4]) -> f32[4] {\n"
                                       "  %p = f32[4]{0} parameter(0)\n"
                                       "  %q = f32[4]{0} call(%p), to_apply=%f\n"
                                       "  ROOT %r = f32[4]{0} call(%q), to_apply=%f\n"
                                       "}\n"
                                       "ENTRY %main (p: f32[4]) -> f32[4] {\n"
                                       "  %a = f32[4]{0} parameter(0)\n"
                                       "  ROOT %b = f32[4]{0} call(%a), to_apply=%f\n"
                                       "}\n");
    EXPECT_THAT(memory.held, ElementsAre(16, 16 + 16 + 16));
    EXPECT_THAT(memory_of("HloModule none\nENTRY %main () -> () {\n}\n").held, IsEmpty());
}

} // namespace
} // namespace meshslice
