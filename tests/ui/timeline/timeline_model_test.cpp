#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_table.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(TimelineModel, LaysProductsEndToEnd) {
    const TimelineModel model(handMadeResults(true));
    ASSERT_EQ(model.stepCount(), 2u);
    EXPECT_EQ(model.whole(), (TimeRange{Time(0), microseconds(300)})); // of the slower algorithm
    ASSERT_EQ(model.pieces(0).size(), 2u);
    EXPECT_EQ(model.pieces(0)[1].start, microseconds(100));
    EXPECT_EQ(model.pieces(1)[1].start, microseconds(150));
    EXPECT_EQ(model.rows(0).size(), 20u); // four chips: a core and four links each
    EXPECT_EQ(model.pieceAt(0, microseconds(99)), 0u);
    EXPECT_EQ(model.pieceAt(0, microseconds(100)), 1u);
    EXPECT_EQ(model.pieceAt(0, microseconds(200)), std::nullopt);
}

TEST(TimelineModel, RepeatsCopies) {
    auto results = std::make_shared<Results>(*handMadeResults());
    results->steps[0].gemms[0].gemm.copies = 3;
    results->steps[0].gemms[0].time = microseconds(300);
    results->steps[0].gemms[1].start = microseconds(300);
    results->steps[0].time = microseconds(400);
    const TimelineModel model(results);
    ASSERT_EQ(model.pieces(0).size(), 4u);
    EXPECT_EQ(model.pieces(0)[2].start, microseconds(200));
    EXPECT_EQ(model.pieces(0)[2].copy, 2);
    EXPECT_EQ(model.rangeOf({0, 0, {}, {}}), (TimeRange{Time(0), microseconds(300)}));
    // The multiplication of the third copy is not that of the first.
    EXPECT_EQ(model.rangeOf({0, 0, 0, 1, 2}), (TimeRange{microseconds(242), microseconds(290)}));
    EXPECT_EQ(model.rangeOf({0, 0, 0, 1}), (TimeRange{microseconds(42), microseconds(90)}));
    EXPECT_EQ(model.place({0, 0, 0, 1, 2})->piece, 2u);
    EXPECT_FALSE(model.exists({0, 0, 0, 1, 3}));
    const std::optional<PlacedInterval> third = model.firstAfter(0, 0, microseconds(245));
    EXPECT_EQ(model.selectedBar(0, 0, *third), (Selected{0, 0, 0, 1, 2}));
    // Its waits: before the launch at 40 us and after the multiplication.
    EXPECT_EQ(model.rangeOf(model.selectedWait(0, 0, 2, 0)),
              (TimeRange{microseconds(200), microseconds(240)}));
    EXPECT_EQ(model.rangeOf(model.selectedWait(0, 0, 2, 2)),
              (TimeRange{microseconds(290), microseconds(300)}));
    EXPECT_EQ(model.place(model.selectedWait(0, 0, 2, 0)), std::nullopt);
    EXPECT_EQ(model.rangeOf({0, 0, 1, 3, 0, true}), std::nullopt); // a link does not wait
}

TEST(TimelineModel, LooksIntoARange) {
    const TimelineModel model(handMadeResults());
    // The core of chip 0 between 80 and 150 us: multiplies to 90, and again from 142; launches 140-142.
    const TimelineModel::Found found = model.look(0, 0, {microseconds(80), microseconds(150)});
    EXPECT_EQ(found.count, 3u);
    EXPECT_EQ(found.busy, microseconds(10 + 2 + 8));
    ASSERT_TRUE(found.longest.has_value());
    EXPECT_EQ(found.longest->start, microseconds(42));
    EXPECT_EQ(model.look(0, 3, {Time(0), microseconds(200)}).count, 0u); // the east link rests
}

TEST(TimelineModel, StepsAcrossProducts) {
    const TimelineModel model(handMadeResults());
    const std::optional<PlacedInterval> first = model.firstAfter(0, 1, Time(0));
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->end, microseconds(10));
    EXPECT_FALSE(model.neighbour(0, 1, *first, false).has_value());
    std::optional<PlacedInterval> at = first;
    for (int k = 0; k < 3; ++k) {
        at = model.neighbour(0, 1, *at, true);
        ASSERT_TRUE(at.has_value());
    }
    EXPECT_EQ(at->piece, 1u); // after launch, synchronisation, transfer: the next GEMM's launch
    EXPECT_EQ(at->start, microseconds(100));
    at = model.neighbour(0, 1, *at, false);
    EXPECT_EQ(at->index, 2u);
    EXPECT_EQ(at->piece, 0u);
}

TEST(TimelineModel, KnowsWhatIsNotThere) {
    const TimelineModel model(handMadeResults());
    EXPECT_TRUE(model.exists({0, 1, {}, {}}));
    EXPECT_FALSE(model.exists({1, 0, {}, {}}));
    EXPECT_FALSE(model.exists({0, 2, {}, {}}));
    EXPECT_FALSE(model.exists({0, 0, 20, {}}));
    EXPECT_FALSE(model.exists({0, 0, 1, 3}));
    EXPECT_EQ(model.rangeOf({0, 0, 1, 3}), std::nullopt);
    EXPECT_EQ(TimelineModel().stepCount(), 0u);
    EXPECT_EQ(TimelineModel(nullptr).mostRows(), 0u);
}

TEST(TimelineModel, ManagesWithoutTimelines) {
    auto results = std::make_shared<Results>(*handMadeResults());
    for (GemmResult& gemm : results->steps[0].gemms) {
        gemm.timeline = nullptr;
    }
    const TimelineModel model(results);
    EXPECT_EQ(model.whole().end, microseconds(200));
    EXPECT_EQ(model.mostRows(), 0u);
    EXPECT_TRUE(timelineTable(model, model.whole()).rows.empty());
    EXPECT_FALSE(model.exists({0, 0, 0, 0}));
    EXPECT_EQ(model.rangeOf({0, 1, {}, {}}), (TimeRange{microseconds(100), microseconds(200)}));
}

TEST(TimelineTable, HoldsTheVisibleIntervals) {
    const TimelineModel model(handMadeResults());
    // From 41.5 to 100 us only the cores are busy: the rest of a launch and a multiplication on each of four
    // chips.
    const Table table = timelineTable(model, {Time(41'500'000), microseconds(100)});
    ASSERT_EQ(table.rows.size(), 8u);
    ASSERT_EQ(table.columns.size(), table.rows[0].size());
    EXPECT_EQ(std::get<std::string>(table.rows[1][4]), "0,0");
    EXPECT_EQ(std::get<std::string>(table.rows[1][6]), "compute");
    EXPECT_DOUBLE_EQ(std::get<double>(table.rows[1][10]), 42e-6);
    // All: two and three intervals on each of four chips, in two GEMMs.
    EXPECT_EQ(timelineTable(model, model.whole()).rows.size(), 4u * 5 * 2);
    EXPECT_EQ(barsIn(model, model.whole()), 4u * 5 * 2);
    EXPECT_EQ(barsIn(model, {Time(41'500'000), microseconds(100)}), 8u);
}

TEST(TimelineTable, EndsBeforeItIsTooLong) {
    const TimelineModel model(combResults(most_table_rows + 5));
    const Table table = timelineTable(model, model.whole());
    EXPECT_EQ(table.rows.size(), most_table_rows) << "bars alone: no line of prose among the numbers";
    EXPECT_EQ(barsIn(model, model.whole()), most_table_rows + 5);
}

} // namespace
} // namespace meshslice::ui
