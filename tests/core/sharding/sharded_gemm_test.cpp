#include "core/sharding/resharding.h"
#include "core/sharding/sharded_gemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const NamedMesh two{{{'X', 4}, {'Y', 2}}};

ShardedGemm gemm_of(std::string_view words, const NamedMesh& mesh = two) {
    const Read<ShardedGemm> read = parse_sharded_gemm(words, mesh);
    EXPECT_TRUE(read) << words << ": " << (read ? "" : read.error().sentence);
    return read.value_or(ShardedGemm{});
}

TEST(ShardedGemm, ReadsTheBooksNotation) {
    const ShardedGemm gemm = gemm_of(" A[I_X,J]. B[J, K_Y] ->C[I_X,K_Y] ");
    EXPECT_EQ(text(gemm, two), "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]");
    EXPECT_THAT(letters_of(gemm),
                ElementsAre(GemmLetter{'I', LetterRole::left_only}, GemmLetter{'J', LetterRole::contracted},
                            GemmLetter{'K', LetterRole::right_only}));
    EXPECT_EQ(text(gemm_of("In[B_X, D]{U_Y} . W[D, F] -> Out[B, F]{U_YX}"), two),
              "In[B_X, D]{U_Y} . W[D, F] -> Out[B, F]{U_YX}");
}

/// Three arrays with letters of their own, lying by chance: what is printed reads back as the same.
TEST(ShardedGemm, ReadsBackWhatItPrints) {
    const NamedMesh mesh{{{'X', 2}, {'Y', 3}, {'Z', 5}}};
    std::mt19937 random(7);
    const auto by_chance = [&](const ShardedArray& bare) {
        const std::vector<ShardedArray> states = all_states(bare, mesh);
        return states[std::uniform_int_distribution<std::size_t>(0, states.size() - 1)(random)];
    };
    // 3 axes into 2 dimensions, partial sums or copies: 4 x 4 x 4 places, and more in other orders.
    EXPECT_EQ(all_states({"A", {{'I', {}}, {'J', {}}}, {}}, {{{'X', 2}}}).size(), 4u);
    EXPECT_GT(all_states({"A", {{'I', {}}, {'J', {}}}, {}}, mesh).size(), 64u);
    for (int k = 0; k < 500; ++k) {
        const ShardedGemm gemm{by_chance({"A", {{'B', {}}, {'I', {}}, {'J', {}}}, {}}),
                               by_chance({"W2", {{'J', {}}, {'B', {}}, {'K', {}}}, {}}),
                               by_chance({"Out_3", {{'K', {}}, {'B', {}}, {'I', {}}}, {}})};
        EXPECT_EQ(parse_sharded_gemm(text(gemm, mesh), mesh), gemm) << text(gemm, mesh);
    }
}

TEST(ShardedGemm, PointsAtTheLetter) {
    const auto refused = [](std::string_view words) {
        const Read<ShardedGemm> read = parse_sharded_gemm(words, two);
        EXPECT_FALSE(read) << words;
        return read ? NotationError{} : read.error();
    };
    //                                                     0         1         2         3
    //                                                     0123456789012345678901234567890123456789
    EXPECT_EQ(refused("A[I_X, J] . B[J, K_Z] -> C[I, K]").begin, 19u);
    EXPECT_THAT(refused("A[I_X, J] . B[J, K_Z] -> C[I, K]").sentence, HasSubstr("no axis Z; it has X and Y"));
    EXPECT_EQ(refused("A[I_X, J] . B[J, K] -> C[I, L]").begin, 28u);
    EXPECT_EQ(refused("A[I_X, J] . B[J, K] -> C[I, L]").sentence,
              "Neither A nor B has a dimension L; they have I, J and K.");
    EXPECT_EQ(refused("A[I_X, M, J] . B[J, K] -> C[I, K]").begin, 7u);
    EXPECT_THAT(refused("A[I_X, M, J] . B[J, K] -> C[I, K]").sentence,
                StartsWith("M is a dimension of A alone; it has to be in C too"));
    EXPECT_EQ(refused("A[I, J] . B[J, K, M] -> C[I, K]").begin, 18u);
    EXPECT_EQ(refused("A[I, J] . A[J, K] -> C[I, K]").begin, 10u);
    EXPECT_EQ(refused("A[I, J] . B[J, K] -> B[I, K]").begin, 21u);
    EXPECT_EQ(refused("A[I, J]").begin, 7u);
    EXPECT_THAT(refused("A[I, J] B[J, K] -> C[I, K]").sentence,
                StartsWith("Expected a dot and a second array"));
    EXPECT_EQ(refused("A[I, J] . B[J, K]").begin, 17u);
    EXPECT_THAT(refused("A[I, J] . B[J, K]").sentence, StartsWith("Expected -> and the wanted result"));
    EXPECT_EQ(refused("A[I_X, J] . B[J_X, K_X] -> C[I, K]").begin, 21u);
    EXPECT_EQ(refused("").begin, 0u);
}

