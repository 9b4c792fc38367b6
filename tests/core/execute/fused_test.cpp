// A GEMM that feeds its reduce-scatter tile by tile: the program, what it moves and what it makes.

#include "core/count/count.h"
#include "core/execute/execute.h"
#include "core/execute/rings/overlapped.h"
#include "core/execute/verify.h"
#include "core/gemm/algorithms.h"
#include "core/program/dependencies.h"
#include "core/program/writer.h"
#include "tests/core/execute/small_operands.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

using testing::Each;

Torus ring_of_gpus(std::int32_t chips) {
    return *Torus::create({TorusAxis{chips}});
}

/// `tile` is the side of a tile.
Program fused_program(const char* id, const GemmShape& shape, std::int32_t chips, std::int64_t tile) {
    GemmOptions options;
    options.tile = tile;
    return *(*algorithm(id))->write(shape, Dataflow::LS, ring_of_gpus(chips), options);
}

const Schedule on_one_way{.ring = RingMode::one_way, .prefetch = {}};

template <class Number>
Execution<Number> run_interleaved(const Program& program, const TrackedRing& actors) {
    const auto execution =
        execute(program, on_one_way, small_operand<Number>(program.shape.m, program.shape.k, 5),
                small_operand<Number>(program.shape.k, program.shape.n, 7), {}, actors);
    EXPECT_TRUE(execution);
    return execution.value_or(Execution<Number>());
}

std::vector<double> two_bytes_each(const std::vector<std::int64_t>& elements) {
    std::vector<double> bytes;
    for (const std::int64_t one : elements) {
        bytes.push_back(2.0 * static_cast<double>(one));
    }
    return bytes;
}

TEST(Fusion, IsOneLineOfTheProgram) {
    EXPECT_EQ(pseudocode(fused_program("tp-ar", {8, 6, 8}, 4, 2)), "C' = A B^T\n"
                                                                   "C_s = RdS_row(C')\n"
                                                                   "C = AG_row(C_s)\n");
    EXPECT_EQ(pseudocode(fused_program("t3", {8, 6, 8}, 4, 2)),
              "C' = A B^T\n"
              "C_s = RdS_row(C'), tile by tile as C' is made\n"
              "C = AG_row(C_s)\n");
    // A chunk is 8 x 6 / 4 = 12 elements, in tiles of 4.
    const Program fused = fused_program("t3", {8, 6, 8}, 4, 2);
    ASSERT_EQ(fused.fusions.size(), 1U);
    EXPECT_EQ(fused.fusions.front(), (Fusion{0, 1, 4}));
    EXPECT_EQ(fused.tiles_of_a_chunk(fused.fusions.front()), 3);
    EXPECT_EQ(fused_program("t3", {8, 6, 8}, 4, 3).tiles_of_a_chunk({0, 1, 9}), 2); // 9 and 3
    EXPECT_EQ(fused.fusion_of(2), nullptr);
}

/// Nothing else differs: the scatter does not wait for its GEMM, and the gather waits for both.
TEST(Fusion, SaysThatTheScatterDoesNotWait) {
    EXPECT_THAT(dependencies(fused_program("tp-ar", {8, 6, 8}, 4, 2), {}),
                testing::UnorderedElementsAre(Dependency{0, 1, 0}, Dependency{1, 2, 0}));
    EXPECT_THAT(dependencies(fused_program("t3", {8, 6, 8}, 4, 2), {}),
                testing::UnorderedElementsAre(Dependency{1, 2, 0}, Dependency{0, 2, 0}));
}

