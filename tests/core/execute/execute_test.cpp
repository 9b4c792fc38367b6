#include "core/execute/in_parts.h"
#include "core/execute/verify.h"
#include "core/gemm/algorithms.h"
#include "tests/core/support/written.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

Verification verified(const Program& program, Numbers numbers = Numbers::integers, Schedule schedule = {}) {
    const Result<Verification> verification = verify(program, schedule, numbers, 7);
    EXPECT_TRUE(verification) << (verification ? "" : verification.error().sentence);
    return *verification;
}

/// Cannon needs square meshes of closed rings; Wang a ring along one axis, which depends on the matrices.
bool expected_to_run(std::string_view id, const Torus& torus) {
    const bool lines = (torus.size(Axis::vertical) > 1 && !torus.wraps(Axis::vertical)) ||
                       (torus.size(Axis::horizontal) > 1 && !torus.wraps(Axis::horizontal));
    const bool square = torus.size(Axis::vertical) == torus.size(Axis::horizontal);
    return id == "cannon" ? square && !lines : id == "wang" ? !lines : true;
}

struct MeshCase {
    std::int32_t rows;
    std::int32_t columns;
    GemmShape shape; ///< M, N and K are all different, so that no two dimensions can be confused

    friend void PrintTo(const MeshCase& mesh, std::ostream* out) { *out << mesh.rows << 'x' << mesh.columns; }
};

/// Every GEMM gives the plain product, to the last integer, on square, tall, wide, odd and degenerate meshes.
class ExecuteOnMesh : public testing::TestWithParam<MeshCase> {};

INSTANTIATE_TEST_SUITE_P(Meshes, ExecuteOnMesh,
                         testing::Values(MeshCase{1, 1, {24, 36, 48}}, MeshCase{2, 2, {48, 72, 96}},
                                         MeshCase{4, 2, {48, 96, 144}}, MeshCase{2, 4, {48, 96, 144}},
                                         MeshCase{3, 5, {60, 120, 180}}, MeshCase{1, 8, {64, 96, 128}},
                                         MeshCase{8, 1, {64, 96, 128}}, MeshCase{5, 3, {60, 120, 180}},
                                         MeshCase{4, 4, {48, 96, 144}}, MeshCase{3, 3, {45, 63, 99}},
                                         MeshCase{5, 5, {50, 75, 100}}),
                         [](const auto& test) {
                             return fmt::format("{}x{}", test.param.rows, test.param.columns);
                         });

TEST_P(ExecuteOnMesh, EveryAlgorithmDataflowSliceAndBlockGivesThePlainProduct) {
    const MeshCase mesh = GetParam();
    int sliced_runs = 0;
    for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.torus_axes != 2) {
            continue; // They have tests of their own.
        }
        for (const Dataflow dataflow : algorithm.dataflows) {
            for (const bool wraps : {true, false}) {
                const Torus torus = *Torus::create({{mesh.rows, wraps}, {mesh.columns, wraps}});
                for (const std::int64_t block : {1, 2, 3}) {
                    const auto counts = algorithm.slice_counts(mesh.shape, dataflow, torus, {1, block});
                    if (!counts) {
                        EXPECT_FALSE(expected_to_run(algorithm.id, torus)) << counts.error().sentence;
                        continue;
                    }
                    EXPECT_TRUE(algorithm.id == "wang" || expected_to_run(algorithm.id, torus))
                        << algorithm.id;
                    for (const std::int64_t slices : *counts) {
                        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                            const Program program =
                                written(algorithm.id, mesh.shape, dataflow, torus, {slices, block});
                            const Verification result =
                                verified(program, Numbers::integers, {DataType::bf16, ring, {1}});
                            EXPECT_TRUE(result.correct)
                                << algorithm.id << ' ' << name(dataflow) << " S=" << slices << " B=" << block
                                << (wraps ? " ring " : " line ") << name(ring) << ": off by "
                                << result.largest_error;
                            EXPECT_EQ(result.tolerance, 0);
                            sliced_runs += slices > 1 ? 1 : 0;
                        }
                    }
                }
            }
        }
    }
    // At the very least S = 2 with B = 1 in three dataflows, on rings and lines, both ring modes.
    EXPECT_GE(sliced_runs, 3 * 2 * 2);
}

TEST(Execute, FloatsStayWithinTheRoundingOfTheirSums) {
    for (const Dataflow dataflow : all_dataflows) {
        const Torus torus = *Torus::create({4, 2});
        const Program program = written("meshslice", {64, 128, 256}, dataflow, torus, {4, 2});
        const Verification result = verified(program, Numbers::floats);
        EXPECT_TRUE(result.correct);
        EXPECT_GT(result.tolerance, 0);
        EXPECT_GT(result.largest_error, 0); // Another order of summation does round differently.
    }
}

