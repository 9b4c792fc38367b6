#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/bars/bar_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> wordsAt(int pixels_per_microsecond, std::size_t row, int height = 18) {
    const StepRuns runs = runsOf(handMadeResults());
    const TimeScale scale{{Time(0), microseconds(100)}, 0, 100 * pixels_per_microsecond};
    std::vector<std::string> all;
    for (const BarWords& one :
         wordsInBars(*runs[0], scale, QRect(0, 0, scale.width, height), height, rowsFrom(row, 1))) {
        EXPECT_LE(one.place.right(), scale.width);
        all.push_back(one.words.toStdString());
    }
    return all;
}

/// The third of four slices: the multiplication takes 48 us, its launch 2, the transfer 26.2, its
/// synchronisation 5 and the link's launch 10.
TEST(BarWords, SayAsMuchAsFits) {
    EXPECT_THAT(wordsAt(4, 0), ElementsAre("slice 3 of 4"));
    EXPECT_THAT(wordsAt(40, 0), ElementsAre("launch", "slice 3 of 4"));
    EXPECT_THAT(wordsAt(20, 1), ElementsAre("launch", "AG_row, slice 3 of 4"));
    EXPECT_THAT(wordsAt(1, 1), ElementsAre("3")) << "26 pixels";
    EXPECT_THAT(wordsAt(4, 0, 10), IsEmpty()) << "compact rows are too low";
    EXPECT_THAT(wordsAt(4, 3), IsEmpty()) << "a link that rests";
}

TEST(BarWords, AreNoneInACrowd) {
    const StepRuns runs = runsOf(combResults(1'000'000));
    const TimeScale scale{wholeOf(runs), 0, 1000};
    EXPECT_THAT(wordsInBars(*runs[0], scale, QRect(0, 0, 1000, 18), 18, rowsFrom(0, 1)), IsEmpty());
}

} // namespace
} // namespace meshslice::ui
