#include "core/report/chart/ticks.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NiceStep, IsTheNextOfOneTwoFive) {
    EXPECT_DOUBLE_EQ(nice_step(0.9), 1.0);
    EXPECT_DOUBLE_EQ(nice_step(1.0), 1.0);
    EXPECT_DOUBLE_EQ(nice_step(1.1), 2.0);
    EXPECT_DOUBLE_EQ(nice_step(2.1), 5.0);
    EXPECT_DOUBLE_EQ(nice_step(5.1), 10.0);
    EXPECT_DOUBLE_EQ(nice_step(0.03), 0.05);
    EXPECT_EQ(nice_step(std::int64_t{1}), 1);
    EXPECT_EQ(nice_step(std::int64_t{3}), 5);
    EXPECT_EQ(nice_step(std::int64_t{6'000'001}), 10'000'000);
    EXPECT_GT(nice_step(std::numeric_limits<std::int64_t>::max()), 0); // ends, and does not overflow
}

TEST(LinearTicks, AreMultiplesWithinTheEnds) {
    EXPECT_THAT(linear_ticks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_THAT(linear_ticks(3, 17, 3), ElementsAre(5, 10, 15));
    EXPECT_THAT(linear_ticks(1, 1, 5), IsEmpty());
}

TEST(LogTicks, AreOneTwoFive) {
    EXPECT_THAT(log_ticks(1, 100, 9), ElementsAre(DoubleEq(1), 2, 5, 10, 20, 50, 100));
    EXPECT_THAT(log_ticks(30, 700, 9), ElementsAre(50, 100, 200, 500));
    EXPECT_THAT(log_ticks(1, 1e6, 9),
                ElementsAre(1, 10, 100, 1000, 1e4, 1e5, 1e6)); // too many: decades alone
    EXPECT_THAT(log_ticks(0, 10, 9), IsEmpty());
    EXPECT_THAT(log_ticks(-1, 10, 9), IsEmpty());
}

TEST(Decimals, AreThoseOfTheStep) {
    EXPECT_EQ(decimals_for(10), 0);
    EXPECT_EQ(decimals_for(1), 0);
    EXPECT_EQ(decimals_for(0.5), 1);
    EXPECT_EQ(decimals_for(0.02), 2);
    EXPECT_EQ(decimals_for(0.001), 3);
}

} // namespace
} // namespace meshslice
