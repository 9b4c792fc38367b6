#include "core/cost/traffic/memory_traffic.h"
#include "core/execute/rings/tracked_ring.h"
#include "tests/core/execute/small_operands.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

template <class Number>
TrackedOutcome<Number> run(const TrackedRing& ring) {
    const auto outcome = run_tracked_ring(ring, small_operand<Number>(ring.rows, ring.chips * ring.depth, 5),
                                          small_operand<Number>(ring.chips * ring.depth, ring.columns, 7));
    EXPECT_TRUE(outcome);
    return outcome.value_or(TrackedOutcome<Number>());
}

DenseMatrix<std::int64_t> expected(const TrackedRing& ring) {
    return product_by_hand(small_operand<std::int64_t>(ring.rows, ring.chips * ring.depth, 5),
                           small_operand<std::int64_t>(ring.chips * ring.depth, ring.columns, 7));
}

/// Tiles that divide a chunk and tiles that do not; chunks of one tile; chunks that are not alike.
std::vector<TrackedRing> rings() {
    std::vector<TrackedRing> all;
    for (const std::int32_t chips : {2, 3, 4, 8, 16}) {
        for (const std::int64_t tile : {1, 2, 3, 5, 100}) {
            all.push_back({chips, 2, 3 * chips, 2, tile});
        }
    }
    all.push_back({4, 3, 5, 3, 2}); // 15 elements in chunks of 3 and 4
    all.push_back({8, 1, 7, 1, 1}); // one chunk is empty
    return all;
}

/// Fifty seeds and four adversaries, staggered and not: always the same product, every entry complete once,
/// nothing on a link.
TEST(TrackedRing, IsExactWhateverTheInterleaving) {
    int runs = 0;
    for (TrackedRing ring : rings()) {
        const DenseMatrix<std::int64_t> product = expected(ring);
        for (const bool staggered : {true, false}) {
            ring.staggered = staggered;
            for (const Interleaving interleaving : all_interleavings) {
                ring.interleaving = interleaving;
                const std::uint64_t seeds = interleaving == Interleaving::seeded ? 50 : 2;
                for (ring.seed = 1; ring.seed <= seeds; ++ring.seed) {
                    const auto outcome = run<std::int64_t>(ring);
                    ASSERT_EQ(outcome.product, product) << ring.chips << ' ' << ring.tile << ' ' << ring.seed;
                    ASSERT_TRUE(outcome.every_entry_once && outcome.nothing_left) << ring.chips;
                    ++runs;
                }
            }
        }
    }
    EXPECT_EQ(runs, 27 * 2 * (50 + 4 * 2));
}

/// Of N chunks c of elements: N-1 stored, N-2 read, N-1 updated and N-1 sent by every chip, as is counted.
TEST(TrackedRing, MovesWhatIsCounted) {
    for (const std::int32_t chips : {2, 3, 4, 8, 16}) {
        const TrackedRing ring = {chips, 2, 3 * chips, 2, 4};
        const auto outcome = run<std::int64_t>(ring);
        const AllReducedGemm gemm = {
            {ring.rows, ring.columns, ring.depth}, chips, DataType::int8}; // a byte each
        const DramTraffic counted = dram_traffic(gemm, Reduction::fused);
        for (std::size_t chip = 0; chip < static_cast<std::size_t>(chips); ++chip) {
            EXPECT_EQ(static_cast<double>(outcome.stored[chip]), counted.of(DramSource::gemm_write));
            EXPECT_EQ(static_cast<double>(outcome.read[chip]), counted.of(DramSource::scatter_read));
            EXPECT_EQ(static_cast<double>(outcome.updated[chip]), counted.of(DramSource::scatter_write));
            EXPECT_EQ(outcome.sent[chip], (chips - 1) * 6);
        }
    }
}

/// An element is the sum of one own and one arriving number in either order, so floats come out bit for bit
/// alike, though not as another order of chips would have them.
TEST(TrackedRing, HasOneResultInFloatingPoint) {
    for (TrackedRing ring : {TrackedRing{4, 3, 8, 3, 2}, TrackedRing{8, 4, 8, 2, 3}}) {
        const auto first = run<float>(ring).product;
        for (const Interleaving interleaving : all_interleavings) {
            ring.interleaving = interleaving;
            for (ring.seed = 1; ring.seed <= 20; ++ring.seed) {
                ASSERT_EQ(run<float>(ring).product, first);
                ASSERT_EQ(run<double>(ring).product,
                          run<double>({ring.chips, ring.rows, ring.columns, ring.depth, ring.tile}).product);
            }
        }
    }
}

/// Sent with its first update a sum lacks a part; memory that was not cleared adds what was there; and a tile
/// that goes out and is kept, too, is in no product but in the bytes.
TEST(TrackedRing, FindsWhatIsDoneWrong) {
    for (const std::int32_t chips : {3, 4, 8}) {
        TrackedRing ring = {chips, 2, 2 * chips, 2, 2};
        ring.fault = TrackerFault::threshold_of_one;
        EXPECT_NE(run<std::int64_t>(ring).product, expected(ring)) << chips;
        ring.fault = TrackerFault::not_cleared;
        EXPECT_NE(run<std::int64_t>(ring).product, expected(ring)) << chips;
        ring.fault = TrackerFault::remote_stored_too;
        const auto outcome = run<std::int64_t>(ring);
        EXPECT_EQ(outcome.product, expected(ring));
        EXPECT_EQ(outcome.stored.front(), 4 * chips); // all of C, where (chips - 1) chunks are counted
    }
}

/// With links that deliver at once a chip has few entries: those that it has made and its neighbour has not.
/// Where one chip runs ahead, all that it tracks is live: every chunk but the first.
TEST(TrackedRing, TracksTheMoreTilesTheFurtherChipsDriftApart) {
    TrackedRing ring = {8, 8, 64, 1, 4}; // 128 tiles, 16 a chunk
    ring.interleaving = Interleaving::one_ahead;
    EXPECT_EQ(run<std::int64_t>(ring).most_live_entries, 128 - 16);
    EXPECT_EQ(run<std::int64_t>(ring).tiles_of_a_chip, 128);
}

TEST(TrackedRing, RefusesWhatIsNoRing) {
    const DenseMatrix<std::int64_t> one(1, 1);
    EXPECT_FALSE(run_tracked_ring({1, 1, 1, 1, 1}, one, one));
    EXPECT_FALSE(run_tracked_ring({2, 1, 1, 1, 0}, one, one));
}

} // namespace
} // namespace meshslice
