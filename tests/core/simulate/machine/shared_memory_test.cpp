#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/shared_memory.h"
#include "core/simulate/record/usage.h"
#include "core/step/training_step.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// 10 to share: a job that wants 1 gets it, the other two share 9; a job that wants more than its share is
/// held to it.
TEST(FairLevel, FillsFromBelow) {
    EXPECT_DOUBLE_EQ(fair_level(10, {1, 20, 20, 0}), 4.5);
    EXPECT_DOUBLE_EQ(fair_level(10, {1, 2, 3, 0}), 3);
    EXPECT_DOUBLE_EQ(fair_level(10, {20, 20, 20, 20}), 2.5);
}

/// 100 B/s. The core's 600 B would take 10 s (60 B/s). From 2 s on a copy wants all it can get: 50 each.
/// The core has 600 - 120 = 480 left: 9.6 s. The copy's 250 B end at 7 s; then 230 are left, at 60: 3.833 s.
TEST(SharedMemory, JobsGoOnMoreSlowlyTogether) {
    SharedMemory memory(Bandwidth(100), std::vector<LinkDemand>(1));
    memory.begin(Time(0), 0, core_engine, Bytes(600), seconds(10));
    EXPECT_EQ(memory.settle(Time(0)).front().at, seconds(10));
    memory.begin(seconds(2), 0, 0, Bytes(250), seconds(2.5));
    memory.settle(seconds(2));
    EXPECT_EQ(memory.ends(0, core_engine), seconds(11.6));
    EXPECT_EQ(memory.ends(0, 0), seconds(7));
    memory.end(seconds(7), 0, 0);
    memory.settle(seconds(7));
    EXPECT_EQ(memory.ends(0, core_engine), seconds(7 + 230.0 / 60));
}

/// A link that takes 70 of 100 B/s leaves 30 to a core that could use 60: half its pace. One that takes 20
/// does not slow it.
TEST(SharedMemory, LinksComeFirst) {
    SharedMemory memory(Bandwidth(100), std::vector<LinkDemand>(2));
    memory.begin(Time(0), 1, core_engine, Bytes(600), seconds(10));
    memory.links_take(Time(0), 1, 20);
    memory.settle(Time(0));
    EXPECT_EQ(memory.ends(1, core_engine), seconds(10));
    memory.links_take(seconds(5), 1, 50);
    memory.settle(seconds(5));
    EXPECT_EQ(memory.ends(1, core_engine), seconds(15));
    EXPECT_EQ(memory.ends(0, core_engine), Time(-1));
}

/// 100 B/s, and a core that uses 60: links can take 40 without any effect. With 70 the core is at half its
/// pace from 2 s to 4 s; when they take 40 again it is at its full pace. Of 10 s of work 2 + 1 are done by
/// then, so it ends 7 s later; that links take less from 5 s on changes nothing.
TEST(SharedMemory, AJobRecoversWhenLinksTakeLess) {
    SharedMemory memory(Bandwidth(100), std::vector<LinkDemand>(1));
    memory.begin(Time(0), 0, core_engine, Bytes(600), seconds(10));
    memory.settle(Time(0));
    memory.links_take(seconds(1), 0, 40);
    EXPECT_TRUE(memory.settle(seconds(1)).empty());
    memory.links_take(seconds(2), 0, 30);
    memory.settle(seconds(2));
    EXPECT_EQ(memory.ends(0, core_engine), seconds(18));
    memory.links_take(seconds(4), 0, -30);
    memory.settle(seconds(4));
    EXPECT_EQ(memory.ends(0, core_engine), seconds(11));
    memory.links_take(seconds(5), 0, -40);
    EXPECT_TRUE(memory.settle(seconds(5)).empty());
    EXPECT_EQ(memory.ends(0, core_engine), seconds(11));
}

