#include "core/cost/sharded_plans.h"
#include "core/count/count.h"
#include "core/execute/sharded_run.h"
#include "core/execute/verify.h"
#include "core/gemm/sharded_program.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace meshslice {
namespace {

using testing::HasSubstr;

ShardedPlans program_plans(const ShardedGemm& gemm, const NamedMesh& mesh, const DimensionSizes& sizes) {
    return sharded_plans(gemm, mesh, sizes, DataType::bf16, machine_preset("tpu-v5p").value()).value();
}

ShardedProgram program_of(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                          const DimensionSizes& sizes, bool closed) {
    const Result<ShardedProgram> program =
        sharded_program(plan, gemm, mesh, sizes, std::vector<bool>(mesh.axes.size(), closed));
    EXPECT_TRUE(program) << text(plan, gemm, mesh) << (program ? "" : ": " + program.error().sentence);
    return program.value_or(ShardedProgram{});
}

/// The plan of these words, alone.
ShardedPlan plan_named(const std::string& words, const ShardedGemm& gemm, const NamedMesh& mesh,
                       const DimensionSizes& sizes) {
    for (const CostedPlan& one : program_plans(gemm, mesh, sizes).plans) {
        if (text(one.plan, gemm, mesh) == words) {
            return one.plan;
        }
    }
    ADD_FAILURE() << "no plan " << words;
    return {};
}

double all_bytes(const std::vector<LinkTraffic>& links) {
    double sum = 0;
    for (const LinkTraffic& one : links) {
        sum += static_cast<double>(one.bytes.value());
    }
    return sum;
}

/// Runs the program of every plan on real matrices, on rings and on lines: the product is right, and links
/// carry what count says. Where nothing is exchanged all to all, chips receive all that crosses a link, so it
/// is what the plan's formula says; an exchange also passes chips on its way.
int run_all(const ShardedGemm& gemm, const NamedMesh& mesh, std::uint64_t seed) {
    const DimensionSizes sizes = small_sizes(gemm, mesh, 2);
    int exchanges = 0;
    for (const CostedPlan& plan : program_plans(gemm, mesh, sizes).plans) {
        for (const bool closed : {true, false}) {
            const std::string what = text(gemm, mesh) + ": " + text(plan.plan, gemm, mesh);
            const ShardedProgram written = program_of(plan.plan, gemm, mesh, sizes, closed);
            EXPECT_EQ(written.step_ends.size(), plan.plan.steps.size());
            const Schedule schedule;
            const Result<Verification> run = verify(written.program, schedule, Numbers::integers, seed);
            EXPECT_TRUE(run && run->correct) << what << "\n" << pseudocode(written.program);
            EXPECT_EQ(run->links, count(written.program, schedule).links) << what;
            const bool exchanged =
                std::ranges::count(plan.plan.steps, Collective::all_to_all, &ShardingStep::sends) > 0;
            exchanges += exchanged ? 1 : 0;
            const double received = plan.received * static_cast<double>(mesh.devices());
            if (exchanged) {
                EXPECT_GE(all_bytes(run->links), received) << what;
            } else {
                EXPECT_DOUBLE_EQ(all_bytes(run->links), received) << what;
            }
        }
    }
    return exchanges;
}

TEST(ShardedProgram, OfTheFourCasesAreRight) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 2}}};
    int exchanges = 0;
    for (const char* words :
         {"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "A[I, J_X] . B[J, K] -> C[I, K]",
          "A[I, J_X] . B[J_Y, K] -> C[I_X, K]", "A[I, J_XY] . B[J_XY, K] -> C[I, K_YX]",
          "A[I_X, J] . B[J, K_X] -> C[I, K_X]", "A[I_XY, J] . B[J, K_YX] -> C[I_Y, K_X]",
          "A[J, I_X] . B[K_Y, J] -> C[K, I_X]", "A[J_X, I] . B[K, J_Y] -> C[I_Y, K]",
          "A[I_X, J]{U_Y} . B[J_Y, K] -> C[I, K_X]", "A[I, J_X] . B[J_X, K] -> C[I, K]{U_X}"}) {
        exchanges += run_all(parse_sharded_gemm(words, mesh).value(), mesh, 1);
    }
    EXPECT_GT(exchanges, 0);
}

/// Arrays that lie by chance, copies and partial sums included, on two and three axes.
TEST(ShardedProgram, OfAnyShardingAreRight) {
    std::mt19937 random(7);
    int exchanges = 0;
    for (const NamedMesh& mesh :
         {NamedMesh{{{'X', 2}, {'Y', 3}}}, NamedMesh{{{'X', 2}, {'Y', 2}, {'Z', 2}}}}) {
        const auto by_chance = [&](const ShardedArray& bare) {
            const std::vector<ShardedArray> states = all_states(bare, mesh);
            return states[std::uniform_int_distribution<std::size_t>(0, states.size() - 1)(random)];
        };
        for (int k = 0; k < 12; ++k) {
            const ShardedGemm gemm{by_chance({"A", {{'I', {}}, {'J', {}}}, {}}),
                                   by_chance({"B", {{'J', {}}, {'K', {}}}, {}}),
                                   by_chance({"C", {{'I', {}}, {'K', {}}}, {}})};
            if (gemm.result.unreduced.empty()) {
                exchanges += run_all(gemm, mesh, static_cast<std::uint64_t>(k) + 1);
            }
        }
    }
    EXPECT_GT(exchanges, 0);
}

