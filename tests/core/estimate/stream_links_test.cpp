#include "core/estimate/estimate.h"
#include "core/estimate/stream_links.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

Communication stream(Collective pattern, std::int32_t chips, bool closed, RingMode mode, std::int32_t root) {
    return {Axis::horizontal, RingSchedule::stream(pattern, chips, closed, mode, root, 4), 64};
}

/// From the root of a broadcast on, and to the root of a reduce: on a line to both ends, round a ring to each
/// chip by the shorter way, or all the way round.
TEST(StreamLinks, LeadFromTheRootOrToIt) {
    const Communication line = stream(Collective::broadcast, 5, false, RingMode::both_ways, 1);
    EXPECT_EQ(links_of_stream(line, Direction::forward), (StreamLinks{1, 3}));
    EXPECT_EQ(links_of_stream(line, Direction::backward), (StreamLinks{1, 1}));
    const Communication sums = stream(Collective::reduce, 5, false, RingMode::both_ways, 1);
    EXPECT_EQ(links_of_stream(sums, Direction::forward), (StreamLinks{0, 1}));
    EXPECT_EQ(links_of_stream(sums, Direction::backward), (StreamLinks{4, 3}));
    const Communication ring = stream(Collective::broadcast, 4, true, RingMode::both_ways, 3);
    EXPECT_EQ(links_of_stream(ring, Direction::forward), (StreamLinks{3, 2}));
    EXPECT_EQ(links_of_stream(ring, Direction::backward), (StreamLinks{3, 1}));
    const Communication one_way = stream(Collective::reduce, 4, true, RingMode::one_way, 3);
    EXPECT_EQ(links_of_stream(one_way, Direction::forward), (StreamLinks{0, 3}));
    EXPECT_EQ(links_of_stream(one_way, Direction::backward), (StreamLinks{0, 0}));
}

