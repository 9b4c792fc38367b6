#include "core/simulate/engine/simulate.h"
#include "core/simulate/path/critical_path.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// On 2 x 2 chips, rows core, south, north, east, west of each: B travels south until 12 011 us, A east until
/// 8 011 us, then every core multiplies. So B's transfers and the multiplications have no slack, A's 4 ms,
/// and the synchronizations before them as much as their transfers. Alike chips are kept once.
TEST(RunSlack, IsWhatATransferCouldEndLater) {
    const Program program = written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
    const Conditions healthy = *conditions(program.torus, {});
    for (const Folding folding : {Folding::alike_chips, Folding::none}) {
        const auto timeline = *simulate(program, round_hardware(), {}, healthy, {}, folding);
        const RunSlack slack = run_slack(program, round_hardware(), {}, healthy, *timeline);
        ASSERT_EQ(slack.rows.size(), 20u);
        const auto of = [&](std::size_t row, std::size_t index) {
            return slack.rows[row].at(index).value_or(Time(-1));
        };
        EXPECT_EQ(of(0, 0), Time(0)) << "the core multiplies";
        EXPECT_EQ(of(1, 2), Time(0)) << "B's transfer";
        EXPECT_EQ(of(1, 1), Time(0));
        EXPECT_EQ(of(3, 2), Time(4'000'000'000)) << "A's transfer: 12 011 - 8 011 us";
        EXPECT_EQ(of(3, 1), Time(4'000'000'000));
        EXPECT_EQ(slack.rows[15].empty(), folding == Folding::alike_chips) << "chip 1,1 is like chip 0,0";
    }
}

TEST(RunSlack, FindsNothingWhenItIsStopped) {
    const Program program = written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
    const Conditions healthy = *conditions(program.torus, {});
    const auto timeline = *simulate(program, round_hardware(), {}, healthy);
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(
        run_slack(program, round_hardware(), {}, healthy, *timeline, source.get_token()).rows.empty());
}

} // namespace
} // namespace meshslice
