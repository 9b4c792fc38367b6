#include "core/step/run/step_run.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// One GEMM on 2x2 chips in two slices.
TrainingStep small_step(std::int64_t copies = 1) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    scenario.plan.block = 4;
    scenario.plan.slices = 2;
    TrainingStep step = *training_step(scenario, "meshslice", Depth::simulate);
    step.gemms.front().gemm.copies = copies;
    return step;
}

/// Four chips, each with a core and four links; the bars of a lane are the intervals of its row.
TEST(StepRun, HasALaneForEachCoreAndLink) {
    const TrainingStep step = small_step();
    const StepRun run(step);
    const Timeline& timeline = *step.gemms.front().timeline;
    ASSERT_EQ(run.lane_count(), 20u);
    EXPECT_EQ(run.place_count(), 4u);
    EXPECT_EQ(run.lane(0).place, "chip 0,0");
    EXPECT_EQ(run.lane(0).name, "core");
    EXPECT_TRUE(run.lane(0).exposes);
    EXPECT_EQ(run.lane(19).place, "chip 1,1");
    EXPECT_FALSE(run.lane(19).exposes);
    EXPECT_EQ(run.slice_count(), timeline.interval_count());
    for (std::size_t lane = 0; lane < run.lane_count(); ++lane) {
        const std::vector<RunSlice> bars = slices(run, lane);
        ASSERT_EQ(bars.size(), timeline.intervals(lane).size());
        for (std::size_t k = 0; k < bars.size(); ++k) {
            EXPECT_EQ(bars[k].start, timeline.intervals(lane)[k].start);
            EXPECT_EQ(StepRun::bar(bars[k].item).index, k);
        }
    }
    EXPECT_EQ(run.reading(), RunReading::simulated);
    EXPECT_EQ(run.end(), step.time);
    EXPECT_FALSE(run.bound().empty());
}

/// From the most that a bar can say to a number.
TEST(StepRun, BarsSayWhichSliceTheyAreOf) {
    const TrainingStep step = small_step(1);
    const StepRun run(step);
    const Timeline& timeline = *step.gemms.front().timeline;
    ASSERT_GT(timeline.iterations(), 1);
    bool seen = false;
    for (const RunSlice& bar : slices(run, 0)) {
        const Interval& interval = run.interval(0, bar.item);
        const RunLabel label = run.label(0, bar.item);
        if (interval.activity == Activity::launch) {
            EXPECT_EQ(label.briefs, std::vector<std::string>{"launch"});
        } else if (interval.activity == Activity::compute && interval.iteration == 1) {
            const std::string all = std::to_string(timeline.iterations());
            EXPECT_EQ(label.briefs, (std::vector<std::string>{"slice 2 of " + all, "2"}));
            seen = true;
        }
    }
    EXPECT_TRUE(seen);
}

/// In a trace a bar stands alone: its name says the GEMM, what it does and which slice it is of, so that no
/// two multiplications of a core have one name, and no two steps of a link but those of one ring.
TEST(StepRun, EveryBarHasItsOwnName) {
    const TrainingStep step = small_step(1);
    const StepRun run(step);
    const std::string gemm = step.gemms.front().title();
    std::set<std::string> multiplications;
    for (const RunSlice& bar : slices(run, 0)) {
        const RunLabel label = run.label(0, bar.item);
        if (run.interval(0, bar.item).activity == Activity::compute) {
            EXPECT_TRUE(multiplications.insert(label.name).second) << label.name;
        }
    }
    EXPECT_EQ(multiplications, (std::set<std::string>{gemm + ", slice 1 of 2", gemm + ", slice 2 of 2"}));
    std::set<std::string> moved;
    for (std::size_t lane = 1; lane < 5; ++lane) {
        for (const RunSlice& bar : slices(run, lane)) {
            moved.insert(run.label(lane, bar.item).name);
        }
    }
    for (const char* each :
         {", gather A along the row, slice 1 of 2", ", gather B along the column, slice 2 of 2",
          ", gather A along the row, slice 2 of 2, sync"}) {
        EXPECT_TRUE(moved.contains(gemm + each)) << gemm << each;
    }
}

/// Copies repeat a timeline: they are seen, but not written.
TEST(StepRun, CopiesAreSeenButAreOnePart) {
    const TrainingStep step = small_step(3);
    const StepRun run(step);
    const std::size_t once = step.gemms.front().timeline->intervals(0).size();
    EXPECT_EQ(slices(run, 0).size(), 3 * once);
    ASSERT_EQ(run.parts().size(), 1u);
    EXPECT_EQ(run.parts()[0], (Stretch{Time(0), step.gemms.front().timeline->end()}));
    const auto last = slices(run, 0).back();
    EXPECT_EQ(StepRun::bar(last.item).piece, 2u);
    EXPECT_EQ(run.label(0, last.item).category, "compute");
}

/// However coarse the pixels are, no bar and no time is lost.
TEST(StepRun, MergedBarsKeepTheirNumberAndTime) {
    const TrainingStep step = small_step(40);
    const StepRun run(step);
    for (const double pixels : {3.0, 40.0, 1'000.0}) {
        for (const std::size_t lane : {0u, 1u}) {
            std::size_t count = 0;
            Time busy;
            run.visit(lane, {Time(0), run.end()}, static_cast<double>(run.end().value()) / pixels,
                      [&](std::span<const RunSlice> some) {
                          for (const RunSlice& one : some) {
                              count += one.count;
                              busy += one.busy;
                          }
                      });
            Time all;
            for (const RunSlice& one : slices(run, lane)) {
                all += one.busy;
            }
            EXPECT_EQ(count, slices(run, lane).size()) << pixels;
            EXPECT_EQ(busy, all) << pixels;
        }
    }
    EXPECT_NEAR(run.totals().of(Role::compute), 40 * 4 * in_seconds(step.gemms.front().usage.compute), 1e-9);
}

} // namespace
} // namespace meshslice
