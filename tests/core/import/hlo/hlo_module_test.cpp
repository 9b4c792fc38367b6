#include "core/import/hlo/hlo_memory.h"
#include "core/import/hlo/hlo_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string refusal_of(const std::string& text) {
    const auto module = read_hlo_module(text, "step.txt");
    return module ? std::string("it is read") : module.error().sentence;
}

/// In the form of what XLA writes for GPUs after optimizations, with what such files have: tables of names
/// between head and computations, computations without parameters, sharding and metadata with quotes and
/// brackets in them, settings of a backend as JSON and as MLIR writes them, pairs that start and end, tuples
/// whose elements are counted, and an alias. The features are those of the dumps of FFTs over meshes
/// (DifferentiableUniverseInitiative/jaxDecomp's benchmarks) and of openxla/xla's
/// xla/tools/benchmarks/hlo/hlo_llama3_8b_cp_bf16_1x4.hlo.
constexpr const char* as_gpus_have_it =
    R"(HloModule jit_step, is_scheduled=true, entry_computation_layout={(bf16[8,64]{1,0}, /*index=1*/f32[16]{0})->(bf16[8,256]{1,0}, f32[16]{0})}, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8, frontend_attributes={fingerprint_before_lhs="5f"}

FileNames
1 "/home/a/train.py"

FunctionNames
1 "main.<locals>.f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=85 end_line=85 column=13 end_column=19}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%fused_broadcast () -> s8[1024] {
  %constant_3 = s8[] constant(0)
  ROOT %broadcast.1 = s8[1024]{0} broadcast(s8[] %constant_3), dimensions={}
}

%branch_0 (arg_empty_tuple.5: ()) -> (f32[16]) {
  %arg_empty_tuple.5 = () parameter(0)
  %inf = f32[] constant(-inf)
  %b.1 = f32[16]{0} broadcast(%inf), dimensions={}
  ROOT %t.1 = (f32[16]{0}) tuple(%b.1)
}

%branch_1 (arg: (f32[16])) -> (f32[16]) {
  %arg = (f32[16]{0}) parameter(0)
  %g.1 = f32[16]{0} get-tuple-element(%arg), index=0
  ROOT %t.2 = (f32[16]{0}) tuple(%g.1)
}

ENTRY %main.40_spmd (param: bf16[8,64], param.1: f32[16]) -> (bf16[8,256], f32[16]) {
  %param = bf16[8,64]{1,0} parameter(0), sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}, metadata={op_name="state[\'w\'], (a"}
  %param.1 = f32[16]{0} parameter(1), sharding={replicated}, metadata={op_name="b"}
  %partition-id = u32[] partition-id(), metadata={op_name="jit(f)/dot_general" stack_frame_id=4}
  %all-gather-start = (bf16[8,64]{1,0}, bf16[8,256]{1,0}) all-gather-start(bf16[8,64]{1,0} %param), channel_id=1, replica_groups=[2,4]<=[8], dimensions={1}, use_global_device_ids=true, backend_config={"operation_queue_id":"0","wait_on_operation_queues":[],"collective_backend_config":{"is_sync":true},"force_earliest_schedule":false}
  %loop_broadcast_fusion = s8[1024]{0} fusion(), kind=kLoop, calls=%fused_broadcast
  %all-gather-done = bf16[8,256]{1,0} all-gather-done((bf16[8,64]{1,0}, bf16[8,256]{1,0}) %all-gather-start)
  %all-to-all-start = ((bf16[8,256]{1,0}), bf16[8,256]{1,0}) all-to-all-start(bf16[8,256]{1,0} %all-gather-done), channel_id=2, replica_groups=mesh['x'=2,'y'=4] {'y'}, dimensions={1}, frontend_attributes={_scheduling_group_id="1"}
  %all-to-all-done = bf16[8,256]{1,0} all-to-all-done(((bf16[8,256]{1,0}), bf16[8,256]{1,0}) %all-to-all-start)
  %custom-call.1 = bf16[8,256]{1,0} custom-call(bf16[8,256]{1,0} %all-to-all-done, s8[1024]{0} %loop_broadcast_fusion), custom_call_target="te_fused(\"a\"", operand_layout_constraints={bf16[8,256]{1,0}, s8[1024]{0}}, custom_call_has_side_effect=true, output_to_operand_aliasing={{}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config={attn_heads = 32 : i64, scaling_factor = 1.0e+00 : f64}
  %empty = () tuple()
  %in = (f32[16]{0}) tuple(%param.1)
  %conditional = (f32[16]{0}) conditional(u32[] %partition-id, () %empty, (f32[16]{0}) %in), branch_computations={%branch_0, %branch_1}, control-predecessors={%empty, %in}
  %g = f32[16]{0} get-tuple-element((f32[16]{0}) %conditional), index=0
  ROOT %tuple.9 = (bf16[8,256]{1,0}, /*index=1*/f32[16]{0}) tuple(%custom-call.1, /*index=1*/%g)
}
)";