/// A job that is visited at 20 s, as long as links take 50 of 100 B/s, and ends at 12 s because they stop at
/// 4 s: the visit at 20 s finds the next job, which begins at that moment, and does not end it.
TEST(SharedMemory, AVisitOfAnEarlierJobEndsNothing) {
    SharedMemory memory(Bandwidth(100), std::vector<LinkDemand>(1));
    memory.begin(Time(0), 0, 0, Bytes(1000), seconds(10));
    memory.links_take(Time(0), 0, 50);
    EXPECT_EQ(memory.settle(Time(0)).front().at, seconds(20));
    memory.links_take(seconds(4), 0, -50);
    EXPECT_EQ(memory.settle(seconds(4)).front().at, seconds(12));
    EXPECT_TRUE(memory.over(seconds(12), 0, 0));
    memory.end(seconds(12), 0, 0);
    memory.settle(seconds(12));
    memory.begin(seconds(20), 0, 0, Bytes(500), seconds(5));
    EXPECT_FALSE(memory.over(seconds(20), 0, 0));
    EXPECT_EQ(memory.settle(seconds(20)).front().at, seconds(25));
    EXPECT_TRUE(memory.over(seconds(25), 0, 0));
}

/// A job that is slowed after its visit was set is visited too early, and gets a new time for the next visit.
TEST(SharedMemory, AVisitThatComesTooEarlyIsRepeated) {
    SharedMemory memory(Bandwidth(100), std::vector<LinkDemand>(1));
    memory.begin(Time(0), 0, core_engine, Bytes(1000), seconds(10));
    EXPECT_EQ(memory.settle(Time(0)).front().at, seconds(10));
    memory.links_take(seconds(5), 0, 50); // half done at 5 s, the rest at half the pace
    EXPECT_TRUE(memory.settle(seconds(5)).empty());
    EXPECT_FALSE(memory.over(seconds(10), 0, core_engine));
    EXPECT_EQ(memory.settle(seconds(10)).front().at, seconds(15));
    EXPECT_TRUE(memory.over(seconds(15), 0, core_engine));
}

/// MeshSlice OS in 2 slices on a line of 2, (1000, 1000, 2000): each chip's GEMM of a slice, about 500
/// columns of C, is set against its links. Numbers: HBM 10^10 B/s, tiles of 1000, arrays of 100.
struct Case {
    Machine hardware = tiled_round_hardware(1000);
    Schedule schedule;

    Case() {
        hardware.hbm_bandwidth.value = Bandwidth(1e10);
        schedule.chip = ChipModel::tiled;
    }
};

std::span<const Interval> row(const Timeline& timeline, const Row& wanted) {
    const auto found = std::ranges::find(timeline.rows(), wanted);
    return timeline.intervals(static_cast<std::size_t>(found - timeline.rows().begin()));
}

/// Two columns of one row, S = 2, B = 8, M N K = 1000 x 2000 x 1600: A's slice on a chip is 1000 x 400, its
/// copy moves 0.8 MB in and out: 160 us at 10^10 B/s with no rival; then the gather launches.
TEST(MemoryContention, ASliceIsCopiedBeforeItsGather) {
    Case is;
    const Program program =
        written("meshslice", {1000, 2000, 1600}, Dataflow::OS, *Torus::create({1, 2}), {2, 8});
    const auto timeline = *simulate(program, is.hardware, is.schedule);
    const auto east = row(*timeline, {0, false, Axis::horizontal, Direction::forward});
    ASSERT_GE(east.size(), 8u);
    EXPECT_EQ(east[0].activity, Activity::copy);
    EXPECT_EQ(east[0].start, us(0));
    EXPECT_EQ(east[0].end, us(160));
    EXPECT_EQ(east[1].activity, Activity::launch);
    EXPECT_EQ(east[1].end, us(170));
    // 400 of 800 kB each way at 10^9 B/s, after 1 us of synchronization.
    EXPECT_EQ(east[3].activity, Activity::transfer);
    EXPECT_EQ(east[3].end, us(571));
    // The multiplication of slice 0 waits for all this. 1000 x 1000 x 800 is 1.6 ms of multiplying; in that
    // time it moves 3.2 MB of inputs and reads and writes 2 MB of C, 7.2 MB in all: the core needs 7.2 MB /
    // 1642 us = 4.38 GB/s (first strips 40 us, last tile 200 us: 1840 us, 3.91 GB/s). The second copy begins
    // with it and takes the other 6.09 GB/s, 1.6 MB in 262.8 us; then links read 2 x 10^9 and write as much:
    // there is enough for all.
    const auto core = row(*timeline, {0, true, Axis::vertical, Direction::forward});
    EXPECT_EQ(core[0].start, us(571));
    EXPECT_EQ(core[0].end, us(571 + 1840));
    EXPECT_EQ(east[4].activity, Activity::copy);
    EXPECT_EQ(east[4].start, us(571));
    EXPECT_NEAR(in_seconds(east[4].end - east[4].start), 1.6e6 / (1e10 - 7.2e6 / 1840e-6), 1e-12);
    EXPECT_EQ(usage(*timeline).copy, us(160) + (east[4].end - east[4].start));
}

