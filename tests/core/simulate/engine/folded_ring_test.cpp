// Rings folded onto lines whose closing link is missing.

#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/execute/verify.h"
#include "core/simulate/engine/simulate.h"
#include "core/step/training_step.h"
#include "core/torus/routes.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

Torus line_of(std::int32_t chips, bool folded) {
    return *Torus::create(std::vector<TorusAxis>{{1, true, false}, {chips, true, folded}});
}

/// Links only: launches and multiplications take no time.
Machine links_only(Time sync) {
    Machine hardware = round_hardware();
    hardware.sync.value = sync;
    hardware.launch = {};
    hardware.peak[DataType::bf16].value = FlopRate(1e18);
    return hardware;
}

Program gather(const Torus& torus) {
    return written("collective", {4000, 4, 4000}, Dataflow::OS, torus);
}

Time lasts(const Program& program, const Machine& hardware, RingMode mode) {
    Schedule schedule;
    schedule.ring = mode;
    schedule.chip = ChipModel::constant_rate;
    return (*simulate(program, hardware, schedule))->end();
}

constexpr Time the_product = Time(32); // 4000 x 1 x 4000 on each of four chips: 32 MFLOP at 10^18 FLOP/s

/// Four chips, shards of 8 MB at 10^9 B/s. One way round the backward links are idle: the chunk that goes
/// home over three of them has them to itself, so the folded ring is as fast as a closed one, 3 x 8 ms.
TEST(FoldedRing, OneWayTheWayHomeIsFree) {
    const Machine hardware = links_only(Time(0));
    EXPECT_EQ(lasts(gather(line_of(4, false)), hardware, RingMode::one_way), seconds(24e-3) + the_product);
    EXPECT_EQ(lasts(gather(line_of(4, true)), hardware, RingMode::one_way), seconds(24e-3) + the_product);
}

/// Both ways every link carries its own half chunk and one that goes home: each gets half the bandwidth, and
/// every step lasts 8 ms instead of 4.
TEST(FoldedRing, BothWaysEveryLinkIsSharedByTwo) {
    const Machine hardware = links_only(Time(0));
    EXPECT_EQ(lasts(gather(line_of(4, false)), hardware, RingMode::both_ways), seconds(12e-3) + the_product);
    EXPECT_EQ(lasts(gather(line_of(4, true)), hardware, RingMode::both_ways), seconds(24e-3) + the_product);
}

/// The way home synchronizes on each of its three hops: its three sends, one after the other, end at 9 s + 3
/// t.
TEST(FoldedRing, EveryHopHomeSynchronizes) {
    const Machine hardware = links_only(seconds(1e-3));
    EXPECT_EQ(lasts(gather(line_of(4, true)), hardware, RingMode::one_way), seconds(33e-3) + the_product);
    Schedule schedule;
    schedule.chip = ChipModel::constant_rate;
    schedule.ring = RingMode::one_way;
    EXPECT_EQ(estimate(gather(line_of(4, true)), hardware, schedule).total, seconds(33e-3) + the_product);
}

/// What each transfer of a row lasts: the same for all.
Time each_transfer(const Timeline& timeline, const Row& wanted) {
    const auto row = std::ranges::find(timeline.rows(), wanted) - timeline.rows().begin();
    std::optional<Time> each;
    for (const Interval& interval : timeline.intervals(static_cast<std::size_t>(row))) {
        if (interval.activity == Activity::transfer) {
            EXPECT_EQ(interval.end - interval.start, each.value_or(interval.end - interval.start));
            each = interval.end - interval.start;
        }
    }
    return each.value_or(Time(-1));
}

/// Modelled tile by tile, every chip reads what it sends and writes what it receives. With an HBM of 4.5 x
/// 10^9 B/s the chunk of 8 MB that goes home gets all that its links carry, 10^9, if it is alone there; both
/// ways its half shares them. With 1.5 x 10^9 B/s one way leaves 0.75 x 10^9 each to what is sent and what is
/// received, and both ways 0.375 x 10^9, shared links or not.
TEST(FoldedRing, WhatSharesLinksIsHeldToWhatTheMemoryServes) {
    Machine hardware = links_only(Time(0));
    hardware.hbm_bandwidth.value = Bandwidth(4.5e9);
    Schedule one_way{DataType::bf16, RingMode::one_way, {}, ChipModel::tiled};
    Schedule both{DataType::bf16, RingMode::both_ways, {}, ChipModel::tiled};
    const Program program = gather(line_of(4, true));
    const Row home{3, false, Axis::horizontal, Direction::forward, true}; // That link is missing.
    const Row lone{0, false, Axis::horizontal, Direction::forward};
    const auto lasts_on = [&](const Row& row, const Schedule& schedule) {
        return each_transfer(**simulate(program, hardware, schedule), row);
    };
    EXPECT_EQ(lasts_on(home, one_way), seconds(8e6 / 1e9));
    EXPECT_EQ(lasts_on(lone, one_way), seconds(8e6 / 1e9));
    EXPECT_EQ(lasts_on(home, both), seconds(4e6 / 0.5e9));
    hardware.hbm_bandwidth.value = Bandwidth(1.5e9);
    EXPECT_EQ(lasts_on(home, one_way), seconds(8e6 / 0.75e9));
    EXPECT_EQ(lasts_on(home, both), seconds(4e6 / 0.375e9));
    EXPECT_EQ(lasts_on(lone, both), seconds(4e6 / 0.375e9));
    // The closed form knows both: 3 steps of all that the gather takes.
    const auto transfers = [&] { return estimate(program, hardware, both).transfer; };
    EXPECT_EQ(transfers(), 3 * seconds(4e6 / 0.375e9));
    hardware.hbm_bandwidth.value = Bandwidth(4.5e9);
    EXPECT_EQ(transfers(), 3 * seconds(4e6 / 0.5e9));
}