TEST(Fusion, IsRefusedWhereThereIsNoRing) {
    const Algorithm& t3 = **algorithm("t3");
    EXPECT_FALSE(t3.write({8, 6, 8}, Dataflow::LS, ring_of_gpus(1), {}));
    EXPECT_FALSE(t3.write({8, 6, 8}, Dataflow::LS, *Torus::create({TorusAxis{4, false}}), {}));
    EXPECT_FALSE(t3.write({8, 6, 8}, Dataflow::LS, *Torus::create({TorusAxis{2}, TorusAxis{2}}), {}));
    EXPECT_FALSE(t3.write({7, 6, 8}, Dataflow::LS, ring_of_gpus(4), {})); // neither 7 nor 6 divides by 4
    EXPECT_TRUE(t3.write({7, 8, 8}, Dataflow::LS, ring_of_gpus(4), {}));  // by columns
    EXPECT_FALSE(execute_overlapped(fused_program("t3", {8, 6, 8}, 4, 2), on_one_way, {}, 1,
                                    small_operand<double>(8, 8, 1), small_operand<double>(8, 6, 1)));
}

/// c = 8 x 6 x 2 / 4 = 24 bytes. Each link forward carries 3 c of the scatter and 3 c of the gather; a chip's
/// DRAM gets 4 c of the GEMM, 7 c read and 4 c written for the scatter and 3 c each for the gather. Fused: 3
/// c of the GEMM, 2 c read and 3 c updated.
TEST(Fusion, MovesWhatThePaperCounts) {
    const Count apart = count(fused_program("tp-ar", {8, 6, 8}, 4, 2), on_one_way);
    const Count fused = count(fused_program("t3", {8, 6, 8}, 4, 2), on_one_way);
    EXPECT_EQ(apart.dram_per_chip, (DramTraffic{{96, 168, 96, 72, 72}}));
    EXPECT_EQ(fused.dram_per_chip, (DramTraffic{{72, 48, 72, 72, 72}}));
    Schedule near = on_one_way;
    near.reduction = Reduction::near_memory;
    EXPECT_EQ(count(fused_program("tp-ar", {8, 6, 8}, 4, 2), near).dram_per_chip,
              (DramTraffic{{96, 72, 72, 72, 72}}));
    EXPECT_EQ(fused.links, apart.links);
    EXPECT_EQ(fused.busiest_link, Bytes(144));
    // Fused, the scatter goes one way even where rings are used both ways.
    EXPECT_EQ(count(fused_program("t3", {8, 6, 8}, 4, 2), {}).busiest_link, Bytes(72 + 36));
}

/// Tiles that divide a chunk and tiles that do not, chunks of one tile, chunks by rows and by columns; 50
/// seeds and the adversaries: integers exact, links and DRAM as counted, every entry filled once.
TEST(Fusion, GivesTheProductWhateverTheInterleaving) {
    for (const std::int32_t chips : {2, 3, 4, 8, 16}) {
        for (const std::int64_t tile : {1, 2, 3, 10}) {
            const bool by_rows = tile != 2;
            const GemmShape shape{by_rows ? 2 * chips : 5, by_rows ? 5 : 2 * chips, 2 * chips};
            const Program program = fused_program("t3", shape, chips, tile);
            const Count counted = count(program, on_one_way);
            const auto expected = product_by_hand(small_operand<std::int64_t>(shape.m, shape.k, 5),
                                                  small_operand<std::int64_t>(shape.k, shape.n, 7));
            for (const Interleaving order : all_interleavings) {
                const std::uint64_t seeds = order == Interleaving::seeded ? 50 : 3;
                for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                    TrackedRing actors{.interleaving = order, .seed = seed};
                    actors.staggered = seed % 5 != 0;
                    const auto execution = run_interleaved<std::int64_t>(program, actors);
                    ASSERT_EQ(execution.product.data, expected.data) << chips << ' ' << tile << ' ' << seed;
                    ASSERT_TRUE(execution.copies_agree);
                    ASSERT_EQ(execution.links, counted.links);
                    ASSERT_EQ(execution.fused.size(), 1U);
                    const FusedStores& stores = execution.fused.front();
                    ASSERT_TRUE(stores.every_entry_once && stores.nothing_left);
                    const DramTraffic& dram = counted.dram_per_chip;
                    ASSERT_THAT(two_bytes_each(stores.stored), Each(dram.of(DramSource::gemm_write)));
                    ASSERT_THAT(two_bytes_each(stores.read), Each(dram.of(DramSource::scatter_read)));
                    ASSERT_THAT(two_bytes_each(stores.updated), Each(dram.of(DramSource::scatter_write)));
                }
            }
        }
    }
}

