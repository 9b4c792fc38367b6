#include "core/step/run/density.h"
#include "core/step/run/planned_recording.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/session/runner.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace meshslice::ui {
namespace {

ResultsPtr resultsOf(const QSignalSpy& finished, qsizetype index) {
    return finished[index][0].value<ResultsPtr>();
}

/// Null where there are none in time.
ResultsPtr runOnce(Runner& runner) {
    const QSignalSpy finished(&runner, &Runner::finished);
    runner.request(smallScenario());
    return QTest::qWaitFor([&] { return !finished.isEmpty(); }, patience_ms) ? resultsOf(finished, 0)
                                                                             : nullptr;
}

TEST(Runner, AnswersWithBothAlgorithms) {
    Runner runner;
    const ResultsPtr results = runOnce(runner);
    ASSERT_TRUE(results);
    ASSERT_EQ(results->steps.size(), 2u);
    EXPECT_EQ(results->steps[0].algorithm, "meshslice");
    EXPECT_EQ(results->steps[1].algorithm, "collective");
    EXPECT_EQ(results->scenario, smallScenario());
    EXPECT_FALSE(runner.isBusy());
}

/// The strip of the whole run is added up with the run, on one time axis for both.
TEST(Runner, AddsUpTheRunFromAfar) {
    Runner runner;
    const ResultsPtr results = runOnce(runner);
    ASSERT_TRUE(results);
    ASSERT_EQ(results->steps.size(), 2u);
    const Stretch whole{Time(0), std::max(results->steps[0].time, results->steps[1].time)};
    ASSERT_EQ(results->densities.size(), 2u);
    for (std::size_t step = 0; step < 2; ++step) {
        EXPECT_EQ(results->densities[step], density(results->steps[step], whole, density_parts)) << step;
        EXPECT_GT(*std::ranges::max_element(results->densities[step].cores), 0.5f) << step;
    }
}

/// What a run with a fault records of 64 chips is far more than of alike ones; memory for two such results is
/// made ready while nothing is asked for, and one result takes half of it.
TEST(Runner, GetsMemoryReadyForFaultsWhileItIsIdle) {
    Scenario scenario = smallScenario();
    scenario.mesh = {8, 8};
    scenario.compare.clear();
    Runner runner;
    QSignalSpy finished(&runner, &Runner::finished);
    runner.request(scenario);
    ASSERT_TRUE(finished.wait(patience_ms));
    EXPECT_EQ(runner.keptBytes(), 0u);
    Scenario faulty = scenario;
    faulty.assume.faults.jitter = Time(1);
    const auto bytes =
        static_cast<std::size_t>(planned_recording(faulty, scenario.plan.algorithm)->bytes().value());
    ASSERT_TRUE(QTest::qWaitFor([&] { return runner.keptBytes() >= 2 * bytes; }, patience_ms));

    const std::size_t before = runner.keptBytes();
    scenario.assume.faults.parts = {*parse_fault("3,5 east 50%")};
    runner.request(scenario);
    ASSERT_TRUE(finished.wait(patience_ms));
    EXPECT_EQ(runner.keptBytes(), before / 2);
    finished.clear(); // The results with it.
    EXPECT_TRUE(QTest::qWaitFor([&] { return runner.keptBytes() == before; }, patience_ms));
}

/// Cannon's algorithm needs as many rows as columns.
TEST(Runner, KeepsTheFirstAnswerWhereTheOtherAlgorithmDoesNotRun) {
    Scenario scenario = smallScenario();
    scenario.mesh = {4, 2};
    scenario.compare = "cannon";
    Runner runner;
    QSignalSpy finished(&runner, &Runner::finished);
    runner.request(scenario);
    ASSERT_TRUE(finished.wait(patience_ms));
    const ResultsPtr results = resultsOf(finished, 0);
    ASSERT_EQ(results->steps.size(), 1u);
    EXPECT_EQ(results->steps[0].algorithm, "meshslice");
    EXPECT_FALSE(results->objection.empty());
    EXPECT_TRUE(results->all_simulated());
}

/// The other one would take its time: every chip of 256, in as many slices as there are.
TEST(Runner, SaysAtOnceThatTheFirstDoesNotRun) {
    Scenario scenario = default_scenario();
    scenario.plan.algorithm = "cannon";
    scenario.compare = "meshslice";
    scenario.assume.faults.jitter = Time(1'000'000);
    Runner runner;
    QSignalSpy finished(&runner, &Runner::finished);
    QSignalSpy failed(&runner, &Runner::failed);
    QSignalSpy cancelled(&runner, &Runner::cancelled);
    runner.request(scenario);
    ASSERT_TRUE(failed.wait(patience_ms));
    EXPECT_EQ(finished.count() + cancelled.count(), 0);
    EXPECT_FALSE(runner.isBusy());
}

TEST(Runner, StartsTheFirstRequestAtOnce) {
    Runner runner;
    QSignalSpy started(&runner, &Runner::started);
    runner.request(smallScenario());
    EXPECT_EQ(started.count(), 1);
}

/// All but the newest wait at the gate until they are given up, so that none ends before its time. Runs begin
/// at once, or when the events are handled, which happens twenty times.
TEST(Runner, AFloodOfRequestsGivesOnlyTheNewestAnswer) {
    Runner runner;
    Gate gate(runner.job());
    QSignalSpy finished(&runner, &Runner::finished);
    QSignalSpy started(&runner, &Runner::started);
    Scenario scenario = smallScenario();
    for (std::int64_t batch = 1; batch <= 200; ++batch) {
        scenario.batch = batch * 16;
        runner.request(scenario);
        if (batch % 10 == 0) {
            QCoreApplication::processEvents();
        }
    }
    EXPECT_LE(started.count(), 21) << "quick edits are gathered";
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.isBusy(); }, patience_ms));
    ASSERT_EQ(finished.count(), 1);
    EXPECT_EQ(resultsOf(finished, 0)->scenario.batch, 3200);
}