/// The same with HBM of 7 x 10^9 B/s: alone the core takes 1600 us and, for 400 kB at its start and 2 MB at
/// its end, 1942.9 us in all, in which it wants 3.71 GB/s. While the copy runs each gets half, 3.5 GB/s: 1.6
/// MB last 457 us. Then both links send and receive, 4 GB/s in all, and leave the core 3 GB/s for the 400 us
/// of the transfer.
TEST(MemoryContention, WhatCopiesAndLinksCostTheCore) {
    Case is;
    is.hardware.hbm_bandwidth.value = Bandwidth(7e9);
    const Program program =
        written("meshslice", {1000, 2000, 1600}, Dataflow::OS, *Torus::create({1, 2}), {2, 8});
    const auto timeline = *simulate(program, is.hardware, is.schedule);
    const auto core = row(*timeline, {0, true, Axis::vertical, Direction::forward});
    const auto east = row(*timeline, {0, false, Axis::horizontal, Direction::forward});
    const double alone = 1600e-6 + 2.4e6 / 7e9;
    const double most = 7.2e6 / alone;
    const double copying = 1.6e6 / 3.5e9;
    const double moving = 400e-6;
    EXPECT_EQ(east[4].end - east[4].start, seconds(copying));
    const double done = (copying * 3.5e9 + moving * 3e9) / most; // of `alone`; launch and sync leave it alone
    EXPECT_NEAR(in_seconds(core[0].end - core[0].start), copying + moving + alone - done, 2e-12);
    EXPECT_EQ(core[1].end - core[1].start, seconds(alone)); // nothing runs next to the last
    // The closed form takes exactly this loop's overlap.
    const Estimate by = estimate(program, is.hardware, is.schedule);
    EXPECT_NEAR(in_seconds(by.total), in_seconds(timeline->end()), 1e-2 * in_seconds(by.total));
}

/// Sums of a reduce-scatter are read twice: 10^9 B/s both ways is 2 x 2 read + 2 written at each chip.
TEST(MemoryContention, SumsAreReadTwice) {
    Case is;
    const Program gather = written("collective", {400, 400, 400}, Dataflow::OS, *Torus::create({1, 2}));
    const Program scatter = written("collective", {400, 400, 400}, Dataflow::LS, *Torus::create({1, 2}));
    const auto reads = [&](const Program& program) {
        std::int64_t most = 0;
        for (const Operation& operation : program.operations) {
            most = std::max(most, operation_cost(program, operation, is.hardware, is.schedule).reads);
        }
        return most;
    };
    EXPECT_EQ(reads(gather), 1);
    EXPECT_EQ(reads(scatter), 2);
}

/// A memory that its links alone could fill holds them back: both ways of a gather, read and written, to 10^9
/// / 4 each, and both ways of a scatter, whose sums are read twice, to 10^9 / 6.
TEST(MemoryContention, LinksFasterThanTheMemoryAreHeldByIt) {
    Case is;
    is.hardware.hbm_bandwidth.value = Bandwidth(1e9);
    const Program program = written("collective", {400, 400, 400}, Dataflow::LS, *Torus::create({2, 2}));
    for (const Operation& operation : program.operations) {
        const OperationCost cost = operation_cost(program, operation, is.hardware, is.schedule);
        if (cost.reads > 0) {
            EXPECT_NEAR(cost.rate[0].value(), cost.reads == 1 ? 1e9 / 4 : 1e9 / 6, 1);
        }
    }
}

