#include "core/model/gemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// GPT-3's QKV with 128 sequences of 2048 tokens: X is 262144 x 12288, W is 12288 x 36864, Y is 262144 x
/// 36864.
constexpr std::int64_t tokens = 262'144;
constexpr std::int64_t in = 12'288;
constexpr std::int64_t out = 36'864;

std::vector<Gemm> expected(Dataflow forward, Dataflow data, Dataflow weight, GemmShape y, GemmShape dx,
                           GemmShape dw) {
    return {{"QKV", Pass::forward, forward, y, 1},
            {"QKV", Pass::backward_data, data, dx, 1},
            {"QKV", Pass::backward_weight, weight, dw, 1}};
}

TEST(TrainingGemms, YStationaryRowOfTable1) {
    // Y = OS(X, W), X' = LS(Y', W), W' = RS(X, Y'): nothing is kept transposed.
    EXPECT_EQ(training_gemms("QKV", Stationary::Y, tokens, in, out),
              expected(Dataflow::OS, Dataflow::LS, Dataflow::RS, {tokens, out, in}, {tokens, in, out},
                       {in, out, tokens}));
}

TEST(TrainingGemms, XStationaryRowOfTable1) {
    // Y = LS(X, W^T), X' = OS(Y', W^T), W'^T = RS(Y', X): the weight and its gradient are kept transposed.
    EXPECT_EQ(training_gemms("QKV", Stationary::X, tokens, in, out),
              expected(Dataflow::LS, Dataflow::OS, Dataflow::RS, {tokens, out, in}, {tokens, in, out},
                       {out, in, tokens}));
}

TEST(TrainingGemms, WStationaryRowOfTable1) {
    // Y = RS(X^T, W), X'^T = LS(W, Y'), W' = OS(X^T, Y'): the input and its gradient are kept transposed.
    EXPECT_EQ(training_gemms("QKV", Stationary::W, tokens, in, out),
              expected(Dataflow::RS, Dataflow::LS, Dataflow::OS, {tokens, out, in}, {in, tokens, out},
                       {in, out, tokens}));
}

TEST(TrainingGemms, EveryRowDoesTheSameWork) {
    // 2 x 262144 x 36864 x 12288 = 237 494 511 599 616 FLOP in each of the three GEMMs.
    for (const Stationary stationary : {Stationary::Y, Stationary::X, Stationary::W}) {
        for (const Gemm& gemm : training_gemms("QKV", stationary, tokens, in, out, 8)) {
            EXPECT_EQ(flop(gemm.shape), Flop(237'494'511'599'616))
                << name(stationary) << " " << name(gemm.pass);
            EXPECT_EQ(gemm.copies, 8);
            EXPECT_EQ(gemm.layer, "QKV");
        }
    }
}

TEST(GemmShape, IsReadAndWrittenInTheOrderMNK) {
    EXPECT_EQ(text(GemmShape{262'144, 49'152, 12'288}), "262144x49152x12288");
    EXPECT_EQ(parse_gemm("262144x49152x12288").value(), (GemmShape{262'144, 49'152, 12'288}));
    for (const char* words : {"", "1", "1x2", "1x2x3x4", "1x2x", "x1x2", "axbxc", "1x2x3.5", "-1x2x3",
                              "1*2*3", "99999999999999999999x1x1"}) {
        EXPECT_THAT(parse_gemm(words).error().sentence, HasSubstr("MxNxK")) << words;
    }
    EXPECT_THAT(parse_gemm("0x2x3").error().sentence, HasSubstr("from 1 to 2147483648"));
}

TEST(GemmShape, LimitsKeepTheFlopCountable) {
    EXPECT_TRUE(checked({1, 1, 1}));
    // A 2^31 x 2^25 matrix has 2^56 elements, the most; twice as many are refused.
    EXPECT_TRUE(checked({most_dimension, 1 << 25, 1}));
    EXPECT_FALSE(checked({most_dimension, 1, 1 << 26}));
    EXPECT_FALSE(checked({most_dimension + 1, 1, 1}));
    // 2 x 2^31 x 2^15 x 2^15 = 2^62 is the most; twice as much is refused, and so is what would wrap around.
    EXPECT_TRUE(checked({most_dimension, 1 << 15, 1 << 15}));
    EXPECT_FALSE(checked({most_dimension, 1 << 16, 1 << 15}));
    EXPECT_FALSE(checked({most_dimension, most_dimension, most_dimension}));
}

TEST(Dataflow, NamesAreReadBack) {
    for (const Dataflow dataflow : {Dataflow::OS, Dataflow::LS, Dataflow::RS}) {
        EXPECT_EQ(parse_dataflow(name(dataflow)).value(), dataflow);
    }
    EXPECT_THAT(parse_dataflow("os").error().sentence, HasSubstr("OS (output stationary)"));
    EXPECT_EQ(name(Pass::backward_weight), "backward weight");
    EXPECT_EQ(name(Stationary::X), "X");
}

} // namespace
} // namespace meshslice