/// An element is the sum of one own and one arriving number at every hop, in either order.
TEST(Fusion, GivesFloatsAlikeToTheLastBit) {
    const Program program = fused_program("t3", {16, 6, 24}, 8, 2);
    const auto first = run_interleaved<float>(program, {.seed = 1}).product.data;
    for (const Interleaving order : all_interleavings) {
        for (std::uint64_t seed = 2; seed < 30; ++seed) {
            ASSERT_EQ(run_interleaved<float>(program, {.interleaving = order, .seed = seed}).product.data,
                      first);
        }
    }
}

/// A tile sent with its first update, and updates onto what was in memory before, give a wrong product; a
/// tile that is sent out and stored here, too, shows in what DRAM gets.
TEST(Fusion, OfAFaultyTrackerIsFound) {
    const Program program = fused_program("t3", {16, 6, 16}, 8, 2);
    const auto right = run_interleaved<std::int64_t>(program, {}).product.data;
    EXPECT_NE(run_interleaved<std::int64_t>(program, {.fault = TrackerFault::threshold_of_one}).product.data,
              right);
    EXPECT_NE(run_interleaved<std::int64_t>(program, {.fault = TrackerFault::not_cleared}).product.data,
              right);
    const auto twice = run_interleaved<std::int64_t>(program, {.fault = TrackerFault::remote_stored_too});
    EXPECT_EQ(twice.product.data, right);
    EXPECT_THAT(two_bytes_each(twice.fused.front().stored),
                Each(count(program, on_one_way).dram_per_chip.of(DramSource::gemm_write) + 24));
}

/// A planted fault is found: two by the product; a tile that is kept, too, by the bytes of DRAM alone.
TEST(Fusion, WithAPlantedFaultIsNotVerified) {
    const Program program = fused_program("t3", {16, 6, 16}, 8, 2);
    const auto planted = [&](TrackerFault fault) {
        return verify(program, on_one_way, Numbers::integers, 3, {}, fault).value();
    };
    EXPECT_TRUE(planted(TrackerFault::none).correct);
    for (const TrackerFault fault : {TrackerFault::threshold_of_one, TrackerFault::not_cleared}) {
        EXPECT_FALSE(planted(fault).correct);
        EXPECT_GT(planted(fault).largest_error, 0);
    }
    const Verification kept = planted(TrackerFault::remote_stored_too);
    EXPECT_EQ(kept.largest_error, 0);
    EXPECT_FALSE(kept.as_counted);
    EXPECT_FALSE(kept.correct);
}

TEST(Fusion, IsVerifiedInAllInterleavings) {
    const Program program = fused_program("t3", {16, 6, 16}, 8, 2);
    for (const Numbers numbers : {Numbers::integers, Numbers::floats}) {
        const auto found = verify(program, on_one_way, numbers, 3);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->correct);
        ASSERT_EQ(found->fused.size(), 1U);
        EXPECT_EQ(found->fused.front().tiles_of_a_chip, 8 * 3); // 12 elements of a chunk in tiles of 4
        EXPECT_EQ(found->links, count(program, on_one_way).links);
        EXPECT_TRUE(found->as_counted);
        // The first chip ahead of all others tracks all of its 24 tiles but the first chunk's at once.
        EXPECT_EQ(found->fused.front().most_live_entries, 7 * 3);
    }
    EXPECT_TRUE(
        verify(fused_program("tp-ar", {16, 6, 16}, 8, 2), on_one_way, Numbers::integers, 3)->fused.empty());
}

} // namespace
} // namespace meshslice
