#include "core/base/text.h"
#include "core/cost/sharded_plans.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct PlansAsked {
    ShardedGemm gemm;
    NamedMesh mesh;
    ShardedPlans plans;

    /// The plan of these words; the test fails where there is none.
    [[nodiscard]] const CostedPlan& plan(const std::string& words) const {
        for (const CostedPlan& one : plans.plans) {
            if (text(one.plan, gemm, mesh) == words) {
                return one;
            }
        }
        ADD_FAILURE() << "no plan " << words;
        return plans.plans.front();
    }
};

PlansAsked asked(const char* gemm, NamedMesh mesh, const DimensionSizes& sizes,
                 const char* hardware = "tpu-v5p") {
    PlansAsked out{parse_sharded_gemm(gemm, mesh).value(), std::move(mesh), {}};
    out.plans =
        sharded_plans(out.gemm, out.mesh, sizes, DataType::bf16, machine_preset(hardware).value()).value();
    return out;
}

/// Chapter 3, question 4: X[B, D] . Y[D_X, F] on four chips of TPU v5p, whose axis is a ring in 4 x 4 x 4.
/// Strategy 1 gathers Y: 2 D F / W = 2 x 8192 x 32768 / 1.8e11 = 2.98 ms, and multiplies all on each chip;
/// strategy 2 multiplies a quarter of D and adds up: 4 B F / W = 0.373 ms at B = 512.
TEST(ShardedPlans, HasBothStrategiesOfQuestion4) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 4}, {'Z', 4}}};
    const PlansAsked at =
        asked("X[B, D] . Y[D_X, F] -> Z[B, F]", mesh, {{'B', 512}, {'D', 8192}, {'F', 32'768}});
    const CostedPlan& gather = at.plan("AllGather_X Y, Multiply");
    EXPECT_NEAR(gather.exchange_s, 2.0 * 8192 * 32'768 / 1.8e11, 1e-9);
    EXPECT_NEAR(gather.compute_s, 2.0 * 512 * 8192 * 32'768 / 4.59e14, 1e-9);
    EXPECT_EQ(gather.bound, ShardedBound::links);
    EXPECT_NEAR(gather.margin, gather.exchange_s / gather.compute_s, 1e-9);
    const CostedPlan& sum = at.plan("Slice_{X, D} X, Multiply, AllReduce_X Z");
    EXPECT_NEAR(sum.exchange_s, 4.0 * 512 * 32'768 / 1.8e11, 1e-9);
    EXPECT_NEAR(sum.compute_s, gather.compute_s / 4, 1e-12);
    EXPECT_LT(sum.least_s(), gather.least_s());
    // While it adds up Z a chip has two of it, with X and its quarter of Y; its slice of X is gone by then.
    EXPECT_EQ(sum.held, 2.0 * (512 * 8192 + 8192 / 4 * 32'768 + 2 * 512 * 32'768));
    // Y and Z have links too: Y cut over them at no cost is gathered over three axes in a third of the time.
    const CostedPlan& over_all = at.plan("Slice_{Z, D} Y, Slice_{Y, D} Y, AllGather_XZY Y, Multiply");
    EXPECT_NEAR(over_all.exchange_s, gather.exchange_s / 3, 1e-9);
    for (std::size_t k = 1; k < at.plans.plans.size(); ++k) { // what is within a thousandth is as fast
        EXPECT_GE(at.plans.plans[k].time_s, 0.999 * at.plans.plans[k - 1].time_s);
    }
}

/// Every plan once: nobody is shown the same twice.
TEST(ShardedPlans, AreApart) {
    const PlansAsked at = asked("A[I_X, J_Y] . B[J_Y, K_Z] -> C[I_X, K_Z]", {{{'X', 4}, {'Y', 4}, {'Z', 4}}},
                                {{'I', 4096}, {'J', 4096}, {'K', 4096}});
    std::set<std::string> words;
    for (const CostedPlan& plan : at.plans.plans) {
        std::string states = text(plan.plan, at.gemm, at.mesh);
        for (const ShardingStep& step : plan.plan.steps) {
            states += text(step.after, at.mesh);
        }
        EXPECT_TRUE(words.insert(states).second) << states;
    }
    // Each of three axes splits I, J or K or none, in each order: 4^3 ways, and more where they share one.
    EXPECT_GT(words.size(), 64u);
}

/// Case 1 has nothing to send: 2 x 1024^3 / 8 FLOP on each of 4 x 2 chips, and that is the best.
TEST(ShardedPlans, SendNothingInCase1) {
    const PlansAsked at = asked("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", {{{'X', 4}, {'Y', 2}}},
                                {{'I', 1024}, {'J', 1024}, {'K', 1024}}, "tpu-v5e");
    const CostedPlan& best = at.plans.plans.front();
    EXPECT_EQ(text(best.plan, at.gemm, at.mesh), "Multiply");
    EXPECT_EQ(best.flop, 2.0 * 1024 * 1024 * 1024 / 8);
    EXPECT_EQ(best.received, 0);
    // 256 x 1024, 1024 x 512 and 256 x 512 in bf16: 262144 + 524288 + 131072 elements.
    EXPECT_EQ(best.memory_bytes, 2.0 * 917'504);
    EXPECT_EQ(best.held, best.memory_bytes);
    EXPECT_EQ(best.bound, ShardedBound::memory);
    EXPECT_THAT(verdict(best), StartsWith("Bound by HBM: reading and writing the matrices takes 2.27"));
}

/// Chapter 4, question 2: A[B_X, D_Y] . W[D_Y, F] on 4 x 8 x 4: what Z does not split is done four times.
TEST(ShardedPlans, CountWhatCopiesDoAgain) {
    const PlansAsked at = asked("A[B_X, D_Y] . W[D_Y, F] -> O[B_X, F]", {{{'X', 4}, {'Y', 8}, {'Z', 4}}},
                                {{'B', 1024}, {'D', 4096}, {'F', 16'384}});
    const CostedPlan& plan = at.plan("Multiply, AllReduce_Y O");
    EXPECT_EQ(at.plans.flop, 2.0 * 1024 * 4096 * 16'384);
    EXPECT_EQ(plan.flop, at.plans.flop / 32);
    EXPECT_EQ(plan.flop * 128, at.plans.flop * 4);
}

/// Hops of a ring of 16 take 8 us; 16 x 16 elements do not.
TEST(ShardedPlans, CanBeBoundByLatency) {
    const PlansAsked at = asked("A[I_X, J] . B[J, K_X] -> C[I, K_X]", {{{'X', 16}}},
                                {{'I', 16}, {'J', 16}, {'K', 16}}, "tpu-v5e");
    const CostedPlan& plan = at.plan("AllGather_X A, Multiply");
    EXPECT_EQ(plan.bound, ShardedBound::latency);
    EXPECT_NEAR(plan.exchange_s, 8e-6, 1e-12);
    EXPECT_THAT(verdict(plan), StartsWith("Bound by latency: the hops take 8.00"));
}

/// On one chip there is nothing to send.
TEST(ShardedPlans, OfOneChipMultiply) {
    const PlansAsked at =
        asked("A[I_X, J] . B[J, K] -> C[I, K]", {{{'X', 1}}}, {{'I', 8}, {'J', 8}, {'K', 2}});
    ASSERT_EQ(at.plans.plans.size(), 1u);
    EXPECT_EQ(at.plans.plans[0].exchange_s, 0);
    EXPECT_EQ(at.plans.plans[0].flop, at.plans.flop);
}

/// What does not divide is on no way: K = 2 cannot be cut into four.
TEST(ShardedPlans, CutOnlyWhatDivides) {
    const PlansAsked at =
        asked("A[I_X, J] . B[J, K] -> C[I, K]", {{{'X', 4}}}, {{'I', 8}, {'J', 8}, {'K', 2}});
    for (const CostedPlan& plan : at.plans.plans) {
        for (const ShardingStep& step : plan.plan.steps) {
            const ArrayDimension* columns = dimension_of(step.after, 'K');
            EXPECT_TRUE(columns == nullptr || columns->axes.empty()) << text(plan.plan, at.gemm, at.mesh);
        }
    }
}

TEST(ShardedPlans, SayWhyThereAreNone) {
    const auto refused = [](const char* words, const NamedMesh& mesh, const DimensionSizes& sizes,
                            const char* hardware) {
        return sharded_plans(parse_sharded_gemm(words, mesh).value(), mesh, sizes, DataType::bf16,
                             machine_preset(hardware).value())
            .error()
            .sentence;
    };
    const char* gemm = "A[I_X, J] . B[J, K] -> C[I, K]";
    const NamedMesh mesh{{{'X', 4}}};
    EXPECT_THAT(refused(gemm, mesh, {{'I', 6}, {'J', 8}, {'K', 2}}, "tpu-v5e"), HasSubstr("use 4 or 8"));
    EXPECT_THAT(refused(gemm, mesh, {{'I', 8}, {'J', 8}}, "tpu-v5e"), HasSubstr("K in B"));
    EXPECT_THAT(refused(gemm, {{{'X', 4}, {'Y', 4}, {'Z', 4}}}, {{'I', 4}, {'J', 4}, {'K', 4}}, "tpu-v5e"),
                HasSubstr("has only 2"));
    EXPECT_THAT(refused("A[A,B,C,D,E] . B[E,F,G,H,I] -> C[A,B,C,D,F,G,H,I]", mesh, {}, "tpu-v5e"),
                HasSubstr("here are 9 letters and 1 axes"));
}

} // namespace
} // namespace meshslice