/// The four cases of chapter 3, each as the book has it.
TEST(ShardedGemm, IsOneOfFourCases) {
    const auto number = [](std::string_view words) { return case_of(gemm_of(words)); };
    EXPECT_EQ(number("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]"), 1);
    EXPECT_EQ(number("A[I, J] . B[J, K] -> C[I, K]"), 1);
    EXPECT_EQ(number("A[I, J_X] . B[J, K] -> C[I, K]"), 2);
    EXPECT_EQ(number("A[I, J] . B[J_Y, K] -> C[I, K]"), 2);
    EXPECT_EQ(number("A[I, J_X] . B[J_Y, K] -> C[I, K]"), 2);
    EXPECT_EQ(number("A[I, J_X] . B[J, K_X] -> C[I, K_X]"), 2);
    EXPECT_EQ(number("A[I, J_X] . B[J_X, K] -> C[I, K]"), 3);
    EXPECT_EQ(number("A[I_Y, J_X] . B[J_X, K] -> C[I_Y, K_X]"), 3);
    EXPECT_EQ(number("A[I_X, J] . B[J, K_X] -> C[I, K_X]"), 4);
    EXPECT_EQ(number("A[I_X, J_Y] . B[J_Y, K_X] -> C[I, K_X]"), 4);
    EXPECT_EQ(number("A[B_X, I, J] . B[B, J, K] -> C[B_X, I, K]"), std::nullopt);
    EXPECT_EQ(number("A[B_X, I, J] . B[B_X, J, K] -> C[B_X, I, K]"), 1);
    EXPECT_THAT(case_words(gemm_of("A[I, J_X] . B[J, K] -> C[I, K]"), two),
                StartsWith("Case 2: J is summed over (contracted) and sharded in A only."));
    EXPECT_THAT(case_words(gemm_of("A[I_X, J] . B[J, K_X] -> C[I, K_X]"), two),
                StartsWith("Case 4: X splits I and K"));
}

/// Chapter 4, question 3: A[I,J,K,L] . B[I,J,M,N,O] -> C[K,L,M,N,O], all of 4: 2 x 4^7; an outer product has
/// no additions.
TEST(ShardedGemm, CountsFlop) {
    DimensionSizes sizes;
    for (const char letter : {'I', 'J', 'K', 'L', 'M', 'N', 'O'}) {
        sizes[letter] = 4;
    }
    EXPECT_EQ(flop_of(gemm_of("A[I,J,K,L] . B[I,J,M,N,O] -> C[K,L,M,N,O]"), sizes), 32'768);
    EXPECT_EQ(flop_of(gemm_of("A[I] . B[J] -> C[I,J]"), sizes), 16);
    EXPECT_EQ(flop_of(gemm_of("A[I,J] . B[I,J] -> C[I,J]"), sizes), 16);
}

TEST(ShardMapText, IsJaxCodeOfEveryStep) {
    const ShardedGemm gemm = gemm_of("A[I_X, J_Y] . B[J, K] -> C[I_X, K_Y]");
    const ShardedPlan plan{{{std::nullopt, Operand::right, {1}, 0, 0, {"B", {{'J', {1}}, {'K', {}}}, {}}},
                            {std::nullopt, Operand::result, {}, 0, 0, {"C", {{'I', {0}}, {'K', {}}}, {1}}},
                            {Collective::reduce_scatter, Operand::result, {1}, 0, 1, gemm.result}}};
    EXPECT_EQ(text(plan, gemm, two), "Slice_{Y, J} B, Multiply, ReduceScatter_{Y, K} C");
    EXPECT_EQ(shard_map_text(plan, gemm, two),
              "import functools\nimport jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
              "from jax.sharding import PartitionSpec as P\n\n"
              "mesh = jax.make_mesh((4, 2), ('X', 'Y'))\n\n\n"
              "@functools.partial(jax.shard_map, mesh=mesh, in_specs=(P('X', 'Y'), P(None, None)),\n"
              "                   out_specs=P('X', 'Y'), check_vma=False)\n"
              "def matmul(a, b):\n"
              "    b = lax.dynamic_slice_in_dim(b, lax.axis_index('Y') * (b.shape[0] // 2), b.shape[0] // 2, "
              "axis=0)\n"
              "    c = jnp.einsum('ij,jk->ik', a, b)\n"
              "    c = lax.psum_scatter(c, 'Y', scatter_dimension=1, tiled=True)\n"
              "    return c\n");
    EXPECT_EQ(shard_map_text(plan, gemm_of("A[I_X, J_Y] . B[J, K] -> C[I_X, K]{U_Y}"), two), "");
}

} // namespace
} // namespace meshslice