TEST(HloModules, OfGpusAreReadWhole) {
    const auto module = read_hlo_module(as_gpus_have_it, "step.txt");
    ASSERT_TRUE(module) << module.error().sentence;
    EXPECT_EQ(module->name, "jit_step");
    EXPECT_THAT(module->computations, SizeIs(4));
    EXPECT_EQ(module->main().name, "main.40_spmd");
    ASSERT_THAT(module->main().lines, SizeIs(14));
    const HloOperation& all_to_all = module->main().lines[6].operation;
    EXPECT_EQ(all_to_all.collective, "all-to-all");
    EXPECT_THAT(all_to_all.groups, ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
    EXPECT_THAT(module->main().lines[8].operation.aliases, ElementsAre(std::pair(0, 0)));
    EXPECT_THAT(module->main().lines[11].operation.runs, ElementsAre("branch_0", "branch_1"));
}

/// Parameters 1024 + 64 bytes; u32[] 4; the gather 4096 and the fusion's 1024; the all-to-all 4096, after
/// which the gather's ends. The custom call stands in the all-to-all's. Both branches return what the
/// conditional holds: 64.
TEST(HloMemoryOverTime, OfGpusHasItsAliases) {
    const auto module = read_hlo_module(as_gpus_have_it, "step.txt");
    ASSERT_TRUE(module) << module.error().sentence;
    const double always = 1024 + 64;
    EXPECT_THAT(hlo_memory(*module).held,
                ElementsAre(always, always, always + 4, always + 4 + 4096, always + 4 + 4096 + 1024,
                            always + 4 + 4096 + 1024, always + 4 + 4096 + 1024 + 4096,
                            always + 4 + 4096 + 1024 + 4096, always + 4 + 1024 + 4096, always + 4 + 4096,
                            always + 4 + 4096, always + 4 + 4096 + 64 + 4, always + 4096 + 64,
                            always + 4096 + 64));
}

/// In the short form, which has names without "%" and computations without parameters, with operations over
/// several lines and comments, as openxla/xla's tests and tools have it (hlo_parser_test.cc,
/// gpu_hlo_collective_cse.hlo).
TEST(HloModules, OfTheShortFormAreReadWhole) {
    const auto module = read_hlo_module(R"(// RUN: hlo-opt %s
HloModule m

add {
  lhs = f32[] parameter(0)
  rhs = f32[] parameter(1)
  ROOT add = f32[] add(lhs, rhs)
}

ENTRY e {
  // an input
  p0 = f32[4,/*rows*/2] parameter(0) // in a line
  table = f32[2,2]{1,0} constant({
    { 1, /*i0=0*/ -inf },
    { 0.5, 1e-3 }
  }), backend_config="a note
 over lines {"
  limit = s32[<=4]{0} iota(), iota_dimension=0
  ag = f32[8,2] all-gather(p0), channel_id=1,
    replica_groups={{0,1}},
    dimensions={0}
  d = f32[8,2] dot(ag, table), lhs_contracting_dims={1}, rhs_contracting_dims={0}

  ROOT crs = f32[8,2] all-reduce(d), replica_groups={}, to_apply=add
}
)",
                                        "short.hlo");
    ASSERT_TRUE(module) << module.error().sentence;
    EXPECT_EQ(module->main().name, "e");
    ASSERT_THAT(module->main().lines, SizeIs(6));
    EXPECT_EQ(module->main().lines[3].line, 19) << "where the operation begins";
    EXPECT_THAT(module->main().lines[3].operation.groups, ElementsAre(ElementsAre(0, 1)));
    EXPECT_THAT(module->main().lines[4].operation.dot.left_contracted, ElementsAre(1));
    EXPECT_TRUE(module->main().lines[5].root);
}

/// Of 'x'=2 and 'y'=4 the devices are 4 x + y. An outer part of 2 of y, size 2, is its lower bit.
TEST(HloModules, HaveGroupsOfMeshes) {
    const auto groups = [](const std::string& words) {
        const auto read =
            read_hlo_operation("r = f32[4] all-reduce(f32[4] x), replica_groups=" + words + ", to_apply=add");
        EXPECT_TRUE(read) << read.error().sentence;
        return read ? read->groups : std::vector<std::vector<std::int64_t>>();
    };
    EXPECT_THAT(groups("mesh['x'=2,'y'=4] {'x'}"),
                ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2, 6), ElementsAre(3, 7)));
    EXPECT_THAT(groups("mesh['axis_0'=2,'axis_1'=4] {'axis_0','axis_1'}"),
                ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)));
    EXPECT_THAT(groups("mesh['x'=2,'y'=4] {'y':(2)2}"),
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7)));
    EXPECT_THAT(groups("mesh['x'=2], device_ids=([1,0]) {'x'}"), SizeIs(0)) << "not known";
    std::string many;
    for (int axis = 0; axis < 17; ++axis) {
        many += (axis == 0 ? "'a" : ",'a") + std::to_string(axis) + "'=1";
    }
    EXPECT_THAT(read_hlo_operation("r = f32[4] all-reduce(x), replica_groups=mesh[" + many + "] {'a0'}")
                    .error()
                    .sentence,
                HasSubstr("expected at most 16 axes"));
    EXPECT_THAT(
        read_hlo_operation("r = f32[4] all-reduce(x), replica_groups=mesh['x'=2] {'z'}").error().sentence,
        HasSubstr("expected an axis of the mesh"));
    EXPECT_THAT(read_hlo_operation("r = f32[4] all-reduce(x), replica_groups=mesh['x'=4] {'x':(1)3}")
                    .error()
                    .sentence,
                HasSubstr("groups and devices of one number"));
}