/// A gather on a ring of 2 whose memory of 1.5 x 10^9 B/s serves what the chip sends and what it receives:
/// 0.75 x 10^9 B/s each. A link at 80% of 10^9 is still faster than that; one at 50% is not.
TEST(MemoryContention, ASlowLinkIsAsSlowAsItIsNotSlowerThanTheMemory) {
    Case is;
    is.hardware.hbm_bandwidth.value = Bandwidth(1.5e9);
    is.schedule.ring = RingMode::one_way;
    const Torus torus = *Torus::create({1, 2});
    const Program program = written("collective", {400, 400, 400}, Dataflow::OS, torus);
    const auto lasts = [&](const char* fault) {
        const Faults faults{{*parse_fault(fault)}, {}, 1};
        const auto timeline = *simulate(program, is.hardware, is.schedule, *conditions(torus, faults));
        for (const Interval& interval : row(*timeline, {0, false, Axis::horizontal, Direction::forward})) {
            if (interval.activity == Activity::transfer) {
                return interval.end - interval.start;
            }
        }
        return Time(-1);
    };
    const double bytes = 400 * 200 * 2;
    EXPECT_EQ(lasts("0,0 east 80%"), seconds(bytes / 0.75e9));
    EXPECT_EQ(lasts("0,0 east 50%"), seconds(bytes / 0.5e9));
}

/// At a constant rate memory does not count, whatever the hardware says about it.
TEST(MemoryContention, IsNotForChipsOfConstantRate) {
    Case is;
    const Program program =
        written("meshslice", {1600, 1600, 1600}, Dataflow::LS, *Torus::create({2, 2}), {4, 8});
    is.schedule.chip = ChipModel::constant_rate;
    const auto before = *simulate(program, is.hardware, is.schedule);
    is.hardware.hbm_bandwidth.value = Bandwidth(1e7);
    EXPECT_EQ(*before, **simulate(program, is.hardware, is.schedule));
    EXPECT_EQ(usage(*before).copy, Time(0));
}

/// Tile by tile, too, alike chips behave alike, bytes arrive as counted, and estimate and simulation agree
/// where nothing is short of memory; the simulation is never below the core's own time.
TEST(MemoryContention, HoldsForEveryAlgorithm) {
    Case is;
    is.hardware.hbm_bandwidth.value = Bandwidth(2e10);
    int runs = 0;
    for (const Torus& torus : {*Torus::create(std::vector<std::int32_t>{4}), *Torus::create({4, 4}),
                               *Torus::create({{2, true}, {4, false}}), *Torus::create({4, 4, 2})}) {
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : all_dataflows) {
                const auto program = algorithm.write({1280, 1280, 1280}, dataflow, torus,
                                                     {takes(algorithm, OptionId::slices) ? 4 : 1, 2});
                if (!program) {
                    continue;
                }
                ++runs;
                const auto folded = simulate(*program, is.hardware, is.schedule);
                const auto full = simulate(*program, is.hardware, is.schedule, {}, {}, Folding::none);
                ASSERT_TRUE(folded && full) << algorithm.id;
                EXPECT_EQ(**folded, **full) << algorithm.id << ' ' << name(dataflow);
                // A core's GEMMs one after the other, each at least as long as by itself.
                Time alone;
                for (OperationId id = 0; id < program->operations.size(); ++id) {
                    alone +=
                        operation_cost(*program, program->operations[id], is.hardware, is.schedule).compute *
                        program->runs(id);
                }
                EXPECT_GE((*folded)->end(), alone) << algorithm.id;
                EXPECT_GE(usage(**folded).compute, alone) << algorithm.id;
            }
        }
    }
    EXPECT_GE(runs, 30);
}

/// A memory serves no more than its bandwidth: contention makes GPT-3 on 32 x 8 slower, never faster.
TEST(MemoryContention, AWholeStepIsSlowerAndTheEstimateKeepsUp) {
    Scenario scenario = default_scenario();
    scenario.assume.schedule.chip = ChipModel::tiled;
    const auto step = *training_step(scenario, "meshslice", Depth::simulate);
    EXPECT_GT(step.usage.copy, Time(0));
    EXPECT_NEAR(step.estimated_utilization, step.utilization, 0.01);
    scenario.hardware.hbm_bandwidth.value = Bandwidth(6e11);
    const auto starved = *training_step(scenario, "meshslice", Depth::simulate);
    EXPECT_LT(starved.utilization, step.utilization - 0.05);
}

} // namespace
} // namespace meshslice