/// The mistake that the paper warns of (section 3.1): slices that are contiguous in one direction only pair
/// columns of A with the wrong rows of B.
TEST(Execute, ContiguousSlicingInOneDirectionIsCaught) {
    const Torus torus = *Torus::create({2, 4});
    for (const Dataflow dataflow : all_dataflows) {
        Program program = written("meshslice", {64, 64, 64}, dataflow, torus, {2, 2});
        ASSERT_TRUE(verified(program).correct);
        Slicing& slicing = std::get<Slice>(program.operations.front()).slicing;
        const Value& source = program.values[std::get<Slice>(program.operations.front()).source];
        slicing.block = (slicing.dimension == Dimension::rows ? source.rows : source.columns) / slicing.count;
        const Verification result = verified(program);
        EXPECT_FALSE(result.correct) << name(dataflow);
        EXPECT_GT(result.largest_error, 0);
    }
}

TEST(Execute, AWrongSliceCountIsCaught) {
    Program program = written("meshslice", {64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}), {4, 2});
    program.iterations = 3; // The last slice is never gathered.
    EXPECT_FALSE(verified(program).correct);
}

TEST(Execute, AMissingCollectiveIsCaught) {
    for (const Dataflow dataflow : all_dataflows) {
        Program program = written("collective", {64, 64, 64}, dataflow, *Torus::create({2, 2}));
        program.operations.erase(program.operations.begin());
        EXPECT_FALSE(verified(program).correct) << name(dataflow);
    }
}

TEST(Execute, AGatherAlongTheWrongAxisIsCaught) {
    Program program = written("collective", {64, 64, 64}, Dataflow::OS, *Torus::create({2, 2}));
    std::get<AllGather>(program.operations.front()).axis = Axis::vertical;
    EXPECT_FALSE(verified(program).correct);
}

/// B gathered is 32 x 32 here (N = 32, K / 2 = 32), so that its product with A exists either way round.
TEST(Execute, AMissingTransposeIsCaught) {
    Program program = written("collective", {64, 32, 64}, Dataflow::LS, *Torus::create({2, 2}));
    std::get<Multiply>(program.operations[1]).transpose_right = false;
    EXPECT_FALSE(verified(program).correct);
}

/// Collective OS on 4x2, (64, 48, 32): A's shard is 16 x 16, of which each ring of 2 sends 1 shard: halves of
/// 128 elements each way. B's shard is 8 x 24; a ring of 4 sends 3 steps of 96 elements each way. Two bytes
/// each.
TEST(Execute, EveryLinkCarriesWhatTheRingSays) {
    const Torus torus = *Torus::create({4, 2});
    const Verification result = verified(written("collective", {64, 48, 32}, Dataflow::OS, torus));
    ASSERT_EQ(result.links.size(), 8u * 4u);
    for (const LinkTraffic& traffic : result.links) {
        EXPECT_EQ(traffic.bytes.value(), traffic.link.axis == Axis::horizontal ? 128 * 2 : 3 * 96 * 2);
    }
}

TEST(Execute, RefusesWhatIsTooLargeToRunForReal) {
    const Program program =
        written("collective", {262144, 49152, 12288}, Dataflow::OS, *Torus::create({32, 8}));
    const Result<Verification> result = verify(program, {}, Numbers::integers, 1);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().sentence.find("too large"), std::string::npos);
}

/// One chip, one local product. A stop reaches into it: of 2^33 multiply-adds, which are 8 times the work of
/// 2^30, less than half is done where it is asked after about an eighth. Counted in the processor's time,
/// which other programs do not use up.
TEST(Verify, StopsWithinALocalProduct) {
    const auto product = [](std::int64_t side) {
        return (*algorithm("collective"))
            ->write({side, side, side}, Dataflow::OS, *Torus::create({1, 1}), GemmOptions{})
            .value();
    };
    const std::clock_t begin = std::clock();
    ASSERT_TRUE(verify(product(1024), {}, Numbers::integers, 1));
    const std::clock_t eighth = std::clock() - begin;
    std::stop_source stop;
    const std::clock_t stopped = std::clock();
    const std::jthread impatient([&](const std::stop_token& over) {
        while (!over.stop_requested() && std::clock() - stopped < eighth) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        stop.request_stop();
    });
    const auto verification = verify(product(2048), {}, Numbers::integers, 1, stop.get_token());
    EXPECT_LT(std::clock() - stopped, 4 * eighth);
    ASSERT_FALSE(verification);
    EXPECT_EQ(verification.error(), cancelled().value());
}

/// What is done in parts covers every column once, also where the last part is smaller.
TEST(InParts, CoversEveryColumnOnce) {
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    const auto take = [&](std::int64_t first, std::int64_t count) { parts.emplace_back(first, count); };
    in_parts(5, most_products_of_a_part / 2, {}, take);
    EXPECT_EQ(parts, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 2}, {2, 2}, {4, 1}}));
    parts.clear();
    in_parts(2, 3 * most_products_of_a_part, {}, take);
    EXPECT_EQ(parts, (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {1, 1}}));
    parts.clear();
    std::stop_source stopped;
    stopped.request_stop();
    in_parts(5, 1, stopped.get_token(), take);
    EXPECT_TRUE(parts.empty());
}

} // namespace
} // namespace meshslice
