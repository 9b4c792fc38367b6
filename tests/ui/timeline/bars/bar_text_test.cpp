#include "tests/ui/support/hand_made_results.h"
#include "ui/controls/tip.h"
#include "ui/look/lettering.h"
#include "ui/timeline/bars/bar_text.h"

#include <gtest/gtest.h>

#include <regex>

namespace meshslice::ui {
namespace {

/// All lines as one, thin spaces as plain ones: easier to read in a test.
std::string joined_words(const QStringList& lines) {
    return lines.join(QStringLiteral(" | ")).replace(QChar(0x2009), QLatin1Char(' ')).toStdString();
}

std::string bar(std::size_t row, std::size_t index) {
    const StepRuns runs = runsOf(handMadeResults());
    const std::optional<RunSlice> at = barOf(runs, {0, 0, row, index});
    return joined_words(barLines(*runs[0], row, *at));
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(BarText, ATransferTellsItsSum) {
    // 26.2 us x 45 GB/s = 1 179 000 B; with 5 us of synchronization 31.2 us, 37.8 GB/s, 84% of the link.
    const std::string said = bar(1, 2);
    EXPECT_SAYS(said, "transfer: AG_row");
    EXPECT_SAYS(said, "FF1 forward, slice 3 of 4");
    EXPECT_SAYS(said, "chip 0,0  south link, step 1 of 1 of the ring");
    EXPECT_SAYS(said, "lasts 26.2 µs, from 15.0 µs to 41.2 µs");
    EXPECT_SAYS(said,
                "1.18 MB at 45.0 GB/s, 100% of the link's peak; with its synchronization 37.8 GB/s, 84%");
    EXPECT_SAYS(said, "one step: synchronization 5.00 µs + 1.18 MB / 45.0 GB/s = 31.2 µs");
}

/// A stream of packets takes more steps than the ring has chips, a shift by one chip just one.
TEST(BarText, NoStepIsBeyondTheLastOfItsRing) {
    for (const char* id : {"summa", "cannon", "wang", "collective"}) {
        Results results;
        results.scenario = default_scenario();
        results.scenario.mesh = {4, 4};
        results.scenario.gemm = SingleGemm{{256, 256, 256}, Dataflow::OS};
        const auto step = training_step(results.scenario, id, Depth::simulate);
        ASSERT_TRUE(step) << id;
        results.steps = {*step};
        const StepRuns runs = runsOf(std::make_shared<const Results>(std::move(results)));
        const std::regex words_of_step("step ([0-9]+) of ([0-9]+) of the ring");
        int steps = 0;
        for (std::size_t row = 0; row < step->gemms[0].timeline->rows().size(); ++row) {
            for (std::size_t index = 0; index < step->gemms[0].timeline->intervals(row).size(); ++index) {
                const std::string said =
                    joined_words(barLines(*runs[0], row, *barOf(runs, {0, 0, row, index})));
                std::smatch found;
                if (std::regex_search(said, found, words_of_step)) {
                    ASSERT_LE(std::stoi(found[1]), std::stoi(found[2])) << id << ": " << said;
                    ++steps;
                }
            }
        }
        EXPECT_GT(steps, 0) << id;
    }
}

TEST(BarText, SynchronizationTellsTheSameSum) {
    EXPECT_SAYS(bar(1, 1), "5.00 µs + 1.18 MB / 45.0 GB/s = 31.2 µs");
}

/// What a healthy chip would take is said to be that, where something is slow, dead or late.
TEST(BarText, TellsApartWhatFaultsChange) {
    Results faulty = *handMadeResults();
    faulty.scenario.assume.faults.parts.push_back(*parse_fault("0,0 south 50%"));
    const StepRuns runs = runsOf(std::make_shared<const Results>(std::move(faulty)));
    const auto said = [&](std::size_t row, std::size_t index) {
        return joined_words(barLines(*runs[0], row, *barOf(runs, {0, 0, row, index})));
    };
    EXPECT_SAYS(said(1, 2),
                "one step without faults: synchronization 5.00 µs + 1.18 MB / 45.0 GB/s = 31.2 µs");
    EXPECT_SAYS(said(1, 2), "1.18 MB at 45.0 GB/s, 100% of the link's peak");
    EXPECT_SAYS(said(0, 1), "without faults: 2.40 GFLOP / (100 TFLOP/s");
}

TEST(BarText, AMultiplicationTellsItsRate) {
    // 2.4 GFLOP in 48 us is 50 TFLOP/s, half of the peak, which is what large GEMMs reach.
    const std::string said = bar(0, 1);
    EXPECT_SAYS(said, "multiply: C += A' B'");
    EXPECT_SAYS(said, "2.40 GFLOP at 50.0 TFLOP/s, 50% of the chip's peak");
    EXPECT_SAYS(said, "2.40 GFLOP / (100 TFLOP/s × 50% that large GEMMs reach) = 48.0 µs");
}

TEST(BarText, ALaunchIsPaidOnce) {
    EXPECT_SAYS(bar(1, 0), "paid once for each operation: 10.0 µs");
}

TEST(BarText, MergedBarsSayHowMany) {
    const StepRuns runs = runsOf(handMadeResults());
    const TimeRange pixel{microseconds(0), microseconds(50)};
    const std::string said = joined_words(mergedLines(*runs[0], 1, use_in(*runs[0], 1, pixel), pixel));
    EXPECT_SAYS(said, "3 bars merge in this pixel");
    EXPECT_SAYS(said, "busy for 82% of it"); // 41.2 of 50
    EXPECT_SAYS(said, "transfer: AG_row");
}

TEST(BarText, AWaitSaysWhatIsExposed) {
    const StepRuns runs = runsOf(handMadeResults());
    const std::string said = joined_words(waitLines(*runs[0], 0, 0, {Time(0), microseconds(40)}));
    EXPECT_SAYS(said, "the core waits: exposed communication");
    EXPECT_SAYS(said, "lasts 40.0 µs, from 0 s to 40.0 µs");
    EXPECT_SAYS(said, "this GEMM: 50.0 µs exposed of 100 µs");
    EXPECT_SAYS(said, "no transfer of this chip ends in this time"); // 41.2 us is later
    EXPECT_SAYS(joined_words(waitLines(*runs[0], 0, 0, {microseconds(90), microseconds(100)})),
                "this chip is done");
}

TEST(BarText, AProductBeginsAtTheStart) {
    const StepRuns runs = runsOf(handMadeResults());
    EXPECT_SAYS(joined_words(productLines(*runs[0], 0)), "from the start");
    EXPECT_SAYS(joined_words(productLines(*runs[0], 1)), "from 100 µs");
}

TEST(BarText, SaysWhyThereAreNoBars) {
    auto results = std::make_shared<Results>(*handMadeResults(true));
    EXPECT_SAYS(whyNoBars(*runsOf(results)[0]).toStdString(), "estimated, not simulated");
    results->estimated_because = {"", "Its 9 billion bars do not fit."};
    EXPECT_SAYS(whyNoBars(*runsOf(results)[1]).toStdString(), "Its 9 billion bars do not fit.");
}

TEST(BarText, PassesShorten) {
    EXPECT_EQ(passNames(Pass::forward).join(QLatin1Char('|')), QStringLiteral("forward|fwd"));
    EXPECT_EQ(passNames(Pass::backward_weight).join(QLatin1Char('|')),
              QStringLiteral("backward weight|bwd weight|weight"));
}

TEST(Tip, EscapesWhatLooksLikeMarkup) {
    EXPECT_TRUE(tipHtml({QStringLiteral("a < b"), QStringLiteral("c")})
                    .contains(QStringLiteral("<b>a &lt; b</b><br>c")));
}

TEST(Lettering, TakesTheFirstThatFits) {
    const QFont font = lettering(Lettering::normal);
    const QStringList wishes = {QStringLiteral("done after 1.97 ms"), QStringLiteral("1.97 ms")};
    EXPECT_EQ(firstFitting(font, wishes, 500), wishes[0]);
    EXPECT_EQ(firstFitting(font, wishes, textWidth(font, wishes[0]) - 0.5), wishes[1]);
    EXPECT_TRUE(firstFitting(font, wishes, 3).isEmpty());
}

TEST(Lettering, CutsToWidth) {
    const QFont font = lettering(Lettering::normal);
    EXPECT_EQ(fitted(font, QStringLiteral("chip"), 500), QStringLiteral("chip"));
    const QString cut = fitted(font, QStringLiteral("chip 31,7  east link"), 60);
    EXPECT_TRUE(cut.endsWith(QChar(0x2026)));
    EXPECT_LE(textWidth(font, cut), 60);
    EXPECT_TRUE(fitted(font, QStringLiteral("chip"), 3).isEmpty());
}

} // namespace
} // namespace meshslice::ui