TEST(HloModules, DefineEachNameOnceAndFirst) {
    const std::string head = "HloModule m\nENTRY %e (p: f32[4]) -> f32[4] {\n  %p = f32[4]{0} parameter(0)\n";
    EXPECT_EQ(refusal_of(head + "  ROOT %r = f32[4]{0} add(%p, %q)\n}\n"),
              "step.txt, line 4: r reads q; expected a name that a line above defines in this computation.");
    EXPECT_EQ(refusal_of(head + "  %p = f32[4]{0} negate(%p)\n}\n"),
              "step.txt, line 4: p is there before, in line 3; expected each name once in a computation.");
    EXPECT_EQ(refusal_of(head + "}\n%e (p: f32[4]) -> f32[4] {\n"),
              "step.txt, line 5: The computation e is there before, in line 2; expected each name once.");
    EXPECT_EQ(refusal_of(head + "  ROOT %w = f32[4]{0} while(%p), condition=%c, body=%b\n}\n"),
              "step.txt, line 4: w runs c; expected that computation in the text.");
    EXPECT_EQ(refusal_of(head + "}\nHloModule n\n"),
              "step.txt, line 5: A second program begins here; expected one in a file.");
    EXPECT_EQ(refusal_of("%a = f32[4]{0} negate(%p)\n"), "it is read") << "lines that were cut out";
}

/// The head of a file, as `head -20` leaves it, is not a program.
TEST(HloModules, EndWhereTheirTextEnds) {
    const std::string begun = "HloModule m\n\nbody (p: f32[4]) -> f32[4] {\n  p = f32[4]{0} parameter(0)\n";
    EXPECT_EQ(refusal_of(begun),
              "step.txt ends within the computation body; expected its } and the rest of the program.");
    EXPECT_EQ(refusal_of(begun + "  ROOT n = f32[4]{0} negate(p)\n}\n"),
              "step.txt has no ENTRY; expected the computation that a program begins with.");
}

TEST(HloModules, SayHowOneGetsThem) {
    const std::string how = "That is MLIR, which JAX prints before XLA compiles it; expected XLA's HLO: "
                            "jit(f).lower(x).compile().as_text(), or what --xla_dump_to writes after "
                            "optimizations.";
    EXPECT_EQ(refusal_of("module @jit_f attributes {mhlo.num_partitions = 8 : i32} {\n"), "step.txt: " + how);
    EXPECT_EQ(read_hlo_operation("%0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>").error().sentence, how);
    EXPECT_EQ(read_hlo_operation("%0 = \"stablehlo.tan\"(%a) : (tensor<4xf32>) -> ()").error().sentence, how);
    EXPECT_THAT(refusal_of(std::string("\x0a\x05jit_f\x00\x12", 9)), StartsWith("step.txt is not text;"));
}

