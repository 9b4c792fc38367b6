#include "core/cost/operation_cost.h"
#include "core/estimate/condensed.h"
#include "core/estimate/shared_memory.h"
#include "core/estimate/stages.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace meshslice {
namespace {

/// A gather and a multiplication, without data that passes between them, in a loop or once.
Program gather_and_multiply(std::int64_t iterations) {
    Program program;
    program.operations = {AllGather{0, 1, Axis::vertical, Dimension::rows}, Multiply{}};
    program.loop_end = iterations > 1 ? 2 : 0;
    program.iterations = iterations;
    return program;
}
const auto hundred = Bandwidth(100e9); // bytes/s of memory

/// The core moves 80 GB/s for 10 us. After 2 us the gather wants 60 GB/s of the 100 for 8 us, so that both
/// have 50. The gather is done 8 x 60 / 50 = 9.6 us later, at 11.6 us; meanwhile the core does 9.6 x 50 / 80
/// = 6 us of the 8 that are left, and the last 2 alone: 13.6 us.
TEST(SharedMemory, WhatWantsMoreThanItsFairPartIsSlowed) {
    const std::vector<Stages> all = {{{{us(2), us(8), 60e9, 1}}, {}, {}}, {{{{}, us(10), 80e9, 1}}, {}, {}}};
    const Program program = gather_and_multiply(1);
    ASSERT_TRUE(shares_memory(program, all, hundred));
    const LoopTime run = run_sharing_memory(program, all, {}, hundred);
    EXPECT_EQ(run.total, us(13.6));
    EXPECT_EQ(run.slowed, (std::array{us(1.6), us(0), us(0), us(3.6)}));
}

/// A link that carries 30 GB/s reads and writes each byte here: 60 GB/s of the memory, but a rate below that
/// of the core, which has the 40 GB/s that are left, half of what it wants. After 8 us the link is done, and
/// 4 of the core's 10 us: 14 us.
TEST(SharedMemory, ALinkTakesItsRateOfTheMemoryForEveryPassage) {
    const std::vector<Stages> all = {{{{{}, us(8), 30e9, 2}}, {}, {}}, {{{{}, us(10), 80e9, 1}}, {}, {}}};
    EXPECT_EQ(run_sharing_memory(gather_and_multiply(1), all, {}, hundred).slowed,
              (std::array{us(0), us(0), us(0), us(4)}));
}

/// The chip at the other end of the link moves 3 bytes for each that crosses it, so that the link and the
/// core fill its memory at 25 GB/s each and the link's 10 us take 12. Here the link takes no more than that,
/// and the core has 75 GB/s of the 80 that it wants: 11.25 of its 15 us meanwhile, the rest alone, 15.75 us.
TEST(SharedMemory, ATransferWaitsForTheBusierOfItsEnds) {
    const std::vector<Stages> all = {{{{{}, us(10), 30e9, 1, 3}}, {}, {}}, {{{{}, us(15), 80e9, 1}}, {}, {}}};
    ASSERT_TRUE(shares_memory(gather_and_multiply(1), all, hundred));
    EXPECT_EQ(run_sharing_memory(gather_and_multiply(1), all, {}, hundred).slowed,
              (std::array{us(2), us(0), us(0), us(0.75)}));
}

/// Half of a wait of 10 us others move something, as slowly as above: 6 us instead of 5. They take nothing of
/// the memory here.
TEST(SharedMemory, AWaitForOthersIsAsLongAsTheyAreSlow) {
    const std::vector<Stages> all = {{{{{}, us(1), 10e9, 1}}, us(10), us(10), {{}, {}, 30e9, 0, 3}, 0.5},
                                     {{{{}, us(15), 80e9, 1}}, {}, {}}};
    EXPECT_EQ(run_sharing_memory(gather_and_multiply(1), all, {}, hundred).slowed,
              (std::array{us(1), us(0), us(0), us(0)}));
}

/// Who passes packets on reads and writes each; of two chips one only sends them, reading a sum of two twice,
/// and the other only gets them. All but one of the chips get each packet.
TEST(SharedMemory, ChipsThatPassNothingOnMoveLess) {
    Machine hardware = round_hardware();
    hardware.output_tile.value = 128;
    const Schedule schedule{DataType::bf16, RingMode::one_way, {1}, ChipModel::tiled};
    const auto cost = [&](Dataflow dataflow, std::int32_t chips, std::int64_t packets) {
        const Program program =
            written("summa", {1024, 1024, 1024}, dataflow, *Torus::create({1, chips}), {1, 1, packets, {}});
        const auto stream = std::ranges::find_if(program.operations, [](const Operation& operation) {
            return place(operation) == Place::horizontal_links;
        });
        return operation_cost(program, *stream, hardware, schedule);
    };
    const OperationCost two = cost(Dataflow::OS, 2, 4);
    EXPECT_EQ(two.memory_each, 1);
    EXPECT_EQ(two.memory_mean, 1);
    const OperationCost sums_of_two = cost(Dataflow::LS, 2, 4);
    EXPECT_EQ(sums_of_two.memory_each, 2);
    EXPECT_EQ(sums_of_two.memory_mean, 1.5);
    const OperationCost ring = cost(Dataflow::LS, 4, 4);
    EXPECT_EQ(ring.memory_each, 3);
    EXPECT_EQ(ring.memory_mean, 3 * 0.75);
    EXPECT_EQ(cost(Dataflow::LS, 4, 1).memory_each, 2); // A single packet comes before it is passed on.
}

TEST(SharedMemory, NobodyIsSlowedWhereAllFits) {
    const std::vector<Stages> all = {{{{{}, us(8), 20e9, 1}}, {}, {}}, {{{{}, us(10), 80e9, 1}}, {}, {}}};
    EXPECT_FALSE(shares_memory(gather_and_multiply(1), all, hundred));
}

/// With two buffers the gather of a turn runs next to the multiplication of the turn before. Both have 50
/// GB/s: the gather takes 10 x 60 / 50 = 12 us, in which the core does 7.5 us of its 10; the other 2.5 it is
/// alone, because no buffer is free. A turn is 14.5 us; the first gather and the last multiplication are
/// alone, 10 us each.
TEST(SharedMemory, TurnsThatAreAlikeAreSkipped) {
    const std::vector<Stages> all = {{{{{}, us(10), 60e9, 1}}, {}, {}}, {{{{}, us(10), 80e9, 1}}, {}, {}}};
    const std::vector<Dependency> needs = {{0, 1, 0}, {1, 0, 2}};
    for (const std::int64_t turns : {2, 5, 1000}) {
        const LoopTime time = run_sharing_memory(gather_and_multiply(turns), all, needs, hundred);
        EXPECT_EQ(time.total, us(10) + us(14.5) * (turns - 1) + us(10)) << turns;
        EXPECT_EQ(time.steady, us(14.5));
        EXPECT_EQ(time.slowed[core_engine], us(4.5) * (turns - 1));
    }
}

/// On a closed ring of 64 a gather has 63 steps, taken 7 or 8 at a time, both ways: each byte that a link
/// carries is read once here and, from the other side, written. In the middle of a line of 4 the second of 4
/// chips sends and receives both ways; in the second step nothing more comes from the first; in the third it
/// passes on what came from the last.
TEST(SharedMemory, ManyStepsAreTakenTogether) {
    Machine hardware = round_hardware();
    hardware.output_tile.value = 128;
    const Schedule schedule{DataType::bf16, RingMode::both_ways, {1}, ChipModel::tiled};
    const auto gather = [&](const Torus& torus) {
        const CondensedProgram program =
            condensed(written("collective", {1024, 1024, 1024}, Dataflow::OS, torus));
        const OperationTimes times = operation_times(program, hardware, schedule);
        const std::vector<Stages> all = stages(program, times, hardware, schedule);
        const auto found = std::ranges::find_if(all, [](const Stages& one) { return one.stages.size() > 1; });
        Time sum = found->wait;
        for (const Stage& stage : found->stages) {
            sum += stage.before + stage.alone;
        }
        EXPECT_EQ(sum, times.first[static_cast<std::size_t>(found - all.begin())]);
        return found->stages;
    };
    const std::vector<Stage> ring = gather(*Torus::create({1, 64}));
    ASSERT_EQ(ring.size(), static_cast<std::size_t>(most_steps_apart));
    EXPECT_EQ(ring.front().weight, 4);
    const std::vector<Stage> line = gather(*Torus::create({{1}, {4, false}}));
    ASSERT_EQ(line.size(), 3u);
    EXPECT_EQ(line[0].weight, 4);
    EXPECT_EQ(line[1].weight, 3);
    EXPECT_EQ(line[2].weight, 1);
}

} // namespace
} // namespace meshslice
