#include "core/cost/sharded_plans.h"
#include "core/execute/sharded_run.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace meshslice {
namespace {

using testing::HasSubstr;

Machine hardware(const char* name) {
    return machine_preset(name).value();
}

ShardedPlans plans_of(const ShardedGemm& gemm, const NamedMesh& mesh, const DimensionSizes& sizes) {
    const Result<ShardedPlans> plans = sharded_plans(gemm, mesh, sizes, DataType::bf16, hardware("tpu-v5p"));
    EXPECT_TRUE(plans) << text(gemm, mesh) << (plans ? "" : plans.error().sentence);
    return plans.value_or(ShardedPlans{});
}

/// Runs all plans of a GEMM: each gives every device its block, exactly, and sends what it says.
void expect_all_right(const ShardedGemm& gemm, const NamedMesh& mesh, std::uint32_t seed) {
    const DimensionSizes sizes = small_sizes(gemm, mesh, 1);
    const ShardedPlans plans = plans_of(gemm, mesh, sizes);
    ASSERT_FALSE(plans.plans.empty()) << text(gemm, mesh);
    for (const CostedPlan& plan : plans.plans) {
        const Result<ShardedRun> run = run_sharded(plan.plan, gemm, mesh, sizes, seed);
        const std::string what = text(gemm, mesh) + ": " + text(plan.plan, gemm, mesh);
        ASSERT_TRUE(run) << what << run.error().sentence;
        EXPECT_EQ(run->largest_error, 0) << what;
        EXPECT_EQ(run->devices, mesh.devices()) << what;
        EXPECT_DOUBLE_EQ(plan.received, 2.0 * static_cast<double>(run->received_elements)) << what;
    }
}

TEST(ShardedRun, PlansOfTheFourCasesAreRight) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 2}}};
    for (const char* words :
         {"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "A[I, J_X] . B[J, K] -> C[I, K]",
          "A[I, J_X] . B[J_Y, K] -> C[I_X, K]", "A[I, J_XY] . B[J_XY, K] -> C[I, K_YX]",
          "A[I_X, J] . B[J, K_X] -> C[I, K_X]", "A[I_XY, J] . B[J, K_YX] -> C[I_Y, K_X]",
          "A[I_X, J]{U_Y} . B[J_Y, K] -> C[I, K_X]", "A[I, J_X] . B[J_X, K] -> C[I, K]{U_X}"}) {
        expect_all_right(parse_sharded_gemm(words, mesh).value(), mesh, 1);
    }
}

/// Arrays that lie by chance, copies and partial sums included, on two and three axes.
TEST(ShardedRun, PlansOfAnyShardingAreRight) {
    std::mt19937 random(3);
    for (const NamedMesh& mesh :
         {NamedMesh{{{'X', 2}, {'Y', 3}}}, NamedMesh{{{'X', 2}, {'Y', 2}, {'Z', 2}}}}) {
        const auto by_chance = [&](const ShardedArray& bare) {
            const std::vector<ShardedArray> states = all_states(bare, mesh);
            return states[std::uniform_int_distribution<std::size_t>(0, states.size() - 1)(random)];
        };
        for (int k = 0; k < 25; ++k) {
            const ShardedGemm gemm{by_chance({"A", {{'I', {}}, {'J', {}}}, {}}),
                                   by_chance({"B", {{'J', {}}, {'K', {}}}, {}}),
                                   by_chance({"C", {{'I', {}}, {'K', {}}}, {}})};
            if (gemm.result.unreduced.empty()) { // not every sum can be left to be done
                expect_all_right(gemm, mesh, static_cast<std::uint32_t>(k));
            }
        }
    }
}

/// A batch dimension and a result whose dimensions are in another order.
TEST(ShardedRun, PlansOfABatchAreRight) {
    const NamedMesh mesh{{{'X', 2}, {'Y', 2}}};
    expect_all_right(parse_sharded_gemm("Q[B_X, I, J_Y] . K[B, J, K] -> S[K, B_Y, I]", mesh).value(), mesh,
                     5);
}

/// The runner is able to fail: a plan that forgets to add up, one that takes the wrong block, and one that
/// stops early.
TEST(ShardedRun, FindsWhatIsWrong) {
    const NamedMesh mesh{{{'X', 4}}};
    const ShardedGemm gemm = parse_sharded_gemm("A[I, J_X] . B[J_X, K] -> C[I_X, K]", mesh).value();
    const ShardingStep multiply{std::nullopt, Operand::result, {}, 0, 0, {"C", {{'I', {}}, {'K', {}}}, {0}}};
    const ShardingStep scatter{Collective::reduce_scatter, Operand::result, {0}, 0, 0, gemm.result};
    const ShardingStep slice{std::nullopt, Operand::result, {0}, 0, 0, gemm.result};
    const DimensionSizes sizes = {{'I', 8}, {'J', 8}, {'K', 8}};
    const auto run = [&](std::vector<ShardingStep> steps) {
        return run_sharded({std::move(steps)}, gemm, mesh, sizes, 1).value();
    };
    EXPECT_EQ(run({multiply, scatter}).largest_error, 0);
    EXPECT_EQ(run({multiply, scatter}).devices, 4);
    EXPECT_GT(run({multiply, slice}).largest_error, 0);
    EXPECT_EQ(run({multiply}).devices, 0);
    // 8 x 8 elements at first, 2 x 8 kept: 48 come from others.
    EXPECT_EQ(run({multiply, scatter}).received_elements, 48);
}

TEST(ShardedRun, RefusesWhatIsTooLarge) {
    const NamedMesh large{{{'X', 65}}};
    const ShardedGemm gemm = parse_sharded_gemm("A[I_X, J] . B[J, K] -> C[I_X, K]", large).value();
    const ShardedPlan plan{{{std::nullopt, Operand::result, {}, 0, 0, gemm.result}}};
    EXPECT_THAT(run_sharded(plan, gemm, large, {{'I', 65}, {'J', 1}, {'K', 1}}, 1).error().sentence,
                HasSubstr("up to 64 devices; the mesh has 65"));
    const NamedMesh small{{{'X', 2}}};
    EXPECT_THAT(run_sharded(plan, gemm, small, {{'I', 3}, {'J', 1}, {'K', 1}}, 1).error().sentence,
                HasSubstr("is not divisible"));
    EXPECT_THAT(run_sharded(plan, gemm, small, {{'I', 4096}, {'J', 4096}, {'K', 1}}, 1).error().sentence,
                HasSubstr("16777216 elements"));
    EXPECT_THAT(run_sharded(plan, gemm, small, {{'I', 1024}, {'J', 1024}, {'K', 1024}}, 1).error().sentence,
                HasSubstr("too large to run"));
}

} // namespace
} // namespace meshslice
