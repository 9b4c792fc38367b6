#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/view/timeline_table.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(StepRuns, LaysProductsEndToEnd) {
    const StepRuns runs = runsOf(handMadeResults(true));
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(wholeOf(runs), (TimeRange{Time(0), microseconds(300)})); // of the slower algorithm
    ASSERT_EQ(runs[0]->pieces().size(), 2u);
    EXPECT_EQ(runs[0]->pieces()[1].start, microseconds(100));
    EXPECT_EQ(runs[1]->pieces()[1].start, microseconds(150));
    EXPECT_EQ(runs[0]->rows().size(), 20u); // four chips: a core and four links each
    EXPECT_EQ(runs[0]->piece_at(microseconds(99)), 0u);
    EXPECT_EQ(runs[0]->piece_at(microseconds(100)), 1u);
    EXPECT_EQ(runs[0]->piece_at(microseconds(200)), std::nullopt);
}

TEST(StepRuns, RepeatsCopies) {
    auto results = std::make_shared<Results>(*handMadeResults());
    results->steps[0].gemms[0].gemm.copies = 3;
    results->steps[0].gemms[0].time = microseconds(300);
    results->steps[0].gemms[1].start = microseconds(300);
    results->steps[0].time = microseconds(400);
    const StepRuns runs = runsOf(results);
    ASSERT_EQ(runs[0]->pieces().size(), 4u);
    EXPECT_EQ(runs[0]->pieces()[2].start, microseconds(200));
    EXPECT_EQ(runs[0]->pieces()[2].copy, 2);
    EXPECT_EQ(rangeOf(runs, {0, 0, {}, {}}), (TimeRange{Time(0), microseconds(300)}));
    // The multiplication of the third copy is not that of the first.
    EXPECT_EQ(rangeOf(runs, {0, 0, 0, 1, 2}), (TimeRange{microseconds(242), microseconds(290)}));
    EXPECT_EQ(rangeOf(runs, {0, 0, 0, 1}), (TimeRange{microseconds(42), microseconds(90)}));
    EXPECT_EQ(StepRun::bar(barOf(runs, {0, 0, 0, 1, 2})->item).piece, 2u);
    EXPECT_FALSE(exists(runs, {0, 0, 0, 1, 3}));
    const std::optional<RunSlice> third = bar_from(*runs[0], 0, 0, microseconds(245) + Time(1));
    EXPECT_EQ(selectedBar(runs, 0, 0, third->item), (Selected{0, 0, 0, 1, 2}));
    // Its waits: before the launch at 40 us and after the multiplication.
    EXPECT_EQ(rangeOf(runs, selectedWait(runs, 0, 0, 2, 0)),
              (TimeRange{microseconds(200), microseconds(240)}));
    EXPECT_EQ(rangeOf(runs, selectedWait(runs, 0, 0, 2, 2)),
              (TimeRange{microseconds(290), microseconds(300)}));
    EXPECT_FALSE(barOf(runs, selectedWait(runs, 0, 0, 2, 0)));
    EXPECT_EQ(rangeOf(runs, {0, 0, 1, 3, 0, true}), std::nullopt); // a link does not wait
}

TEST(StepRuns, LooksIntoARange) {
    const StepRuns runs = runsOf(handMadeResults());
    // The core of chip 0 between 80 and 150 us: multiplies to 90, and again from 142; launches 140-142.
    const LaneUse found = use_in(*runs[0], 0, {microseconds(80), microseconds(150)});
    EXPECT_EQ(found.count, 3u);
    EXPECT_EQ(found.busy, microseconds(10 + 2 + 8));
    ASSERT_TRUE(found.longest.has_value());
    EXPECT_EQ(found.longest->start, microseconds(42));
    EXPECT_EQ(use_in(*runs[0], 3, {Time(0), microseconds(200)}).count, 0u); // the east link rests
}

