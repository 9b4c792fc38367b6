#include "core/base/text.h"
#include "ui/shell/details_text.h"
#include "ui/shell/headline_bar.h"

#include <QString>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

ResultsPtr resultsOf(const Scenario& scenario) {
    auto results = std::make_shared<Results>();
    results->scenario = scenario;
    for (const std::string& id : {scenario.algorithm, scenario.compare}) {
        if (!id.empty()) {
            results->steps.push_back(training_step(scenario, id, Depth::simulate).value());
        }
    }
    return results;
}

Scenario oneProduct() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.slices = 4;
    return scenario;
}

QString shown(Time time) {
    return QString::fromStdString(text(time)).replace(QChar(0x2009), QChar(QChar::Nbsp));
}

TEST(DetailsText, SaysWhatToDoBeforeThereIsAnything) {
    EXPECT_FALSE(detailsText(nullptr, {}).isEmpty());
    EXPECT_FALSE(detailsText(nullptr, Selected{}).isEmpty());
}

TEST(DetailsText, WithoutASelectionComparesTheWholeStep) {
    const ResultsPtr results = resultsOf(oneProduct());
    const QString text = detailsText(results, {});
    for (const TrainingStep& step : results->steps) {
        EXPECT_TRUE(text.contains(shown(step.time)));
        EXPECT_TRUE(text.contains(shown(step.usage.exposed)));
    }
}

TEST(DetailsText, PutsTheNumbersIntoTheClosedForm) {
    const ResultsPtr results = resultsOf(oneProduct());
    const GemmResult& product = results->steps[0].gemms[0];
    const QString text = detailsText(results, Selected{0, 0, {}, {}});
    // prologue + (S - 1) x steady state + epilogue, S = 4.
    EXPECT_TRUE(text.contains(QStringLiteral("%1 + 3 × %2 + %3")
                                  .arg(shown(product.estimate.prologue), shown(product.estimate.steady),
                                       shown(product.estimate.epilogue))))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("AG_col")));
    EXPECT_FALSE(text.contains(QStringLiteral("Selected bar")));
}

TEST(DetailsText, ExplainsEveryBarOfARowWithoutStumbling) {
    const ResultsPtr results = resultsOf(oneProduct());
    const Timeline& timeline = *results->steps[0].gemms[0].timeline;
    for (std::size_t row = 0; row < 5; ++row) {
        for (std::size_t bar = 0; bar < timeline.intervals(row).size(); ++bar) {
            EXPECT_TRUE(
                detailsText(results, Selected{0, 0, row, bar}).contains(QStringLiteral("Selected bar")));
        }
    }
}

TEST(DetailsText, ASelectionThatIsNotThereFallsBackToTheStep) {
    const ResultsPtr results = resultsOf(oneProduct());
    const QString whole = detailsText(results, {});
    EXPECT_EQ(detailsText(results, Selected{7, 0, {}, {}}), whole);
    EXPECT_EQ(detailsText(results, Selected{0, 99, {}, {}}), whole);
    const QString product = detailsText(results, Selected{0, 0, {}, {}});
    EXPECT_EQ(detailsText(results, Selected{0, 0, 100'000, 3}), product);
    EXPECT_EQ(detailsText(results, Selected{0, 0, 0, 100'000'000}), product);
}

TEST(ComparisonText, SaysHowTheTwoRelate) {
    Results results = *resultsOf(oneProduct());
    results.steps[0].time = seconds(0.5);
    results.steps[1].time = seconds(1.0); // half the time is half less
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("MeshSlice takes 50% less time")));
    std::swap(results.steps[0].time, results.steps[1].time); // twice the time is all of it more
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("MeshSlice takes 100% more time")));
    results.steps[0].time = results.steps[1].time;
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("the same time")));
    results.objection = "It needs a square mesh.";
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("It needs a square mesh.")));
    results.objection.clear();
    results.steps.pop_back();
    EXPECT_TRUE(comparisonText(results).isEmpty());
}

} // namespace
} // namespace meshslice::ui
