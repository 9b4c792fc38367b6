#include "tests/ui/lineup/hand_made_lineup.h"
#include "tests/ui/support/hand_made_results.h"
#include "ui/lineup/lineup_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;

std::string finding(std::vector<LineupEntry> entries) {
    return lineupFinding(*handMadeLineup(std::move(entries))).toStdString();
}

TEST(Lineup, KeepsTheOrderAndPutsThoseThatDoNotRunLast) {
    const LineupPtr lineup = handMadeLineup(handMadeEntries());
    EXPECT_THAT(inOrder(*lineup, LineupOrder::asListed), ElementsAre(1u, 2u, 3u, 0u));
    EXPECT_THAT(inOrder(*lineup, LineupOrder::fastestFirst), ElementsAre(3u, 1u, 2u, 0u));
}

TEST(Lineup, NamesTheProductAsTheTrainingStepDoes) {
    LineupRequest request;
    request.scenario = default_scenario();
    request.gemm = 4; // the second layer's second GEMM
    const LineupPtr lineup = makeLineup(request, handMadeEntries());
    EXPECT_EQ(lineup->product, QStringLiteral("Output backward data"));
    EXPECT_EQ(lineup->result(lineup->runs[1]).title(), "Output backward data");
}

TEST(Lineup, TheFindingIsWhoWinsAndByHowMuch) {
    EXPECT_EQ(finding(handMadeEntries()), "MeshSlice is fastest: 100\u2009µs, SUMMA takes 1.5 times as long");
    EXPECT_EQ(finding({entryOf("summa", "SUMMA", microseconds(250)),
                       entryOf("meshslice", "MeshSlice", microseconds(100))}),
              "MeshSlice is fastest: 100\u2009µs, SUMMA takes 2.5 times as long");
    EXPECT_EQ(finding({entryOf("collective", "Collective", microseconds(100)),
                       entryOf("meshslice", "MeshSlice", microseconds(100))}),
              "Collective and MeshSlice are the fastest, both 100\u2009µs");
    EXPECT_EQ(finding({entryOf("collective", "Collective", Time(100'400'000)),
                       entryOf("meshslice", "MeshSlice", microseconds(100))}),
              "MeshSlice is fastest: 100\u2009µs, Collective takes 0.4% more time")
        << "not \"1 times as long\"";
    EXPECT_EQ(finding({entryOf("meshslice", "MeshSlice", microseconds(100))}),
              "Only MeshSlice runs here: 100\u2009µs");
    EXPECT_EQ(finding({{"cannon", "Cannon", {}, "The mesh 2x4 is not square."}}),
              "None of the algorithms runs this GEMM here");
}

TEST(Lineup, ComparesEachWithTheFastest) {
    const LineupPtr lineup = handMadeLineup(handMadeEntries());
    EXPECT_EQ(comparedWithFastest(*lineup, lineup->runs[3]), QStringLiteral("fastest"));
    EXPECT_EQ(comparedWithFastest(*lineup, lineup->runs[1]), QStringLiteral("1.5×"));
    EXPECT_EQ(comparedWithFastest(*lineup, lineup->runs[2]), QStringLiteral("2×"));
}

TEST(Lineup, OpensWithoutTheEndOfOneThatTakesMuchLonger) {
    EXPECT_EQ(openingRange(*handMadeLineup(handMadeEntries())), (TimeRange{Time(0), microseconds(200)}));
    // Six times the fastest still gets a number; seven times runs out of the picture.
    std::vector<LineupEntry> entries = {entryOf("summa", "SUMMA", microseconds(700)),
                                        entryOf("wang", "Wang", microseconds(600)),
                                        entryOf("meshslice", "MeshSlice", microseconds(100))};
    const LineupPtr lineup = handMadeLineup(std::move(entries));
    EXPECT_EQ(openingRange(*lineup), (TimeRange{Time(0), microseconds(600)}));
    EXPECT_EQ(wholeOf(lineup->steps).end, microseconds(700));
}

TEST(Lineup, PhasesFollowEachOther) {
    GemmResult result;
    Program program;
    program.iterations = 4;
    result.program = std::make_shared<const Program>(program);
    result.estimate.prologue = microseconds(10);
    result.estimate.steady = microseconds(20);
    result.estimate.epilogue = microseconds(5);
    EXPECT_THAT(
        phasesOf(result),
        ElementsAre(LineupPhase{LineupPhase::Kind::prologue, {Time(0), microseconds(10)}, 1},
                    LineupPhase{LineupPhase::Kind::steady, {microseconds(10), microseconds(70)}, 3},
                    LineupPhase{LineupPhase::Kind::epilogue, {microseconds(70), microseconds(75)}, 1}));
    // One iteration has no steady state, and what takes no time is not a phase.
    program.iterations = 1;
    result.program = std::make_shared<const Program>(program);
    result.estimate.prologue = Time(0);
    EXPECT_THAT(phasesOf(result),
                ElementsAre(LineupPhase{LineupPhase::Kind::epilogue, {Time(0), microseconds(5)}, 1}));
}

