// Axes of different bandwidth, simulated and estimated, worked by hand.

#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

/// On 2 x 2 chips B's gather, along the columns, moves half of a shard of 24 MB each way, A's, along the
/// rows, half of 1.6 MB; each takes 10 us to launch and 1 us to synchronize. The GEMM takes 9600 us.
Program collective_program() {
    return written("collective", {400, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
}

Machine turned(Machine hardware) {
    std::ranges::reverse(hardware.network.levels.front().axes);
    return hardware;
}

Time end(const Program& program, const Machine& hardware, Folding folding = Folding::alike_chips) {
    const auto timeline = simulate(program, hardware, {}, {}, {}, folding);
    EXPECT_TRUE(timeline);
    return timeline ? (*timeline)->end() : Time(0);
}

/// 12 MB at 1 GB/s: 12 000 us; at 4 GB/s: 3000 us. A's gather is over before, at 211 us or 811 us.
TEST(UnevenAxes, AGatherTakesTheTimeOfItsAxis) {
    const Time slow = seconds((11 + 12'000 + 9600) * 1e-6);
    const Time fast = seconds((11 + 3000 + 9600) * 1e-6);
    EXPECT_EQ(end(collective_program(), uneven_hardware()), slow);
    EXPECT_EQ(estimate(collective_program(), uneven_hardware(), {}).total, slow);
    EXPECT_EQ(end(collective_program(), turned(uneven_hardware())), fast);
    EXPECT_EQ(estimate(collective_program(), turned(uneven_hardware()), {}).total, fast);
    const Estimate both = estimate(collective_program(), uneven_hardware(), {});
    EXPECT_EQ(both.busy[0], seconds(12'011e-6));
    EXPECT_EQ(both.busy[1], seconds(211e-6));
}

/// On 1 x 2 chips A's shard has 3.2 MB and the GEMM takes 19 200 us. A link along the rows is dead: its half
/// of the shard goes the other way round, one hop between two chips, and shares the 4 GB/s there with the
/// other half: 800 us for both.
TEST(UnevenAxes, ADetourSharesTheLinksOfItsAxis) {
    const Program program = written("collective", {400, 6000, 8000}, Dataflow::OS, *Torus::create({1, 2}));
    const Conditions dead = *conditions(program.torus, Faults{{*parse_fault("0,0 east dead")}, {}, 1});
    const auto timeline = simulate(program, uneven_hardware(), {}, dead);
    ASSERT_TRUE(timeline);
    EXPECT_EQ((*timeline)->end(), seconds((11 + 800 + 19'200) * 1e-6));
}

TEST(UnevenAxes, ChipsAreAsAlikeAsOnEvenOnes) {
    const Program program =
        written("meshslice", {1600, 1600, 1600}, Dataflow::LS, *Torus::create({4, 4}), {4, 10});
    EXPECT_EQ(end(program, uneven_hardware()), end(program, uneven_hardware(), Folding::none));
    EXPECT_NE(end(program, uneven_hardware()), end(program, turned(uneven_hardware())));
}

} // namespace
} // namespace meshslice
