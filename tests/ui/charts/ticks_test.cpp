#include "ui/charts/ticks.h"

#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NiceStep, IsTheNextOfOneTwoFive) {
    EXPECT_DOUBLE_EQ(niceStep(0.9), 1.0);
    EXPECT_DOUBLE_EQ(niceStep(1.0), 1.0);
    EXPECT_DOUBLE_EQ(niceStep(1.1), 2.0);
    EXPECT_DOUBLE_EQ(niceStep(2.1), 5.0);
    EXPECT_DOUBLE_EQ(niceStep(5.1), 10.0);
    EXPECT_DOUBLE_EQ(niceStep(0.03), 0.05);
    EXPECT_EQ(niceStep(std::int64_t{1}), 1);
    EXPECT_EQ(niceStep(std::int64_t{3}), 5);
    EXPECT_EQ(niceStep(std::int64_t{6'000'001}), 10'000'000);
    EXPECT_GT(niceStep(std::numeric_limits<std::int64_t>::max()), 0); // ends, and does not overflow
}

TEST(LinearTicks, AreMultiplesWithinTheEnds) {
    EXPECT_THAT(linearTicks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_THAT(linearTicks(3, 17, 3), ElementsAre(5, 10, 15));
    EXPECT_THAT(linearTicks(1, 1, 5), IsEmpty());
}

TEST(LogTicks, AreOneTwoFive) {
    EXPECT_THAT(logTicks(1, 100, 9), ElementsAre(DoubleEq(1), 2, 5, 10, 20, 50, 100));
    EXPECT_THAT(logTicks(30, 700, 9), ElementsAre(50, 100, 200, 500));
    EXPECT_THAT(logTicks(1, 1e6, 9), ElementsAre(1, 10, 100, 1000, 1e4, 1e5, 1e6)); // too many: decades alone
    EXPECT_THAT(logTicks(0, 10, 9), IsEmpty());
    EXPECT_THAT(logTicks(-1, 10, 9), IsEmpty());
}

TEST(Decimals, AreThoseOfTheStep) {
    EXPECT_EQ(decimalsFor(10), 0);
    EXPECT_EQ(decimalsFor(1), 0);
    EXPECT_EQ(decimalsFor(0.5), 1);
    EXPECT_EQ(decimalsFor(0.02), 2);
    EXPECT_EQ(decimalsFor(0.001), 3);
}

} // namespace
} // namespace meshslice::ui
