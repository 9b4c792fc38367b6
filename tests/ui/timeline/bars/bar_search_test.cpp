#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/bars/bar_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Two GEMMs on four chips; in each, a core launches and multiplies (2 bars) and a south link launches,
/// synchronizes and transfers (3): 40 bars.
class BarSearchTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::size_t found(const char* words) const {
        return BarSearch(runs, QString::fromLatin1(words)).count();
    }
    const StepRuns runs = runsOf(handMadeResults());
};

TEST_F(BarSearchTest, CountsWhatEveryWordDescribes) {
    EXPECT_EQ(found(""), 0u);
    EXPECT_EQ(found("chip"), 40u);
    EXPECT_EQ(found("sync"), 8u); // one a link and GEMM
    EXPECT_EQ(found("synchronization"), 8u);
    EXPECT_EQ(found("launch"), 16u);
    EXPECT_EQ(found("multiply launch"), 8u) << "the launches of the multiplications";
    EXPECT_EQ(found("AG_row launch"), 8u);
    EXPECT_EQ(found("chip 1,0"), 10u);
    EXPECT_EQ(found("south"), 24u);
    EXPECT_EQ(found("east"), 0u);
    EXPECT_EQ(found("FF1 forward"), 20u);
    EXPECT_EQ(found("backward"), 20u);
    EXPECT_EQ(found("back data core 1,1 mult"), 2u);
    EXPECT_EQ(found("nothing"), 0u);
    EXPECT_EQ(found("1"), 0u) << "a number is not shortened";
}

TEST_F(BarSearchTest, GoesRowByRowInTheOrderOfTime) {
    const BarSearch search(runs, QStringLiteral("sync"));
    ASSERT_EQ(search.count(), 8u);
    const BarSearch::Match first = search.at(0);
    EXPECT_EQ(first.row, 1u);
    EXPECT_EQ(StepRun::bar(first.bar.item).piece, 0u);
    EXPECT_EQ(StepRun::bar(first.bar.item).index, 1u);
    EXPECT_EQ(search.at(1).row, 1u);
    EXPECT_EQ(search.at(1).bar.start, microseconds(110)); // in the second GEMM
    EXPECT_EQ(search.at(2).row, 6u);
    EXPECT_EQ(search.at(7).row, 16u);
    for (std::size_t number = 0; number < search.count(); ++number) {
        const BarSearch::Match match = search.at(number);
        const BarSearch::Place place = search.placeOf(match.step, match.row, match.bar);
        EXPECT_EQ(place.before, number);
        EXPECT_TRUE(place.matches);
    }
    // The first core's multiplication is before all of them, the transfer of its link after the first.
    EXPECT_EQ(search.placeOf(0, 0, runs[0]->slice(0, StepRun::item(0, 1))).before, 0u);
    EXPECT_EQ(search.placeOf(0, 1, runs[0]->slice(1, StepRun::item(0, 2))).before, 1u);
    EXPECT_FALSE(search.placeOf(0, 1, runs[0]->slice(1, StepRun::item(0, 2))).matches);
    EXPECT_THAT(search.rows(0), ElementsAre(1, 6, 11, 16));
}

/// The link of a chip launches 0-10, synchronizes 10-15 and transfers 15-41.2 us, and from 100 us on again.
TEST_F(BarSearchTest, SaysWhereMatchesLie) {
    const TimeRange whole = wholeOf(runs);
    const BarSearch sync(runs, QStringLiteral("sync"));
    EXPECT_THAT(sync.stretches(0, 1, whole, Time(1)),
                ElementsAre(TimeRange{microseconds(10), microseconds(15)},
                            TimeRange{microseconds(110), microseconds(115)}));
    EXPECT_THAT(sync.stretches(0, 1, {microseconds(50), microseconds(112)}, Time(1)),
                ElementsAre(TimeRange{microseconds(110), microseconds(115)}));
    EXPECT_THAT(sync.stretches(0, 1, whole, microseconds(96)),
                ElementsAre(TimeRange{microseconds(10), microseconds(115)}))
        << "from afar they are one";
    EXPECT_THAT(sync.stretches(0, 0, whole, Time(1)), IsEmpty());
    EXPECT_THAT(sync.stretches(0, 99, whole, Time(1)), IsEmpty());
    const BarSearch all(runs, QStringLiteral("south forward"));
    EXPECT_THAT(all.stretches(0, 1, whole, Time(1)),
                ElementsAre(TimeRange{microseconds(0), microseconds(41) + Time(200'000)}));
    EXPECT_THAT(BarSearch().stretches(0, 1, whole, Time(1)), IsEmpty());
}

TEST_F(BarSearchTest, GoesOnInTheSecondAlgorithm) {
    const StepRuns both = runsOf(handMadeResults(true));
    const BarSearch search(both, QStringLiteral("sync 1,1"));
    ASSERT_EQ(search.count(), 4u);
    EXPECT_EQ(search.at(1).step, 0u);
    EXPECT_EQ(search.at(2).step, 1u);
    EXPECT_EQ(search.at(2).bar.start, microseconds(10));
    EXPECT_THAT(search.rows(0), ElementsAre(16));
    EXPECT_THAT(search.rows(1), ElementsAre(16));
    EXPECT_THAT(BarSearch().rows(0), IsEmpty());
}

} // namespace
} // namespace meshslice::ui