/// The closed form counts the bytes that go home and those of the links themselves as sharing the links for
/// as long as both last: not to the picosecond.
TEST(FoldedRing, TheEstimateIsNearTheSimulation) {
    int runs = 0;
    for (const Torus& torus :
         {line_of(4, true), *Torus::create(std::vector<TorusAxis>{{4, true, true}, {4, true, true}}),
          *Torus::create(std::vector<TorusAxis>{{3, true, true}, {4, true, false}})}) {
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : all_dataflows) {
                const auto program = algorithm.write({720, 720, 720}, dataflow, torus,
                                                     {takes(algorithm, OptionId::slices) ? 3 : 1, 2});
                if (!program) {
                    continue;
                }
                const auto timeline = simulate(*program, round_hardware(), {});
                ASSERT_TRUE(timeline) << algorithm.id;
                const double took = in_seconds((*timeline)->end());
                EXPECT_NEAR(in_seconds(estimate(*program, round_hardware(), {}).total), took, 0.05 * took)
                    << algorithm.id << ' ' << name(dataflow) << ' ' << shape_text(torus);
                ++runs;
            }
        }
    }
    EXPECT_GE(runs, 12);
}

/// What goes home is counted on the links that it crosses: on a line of 4 the forward links carry 3 whole
/// chunks of 8 MB one way, and so do the backward ones.
TEST(FoldedRing, CountsBytesWhereTheyTravel) {
    Schedule one_way;
    one_way.ring = RingMode::one_way;
    for (const LinkTraffic& traffic : count(gather(line_of(4, true)), one_way).links) {
        const bool missing = line_of(4, true).missing(traffic.link);
        if (traffic.link.axis == Axis::horizontal) {
            EXPECT_EQ(traffic.bytes, missing ? Bytes(0) : Bytes(24'000'000)) << traffic.link.chip;
        }
    }
}

/// Algorithms that need rings run on a mesh without wrap-around, where they are refused on lines; the result
/// is right, and slower than on a torus.
TEST(FoldedRing, LetsRingAlgorithmsRunOnLines) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{1800, 1800, 1800}, Dataflow::OS};
    scenario.mesh = {3, 3};
    for (const char* id : {"cannon", "wang", "1d-tp"}) {
        scenario.wraps = {true, true, true};
        scenario.folded = false;
        const auto torus = training_step(scenario, id, Depth::simulate);
        scenario.wraps = {false, false, true};
        const auto line = training_step(scenario, id, Depth::simulate);
        scenario.folded = true;
        const auto folded = training_step(scenario, id, Depth::simulate);
        ASSERT_TRUE(torus && folded) << id;
        EXPECT_FALSE(line) << id;
        EXPECT_GT(folded->time, torus->time) << id;
    }
}

/// 3 x 3 chips in a mesh: no closed walk leads through all of them, but one leads through from end to end.
TEST(FoldedRing, GoesToAndFroWhereNoWalkComesHome) {
    const Torus mesh = *Torus::create(std::vector<TorusAxis>{{3, true, true}, {3, true, true}});
    EXPECT_FALSE(ring_through(mesh));
    const auto walk = walk_through(mesh);
    ASSERT_TRUE(walk);
    EXPECT_TRUE(walk->folded);
    EXPECT_EQ(walk->chips, (std::vector<Chip>{0, 1, 2, 5, 4, 3, 6, 7, 8}));
    // On 4 x 3 it comes home over the existing links.
    EXPECT_FALSE(
        walk_through(*Torus::create(std::vector<TorusAxis>{{4, true, true}, {3, true, true}}))->folded);
}

/// Any dead link cuts a line onto which a ring is folded; a missing link cannot be slow.
TEST(FoldedRing, HasNoLinkToLose) {
    const Torus torus = line_of(4, true);
    EXPECT_EQ(conditions(torus, {{*parse_fault("0,1 east dead")}, {}, 1}).error().sentence,
              "The east link of chip 0,1 is dead, and a ring folded onto a line has no other way "
              "round: the torus is cut.");
    EXPECT_THAT(conditions(torus, {{*parse_fault("0,3 east 50%")}, {}, 1}).error().sentence,
                HasSubstr("does not have"));
    EXPECT_TRUE(conditions(torus, {{*parse_fault("0,1 east 50%")}, {}, 1}));
    EXPECT_EQ(row_name(torus, {3, false, Axis::horizontal, Direction::forward}), "chip 0,3  west links back");
}

} // namespace
} // namespace meshslice
