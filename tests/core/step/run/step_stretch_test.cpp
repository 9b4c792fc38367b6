#include "core/step/run/step_stretch.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// Two chips on a ring, 20 ps long. Each core multiplies from 8 to 16 (800 FLOP). Each forward link launches
/// from 0 to 2, synchronizes from 2 to 4 and transfers 100 B from 4 to 12; backward links do nothing.
GemmResult ring_of_two(Time start, std::int64_t copies) {
    const Torus torus = *Torus::create(std::vector<std::int32_t>{2});
    std::vector<Row> rows;
    std::vector<std::size_t> begins{0};
    std::vector<Interval> intervals;
    for (Chip chip = 0; chip < 2; ++chip) {
        rows.push_back({chip, true, Axis::vertical, Direction::forward});
        intervals.push_back({Time(8), Time(16), 0, 0, 1, Activity::compute});
        begins.push_back(intervals.size());
        rows.push_back({chip, false, Axis::vertical, Direction::forward});
        intervals.push_back({Time(0), Time(2), 0, 0, 0, Activity::launch});
        intervals.push_back({Time(2), Time(4), 0, 0, 0, Activity::sync});
        intervals.push_back({Time(4), Time(12), 0, 0, 0, Activity::transfer});
        begins.push_back(intervals.size());
        rows.push_back({chip, false, Axis::vertical, Direction::backward});
        begins.push_back(intervals.size());
    }
    GemmResult made;
    made.gemm.copies = copies;
    made.timeline = std::make_shared<const Timeline>(
        torus,
        std::vector<OperationLabel>{{"AG", "", Bytes(100), Bytes(100), Flop(0)},
                                    {"multiply", "", Bytes(0), Bytes(0), Flop(800)}},
        1, rows, begins, intervals, Time(20));
    made.usage = usage(*made.timeline);
    made.start = start;
    made.time = Time(20 * copies);
    return made;
}

Usage usage_of(std::int64_t compute, std::int64_t launch, std::int64_t sync, std::int64_t transfer,
               std::int64_t overlapped, std::int64_t exposed) {
    return {Time(compute), Time(launch),     Time(sync),   Time(transfer),
            Time(0),       Time(overlapped), Time(exposed)};
}

TEST(StepStretch, OfAWholeRunIsTheRun) {
    const GemmResult one = ring_of_two(Time(0), 1);
    const StretchUse use = stretch_use(*one.timeline, {Time(0), Time(20)});
    EXPECT_EQ(use.usage, one.usage);
    EXPECT_EQ(use.usage,
              usage_of(8, 2, 2, 8, 4, 12)); // 8 to 12 ps of the transfer run under the multiplication
    // 12 of 20 ps on the forward links, nothing on the backward ones.
    EXPECT_EQ(use, (StretchUse{Time(20), one.usage, Time(6), Bytes(200), Flop(1600)}));
    EXPECT_EQ(stretch_use(*one.timeline, {Time(-5), Time(99)}), use) << "only what the run covers counts";
    EXPECT_EQ(stretch_use(*one.timeline, {Time(30), Time(40)}), StretchUse{});
}

/// From 3 to 10 ps: half of the synchronization, 6 of 8 ps of the transfer, so 75 of 100 B, and 2 of 8 ps of
/// the multiplication, so 200 of 800 FLOP, all of it over the transfer. The core waits from 3 to 8.
TEST(StepStretch, CutsWhatIsUnderWayAtAnEdge) {
    const GemmResult one = ring_of_two(Time(0), 1);
    const StretchUse use = stretch_use(*one.timeline, {Time(3), Time(10)});
    EXPECT_EQ(use.usage, usage_of(2, 0, 1, 6, 2, 5));
    EXPECT_EQ(use.length, Time(7));
    EXPECT_EQ(use.moved, Bytes(150));
    EXPECT_EQ(use.flop, Flop(400));
    EXPECT_EQ(use.links_busy, Time(4)); // half of 7, rounded
    EXPECT_EQ(busy_times(*one.timeline, {Time(3), Time(10)}),
              (std::vector<Time>{Time(2), Time(7), Time(0), Time(2), Time(7), Time(0)}));
}

/// Three copies from 0 to 60 ps, then another GEMM to 80. From 10 ps on: of the first copy the multiplication
/// from 10 to 16 and 2 ps of the transfer, and the two others as a whole.
TEST(StepStretch, AddsUpCopiesAndGemms) {
    TrainingStep step;
    step.gemms = {ring_of_two(Time(0), 3), ring_of_two(Time(60), 1)};
    step.time = Time(80);
    const StepStretch cut = step_stretch(step, {Time(10), Time(50)});
    EXPECT_EQ(cut.use.length, Time(40));
    // 10 to 20 of the first, all of the second, 0 to 10 of the third.
    EXPECT_EQ(cut.use.usage, usage_of(6 + 8 + 2, 0 + 2 + 2, 0 + 2 + 2, 2 + 8 + 6, 2 + 4 + 2, 4 + 12 + 8));
    EXPECT_EQ(cut.use.moved, Bytes(2 * (25 + 100 + 75)));
    EXPECT_EQ(cut.use.flop, Flop(2 * (600 + 800 + 200)));
    EXPECT_DOUBLE_EQ(cut.multiply_share(), 16.0 / 40);
    EXPECT_DOUBLE_EQ(cut.hidden_share(), 8.0 / 24);

    const StepStretch all = step_stretch(step, {Time(0), Time(1000)});
    EXPECT_EQ(all.use, stretch_use(*step.gemms[0].timeline, {Time(0), Time(20)}) * 4);
    EXPECT_EQ(all.estimated, Time(0));
}

TEST(StepStretch, SaysWhatWasOnlyEstimated) {
    TrainingStep step;
    step.gemms = {ring_of_two(Time(0), 1), ring_of_two(Time(20), 1)};
    step.gemms[1].timeline = nullptr;
    step.time = Time(40);
    const StepStretch made = step_stretch(step, {Time(10), Time(35)});
    EXPECT_EQ(made.use.length, Time(10));
    EXPECT_EQ(made.estimated, Time(15));
    EXPECT_EQ(step_stretch(step, {Time(50), Time(60)}), StepStretch{});
    EXPECT_EQ(StepStretch{}.hidden_share(), 1.0);
    EXPECT_EQ(StepStretch{}.multiply_share(), 0.0);
}

TEST(StepStretch, IsARowOfATableForEachStep) {
    TrainingStep step;
    step.algorithm = "meshslice";
    step.gemms = {ring_of_two(Time(0), 1)};
    step.time = Time(20);
    const auto table = [&](const std::vector<TrainingStep>& steps) {
        const Stretch within{Time(0), Time(20)};
        return stretch_table(steps, within, step_stretches(steps, within));
    };
    const Table one = table({step});
    ASSERT_EQ(one.rows.size(), 1u);
    ASSERT_EQ(one.rows[0].size(), one.columns.size());
    EXPECT_EQ(one.columns.front(), "algorithm");
    EXPECT_EQ(one.rows[0][4], Table::Cell(8.0 / 20));
    EXPECT_EQ(one.rows[0][6], Table::Cell(std::int64_t{200}));
    step.variant = "A (half the links)";
    EXPECT_EQ(table({step, step}).columns.front(), "variant");
}

} // namespace
} // namespace meshslice