/// Eight panels on 8 x 2 chips: each row of chips owns one, each column four. Turn by turn the roots move on
/// by one row, and every fourth turn by a column. Of two panels a turn both move on by two rows.
TEST(StreamLinks, RootsMoveOnRoundTheirRings) {
    const auto moves = [](bool wraps, std::int64_t slices, std::int64_t turn, std::int64_t later) {
        const Torus torus = *Torus::create(std::vector<TorusAxis>{{8, wraps}, {2, true}});
        return move_of_roots(
            condensed(written("summa", {64, 64, 64}, Dataflow::OS, torus, {slices, 1, 2, {}})), turn, later);
    };
    EXPECT_EQ(moves(true, 8, 0, 1), (Move{1, 0, 0}));
    EXPECT_EQ(moves(true, 8, 3, 1), (Move{1, 1, 0}));
    EXPECT_EQ(moves(true, 8, 1, 4), (Move{4, 1, 0}));
    EXPECT_EQ(moves(true, 4, 0, 1), (Move{2, 0, 0}));
    EXPECT_EQ(moves(true, 4, 1, 1), (Move{2, 1, 0}));
    // On 8 x 2 chips in 32 turns they always do the same in sixteen, which are too many.
    const auto all_moves = [](const std::vector<std::int32_t>& sides, std::int64_t slices) {
        return moves_of_roots(condensed(
            written("summa", {64, 64, 64}, Dataflow::OS, *Torus::create(sides), {slices, 1, 2, {}})));
    };
    EXPECT_EQ(all_moves({8, 2}, 32).after, 1);
    EXPECT_EQ(all_moves({8, 8}, 8).after, 1);
    EXPECT_EQ(all_moves({8, 8}, 8).more, (std::vector<std::int64_t>{0, 6, 5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(all_moves({8, 8}, 16).after, 2); // A root has two panels.
    // The places of a line differ.
    EXPECT_EQ(moves(false, 8, 0, 1), std::nullopt);
}

/// Round closed rings turns soon are the one before them, some places further on, and are not followed one by
/// one; the simulation follows them all.
TEST(StreamLinks, TurnsThatAreRepeatedTakeWhatTheyTake) {
    for (const std::vector<std::int32_t>& sides :
         {std::vector<std::int32_t>{16, 4}, {2, 16}, {8, 8}, {6, 4}}) {
        const Torus torus = *Torus::create(sides);
        for (const std::int64_t prefetch : {0, 1, 2}) {
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                const Schedule schedule{DataType::bf16, ring, {prefetch}, ChipModel::constant_rate};
                for (const Dataflow dataflow : all_dataflows) {
                    for (const std::int64_t slices : {16, 48}) {
                        // Bound by links, and by the core.
                        for (const GemmShape& shape :
                             {GemmShape{384, 384, 384}, GemmShape{9216, 9216, 9216}}) {
                            const Program program =
                                written("summa", shape, dataflow, torus, {slices, 1, 2, {}});
                            ASSERT_TRUE(follows_streams(condensed(program)));
                            EXPECT_EQ(estimate(program, round_hardware(), schedule).total,
                                      (*simulate(program, round_hardware(), schedule))->end())
                                << shape_text(torus) << ' ' << name(dataflow) << ' ' << slices << ' '
                                << name(ring) << ' ' << prefetch << ' ' << shape.m;
                        }
                    }
                }
            }
        }
    }
}

/// Streams of both axes wait for each other: without a buffer to run ahead a chip multiplies before it takes
/// part in the streams of the next turn; with one or two it does so a turn or two later. Packet by packet the
/// simulation does just that.
TEST(StreamLinks, StreamsThatWaitForEachOtherAreFollowedToThePicosecond) {
    for (const std::int64_t prefetch : {0, 1, 2}) {
        for (const bool wraps : {true, false}) {
            const Torus torus = *Torus::create(std::vector<TorusAxis>{{4, wraps}, {6, wraps}});
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                const Schedule schedule{DataType::bf16, ring, {prefetch}, ChipModel::constant_rate};
                for (const Dataflow dataflow : all_dataflows) {
                    for (const std::int64_t slices : {1, 3, 12, 24}) {
                        const Program program =
                            written("summa", {96, 96, 96}, dataflow, torus, {slices, 1, 2, {}});
                        ASSERT_TRUE(follows_streams(condensed(program)));
                        EXPECT_EQ(estimate(program, round_hardware(), schedule).total,
                                  (*simulate(program, round_hardware(), schedule))->end())
                            << name(dataflow) << ' ' << slices << ' ' << name(ring) << ' ' << prefetch
                            << (wraps ? " rings" : " lines");
                    }
                }
            }
        }
    }
}

/// In long rings the waves take a tenth of the time and more. The turns that are not followed take as long as
/// the later ones that are; where memory is short, the waves are those of what it slows.
TEST(StreamLinks, WavesOfLongRingsAreInTheEstimate) {
    const Machine hardware = *machine_preset("tpu-v4-paper");
    for (const ChipModel chip : {ChipModel::constant_rate, ChipModel::tiled}) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            for (const std::int64_t slices : {16, 32, 64}) {
                const Schedule schedule{DataType::bf16, ring, {1}, chip};
                const Program program = written("summa", {262144, 49152, 12288}, Dataflow::OS,
                                                *Torus::create({32, 8}), {slices, 1, 4, {}});
                const double simulated = in_seconds((*simulate(program, hardware, schedule))->end());
                EXPECT_NEAR(in_seconds(estimate(program, hardware, schedule).total) / simulated, 1, 0.03)
                    << name(ring) << ' ' << slices;
            }
        }
    }
}

TEST(StreamLinks, AreNotFollowedAlongOneAxisOrWhereTheyAreTooMany) {
    const Torus torus = *Torus::create({4, 4});
    EXPECT_TRUE(follows_streams(condensed(written("summa", {96, 96, 96}, Dataflow::OS, torus))));
    EXPECT_FALSE(follows_streams(condensed(written("meshslice", {96, 96, 96}, Dataflow::OS, torus))));
    EXPECT_FALSE(
        follows_streams(condensed(written("summa", {96, 96, 96}, Dataflow::OS, *Torus::create({1, 16})))));
    // 64 x 64 chips pass on 64 panels of either matrix, or more.
    EXPECT_FALSE(follows_streams(
        condensed(written("summa", {4096, 4096, 4096}, Dataflow::OS, *Torus::create({64, 64})))));
}

} // namespace
} // namespace meshslice
