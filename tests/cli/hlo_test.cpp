#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::test {
namespace {

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

/// No command where a type's size is not known.
TEST(CliHlo, AsksNothingOfAnUnknownType) {
    EXPECT_THAT(printed_of_operation("%s = (f32[100], q7[200]) all-reduce(%x, %y), replica_groups={}"),
                Not(HasSubstr("meshslice collective")));
}

} // namespace
} // namespace meshslice::test