/// The run is able to fail: blocks joined in the wrong order, the part of another axis, a sum left out.
TEST(ShardedProgram, WrongOnesAreCaught) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 2}}};
    const ShardedGemm gemm = parse_sharded_gemm("A[I_XY, J] . B[J, K] -> C[I, K]", mesh).value();
    const DimensionSizes sizes = {{'I', 16}, {'J', 16}, {'K', 16}};
    ShardedProgram gather =
        program_of(plan_named("AllGather_XY A, Multiply", gemm, mesh, sizes), gemm, mesh, sizes, true);
    const auto correct = [](const Program& program) {
        return verify(program, Schedule(), Numbers::integers, 1).value().correct;
    };
    EXPECT_TRUE(correct(gather.program));
    int blocks = 0;
    for (Operation& operation : gather.program.operations) {
        if (auto* one = std::get_if<AllGather>(&operation); one != nullptr && one->blocks > 1) {
            one->blocks = 1;
            ++blocks;
        }
    }
    // Of the two halves of A that which goes over X first has its blocks joined by Y.
    EXPECT_EQ(blocks, 1);
    EXPECT_FALSE(correct(gather.program));

    const NamedMesh square{{{'X', 2}, {'Y', 2}}};
    const ShardedGemm sums = parse_sharded_gemm("A[I, J_Y] . B[J, K] -> C[I, K]", square).value();
    ShardedProgram sum =
        program_of(plan_named("Slice_{Y, J} B, Multiply, AllReduce_Y C", sums, square, sizes), sums, square,
                   sizes, true);
    EXPECT_TRUE(correct(sum.program));
    std::get<TakePart>(sum.program.operations.front()).axis = Axis::vertical; // the rows of another place
    EXPECT_FALSE(correct(sum.program));
}

/// An all-to-all on a ring of 4: each chip has a block for each other one, half of what is for the chip
/// across goes each way. 16 x 16 elements of bf16 are 512 bytes, a block for one chip 512 / 16 = 32: over
/// every link 32 to the next, and one hop each of the two that the halves across take: 32 + 2 x 16 = 64, an
/// eighth of all (V / 4 over both ways, as the book has it). On a line of 4 the link in the middle carries
/// what each of two sends to each of two: 4 x 32; those at the ends 3 x 32.
TEST(ShardedProgram, ExchangesWhatTheBookSays) {
    const NamedMesh mesh{{{'X', 4}}};
    const ShardedGemm gemm = parse_sharded_gemm("A[I, J_X] . B[J, K] -> C[I_X, K]", mesh).value();
    const DimensionSizes sizes = {{'I', 16}, {'J', 16}, {'K', 16}};
    const ShardedPlan plan = plan_named("AllToAll_{X, I} A, Multiply", gemm, mesh, sizes);
    const Count ring = count(program_of(plan, gemm, mesh, sizes, true).program, Schedule());
    for (const LinkTraffic& one : ring.links) {
        EXPECT_EQ(one.bytes, Bytes(64));
    }
    const Count line = count(program_of(plan, gemm, mesh, sizes, false).program, Schedule());
    ASSERT_EQ(line.links.size(), 6U);
    for (const LinkTraffic& one : line.links) {
        const bool middle = one.link.chip + (one.link.direction == Direction::forward ? 0 : -1) == 1;
        EXPECT_EQ(one.bytes, Bytes(middle ? 4 * 32 : 3 * 32)) << one.link.chip;
    }
    // 16 rows by 4 columns on a chip: the others send it 3 x 4 of its own rows.
    EXPECT_EQ(ring.flop_per_chip, Flop(2 * 4 * 16 * 16));
}

TEST(ShardedProgram, ReadsLikeItsSteps) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 2}}};
    const ShardedGemm gemm = parse_sharded_gemm("A[I_X, J_Y] . B[J, K] -> C[I_X, K]", mesh).value();
    const DimensionSizes sizes = {{'I', 16}, {'J', 16}, {'K', 16}};
    const ShardedPlan plan = plan_named("Slice_{Y, J} B, Multiply, AllReduce_Y C", gemm, mesh, sizes);
    const ShardedProgram written = program_of(plan, gemm, mesh, sizes, true);
    EXPECT_EQ(pseudocode(written.program), "B_s = part_row(B, j)\n"
                                           "C' = A B_s\n"
                                           "C_s = RdS_col(C')\n"
                                           "C = AG_col(C_s)\n");
    EXPECT_EQ(written.step_ends, (std::vector<OperationId>{1, 2, 4}));
}

TEST(ShardedProgram, SaysWhatHasNone) {
    const NamedMesh mesh{{{'X', 2}}};
    const ShardedGemm batch = parse_sharded_gemm("Q[B, I, J_X] . K[B, J, K] -> S[B, I, K]", mesh).value();
    const ShardedPlan plan =
        program_plans(batch, mesh, {{'B', 2}, {'I', 2}, {'J', 2}, {'K', 2}}).plans[0].plan;
    EXPECT_THAT(
        sharded_program(plan, batch, mesh, {{'B', 2}, {'I', 2}, {'J', 2}, {'K', 2}}, {true}).error().sentence,
        HasSubstr("one letter to sum over"));
}

} // namespace
} // namespace meshslice
