#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/drawn_run.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// On folded rings chunks share the links with what goes home, and not at the same times when a SendRecv is
/// launched for each; Cannon's skews and shifts are late where the link is missing, each on other chips, and
/// the closed form adds all of that up.
double within(const Algorithm& algorithm, RunKind kind) {
    const bool skews = algorithm.id == "cannon" || algorithm.id == "2.5d";
    const bool sends = algorithm.id == "wang" || algorithm.id == "1d-tp" || algorithm.id == "fsdp";
    return kind != RunKind::folded ? 0.05 : skews ? 0.3 : sends ? 0.1 : 0.05;
}

/// The closed form is near the simulation whatever the algorithm, the kind of ring and what else a user may
/// choose. tests/bench/estimate_table prints how near.
TEST(Estimate, IsWithinFivePercentOfTheSimulation) {
    std::size_t compared = 0;
    for (const Algorithm& algorithm : algorithms()) {
        for (const RunKind kind : all_run_kinds) {
            RunDice dice(7);
            int runs = 0;
            for (int tries = 0; runs < 14 && tries < 2000; ++tries) {
                const auto run = dice.run(algorithm, kind);
                if (!run || recorded_intervals(run->program, run->hardware, run->schedule) > 200'000) {
                    continue;
                }
                const auto timeline = simulate(run->program, run->hardware, run->schedule);
                if (!timeline) {
                    continue; // It would take too long.
                }
                const Time estimated = estimate(run->program, run->hardware, run->schedule).total;
                EXPECT_NEAR(in_seconds(estimated) / in_seconds((*timeline)->end()), 1,
                            within(algorithm, kind))
                    << run->words;
                ++runs;
            }
            compared += static_cast<std::size_t>(runs);
        }
    }
    EXPECT_GE(compared, 300u);
}

} // namespace
} // namespace meshslice