/// The next run waits for the cancelled one to end, so a late answer would come before its own.
TEST(Runner, CancelEndsTheRunWithoutAnAnswer) {
    Runner runner;
    QSignalSpy finished(&runner, &Runner::finished);
    QSignalSpy cancelled(&runner, &Runner::cancelled);
    runner.request(default_scenario());
    runner.cancel();
    EXPECT_EQ(cancelled.count(), 1);
    EXPECT_FALSE(runner.isBusy());
    runner.request(smallScenario());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.isBusy(); }, patience_ms));
    ASSERT_EQ(finished.count(), 1);
    EXPECT_EQ(resultsOf(finished, 0)->scenario, smallScenario());
}

/// The runner stops what it runs and waits for that, not for the run's end: this one would never end.
TEST(Runner, IsDestroyedInTheMiddleOfARun) {
    auto runner = std::make_unique<Runner>();
    const Gate gate(runner->job());
    QSignalSpy started(runner.get(), &Runner::started);
    runner->request(smallScenario());
    ASSERT_TRUE(QTest::qWaitFor([&] { return started.count() > 0; }, patience_ms));
    runner.reset();
    EXPECT_TRUE(gate.hasGivenUp());
}

TEST(Runner, SaysWhyAScenarioDoesNotRun) {
    Runner runner;
    QSignalSpy failed(&runner, &Runner::failed);
    Scenario scenario = default_scenario();
    scenario.mesh = {7, 13}; // 12288 divides by neither
    runner.request(scenario);
    ASSERT_TRUE(failed.wait(patience_ms));
    EXPECT_FALSE(failed[0][0].toString().isEmpty());
}

TEST(Runner, WhatIsTooLargeToSimulateIsEstimated) {
    Runner runner;
    QSignalSpy finished(&runner, &Runner::finished);
    Scenario scenario = default_scenario();
    scenario.mesh = {256, 256};
    scenario.wraps = {false, false, false}; // On lines no two chips are alike.
    scenario.compare.clear();
    runner.request(scenario);
    ASSERT_TRUE(finished.wait(patience_ms));
    const ResultsPtr results = resultsOf(finished, 0);
    EXPECT_NE(results->not_simulated(0).find("busy intervals"), std::string::npos)
        << results->not_simulated(0);
    ASSERT_EQ(results->steps.size(), 1u);
    EXPECT_EQ(results->steps[0].gemms[0].timeline, nullptr);
    EXPECT_EQ(results->steps[0].time, results->steps[0].estimated);
}

} // namespace
} // namespace meshslice::ui
