#include "core/import/hlo/hlo_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using HloGroup = std::vector<std::int64_t>;

/// The operation of the scaling book's chapter 9.
TEST(HloOperations, HaveShapesLayoutsAndMemories) {
    const auto read =
        read_hlo_operation("%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} "
                           "fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} %fusion.32), kind=kCustom, "
                           "calls=%all-reduce-scatter.3, metadata={op_name=\"jit(f)/a, b\"}");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(read->name, "fusion.3");
    EXPECT_EQ(read->opcode, "fusion");
    EXPECT_EQ(read->collective, "reduce-scatter") << "by the computation that it calls";
    ASSERT_THAT(read->results, SizeIs(1));
    const HloShape& result = read->results.front();
    EXPECT_EQ(result.type, "bf16");
    EXPECT_THAT(result.sizes, ElementsAre(32, 32, 4096));
    EXPECT_THAT(result.minor_to_major, ElementsAre(2, 1, 0));
    EXPECT_THAT(result.tiles, ElementsAre(HloGroup{8, 128}, HloGroup{2, 1}));
    EXPECT_EQ(result.memory_space, 1);
    EXPECT_DOUBLE_EQ(result.bytes(), 2.0 * 32 * 32 * 4096);
    EXPECT_DOUBLE_EQ(result.padded_bytes(), result.bytes()) << "32 and 4096 fill their tiles";
    EXPECT_EQ(text(result), "bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}");
    ASSERT_THAT(read->operands, SizeIs(1));
    EXPECT_EQ(read->operands[0].name, "fusion.32");
    EXPECT_THAT(read->operands[0].shape->sizes, ElementsAre(32, 32, 8192));
}

/// [100, 3] in tiles of 8 x 128, minor axis 1: 104 x 128. The other way round: axis 0 is minor, [3, 100] from
/// major to minor, 8 x 128.
TEST(HloOperations, FillTheirTiles) {
    const auto shape = [](const std::string& words) {
        return read_hlo_operation("%a = " + words + " copy(%b)").value().results.front();
    };
    const HloShape rows = shape("f32[100,3]{1,0:T(8,128)}");
    EXPECT_THAT(rows.padded_sizes(), ElementsAre(104, 128));
    EXPECT_DOUBLE_EQ(rows.padded_bytes(), 4.0 * 104 * 128);
    const HloShape columns = shape("f32[100,3]{0,1:T(8,128)}");
    EXPECT_THAT(columns.padded_sizes(), ElementsAre(8, 128));
    EXPECT_DOUBLE_EQ(columns.padded_elements(), 8 * 128);
    EXPECT_DOUBLE_EQ(shape("bf16[5]{0:T(256)}").padded_elements(), 256);
    EXPECT_THAT(shape("f32[2,3]").minor_to_major, ElementsAre(1, 0)) << "as usual";
    EXPECT_DOUBLE_EQ(shape("f32[]").elements(), 1) << "a scalar";
    EXPECT_EQ(shape("token[]").bits(), 0);
    EXPECT_DOUBLE_EQ(shape("c128[4]").bytes(), 64);
    EXPECT_DOUBLE_EQ(shape("f8e8m0fnu[4]").bytes(), 4);
    EXPECT_DOUBLE_EQ(shape("f8e3m4[4]").bytes(), 4);
    EXPECT_DOUBLE_EQ(shape("u2[4]").bytes(), 1);
}

