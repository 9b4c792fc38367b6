#include "core/execute/execute.h"
#include "core/step/verify_small.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// 64 x 64 x 64 is run as it is.
TEST(VerifySmall, RunsASmallGemmItself) {
    const Algorithm& meshslice = **algorithm("meshslice");
    const GemmShape shape{64, 64, 64};
    const auto ran = verify_small(meshslice, shape, Dataflow::OS, *Torus::create({4, 2}), {2, 8}, Schedule{});
    ASSERT_TRUE(ran) << ran.error().sentence;
    EXPECT_EQ(ran->shape, shape);
    EXPECT_TRUE(ran->verification.correct);
}

/// FF1 of GPT-3 has 2^47 multiply-adds; a GEMM that is cut alike has few, and half of it is not.
TEST(VerifySmall, ShrinksALargeGemmAsFarAsItIsCutAlike) {
    const Torus torus = *Torus::create({32, 8});
    const GemmShape shape{262144, 49152, 12288};
    for (const char* id : {"meshslice", "collective", "wang", "summa"}) {
        const Algorithm& known = **algorithm(id);
        for (const Dataflow dataflow : known.dataflows) {
            const auto counts = known.slice_counts(shape, dataflow, torus, {1, 8});
            ASSERT_TRUE(counts) << id;
            const GemmOptions options{counts->size() > 2 ? (*counts)[2] : counts->back(), 8};
            const auto ran = verify_small(known, shape, dataflow, torus, options, Schedule{});
            ASSERT_TRUE(ran) << id << ": " << ran.error().sentence;
            EXPECT_TRUE(ran->verification.correct) << id;
            EXPECT_LE(flop(ran->shape).value() / 2, most_quick_products) << id;
            EXPECT_EQ(shape.m % ran->shape.m, 0) << id;
            GemmShape half = ran->shape;
            half.k /= 2;
            EXPECT_TRUE(half.k * 2 != ran->shape.k || !known.write(half, dataflow, torus, options)) << id;
        }
    }
}

TEST(VerifySmall, RefusesWhatDoesNotRun) {
    const auto ran = verify_small(**algorithm("cannon"), {64, 64, 64}, Dataflow::OS, *Torus::create({4, 2}),
                                  {1, 1}, Schedule{});
    ASSERT_FALSE(ran);
    EXPECT_FALSE(ran.error().sentence.empty());
}

} // namespace
} // namespace meshslice
