#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/wait.h"

#include <QString>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A ring of four chips with MeshSlice's shape: gathers on the links, multiplications on the cores, and a
/// last scatter. Chip 1 gets slice 1 from chip 0 (its forward link) until 30 us and slice 2 until 70 us;
/// while it multiplies for 20 us each; its own backward link ends at 60 us; chip 2's backward link scatters
/// until 110.
Timeline ring() {
    const Torus torus = *Torus::create(std::vector<std::int32_t>{4});
    const auto bar = [](std::int64_t start, std::int64_t end, std::uint32_t slice, OperationId operation,
                        Activity activity) {
        return Interval{microseconds(start), microseconds(end), slice, 0, operation, activity};
    };
    std::vector<Row> rows;
    std::vector<std::size_t> begins{0};
    std::vector<Interval> intervals;
    const auto addRow = [&](const Row& row, const std::vector<Interval>& bars) {
        rows.push_back(row);
        intervals.insert(intervals.end(), bars.begin(), bars.end());
        begins.push_back(intervals.size());
    };
    for (Chip chip = 0; chip < 4; ++chip) {
        std::vector<Interval> core;
        std::vector<Interval> forward;
        std::vector<Interval> backward;
        if (chip == 0) {
            forward = {bar(0, 5, 0, 0, Activity::sync), bar(5, 30, 0, 0, Activity::transfer),
                       bar(30, 40, 1, 0, Activity::sync), bar(40, 70, 1, 0, Activity::transfer)};
        } else if (chip == 1) {
            core = {bar(30, 50, 0, 1, Activity::compute), bar(70, 90, 1, 1, Activity::compute)};
            backward = {bar(40, 60, 1, 0, Activity::transfer)};
        } else if (chip == 2) {
            backward = {bar(90, 110, 1, 2, Activity::transfer)};
        }
        addRow({chip, true, Axis::vertical, Direction::forward}, core);
        addRow({chip, false, Axis::vertical, Direction::forward}, forward);
        addRow({chip, false, Axis::vertical, Direction::backward}, backward);
    }
    const std::vector<OperationLabel> operations = {
        {"AG_row", "B' = AG_row(B_s)", Bytes(1), Bytes(1), Flop(0)},
        {"multiply", "C += A' B'", Bytes(0), Bytes(0), Flop(1)},
        {"RdS_row", "C_s = RdS_row(C')", Bytes(1), Bytes(1), Flop(0), true}};
    return {torus, operations, 2, rows, begins, intervals, microseconds(120)};
}

constexpr std::size_t core = 3; // of chip 1

Program loop() {
    Program program;
    program.loop_end = 2; // the gather and the multiplication
    program.iterations = 2;
    return program;
}

std::string waitWords(std::size_t next, Time start = Time(0)) {
    return waitSentence(loop(), ring(), core, next, start)
        .replace(QChar(0x2009), QLatin1Char(' '))
        .toStdString();
}

TEST(Wait, LiesBetweenTheBars) {
    const Timeline timeline = ring();
    EXPECT_EQ(waitBefore(timeline, core, 0), (TimeRange{Time(0), microseconds(30)}));
    EXPECT_EQ(waitBefore(timeline, core, 1), (TimeRange{microseconds(50), microseconds(70)}));
    EXPECT_EQ(waitBefore(timeline, core, 2), (TimeRange{microseconds(90), microseconds(120)}));
}

TEST(Wait, IsForTheTransferThatEndsLast) {
    const std::optional<WaitCause> cause = causeOf(ring(), core, 1);
    ASSERT_TRUE(cause.has_value());
    EXPECT_EQ(cause->row, 1u); // chip 0's forward link until 70, not chip 1's own until 60
    EXPECT_EQ(cause->index, 3u);
    EXPECT_TRUE(cause->arrives);
    EXPECT_EQ(waitWords(1),
              "waits for B' = AG_row(B_s), slice 2: its last byte arrives from chip 0 on the north link at "
              "70.0 µs");
}

