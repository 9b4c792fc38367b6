#include "core/base/text.h"
#include "core/report/path_table.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// Two GEMMs of 10 ps on a ring of two chips, the second from 10 ps on. In each the launch of chip 1, which
/// only receives and records nothing, then a transfer of the link of chip 0 in the second of three slices,
/// then the multiplication of chip 1.
struct TwoGemms {
    TwoGemms() {
        const Torus torus = *Torus::create(std::vector<std::int32_t>{2});
        const std::vector<Row> rows = {{0, true, Axis::vertical, Direction::forward},
                                       {0, false, Axis::vertical, Direction::forward},
                                       {1, true, Axis::vertical, Direction::forward}};
        const std::vector<Interval> intervals = {{Time(2), Time(6), 1, 0, 0, Activity::transfer},
                                                 {Time(6), Time(10), 0, 0, 1, Activity::compute}};
        const std::vector<std::size_t> begins = {0, 0, 1, 2};
        Program program;
        program.torus = torus;
        program.loop_end = 1;
        program.iterations = 3;
        CriticalPath path;
        path.events = {{Time(0), Time(2), -1, 0, 1, Place::vertical_links, Activity::launch},
                       {Time(2), Time(6), 1, 0, 0, Place::vertical_links, Activity::transfer},
                       {Time(6), Time(10), 2, 0, 1, Place::core, Activity::compute}};
        for (const Time start : {Time(0), Time(10)}) {
            GemmResult gemm;
            gemm.gemm.layer = "FF1";
            gemm.start = start;
            gemm.program = std::make_shared<const Program>(program);
            gemm.timeline = std::make_shared<const Timeline>(
                torus, std::vector<OperationLabel>{{"AG_row", "", {}, {}, {}}, {"multiply", "", {}, {}, {}}},
                3, rows, begins, intervals, Time(10));
            step.gemms.push_back(gemm);
            why.products.emplace_back();
            why.products.back().path = std::make_shared<const CriticalPath>(path);
        }
    }
    TrainingStep step;
    StepWhy why;
};

/// The launch has no bar and belongs to the gather that follows it; the multiplication is another operation.
TEST(PathTable, GroupsWhatOneOperationDoes) {
    const TwoGemms two;
    const std::vector<PathGroup> groups = path_groups(two.step, two.why);
    ASSERT_EQ(groups.size(), 4u);
    EXPECT_EQ(groups[0], (PathGroup{0, 0, 2, 1, Time(6)}));
    EXPECT_EQ(groups[1], (PathGroup{0, 2, 1, 0, Time(4)}));
    EXPECT_EQ(groups[3], (PathGroup{1, 2, 1, 0, Time(4)}));
    const Table table = path_group_table(two.step, two.why, groups);
    const std::string gemm = two.step.gemms[0].title();
    using Cells = std::vector<Table::Cell>;
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.rows[2],
              (Cells{10e-12, 6e-12, gemm + ", AG_row, slice 2 of 3", std::int64_t{1}, 4e-12, 0.0}));
    EXPECT_EQ(table.rows[3], (Cells{16e-12, 4e-12, gemm + ", multiply", std::int64_t{0}, 0.0, 0.0}));
}

/// By hand: of 100 ps the path is 61 on cores and 39 on links, and the core waits 28. For the 11 that are
/// left it works on what is needed later.
TEST(PathTable, TheSummarySaysWhyComputeAndWaitsAreNotAll) {
    StepWhy why;
    why.times[0].at(Place::core, Activity::compute) = Time(61);
    why.times[0].at(Place::vertical_links, Activity::transfer) = Time(39);
    why.exposed[0].at(Place::vertical_links, Activity::transfer) = Time(28);
    EXPECT_EQ(path_summary(why), text(Time(100)) + ": 61% compute, 39% transfer; the core waits 28% of the "
                                                   "time, and for another 11% it works while a link sets the "
                                                   "pace");
    why.exposed[0].at(Place::vertical_links, Activity::transfer) = Time(39);
    EXPECT_EQ(path_summary(why),
              text(Time(100)) + ": 61% compute, 39% transfer; the core waits 39% of the time");
}

