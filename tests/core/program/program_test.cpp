#include "core/program/dependencies.h"
#include "core/program/program.h"
#include "core/program/writer.h"
#include "tests/core/support/written.h"

#include <algorithm>

namespace meshslice {
namespace {

Program two_slices(Dataflow dataflow, std::int64_t slices = 2) {
    return written("meshslice", {64, 96, 128}, dataflow, *Torus::create({4, 2}), {slices, 2});
}

bool has(const std::vector<Dependency>& all, const Dependency& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// The programs read like Figures 2b and 5 of the paper.
TEST(Program, ReadsLikeThePseudocode) {
    EXPECT_EQ(pseudocode(two_slices(Dataflow::OS)), "for s = 0 .. 1:\n"
                                                    "    A_s = slice_col(A, 2, s)\n"
                                                    "    B_s = slice_row(B, 2, s)\n"
                                                    "    A' = AG_col(A_s)\n"
                                                    "    B' = AG_row(B_s)\n"
                                                    "    C += A' B'\n");
    EXPECT_EQ(pseudocode(two_slices(Dataflow::LS)), "for s = 0 .. 1:\n"
                                                    "    B_s = slice_row(B, 2, s)\n"
                                                    "    B' = AG_row(B_s)\n"
                                                    "    C' = A B'^T\n"
                                                    "    C_s = RdS_col(C')\n"
                                                    "    slice_col(C, 2, s) = C_s\n");
    EXPECT_EQ(pseudocode(written("collective", {64, 96, 128}, Dataflow::RS, *Torus::create({4, 2}))),
              "A' = AG_col(A)\n"
              "C' = A'^T B\n"
              "C = RdS_row(C')\n");
}

/// Section 2.3.4, with every step by itself and unrolled to two iterations of two; Figure 2a; and
/// section 2.3.2.
TEST(Program, ReadsLikeTheOtherAlgorithms) {
    const auto words = [](std::string_view id, Dataflow dataflow, std::int64_t slices) {
        return pseudocode(written(id, {64, 64, 64}, dataflow, *Torus::create({4, 4}),
                                  {.slices = slices, .decomposed = Axis::horizontal}));
    };
    EXPECT_EQ(words("wang", Dataflow::OS, 4), "B' = AG_row(B)\n"
                                              "A_s = A\n"
                                              "for s = 0 .. 2:\n"
                                              "    B_s = chunks_row(B', s)\n"
                                              "    C += A_s B_s\n"
                                              "    A_s = SendRecv_col(A_s)\n"
                                              "B_s = chunks_row(B', 3)\n"
                                              "C += A_s B_s\n");
    EXPECT_EQ(words("wang", Dataflow::OS, 2),
              "B' = AG_row(B)\n"
              "A_s[0] = A, A_s[p] = SendRecv_col(A_s[p - 1]), p = 1 .. 1\n"
              "for s = 0 .. 0:\n"
              "    B_s = chunks_row(B', 2s .. 2s + 1)\n"
              "    C = A_s B_s\n"
              "    A_s[p] = SendRecv_col(A_s[p - 1]), p = 0 .. 1, first of A_s[1]\n"
              "B_s = chunks_row(B', 2 .. 3)\n"
              "C += A_s B_s\n");
    EXPECT_EQ(words("wang", Dataflow::LS, 2),
              "B' = AG_row(B)\n"
              "for s = 0 .. 0:\n"
              "    B_s = chunks_row(B', 2s - 3 .. 2s - 2)\n"
              "    C' = A B_s^T\n"
              "    C_s = SendRecv_col(C_s + C'[p]), p = 0 .. 1\n"
              "B_s = chunks_row(B', -1 .. 0)\n"
              "C' = A B_s^T\n"
              "C_s = SendRecv_col(C_s + C'[p]), p = 0 .. 0; C = C_s + C'[1]\n");
    EXPECT_EQ(words("summa", Dataflow::OS, 2), "for s = 0 .. 1:\n"
                                               "    A'[0] = bcast_col(panel 2s of A)\n"
                                               "    A'[1] = bcast_col(panel 2s + 1 of A)\n"
                                               "    B'[0] = bcast_row(panel 2s of B)\n"
                                               "    B'[1] = bcast_row(panel 2s + 1 of B)\n"
                                               "    C += A' B'\n");
    EXPECT_EQ(words("cannon", Dataflow::RS, 1), "A' = skew_col(A, -i)\n"
                                                "for s = 0 .. 2:\n"
                                                "    C' = A'^T B\n"
                                                "    C_m += C'\n"
                                                "    A' = shift_col(A', -1)\n"
                                                "    C_m = shift_row(C_m, -1)\n"
                                                "C' = A'^T B\n"
                                                "C_m += C'\n"
                                                "C = skew_row(C_m, 3 + j)\n");
}

/// (64, 96, 128) on 4 x 2: A is 16 x 64, B 32 x 48, C 16 x 48; with S = 2: A_s 16 x 32, B_s 16 x 48, A' 16 x
/// 64, B' 64 x 48, and the GEMM on one chip is 16 x 48 over 64.
TEST(Program, KnowsTheShapesOnOneChip) {
    const Program program = two_slices(Dataflow::OS);
    const auto shape = [&](std::size_t id) {
        return std::pair(program.values[id].rows, program.values[id].columns);
    };
    EXPECT_EQ(shape(left_value), std::pair(16l, 64l));
    EXPECT_EQ(shape(right_value), std::pair(32l, 48l));
    EXPECT_EQ(shape(output_value), std::pair(16l, 48l));
    EXPECT_EQ(shape(3), std::pair(16l, 32l));
    EXPECT_EQ(shape(4), std::pair(16l, 48l));
    EXPECT_EQ(shape(5), std::pair(16l, 64l));
    EXPECT_EQ(shape(6), std::pair(64l, 48l));
    EXPECT_EQ(std::get<Multiply>(program.operations[4]).shape, (GemmShape{16, 48, 64}));
}

/// OS: 0 slice A, 1 slice B, 2 AG A, 3 AG B, 4 multiply. With one slice of prefetch each temporary has two
/// buffers.
TEST(Dependencies, FollowTheDataAndTheBuffers) {
    const auto all = dependencies(two_slices(Dataflow::OS, 8), {1});
    EXPECT_TRUE(has(all, {0, 2, 0})); // A' needs A_s.
    EXPECT_TRUE(has(all, {2, 4, 0})); // The multiplication needs A'.
    EXPECT_TRUE(has(all, {3, 4, 0}));
    EXPECT_TRUE(has(all, {4, 4, 1})); // C accumulates.
    EXPECT_TRUE(has(all, {4, 2, 2})); // A' of iteration s reuses the buffer of s - 2.
    EXPECT_FALSE(has(all, {4, 2, 1}));
    const auto unbounded = dependencies(two_slices(Dataflow::OS, 8), {Prefetch::without_bound});
    EXPECT_FALSE(has(unbounded, {4, 2, 2}));
    const auto none = dependencies(two_slices(Dataflow::OS, 8), {0});
    EXPECT_TRUE(has(none, {4, 2, 1}));
}

/// Cannon LS on 4 x 4: 0 skew B, then in the loop 1 C' = A B'^T, 2 C_n += C', 3 shift B', 4 shift C_n; after
/// it 5 C' = A B'^T, 6 C_n += C', 7 skew home. The sum is carried round the loop, although it is also written
/// after it.
TEST(Dependencies, ReachRoundTheLoopPastWhatFollowsIt) {
    const auto all = dependencies(written("cannon", {64, 64, 64}, Dataflow::LS, *Torus::create({4, 4})), {2});
    EXPECT_TRUE(has(all, {4, 2, 1}));  // It adds to the sum that came in the iteration before.
    EXPECT_TRUE(has(all, {4, 6, 0}));  // After the loop it adds to the last one.
    EXPECT_FALSE(has(all, {6, 2, 1})); // The loop does not wait for what comes after it.
    EXPECT_TRUE(has(all, {3, 1, 1}));
    EXPECT_TRUE(has(all, {2, 5, 3})); // After the loop C' takes the buffer of the third last iteration.
}

TEST(Dependencies, CountTheRunsThatMustBeOver) {
    const Program program = two_slices(Dataflow::OS, 8);
    EXPECT_EQ(runs_needed(program, {2, 4, 0}, 5), 6);
    EXPECT_EQ(runs_needed(program, {4, 2, 2}, 1), 0);
    EXPECT_EQ(runs_needed(program, {4, 2, 2}, 2), 1);
}

/// What takes no time drops out: the gather then waits for nothing, and the multiplication waits for the
/// gathers as before.
TEST(Dependencies, ContractOverWhatTakesNoTime) {
    const auto edges =
        contracted(dependencies(two_slices(Dataflow::LS, 6), {1}), {false, true, true, true, false});
    EXPECT_TRUE(has(edges, {1, 2, 0}));
    EXPECT_TRUE(has(edges, {2, 3, 0}));
    EXPECT_TRUE(has(edges, {2, 1, 2})); // B' is reused,
    EXPECT_TRUE(has(edges, {3, 2, 2})); // and so is C'.
    EXPECT_EQ(edges.size(), 4u);
}

/// 16 x 16 shards added 256 times: one operation more than a program holds.
TEST(ProgramWriter, RefusesMoreOperationsThanAProgramHolds) {
    const auto additions = [](int count) {
        ProgramWriter chip({32, 32, 32}, Dataflow::OS, *Torus::create({2, 2}));
        for (int k = 0; k < count; ++k) {
            chip.add(chip.output(), chip.left());
        }
        return std::move(chip).finish();
    };
    const auto most = additions(255);
    ASSERT_TRUE(most);
    EXPECT_EQ(most->operations.size(), 255u);
    const auto too_many = additions(256);
    ASSERT_FALSE(too_many);
    EXPECT_NE(too_many.error().sentence.find("a program of 256 operations; at most 255 are possible"),
              std::string::npos)
        << too_many.error().sentence;
}

/// No operation waits for itself, however long the chain.
TEST(Dependencies, LeadForwardWithinAnIteration) {
    for (const Dataflow dataflow : all_dataflows) {
        for (const std::int64_t depth : {0, 1, 2}) {
            for (const Dependency& one : dependencies(two_slices(dataflow), {depth})) {
                EXPECT_TRUE(one.distance > 0 || one.before < one.after)
                    << name(dataflow) << ' ' << one.before << " before " << one.after;
            }
        }
    }
}

} // namespace
} // namespace meshslice
