#include "core/import/hlo/hlo_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// The sentence that refuses an operation; empty where it is read.
std::string refusal_of_operation(const std::string& words) {
    const auto read = read_hlo_operation(words);
    return read ? std::string() : read.error().sentence;
}

std::string dot_refusal(const std::string& result, const std::string& left, const std::string& right,
                        const std::string& attributes) {
    return refusal_of_operation("%d = " + result + " dot(" + left + " %a, " + right + " %b), " + attributes);
}

constexpr const char* rows_with_columns = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";

TEST(HloChecks, ADotContractsAxesOfOneSize) {
    EXPECT_EQ(dot_refusal("f32[8,100]{1,0}", "f32[8,64]{1,0}", "f32[64,100]{1,0}", rows_with_columns), "");
    EXPECT_EQ(dot_refusal("f32[8,100]{1,0}", "f32[8,64]{1,0}", "f32[63,100]{1,0}", rows_with_columns),
              "The dot contracts axis 1 of f32[8,64]{1,0}, which has 64, with axis 0 of f32[63,100]{1,0}, "
              "which has 63; expected equal sizes.");
    EXPECT_EQ(dot_refusal("f32[8,100]{1,0}", "f32[8,64]{1,0}", "f32[64,100]{1,0}",
                          "lhs_contracting_dims={0,1}, rhs_contracting_dims={0}"),
              "The dot contracts 2 axes of f32[8,64]{1,0} with 1 of f32[64,100]{1,0}; expected as many of "
              "both.");
    EXPECT_THAT(dot_refusal("f32[8,100]{1,0}", "f32[8,64]{1,0}", "f32[64,100]{1,0}",
                            "lhs_contracting_dims={1}, rhs_contracting_dims={2}"),
                HasSubstr("rhs_contracting_dims has axis 2; expected one of the 2 axes"));
    EXPECT_EQ(
        dot_refusal("f32[8,100]{1,0}", "f32[8,64]{1,0}", "f32[63,100]{1,0}", "lhs_contracting_dims={1}"), "")
        << "what is left out is not looked at";
}

/// [3, 8, 64] x [3, 64, 100], batch 3: [3, 8, 100].
TEST(HloChecks, ADotMakesWhatIsLeft) {
    const std::string axes = "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                             "rhs_contracting_dims={1}";
    EXPECT_EQ(dot_refusal("f32[3,8,100]", "bf16[3,8,64]", "bf16[3,64,100]", axes), "");
    EXPECT_EQ(
        dot_refusal("f32[3,8,99]", "bf16[3,8,64]", "bf16[3,64,100]", axes),
        "A dot of bf16[3,8,64]{2,1,0} and bf16[3,64,100]{2,1,0} along these axes makes f32[3,8,100]; the "
        "text has f32[3,8,99].");
    EXPECT_THAT(dot_refusal("f32[3,8,100]", "bf16[3,8,64]", "bf16[4,64,100]", axes),
                HasSubstr("The dot's batch axis 0 of bf16[3,8,64]{2,1,0} has 3, and axis 0"));
}

TEST(HloChecks, ACollectiveMakesWhatItsGroupHas) {
    const std::string of_four = ", replica_groups=[2,4]<=[8], dimensions={1}";
    const auto gather = [&](const std::string& result, const std::string& rest) {
        return refusal_of_operation("%g = " + result + " all-gather(bf16[64,1024]{1,0} %x)" + rest);
    };
    EXPECT_EQ(gather("bf16[64,4096]{1,0}", of_four), "");
    EXPECT_EQ(gather("bf16[64,4000]{1,0}", of_four),
              "all-gather of bf16[64,1024] among 4 devices makes bf16[64,4096]; the text has bf16[64,4000].");
    EXPECT_EQ(gather("bf16[64,2048]{1,0}", ", replica_groups={}, dimensions={1}"), "") << "of all devices";
    EXPECT_EQ(gather("bf16[64,8192]{1,0}", ", channel_id=1" + of_four), "")
        << "replicas of two partitions each";
    EXPECT_THAT(gather("bf16[64,8192]{1,0}", ", channel_id=1, use_global_device_ids=true" + of_four),
                HasSubstr("makes bf16[64,4096]"));
    EXPECT_THAT(gather("bf16[64,4096]{1,0}", ", replica_groups=[2,4]<=[8], dimensions={2}"),
                HasSubstr("dimensions has axis 2; expected one of the 2 axes"));
    const auto scatter = [&](const std::string& result) {
        return refusal_of_operation("%s = " + result +
                                    " reduce-scatter(f32[10,8] %x), "
                                    "replica_groups={{0,1,2,3}}, dimensions={1}");
    };
    EXPECT_EQ(scatter("f32[10,2]"), "");
    EXPECT_EQ(scatter("f32[10,4]"),
              "reduce-scatter of f32[10,8] among 4 devices makes f32[10,2]; the text has f32[10,4].");
    EXPECT_THAT(refusal_of_operation("%s = f32[10,2] reduce-scatter(f32[10,10] %x), "
                                     "replica_groups={{0,1,2,3}}, dimensions={1}"),
                HasSubstr("leaves each of 4 devices a part of axis 1 of f32[10,10]{1,0}"));
    EXPECT_EQ(refusal_of_operation("%r = f32[9] all-reduce(f32[8] %x), replica_groups={}"),
              "all-reduce of f32[8] makes f32[8]; the text has f32[9].");
    EXPECT_EQ(refusal_of_operation("%s = (f32[8], f32[31]) all-gather-start(f32[8] %x), "
                                   "replica_groups=[1,4]<=[4], dimensions={0}"),
              "all-gather of f32[8] among 4 devices makes f32[32]; the text has f32[31].");
}

TEST(HloChecks, GroupsShareNoDevice) {
    const auto groups = [](const std::string& words) {
        return refusal_of_operation("%r = f32[8] all-reduce(f32[8] %x), replica_groups=" + words);
    };
    EXPECT_EQ(groups("{{0,1},{2,3}}"), "");
    EXPECT_EQ(groups("{{0,1},{2,3,4}}"), "") << "XLA lets groups of an all-reduce differ in size";
    EXPECT_EQ(refusal_of_operation("%g = f32[16] all-gather(f32[8] %x), replica_groups={{0,1},{2,3,4}}, "
                                   "dimensions={0}"),
              "replica_groups has a group of 2 devices and one of 3; expected groups of one size.");
    EXPECT_EQ(groups("{{0,1},{1,2}}"), "replica_groups has device 1 twice; expected each device once.");
    const auto pairs = [](const std::string& words) {
        return refusal_of_operation("%p = f32[8] collective-permute(f32[8] %x), source_target_pairs=" +
                                    words);
    };
    EXPECT_EQ(pairs("{{0,1},{1,0}}"), "");
    EXPECT_THAT(pairs("{{0,1},{2,1}}"), HasSubstr("source_target_pairs has 2 to 1"));
}

} // namespace
} // namespace meshslice