TEST(StepRuns, StepsAcrossProducts) {
    const StepRuns runs = runsOf(handMadeResults());
    const std::optional<RunSlice> first = bar_from(*runs[0], 1, 0, Time(0) + Time(1));
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->end, microseconds(10));
    Selected selected = selectedBar(runs, 0, 1, first->item);
    EXPECT_FALSE(neighbour(runs, selected, false));
    std::optional<RunSlice> at = first;
    for (int k = 0; k < 3; ++k) {
        at = neighbour(runs, selected, true);
        ASSERT_TRUE(at.has_value());
        selected = selectedBar(runs, 0, 1, at->item);
    }
    EXPECT_EQ(StepRun::bar(at->item).piece,
              1u); // after launch, synchronization, transfer: the next GEMM's launch
    EXPECT_EQ(at->start, microseconds(100));
    at = neighbour(runs, selected, false);
    EXPECT_EQ(StepRun::bar(at->item).index, 2u);
    EXPECT_EQ(StepRun::bar(at->item).piece, 0u);
}

/// A wait stands between the bar before it and the one that ends it.
TEST(StepRuns, StepsFromAWait) {
    const StepRuns runs = runsOf(handMadeResults());
    const Selected second = selectedWait(runs, 0, 0, 1, 0); // of the core, before the second GEMM's launch
    EXPECT_EQ(neighbour(runs, second, true)->start, microseconds(140));
    EXPECT_EQ(neighbour(runs, second, false)->end, microseconds(90));
    EXPECT_FALSE(neighbour(runs, selectedWait(runs, 0, 0, 1, 2), true));
}

TEST(StepRuns, KnowsWhatIsNotThere) {
    const StepRuns runs = runsOf(handMadeResults());
    EXPECT_TRUE(exists(runs, {0, 1, {}, {}}));
    EXPECT_FALSE(exists(runs, {1, 0, {}, {}}));
    EXPECT_FALSE(exists(runs, {0, 2, {}, {}}));
    EXPECT_FALSE(exists(runs, {0, 0, 20, {}}));
    EXPECT_FALSE(exists(runs, {0, 0, 1, 3}));
    EXPECT_EQ(rangeOf(runs, {0, 0, 1, 3}), std::nullopt);
    EXPECT_TRUE(runsOf(nullptr).empty());
    EXPECT_EQ(mostRows({}), 0u);
}

TEST(StepRuns, ManagesWithoutTimelines) {
    auto results = std::make_shared<Results>(*handMadeResults());
    for (GemmResult& gemm : results->steps[0].gemms) {
        gemm.timeline = nullptr;
    }
    const StepRuns runs = runsOf(results);
    EXPECT_EQ(wholeOf(runs).end, microseconds(200));
    EXPECT_EQ(mostRows(runs), 0u);
    EXPECT_TRUE(timelineTable(runs, wholeOf(runs)).rows.empty());
    EXPECT_FALSE(exists(runs, {0, 0, 0, 0}));
    EXPECT_EQ(rangeOf(runs, {0, 1, {}, {}}), (TimeRange{microseconds(100), microseconds(200)}));
}

TEST(TimelineTable, HoldsTheVisibleIntervals) {
    const StepRuns runs = runsOf(handMadeResults());
    // From 41.5 to 100 us only the cores are busy: the rest of a launch and a multiplication on each of four
    // chips.
    const Table table = timelineTable(runs, {Time(41'500'000), microseconds(100)});
    ASSERT_EQ(table.rows.size(), 8u);
    ASSERT_EQ(table.columns.size(), table.rows[0].size());
    EXPECT_EQ(std::get<std::string>(table.rows[1][4]), "0,0");
    EXPECT_EQ(std::get<std::string>(table.rows[1][6]), "compute");
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1][10]), 42e-6);
    // All: two and three intervals on each of four chips, in two GEMMs.
    EXPECT_EQ(timelineTable(runs, wholeOf(runs)).rows.size(), 4u * 5 * 2);
    EXPECT_EQ(barsIn(runs, wholeOf(runs)), 4u * 5 * 2);
    EXPECT_EQ(barsIn(runs, {Time(41'500'000), microseconds(100)}), 8u);
}

TEST(TimelineTable, EndsBeforeItIsTooLong) {
    const StepRuns runs = runsOf(combResults(most_table_rows + 5));
    const Table table = timelineTable(runs, wholeOf(runs));
    EXPECT_EQ(table.rows.size(), most_table_rows) << "bars alone: no line of prose among the numbers";
    EXPECT_EQ(barsIn(runs, wholeOf(runs)), most_table_rows + 5);
}

} // namespace
} // namespace meshslice::ui