TEST(HloOperations, SayWhoCommunicates) {
    const auto groups = [](const std::string& words) {
        const auto read = read_hlo_operation(
            "ROOT %ag = bf16[64]{0} all-gather(%x), channel_id=1, replica_groups=" + words +
            ", dimensions={0}, use_global_device_ids=true");
        return read ? read->groups : std::vector<HloGroup>();
    };
    EXPECT_THAT(groups("{{0,1},{2,3}}"), ElementsAre(HloGroup{0, 1}, HloGroup{2, 3}));
    EXPECT_THAT(groups("[2,2]<=[4]"), ElementsAre(HloGroup{0, 1}, HloGroup{2, 3}));
    EXPECT_THAT(groups("[2,2]<=[2,2]T(1,0)"), ElementsAre(HloGroup{0, 2}, HloGroup{1, 3}));
    EXPECT_THAT(groups("{}"), ElementsAre(HloGroup{})) << "all of them";
    const auto permute = read_hlo_operation("%p = f32[8]{0} collective-permute(f32[8]{0} %x), "
                                            "source_target_pairs={{0,1},{1,0}}");
    ASSERT_TRUE(permute) << permute.error().sentence;
    EXPECT_THAT(permute->pairs, ElementsAre(std::pair(0, 1), std::pair(1, 0)));
    const auto start = read_hlo_operation(
        "%s = (f32[8]{0}, f32[32]{0}) all-gather-start(f32[8]{0} %x), replica_groups=[1,4]<=[4]");
    ASSERT_TRUE(start) << start.error().sentence;
    EXPECT_THAT(start->results, SizeIs(2));
    EXPECT_EQ(start->collective, "all-gather");
    const auto done = read_hlo_operation("%d = f32[32]{0} all-gather-done((f32[8], f32[32]) %s)");
    ASSERT_TRUE(done) << done.error().sentence;
    EXPECT_EQ(done->collective, "") << "its start counts";
}

/// 2 x 8 x 100 x 64.
TEST(HloOperations, SayWhatADotMultiplies) {
    const auto read = read_hlo_operation("%d = f32[8,100]{1,0} dot(f32[8,64]{1,0} %a, f32[64,100]{1,0} %b), "
                                         "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_DOUBLE_EQ(read->flop, 2.0 * 8 * 100 * 64);
    const auto seventh =
        read_hlo_operation("%d = f32[8,100]{1,0} dot(f32[8,64]{1,0} %a, f32[64,100]{1,0} %b), "
                           "lhs_contracting_dims={7}, rhs_contracting_dims={0}");
    ASSERT_FALSE(seventh);
    EXPECT_EQ(seventh.error().sentence,
              "lhs_contracting_dims has axis 7; expected one of the 2 axes of f32[8,64]{1,0}.");
}

TEST(HloOperations, SayWhatIsWrong) {
    const auto refusal = [](const std::string& words) {
        const auto read = read_hlo_operation(words);
        return read ? std::string("it is read") : read.error().sentence;
    };
    EXPECT_THAT(refusal(""), HasSubstr("expected a name"));
    EXPECT_THAT(refusal("%a = bf16[2,3]{0} copy(%b)"), HasSubstr("each of 2 axes once"));
    EXPECT_THAT(refusal("%a = bf16[2,x]{1,0} copy(%b)"), HasSubstr("Letter 13"));
    EXPECT_THAT(refusal("%a = bf16[2]{0} copy(%b"), HasSubstr("\",\" or \")\""));
    EXPECT_THAT(refusal("%a = bf16[2]{0:T(0)} copy(%b)"), HasSubstr("a tile above 0"));
    EXPECT_THAT(refusal("%a = f32[4]{0} all-reduce(%b), replica_groups=[2,2]<=[5]"),
                HasSubstr("of one number"));
    EXPECT_THAT(refusal("%a = " + std::string(100, '(')), HasSubstr("tuples within each other"));
    EXPECT_THAT(refusal("%a = (bf16[2], f32[3]) fusion(%b, /*index=1*/%c, metadata={x=\"a\\\"), \"})"),
                HasSubstr("\",\" or \")\""))
        << "an attribute among the operands";
}

/// Comments in long lists, texts with quotes in them, and the values of constants.
TEST(HloOperations, PassOverWhatDoesNotCount) {
    const auto long_list = read_hlo_operation("%a = (f32[2], /*index=1*/f32[3]) fusion(%b, /*index=1*/%c), "
                                              "metadata={op_name=\"a\\\"), b\"}, calls=%f");
    ASSERT_TRUE(long_list) << long_list.error().sentence;
    EXPECT_THAT(long_list->results, SizeIs(2));
    EXPECT_THAT(long_list->operands, SizeIs(2));
    EXPECT_EQ(long_list->calls, "f");
    const auto constant = read_hlo_operation("%c = f32[2,2]{1,0} constant({ { -1, inf }, { 0.5, 1e-3 } })");
    ASSERT_TRUE(constant) << constant.error().sentence;
    EXPECT_THAT(constant->operands, SizeIs(0));
}

} // namespace
} // namespace meshslice
