#include "core/estimate/estimate.h"
#include "core/estimate/walk/chip_by_chip.h"
#include "core/machine/catalogue.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// One element a chip, so that all that counts is launches of 5 us and synchronizations of 1 us.
Machine slow_launches() {
    Machine hardware = round_hardware();
    hardware.launch[Collective::send_receive].value = seconds(5e-6);
    return hardware;
}
Torus folded_square(std::int32_t side) {
    return *Torus::create({{side, true, true}, {side, true, true}});
}
constexpr Schedule by_flop{DataType::bf16, RingMode::both_ways, {1}, ChipModel::constant_rate};

/// OS on 4 x 4: A of row 2 moves 2 hops, each of which waits for 3 synchronizations on the way home; then
/// come 3 shifts by one, launched each, of which the chips at the ends of the row wait 3 us, too: 5 + 2 x 3 +
/// 3 x (5 + 3) = 35 us. Nobody has longer to go, for the rows of the longest way are not the end of a column.
TEST(ChipByChip, AFoldedRingIsLateAtItsEnds) {
    const Program program = written("cannon", {4, 4, 4}, Dataflow::OS, folded_square(4));
    ASSERT_TRUE(differs_by_chip(program));
    const Estimate found = estimate(program, slow_launches(), by_flop);
    EXPECT_NEAR(in_seconds(found.total), 35e-6, 0.1e-6);
    EXPECT_NEAR(in_seconds((*simulate(program, slow_launches(), by_flop))->end()), 35e-6, 0.1e-6);
    EXPECT_EQ(found.prologue + found.steady * (program.iterations - 1) + found.epilogue, found.total);
}

/// The way out is longest for the middle column and the way home for a row near the middle: chips that no
/// chunk of the other meets in time.
TEST(ChipByChip, TheWayOutAndTheWayHomeAreLongestOnDifferentChips) {
    for (const Dataflow dataflow : {Dataflow::LS, Dataflow::RS}) {
        for (const std::int32_t side : {3, 4, 6, 8}) {
            const Program program = written("cannon", {48, 48, 48}, dataflow, folded_square(side));
            const Time found = estimate(program, slow_launches(), by_flop).total;
            const Time simulated = (*simulate(program, slow_launches(), by_flop))->end();
            EXPECT_NEAR(in_seconds(found) / in_seconds(simulated), 1, 0.01) << name(dataflow) << side;
        }
    }
}

/// SendRecvs of next to nothing, both ways round a folded ring of 4: 3 of them, launched each in 5 us, wait
/// for the chunk that crosses 3 links on its way home: 3 x (5 + 3) = 24 us at the ends.
TEST(ChipByChip, SendRecvsAreLateAtTheEnds) {
    const Torus ring = *Torus::create(std::vector<TorusAxis>{{4, true, true}});
    for (const Dataflow dataflow : all_dataflows) {
        const Program program = written("1d-tp", {8, 8, 8}, dataflow, ring);
        ASSERT_TRUE(differs_by_chip(program));
        const Time found = estimate(program, slow_launches(), by_flop).total;
        EXPECT_NEAR(in_seconds(found), 24e-6, 0.1e-6) << name(dataflow);
        const Time simulated = (*simulate(program, slow_launches(), by_flop))->end();
        EXPECT_NEAR(in_seconds(found) / in_seconds(simulated), 1, 0.01) << name(dataflow);
    }
}

/// Two chips: what goes home shares the only link of its direction from the first moment on, so that both
/// take twice as long. 8 MB each way, half of 16, over 1 GB/s: 16 ms instead of 8.
TEST(ChipByChip, TheWayHomeTakesHalfALink) {
    const Torus ring = *Torus::create(std::vector<TorusAxis>{{2, true, true}});
    const Program program = written("1d-tp", {4000, 8, 4000}, Dataflow::OS, ring);
    const Time found = estimate(program, slow_launches(), by_flop).total;
    const Time simulated = (*simulate(program, slow_launches(), by_flop))->end();
    EXPECT_NEAR(in_seconds(found) / in_seconds(simulated), 1, 0.01);
    EXPECT_NEAR(in_seconds(found), 16e-3, 0.5e-3);
}

/// Whether the core sets the pace or the way home does: in rings too long to be followed chip by chip, too.
TEST(ChipByChip, LongRingsKeepStepWhereTheCoreSetsThePace) {
    const Machine v5p = *machine_preset("tpu-v5p");
    const Schedule roofline{DataType::bf16, RingMode::both_ways, {1}, ChipModel::roofline};
    for (const char* const which : {"1d-tp", "fsdp"}) {
        for (const std::int32_t chips : {20, 32, 48, 64}) {
            const Torus ring = *Torus::create(std::vector<TorusAxis>{{chips, true, true}});
            for (const std::int64_t inner : {1, 4, 8, 16, 32}) {
                const GemmShape shape{960 * 16, 960 * 16, 960 * 8 * inner};
                for (const Dataflow dataflow : all_dataflows) {
                    const Program program = written(which, shape, dataflow, ring);
                    const Time found = estimate(program, v5p, roofline).total;
                    const Time simulated = (*simulate(program, v5p, roofline))->end();
                    EXPECT_NEAR(in_seconds(found) / in_seconds(simulated), 1, 0.05)
                        << which << ' ' << chips << ' ' << text(shape) << ' ' << name(dataflow);
                }
            }
        }
    }
}

TEST(ChipByChip, ElsewhereOneChipStandsForAll) {
    EXPECT_FALSE(differs_by_chip(written("cannon", {48, 48, 48}, Dataflow::LS, *Torus::create({4, 4}))));
    EXPECT_FALSE(differs_by_chip(written("meshslice", {48, 48, 48}, Dataflow::LS, folded_square(4))));
}

} // namespace
} // namespace meshslice
