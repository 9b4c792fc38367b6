#include "core/base/text.h"
#include "core/report/words/why_words.h"
#include "tests/ui/support/hand_made_results.h"
#include "ui/details/details_text.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/timeline/strip/time_axis.h"

#include <QString>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

ResultsPtr resultsOf(const Scenario& scenario) {
    auto results = std::make_shared<Results>();
    results->scenario = scenario;
    for (const std::string& id : {scenario.plan.algorithm, scenario.compare}) {
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
    scenario.plan.slices = 4;
    return scenario;
}

template <class Quantity>
QString shown(Quantity quantity) {
    return QString::fromStdString(text(quantity)).replace(QChar(0x2009), QChar(QChar::Nbsp));
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

/// Of two variants the title says whose GEMM it is: its numbers are that variant's alone.
TEST(DetailsText, SaysWhoseGemmItIs) {
    Results results = *resultsOf(oneProduct());
    const auto titled = [&] {
        return detailsText(std::make_shared<Results>(results), Selected{0, 0, {}, {}});
    };
    EXPECT_TRUE(titled().startsWith(
        QStringLiteral("<h3>%1</h3>").arg(words(results.steps[0].gemms[0].title()).toHtmlEscaped())));
    results.steps[0].variant = "A (half <links>)";
    EXPECT_TRUE(titled().startsWith(QStringLiteral("<h3>A (half &lt;links&gt;): ")))
        << titled().toStdString();
}

TEST(DetailsText, LeavesOutPartsThatTakeNoTime) {
    Results results = *resultsOf(oneProduct());
    Estimate& estimate = results.steps[0].gemms[0].estimate;
    estimate.steady = Time(0);
    const QString text = detailsText(std::make_shared<Results>(results), Selected{0, 0, {}, {}});
    EXPECT_TRUE(
        text.contains(QStringLiteral("%1 + %2<br>").arg(shown(estimate.prologue), shown(estimate.epilogue))))
        << text.toStdString();
}

TEST(DetailsText, CallsOneProductAProduct) {
    Scenario scenario = oneProduct();
    const QString one = detailsText(resultsOf(scenario), {});
    EXPECT_TRUE(one.contains(QStringLiteral("The GEMM")));
    EXPECT_FALSE(one.contains(QStringLiteral("block")));
    scenario.gemm.reset();
    const ResultsPtr results = resultsOf(scenario);
    const QString text = detailsText(results, {});
    EXPECT_TRUE(text.contains(QStringLiteral("One block of GPT-3 175B")));
    EXPECT_TRUE(text.contains(QStringLiteral("all 96 blocks")));
    EXPECT_TRUE(text.contains(shown(results->steps[0].time * 96)));
    EXPECT_TRUE(text.contains(QStringLiteral("Left out: attention's own GEMMs").toHtmlEscaped()));
    EXPECT_FALSE(text.contains(QStringLiteral("whole step")));
}

/// GPT-3 on 16 chips of 32 GB: weights, gradients and Adam alone are 16 B x 175e9 / 16 = 175 GB.
TEST(DetailsText, SaysWhetherItFits) {
    Scenario scenario = oneProduct();
    QString text = detailsText(resultsOf(scenario), {});
    EXPECT_TRUE(text.contains(QStringLiteral("MeshSlice fits: "))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("A, B and C")));
    EXPECT_FALSE(text.contains(QStringLiteral("optimizer")));
    scenario.gemm.reset();
    scenario.batch = 16;
    const ResultsPtr results = resultsOf(scenario);
    text = detailsText(results, {});
    for (const TrainingStep& step : results->steps) {
        EXPECT_FALSE(step.fits());
        EXPECT_TRUE(text.contains(shown(step.memory.bytes())));
        EXPECT_TRUE(text.contains(shown(step.block_memory.bytes())));
    }
    EXPECT_TRUE(text.contains(QStringLiteral("<b>MeshSlice does not fit: "))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("optimizer")));
    EXPECT_TRUE(text.contains(QStringLiteral("Counted for all 96 blocks and the embeddings")));
    EXPECT_TRUE(headlineText(results->steps[0]).contains(QStringLiteral(": does not fit: ")));
    const QString tip = headlineTip(*results);
    EXPECT_TRUE(tip.contains(QStringLiteral("All 96 blocks: ")));
    EXPECT_TRUE(tip.contains(QStringLiteral("Memory of a chip with MeshSlice: weights ")));
}

