#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/timeline.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

ActivityTimes summed(std::span<const Interval> intervals) {
    ActivityTimes sums{};
    for (const Interval& interval : intervals) {
        sums[static_cast<std::size_t>(interval.activity)] += interval.end - interval.start;
    }
    return sums;
}

/// A core that multiplies from 0 to 5 and from 7 to 10 ps, and is launched from 5 to 7.
TEST(Timeline, SumsUpWhatARowIsBusyWith) {
    const Timeline timeline(*Torus::create({1, 1}), {{"multiply", "", {}, {}, {}}}, 1, {{}}, {0, 3},
                            {{Time(0), Time(5), 0, 0, 0, Activity::compute},
                             {Time(5), Time(7), 0, 0, 0, Activity::launch},
                             {Time(7), Time(10), 0, 0, 0, Activity::compute}},
                            Time(10));
    EXPECT_EQ(timeline.busy(0), (ActivityTimes{Time(8), Time(2), Time(0), Time(0), Time(0)}));
    EXPECT_EQ(total(timeline.busy(0)), Time(10));
}

/// What a run adds up while it writes is what its rows say, alike chips or not, with copies or without.
TEST(Timeline, OfARunKeepsTheSumsOfItsIntervals) {
    const Program program =
        written("meshslice", {1280, 1280, 1280}, Dataflow::LS, *Torus::create({4, 4}), {4, 2});
    for (const ChipModel chip : {ChipModel::constant_rate, ChipModel::tiled}) {
        for (const Folding folding : {Folding::alike_chips, Folding::none}) {
            const Machine hardware = tiled_round_hardware(1000);
            Schedule schedule;
            schedule.chip = chip;
            const auto timeline = *simulate(program, hardware, schedule, {}, {}, folding);
            ASSERT_EQ(timeline->rows().size(), 16u * 5);
            for (std::size_t row = 0; row < timeline->rows().size(); ++row) {
                EXPECT_EQ(timeline->busy(row), summed(timeline->intervals(row))) << row;
                EXPECT_GT(total(timeline->busy(row)), Time(0)) << row;
            }
        }
    }
}

} // namespace
} // namespace meshslice