TEST(PathTable, HasARowForEachEvent) {
    const TwoGemms two;
    ASSERT_EQ(path_length(two.why), 6u);
    const std::vector<PathPlace> places = path_places(two.why);
    ASSERT_EQ(places.size(), 6u);
    EXPECT_EQ(places[4], (PathPlace{1, 1}));
    const Table table = path_table(two.step, two.why, places);
    using Cells = std::vector<Table::Cell>;
    ASSERT_EQ(table.rows.size(), 6u);
    const std::string forward(name(Pass::forward));
    EXPECT_EQ(table.rows[0], (Cells{0.0, 2e-12, "1", "the ring's links", "launch", "", "", "FF1", forward}));
    EXPECT_EQ(table.rows[1],
              (Cells{2e-12, 4e-12, "0",
                     resource_name(*Torus::create(std::vector<std::int32_t>{2}), {0, false, {}, {}}),
                     "transfer", "AG_row", "2 of 3", "FF1", forward}));
    EXPECT_EQ(table.rows[5], (Cells{16e-12, 4e-12, "1", "core", "compute", "multiply", "", "FF1", forward}));
}

TEST(PathTable, IsCutWhereNobodyReadsOn) {
    const TwoGemms two;
    EXPECT_EQ(path_places(two.why, 4).size(), 4u);
    StepWhy without = two.why;
    without.products[0].path = nullptr;
    EXPECT_EQ(path_places(without), (std::vector<PathPlace>{{1, 0}, {1, 1}, {1, 2}}));
}

/// 20 ps: 4 ps of launches, 8 of transfers, 8 of multiplications.
TEST(PathTable, IsSummedUpInALine) {
    TwoGemms two;
    EXPECT_EQ(path_summary(two.why), "") << "nothing is known";
    CauseTimes& steady = two.why.times[static_cast<std::size_t>(Phase::steady)];
    steady.at(Place::vertical_links, Activity::launch) = Time(4);
    steady.at(Place::vertical_links, Activity::transfer) = Time(8);
    two.why.times[0].at(Place::core, Activity::compute) = Time(8);
    EXPECT_EQ(path_summary(two.why),
              "20.0\u2009ps: 40% compute, 40% transfer, 20% launch; the core never waits");
    two.why.exposed[0].at(Place::vertical_links, Activity::transfer) = Time(6);
    EXPECT_EQ(path_summary(two.why),
              "20.0\u2009ps: 40% compute, 40% transfer, 20% launch; the core waits 30% of the time, and for "
              "another 30% it works while a link sets the pace");
}

/// The launch of chip 1, which has no bar and no link, has no row; its core has.
TEST(PathTable, AnEventWithoutABarHasTheRowOfItsPart) {
    const TwoGemms two;
    const Timeline& timeline = *two.step.gemms[0].timeline;
    CriticalEvent event = two.why.products[0].path->events[0];
    EXPECT_EQ(row_of(timeline, event), std::nullopt);
    event.chip = 0;
    EXPECT_EQ(row_of(timeline, event), 1u);
    event.place = Place::core;
    event.chip = 1;
    EXPECT_EQ(row_of(timeline, event), 2u);
    EXPECT_EQ(row_of(timeline, two.why.products[0].path->events[2]), 2u);
}

/// A: 8 us of compute and 2 of transfers; B: the same compute and 5 us of transfers, of which launches 1.
TEST(PathDifference, SaysWhatTheDifferenceIsMadeOf) {
    const auto cell = [](StepWhy& why, Place place, Activity activity) -> Time& {
        return why.times[0].at(place, activity);
    };
    StepWhy a;
    cell(a, Place::core, Activity::compute) = Time(8'000'000);
    cell(a, Place::vertical_links, Activity::transfer) = Time(2'000'000);
    StepWhy b = a;
    cell(b, Place::vertical_links, Activity::transfer) = Time(4'000'000);
    cell(b, Place::vertical_links, Activity::launch) = Time(1'000'000);
    EXPECT_EQ(path_difference(a, b),
              "+3.00\u2009\u00b5s: +2.00\u2009\u00b5s transfer, +1.00\u2009\u00b5s launch");
    EXPECT_EQ(path_difference(b, a),
              "\u22123.00\u2009\u00b5s: \u22122.00\u2009\u00b5s transfer, \u22121.00\u2009\u00b5s launch");
    EXPECT_EQ(path_difference(a, a), "");
    EXPECT_EQ(path_difference(StepWhy(), a), "");
}

} // namespace
} // namespace meshslice