TEST(Lineup, ThreeLanesTellOfAChip) {
    // Rows of a chip: core, south, north, east, west; the hand-made chip uses its south link alone.
    const StepRunPtr run = runsOf(handMadeResults()).front();
    EXPECT_THAT(lanesOf(*run, 0), ElementsAre(0u, 3u, 1u));
    EXPECT_THAT(lanesOf(*run, 2), ElementsAre(10u, 13u, 11u));
    EXPECT_THAT(lanesOf(*run, 99), ElementsAre(15u, 18u, 16u)) << "there are four chips";
}

/// Of the two links of an axis the busier is drawn, under its own name.
TEST(Lineup, TheBusierLinkOfAnAxisSpeaks) {
    const std::vector<Row> rows = {{0, true, Axis::vertical, Direction::forward},
                                   {0, false, Axis::vertical, Direction::forward},
                                   {0, false, Axis::vertical, Direction::backward}};
    const std::vector<Interval> intervals = {{Time(0), Time(2), 0, 0, 0, Activity::transfer},
                                             {Time(0), Time(5), 0, 0, 0, Activity::transfer}};
    LineupEntry entry = entryOf("meshslice", "MeshSlice", Time(5));
    entry.step.gemms[0].timeline = std::make_shared<const Timeline>(
        *Torus::create(std::vector<std::int32_t>{4}), std::vector<OperationLabel>{{}}, 1, rows,
        std::vector<std::size_t>{0, 0, 1, 2}, intervals, Time(5));
    const RunWindow window = lineupWindow(handMadeLineup({entry}), 0, LineupOrder::asListed);
    ASSERT_EQ(window.rowCount(), 2u); // a ring has one axis
    EXPECT_EQ(window.at(1).lanes, std::vector<std::size_t>{2});
    EXPECT_EQ(window.at(1).name, QStringLiteral("north link"));
}

/// Each algorithm is a run with its name, its phases and its end; one that does not run has a sentence.
TEST(Lineup, IsAWindowOfRuns) {
    const RunWindow window = lineupWindow(handMadeLineup(handMadeEntries()), 0, LineupOrder::fastestFirst);
    ASSERT_EQ(window.runs.size(), 4u);
    EXPECT_EQ(window.runs[0].name.join(QLatin1Char('|')),
              QStringLiteral("MeshSlice|100\u2009µs, 50% of peak|S = 4, waits 50%"));
    EXPECT_EQ(window.runs[1].ends.join(QLatin1Char('|')), QStringLiteral("150\u2009µs|1.5×"));
    EXPECT_EQ(window.runs[0].spans.size(), 2u) << "one iteration has no steady state";
    EXPECT_EQ(window.runs[3].run, nullptr);
    EXPECT_EQ(window.runs[3].objection, QStringLiteral("does not run here: The mesh 2x2 is too small."));
    EXPECT_EQ(window.whole().end, microseconds(200));
}

/// Seven iterations after the first, 70 us in all.
TEST(Lineup, PhaseNamesShorten) {
    LineupEntry entry = entryOf("meshslice", "MeshSlice", microseconds(100));
    Program eight = *entry.step.gemms[0].program;
    eight.iterations = 8;
    entry.step.gemms[0].program = std::make_shared<const Program>(std::move(eight));
    entry.step.gemms[0].estimate.steady = microseconds(10);
    entry.step.gemms[0].estimate.epilogue = Time(0);
    const RunWindow window = lineupWindow(handMadeLineup({entry}), 0, LineupOrder::asListed);
    ASSERT_EQ(window.runs[0].spans.size(), 2u);
    EXPECT_EQ(window.runs[0].spans[1].names.join(QLatin1Char('|')),
              QStringLiteral("steady state, 7 × 10.0\u2009µs|steady state|steady"));
}

TEST(Lineup, TheTableHasARowForEachAlgorithm) {
    const Table table = lineupTable(*handMadeLineup(handMadeEntries()));
    ASSERT_EQ(table.rows.size(), 4u);
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
    EXPECT_EQ(table.columns[2], "time_s");
    EXPECT_EQ(table.rows[0][1], Table::Cell(std::string("The mesh 2x2 is too small.")));
    EXPECT_EQ(table.rows[0][2], Table::Cell(std::string()));
    EXPECT_EQ(table.rows[3][0], Table::Cell(std::string("meshslice")));
    EXPECT_EQ(table.rows[3][2], Table::Cell(100e-6));
}

} // namespace
} // namespace meshslice::ui