/// XLA names what an operation came from, or a target, as MLIR does.
TEST(HloModules, MayHaveTheWordsOfMlirInQuotes) {
    const auto read = read_hlo_operation("%t = (f32[4]{0}, s32[4]{0}) custom-call(%x), "
                                         "custom_call_target=\"mhlo.topk\", "
                                         "metadata={op_name=\"a = stablehlo.sort\"}");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->opcode, "custom-call");
}

std::string loop_of(const std::string& body, const std::string& rest = "  ROOT %w = f32[1000]{0} while(%p), "
                                                                       "condition=%c, body=%b\n") {
    return "HloModule m, is_scheduled=true\n"
           "%c (q: f32[1000]) -> pred[] {\n  %q = f32[1000]{0} parameter(0)\n"
           "  ROOT %yes = pred[] constant(true)\n}\n"
           "%b (x: f32[1000]) -> f32[1000] {\n  %x = f32[1000]{0} parameter(0)\n" +
           body + "}\nENTRY %e (p: f32[1000]) -> f32[1000] {\n  %p = f32[1000]{0} parameter(0)\n" + rest +
           "}\n";
}
std::vector<double> held_of(const std::string& text) {
    const auto module = read_hlo_module(text, "step.txt");
    EXPECT_TRUE(module) << module.error().sentence;
    return module ? hlo_memory(*module).held : std::vector<double>();
}

/// A parameter of 4000 bytes keeps its memory, so what the loop goes through has 4000 of its own; the
/// constant of the condition has 1. A body that hands on what it gets needs nothing.
TEST(HloLoops, DoNotStandInAParameter) {
    EXPECT_THAT(held_of(loop_of("  ROOT %y = f32[1000]{0} negate(%x)\n")), ElementsAre(4000, 8001));
    EXPECT_THAT(held_of(loop_of("  ROOT %y = f32[1000]{0} bitcast(%x)\n")), ElementsAre(4000, 4001));
}

/// n takes 4000 besides p. The loop takes its place, unless u reads n after the loop.
TEST(HloLoops, StandWhereTheirArgumentEnds) {
    const std::string body = "  ROOT %y = f32[1000]{0} negate(%x)\n";
    const std::string before = "  %n = f32[1000]{0} negate(%p)\n"
                               "  %w = f32[1000]{0} while(%n), condition=%c, body=%b\n";
    EXPECT_THAT(held_of(loop_of(body, before + "  ROOT %u = f32[1]{0} slice(%w), slice={[0:1]}\n")),
                ElementsAre(4000, 8000, 8001, 8004));
    EXPECT_THAT(held_of(loop_of(body, before + "  ROOT %u = f32[1]{0} custom-call(%w, %n)\n")),
                ElementsAre(4000, 8000, 12001, 12004));
}

/// Within the loop a reversal cannot go where it reads, 4000 more; one that is added to what it came from
/// neither; a slice of which the next one is made ends before, 2000.
TEST(HloLoops, HoldWhatTheyGoOnWithWhereItCannotStand) {
    EXPECT_THAT(held_of(loop_of("  ROOT %y = f32[1000]{0} reverse(%x), dimensions={0}\n")),
                ElementsAre(4000, 12000));
    EXPECT_THAT(held_of(loop_of("  %y = f32[1000]{0} negate(%x)\n"
                                "  %s = f32[] custom-call(%x)\n"
                                "  ROOT %t = f32[1000]{0} bitcast(%y)\n")),
                ElementsAre(4000, 8000 + 4000 + 4));
    EXPECT_THAT(held_of(loop_of("  %h = f32[500]{0} slice(%x), slice={[0:500]}\n"
                                "  ROOT %y = f32[1000]{0} concatenate(%h, %h), dimensions={0}\n")),
                ElementsAre(4000, 8000 + 2000));
}

/// An update of a slice of a parameter needs another 400 bytes, as the parameter stays.
TEST(HloMemoryOverTime, UpdatesOfParametersAreCopies) {
    EXPECT_THAT(held_of("%x = f32[100]{0} parameter(0)\n"
                        "%z = f32[10]{0} slice(%x), slice={[0:10]}\n"
                        "%i = s32[] constant(7)\n"
                        "ROOT %u = f32[100]{0} dynamic-update-slice(%x, %z, %i)\n"),
                ElementsAre(404, 444, 444, 844));
}

} // namespace
} // namespace meshslice