TEST(DetailsText, AnEstimateSaysWhyItIsOne) {
    Results results;
    results.scenario = oneProduct();
    results.steps.push_back(training_step(results.scenario, "meshslice", Depth::estimate).value());
    results.estimated_because = {"It is too large."};
    const auto shared = std::make_shared<Results>(results);
    EXPECT_TRUE(detailsText(shared, {}).contains(QStringLiteral("It is too large.")));
    EXPECT_TRUE(detailsText(shared, Selected{0, 0, {}, {}}).contains(QStringLiteral("It is too large.")));
    EXPECT_TRUE(headlineText(results.steps[0]).startsWith(QStringLiteral("Estimate")));
    EXPECT_TRUE(headlineTip(results).contains(QStringLiteral("It is too large.")));
    EXPECT_FALSE(headlineText(resultsOf(oneProduct())->steps[0]).startsWith(QStringLiteral("Estimate")));
}

TEST(HeadlineTip, DefinesItsWords) {
    const QString tip = headlineTip(*resultsOf(oneProduct()));
    EXPECT_TRUE(tip.contains(QStringLiteral("Hidden:")));
    EXPECT_TRUE(tip.contains(QStringLiteral("Exposed:")));
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

TEST(DetailsText, TimesOfABarAreThoseOfTheAxis) {
    Results results = *resultsOf(oneProduct());
    GemmResult& product = results.steps[0].gemms[0];
    product.gemm.copies = 8;
    product.start = seconds(1.0);
    const Time begins = product.start + product.timeline->end() * 4 + product.timeline->intervals(0)[0].start;
    const Time lasts = product.timeline->intervals(0)[0].end - product.timeline->intervals(0)[0].start;
    const QString text = detailsText(std::make_shared<Results>(results), Selected{0, 0, 0, 0, 4});
    EXPECT_TRUE(text.contains(QStringLiteral("5 of 8"))) << text.toStdString();
    EXPECT_TRUE(text.contains(moment(begins, lasts).replace(QChar(0x2009), QChar(QChar::Nbsp))));
    EXPECT_TRUE(text.contains(QStringLiteral("start")));
    // A copy that is not there is the GEMM as a whole.
    EXPECT_EQ(detailsText(std::make_shared<Results>(results), Selected{0, 0, 0, 0, 8}),
              detailsText(std::make_shared<Results>(results), Selected{0, 0, {}, {}}));
}

/// 2.4 GFLOP in 48 us are 50 TFLOP/s, half of the peak of 100; and the formula with these numbers.
TEST(DetailsText, AMultiplicationSaysHowItsDurationComesAbout) {
    const QString text =
        detailsText(handMadeResults(), Selected{0, 0, 0, 1}).replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    EXPECT_TRUE(text.contains(QStringLiteral("2.40 GFLOP at 50.0 TFLOP/s, 50% of the chip")))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("= 48.0 µs"))) << text.toStdString();
}

