#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/drawn_run.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

Time lasts(const DrawnRun& run, RingMode mode) {
    Schedule schedule = run.schedule;
    schedule.ring = mode;
    const auto timeline = simulate(run.program, run.hardware, schedule);
    return timeline ? (*timeline)->end() : Time(-1);
}

/// Half of the links are never faster than all of them. SUMMA's panels follow each other round the ring, so
/// it would show if using both directions kept chips busy for longer.
TEST(RingModes, StreamsBothWaysAreNeverSlowerThanOneWay) {
    const Algorithm& summa = **algorithm("summa");
    int compared = 0;
    for (const RunKind kind : {RunKind::closed, RunKind::open, RunKind::folded}) {
        RunDice dice(20250621);
        for (int tries = 0; tries < 400; ++tries) {
            const auto run = dice.run(summa, kind);
            if (!run || recorded_intervals(run->program, run->hardware, run->schedule) > 100'000) {
                continue;
            }
            const Time both = lasts(*run, RingMode::both_ways);
            const Time one = lasts(*run, RingMode::one_way);
            if (both < Time(0) || one < Time(0)) {
                continue; // refused
            }
            EXPECT_LE(in_seconds(both), in_seconds(one) * (1 + 1e-9)) << run->words;
            ++compared;
        }
    }
    EXPECT_GT(compared, 300);
}

/// A row of four chips, four panels of 16 kB, each in one packet: at 10^9 B/s and with a synchronization of 1
/// us a step lasts 17 us; the time of GEMMs is negligible. A chip that passes a panel on sends it a step
/// later than it got it, and launches the next one, for 10 us, only then.
/// - One way, root 0's goes over links 0-1, 1-2, 2-3 from 10 us on, in 3 steps. Chip 1 is free after 2 of
/// them,
///   but chip 2, which it sends to, after 3: roots follow each other every 3 steps and a launch. Root 3's own
///   begins 3 x (3 x 17 + 10) us after root 0's, and takes 3 steps: 10 + 183 + 51 = 244 us.
/// - Both ways, root 0's goes over links 0-1, 1-2 and 0-3, in 2 steps, and all are free after those: roots
///   follow every 2 steps and a launch: 10 + 3 x (2 x 17 + 10) + 34 = 176 us.
TEST(RingModes, PanelsFollowEachOther) {
    const Program program =
        written("summa", {8000, 4, 4}, Dataflow::OS, *Torus::create({1, 4}), {.slices = 1, .packets = 1});
    Machine hardware = round_hardware();
    hardware.peak[DataType::bf16].value = FlopRate(1e20);
    Schedule schedule;
    schedule.chip = ChipModel::constant_rate;
    const auto ends = [&](RingMode mode, Time by_hand) {
        schedule.ring = mode;
        const double simulated = in_seconds((*simulate(program, hardware, schedule))->end());
        EXPECT_NEAR(simulated, in_seconds(by_hand), 1e-9) << name(mode);
        EXPECT_NEAR(in_seconds(estimate(program, hardware, schedule).total), simulated, 1e-9) << name(mode);
    };
    ends(RingMode::one_way, us(244));
    ends(RingMode::both_ways, us(176));
}

} // namespace
} // namespace meshslice