TEST(Wait, TellsTheTimeOfTheStep) {
    EXPECT_NE(waitWords(0, microseconds(500)).find("at 530.0 µs"), std::string::npos)
        << waitWords(0, microseconds(500));
}

TEST(Wait, AfterTheLastMultiplicationTheSumsAreScattered) {
    EXPECT_EQ(waitWords(2), "the sums are still being scattered: C_s = RdS_row(C'), until 110.0 µs");
}

/// Where the ring is folded, chip 1's forward link, of two chips, is missing: what it sends goes back to chip
/// 0 over its backward link, the one that there is.
TEST(Wait, NamesTheLinksThatAFoldedRingHas) {
    Scenario scenario = default_scenario();
    scenario.mesh = {1, 4};
    scenario.wraps = {true, false, true};
    scenario.folded = true;
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.assume.schedule.ring = RingMode::one_way;
    const TrainingStep step = training_step(scenario, "collective", Depth::simulate).value();
    const GemmResult& result = step.gemms[0];
    // Every chunk goes east: the first core's last one comes home from chip 0,3.
    const std::string first = waitSentence(*result.program, *result.timeline, 0, 0, Time(0)).toStdString();
    EXPECT_NE(first.find("arrives from chip 0,3, back over the west links, at"), std::string::npos) << first;
    // No sentence names an east link of chip 0,3 or a west link of chip 0,0.
    for (std::size_t row = 0; row < result.timeline->rows().size(); ++row) {
        if (result.timeline->rows()[row].is_core) {
            const QString said = waitSentence(*result.program, *result.timeline, row, 0, Time(0));
            EXPECT_FALSE(said.contains(QStringLiteral("from chip 0,3 on"))) << said.toStdString();
        }
    }
}

/// The same where that link is dead: what it would carry goes round by the links of the other way.
TEST(Wait, NamesTheLinksByWhichADeadOnesTrafficGoesRound) {
    Scenario scenario = default_scenario();
    scenario.mesh = {1, 4};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.assume.schedule.ring = RingMode::one_way;
    scenario.assume.faults.parts = {*parse_fault("0,3 east dead")};
    const TrainingStep step = training_step(scenario, "collective", Depth::simulate).value();
    const GemmResult& result = step.gemms[0];
    const std::string first = waitSentence(*result.program, *result.timeline, 0, 0, Time(0)).toStdString();
    EXPECT_NE(first.find("arrives from chip 0,3, round by the west links, at"), std::string::npos) << first;
}

TEST(Wait, WithoutATransferSaysSo) {
    // Chip 3 has nothing to do at all.
    EXPECT_EQ(causeOf(ring(), 9, 0), std::nullopt);
    EXPECT_EQ(waitSentence(loop(), ring(), 9, 0, Time(0)),
              QStringLiteral("this chip is done; the GEMM ends when the last chip is"));
}

TEST(Wait, InARealRunEveryWaitHasItsTransferToTheMoment) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.plan.slices = 4;
    const TrainingStep step = training_step(scenario, "meshslice", Depth::simulate).value();
    const Timeline& timeline = *step.gemms[0].timeline;
    std::size_t waits = 0;
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
        const auto bars = timeline.intervals(row);
        for (std::size_t next = 0; timeline.rows()[row].is_core && next < bars.size(); ++next) {
            const TimeRange wait = waitBefore(timeline, row, next);
            if (wait.begin == wait.end) {
                continue;
            }
            const std::optional<WaitCause> cause = causeOf(timeline, row, next);
            ASSERT_TRUE(cause.has_value());
            EXPECT_EQ(timeline.intervals(cause->row)[cause->index].end, wait.end);
            ++waits;
        }
    }
    EXPECT_GT(waits, 0u);
}

} // namespace
} // namespace meshslice::ui