TEST(DetailsText, AWaitSaysWhatForAndTheFirstBarBeginsAtNought) {
    const ResultsPtr results = resultsOf(oneProduct());
    const std::size_t bars = results->steps[0].gemms[0].timeline->intervals(0).size();
    const QString first = detailsText(results, Selected{0, 0, 0, 0, 0, true});
    EXPECT_TRUE(first.contains(QStringLiteral("waits for"))) << first.toStdString();
    EXPECT_FALSE(first.contains(QStringLiteral("0") + QChar(QChar::Nbsp) + QStringLiteral("ps<")));
    EXPECT_TRUE(
        detailsText(results, Selected{0, 0, 0, bars, 0, true}).contains(QStringLiteral("Selected wait")));
    const QString product = detailsText(results, Selected{0, 0, {}, {}});
    EXPECT_EQ(detailsText(results, Selected{0, 0, 0, bars + 1, 0, true}), product);
    EXPECT_EQ(detailsText(results, Selected{0, 0, 1, 0, 0, true}), product);
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
    std::swap(results.steps[0].time, results.steps[1].time);
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("MeshSlice takes 2 times as long")));
    results.steps[0].time = results.steps[1].time + Time(1'000'000); // a microsecond of half a second
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("the same time")));
    results.steps[0].time = results.steps[1].time;
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("the same time")));
    results.objection = "It needs a square mesh.";
    EXPECT_TRUE(comparisonText(results).contains(QStringLiteral("It needs a square mesh.")));
    results.objection.clear();
    results.steps.pop_back();
    EXPECT_TRUE(comparisonText(results).isEmpty());
    Scenario alone = default_scenario();
    alone.compare.clear();
    EXPECT_TRUE(comparisonText(*resultsOf(alone)).startsWith(QStringLiteral("All 96 blocks: ")));
}

/// What the window says is what the critical path says.
TEST(DetailsText, SaysWhyAProductTakesThisLong) {
    const ResultsPtr results = resultsOf(oneProduct());
    const ReasonsPtr reasons = reasonsFor(results);
    const QString text = detailsText(results, Selected{0, 0, {}, {}}, reasons);
    const ProductWhy& why = *reasons->of(0, 0);
    EXPECT_TRUE(text.contains(QString::fromStdString(why_sentence(results->steps[0].gemms[0], why, {}))
                                  .replace(QChar(0x2009), QChar(QChar::Nbsp))))
        << text.toStdString();
    const CauseTimes exposed = all_phases(why.path->exposed);
    const Time transfers = exposed.at(Place::horizontal_links, Activity::transfer);
    ASSERT_GT(transfers, Time(0));
    EXPECT_TRUE(text.contains(QStringLiteral("horizontal links: transfer")));
    EXPECT_TRUE(text.contains(shown(transfers)));
    EXPECT_TRUE(text.contains(QStringLiteral("Slack in the steady state")));
    EXPECT_TRUE(text.contains(QStringLiteral("none: it sets the pace")));
    // A mesh of two axes has no links of a third.
    EXPECT_FALSE(text.contains(QStringLiteral("third")));
}

TEST(DetailsText, SaysWhyTheStepsTakeThisLong) {
    const ResultsPtr results = resultsOf(oneProduct());
    const ReasonsPtr reasons = reasonsFor(results);
    const QString text = detailsText(results, {}, reasons);
    for (std::size_t k = 0; k < reasons->steps.size(); ++k) {
        EXPECT_TRUE(text.contains(QString::fromStdString(why_sentence(results->steps[k], *reasons->steps[k]))
                                      .replace(QChar(0x2009), QChar(QChar::Nbsp))));
    }
    EXPECT_TRUE(text.contains(QStringLiteral("What the core waits for")));

    Scenario faulty = oneProduct();
    faulty.assume.faults.parts = {*parse_fault("0,0 core 50%")};
    const ResultsPtr with_fault = resultsOf(faulty);
    EXPECT_TRUE(detailsText(with_fault, {}, reasonsFor(with_fault))
                    .contains(QStringLiteral("What cores wait for on the critical path")));
}

/// Reasons of an older run say nothing about a newer one.
TEST(DetailsText, PassesOverReasonsOfOtherResults) {
    const ResultsPtr results = resultsOf(oneProduct());
    const ReasonsPtr older = reasonsFor(resultsOf(oneProduct()));
    EXPECT_EQ(detailsText(results, {}, older), detailsText(results, {}));
    EXPECT_EQ(detailsText(results, Selected{0, 0, {}, {}}, older),
              detailsText(results, Selected{0, 0, {}, {}}));
}

} // namespace
} // namespace meshslice::ui
