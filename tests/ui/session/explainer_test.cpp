#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/session/explainer.h"

#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

ResultsPtr resultsOf(std::int64_t batch, Depth depth = Depth::simulate) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {4, 4};
    results->scenario.batch = batch;
    results->steps = {training_step(results->scenario, "meshslice", depth).value(),
                      training_step(results->scenario, "collective", Depth::simulate).value()};
    return results;
}

TEST(Explainer, ExplainsEveryStepThatWasSimulated) {
    Explainer explainer;
    QSignalSpy finished(&explainer, &Explainer::finished);
    const ResultsPtr results = resultsOf(128);
    explainer.request(results);
    EXPECT_TRUE(explainer.isBusy());
    ASSERT_TRUE(finished.wait(patience_ms));
    EXPECT_FALSE(explainer.isBusy());
    const auto reasons = finished[0][0].value<ReasonsPtr>();
    EXPECT_EQ(reasons->results, results);
    ASSERT_EQ(reasons->steps.size(), 2u);
    EXPECT_EQ(reasons->steps[0]->shares, why(results->steps[0], results->scenario)->shares);
    EXPECT_NE(reasons->of(1, 11), nullptr);
    EXPECT_EQ(reasons->of(1, 12), nullptr);
    EXPECT_EQ(reasons->of(2, 0), nullptr);
}

TEST(Explainer, HasNothingToSayOfEstimates) {
    const ReasonsPtr reasons = reasonsFor(resultsOf(128, Depth::estimate));
    EXPECT_FALSE(reasons->steps[0]);
    EXPECT_EQ(reasons->of(0, 0), nullptr);
    EXPECT_TRUE(reasons->steps[1]);
}

/// All but the newest are held until they are given up.
TEST(Explainer, OnlyTheNewestResultsAreExplained) {
    Explainer explainer;
    Gate gate(explainer.job());
    QSignalSpy finished(&explainer, &Explainer::finished);
    ResultsPtr last;
    for (const std::int64_t batch : {16, 32, 64, 128}) {
        last = resultsOf(batch);
        explainer.request(last);
        ASSERT_TRUE(QTest::qWaitFor([&] { return explainer.job()->isBusy(); }, patience_ms));
    }
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !explainer.isBusy(); }, patience_ms));
    ASSERT_EQ(finished.count(), 1);
    EXPECT_EQ(finished.back()[0].value<ReasonsPtr>()->results, last);
}

/// The next waits for the cancelled one to end, so a late answer would come before its own.
TEST(Explainer, SaysNothingWhenItIsCancelled) {
    Explainer explainer;
    QSignalSpy finished(&explainer, &Explainer::finished);
    explainer.request(resultsOf(128));
    explainer.cancel();
    EXPECT_FALSE(explainer.isBusy());
    finished.clear();
    const ResultsPtr next = resultsOf(16);
    explainer.request(next);
    ASSERT_TRUE(finished.wait(patience_ms));
    EXPECT_EQ(finished[0][0].value<ReasonsPtr>()->results, next);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(reasonsFor(resultsOf(128), {stop.get_token(), nullptr}), nullptr);
}

/// Where no two of 256 chips are alike, some 7 million intervals are kept: the user comes first.
TEST(Explainer, WaitsForAPauseBeforeLargeRuns) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.assume.faults.parts = {*parse_fault("3,5 core 50%")};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    Explainer explainer;
    QSignalSpy finished(&explainer, &Explainer::finished);
    EXPECT_EQ(Explainer::pauseBefore(*results), Explainer::pause_ms);
    EXPECT_EQ(Explainer::pauseBefore(*resultsOf(16)), 0);
    explainer.request(results);
    ASSERT_TRUE(finished.wait(patience_ms));
    EXPECT_TRUE(finished[0][0].value<ReasonsPtr>()->steps[0]);
}

} // namespace
} // namespace meshslice::ui
