#include "core/serve/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace meshslice {
namespace {

std::vector<ServingRequest> all_of(const Arrivals& arrivals) {
    std::vector<ServingRequest> found;
    RequestStream stream(arrivals);
    for (auto one = stream.next(); one; one = stream.next()) {
        found.push_back(*one);
    }
    return found;
}

TEST(ServingDraws, AreTheSameEverywhere) {
    // The reference code of xoshiro256** after four numbers of SplitMix64 from 0, of which the second is
    // 0x6E789E6AA1B965F4: that, times 5, turned by 7, times 9.
    Draws draws(0, 0);
    EXPECT_EQ(draws.bits(), 0x99EC5F36CB75F2B4U);
    EXPECT_NE(Draws(0, 0).bits(), Draws(0, 1).bits());
    EXPECT_NE(Draws(0, 0).bits(), Draws(1, 0).bits());
}

TEST(ServingDraws, HaveTheirMeansAndDeviations) {
    Draws draws(1, 0);
    constexpr int count = 200'000;
    double exponential = 0, normal = 0, squares = 0;
    for (int k = 0; k < count; ++k) {
        exponential += draws.exponential();
        const double one = draws.normal();
        normal += one;
        squares += one * one;
    }
    // Four deviations of a mean: 1 / sqrt(n), and sqrt(2 / n) for squares.
    EXPECT_NEAR(exponential / count, 1, 4 / std::sqrt(count));
    EXPECT_NEAR(normal / count, 0, 4 / std::sqrt(count));
    EXPECT_NEAR(squares / count, 1, 4 * std::sqrt(2.0 / count));
}

TEST(ServingArrivals, HaveTheirRates) {
    Arrivals arrivals;
    arrivals.requests = 100'000;
    arrivals.rate = 4;
    for (const ArrivalLaw law : {ArrivalLaw::poisson, ArrivalLaw::even, ArrivalLaw::bursts}) {
        arrivals.law = law;
        const double bursts = law == ArrivalLaw::bursts ? static_cast<double>(arrivals.burst) : 1;
        const double share = all_of(arrivals).back().arrival / (100'000 / arrivals.rate);
        EXPECT_NEAR(share, 1, 4 * std::sqrt(bursts / 100'000));
    }
}

TEST(ServingArrivals, ComeAsTheLawSays) {
    Arrivals arrivals;
    arrivals.requests = 4;
    arrivals.rate = 2;
    arrivals.law = ArrivalLaw::even;
    EXPECT_DOUBLE_EQ(all_of(arrivals)[3].arrival, 1.5);
    arrivals.law = ArrivalLaw::at_once;
    EXPECT_DOUBLE_EQ(all_of(arrivals)[3].arrival, 0);
    arrivals.law = ArrivalLaw::bursts;
    arrivals.burst = 2;
    const auto bursts = all_of(arrivals);
    EXPECT_EQ(bursts[0].arrival, bursts[1].arrival);
    EXPECT_LT(bursts[1].arrival, bursts[2].arrival);
    EXPECT_EQ(bursts[2].arrival, bursts[3].arrival);
}

TEST(ServingArrivals, HaveTheirLengths) {
    Arrivals arrivals;
    arrivals.requests = 100'000;
    arrivals.kinds[0].input = {LengthLaw::uniform, 1000, 0.8};
    arrivals.kinds[0].output = {LengthLaw::lognormal, 200, 0.5};
    std::int64_t least = 1 << 20, most = 0;
    double inputs = 0, outputs = 0;
    for (const ServingRequest& one : all_of(arrivals)) {
        least = std::min(least, one.input);
        most = std::max(most, one.input);
        inputs += static_cast<double>(one.input);
        outputs += static_cast<double>(one.output);
    }
    EXPECT_EQ(least, 800);
    EXPECT_EQ(most, 1000);
    // Uniform on 201 numbers: a deviation of 58. Lognormal: sqrt(exp(0.25) - 1), 0.533, of the mean.
    EXPECT_NEAR(inputs / 100'000, 900, 4 * 58 / std::sqrt(100'000));
    EXPECT_NEAR(outputs / 100'000, 200, 4 * 0.533 * 200 / std::sqrt(100'000));
    arrivals.kinds[0].output.most = 200;
    for (const ServingRequest& one : all_of(arrivals)) {
        ASSERT_LE(one.output, 200);
    }
}

TEST(ServingArrivals, AnotherRateLeavesTheLengthsAsTheyAre) {
    Arrivals arrivals;
    arrivals.requests = 20;
    arrivals.kinds[0].input = {LengthLaw::exponential, 1000};
    const auto slow = all_of(arrivals);
    arrivals.rate = 50;
    const auto fast = all_of(arrivals);
    arrivals.seed = 2;
    EXPECT_NE(all_of(arrivals)[0].input, slow[0].input);
    for (std::size_t index = 0; index < slow.size(); ++index) {
        EXPECT_EQ(slow[index].input, fast[index].input);
        EXPECT_LT(fast[index].arrival, slow[index].arrival);
    }
}

TEST(ServingArrivals, MixKindsByTheirWeights) {
    Arrivals arrivals;
    arrivals.requests = 40'000;
    arrivals.kinds.push_back(arrivals.kinds[0]);
    arrivals.kinds[0].weight = 3;
    arrivals.kinds[1].priority = 1;
    double second = 0;
    for (const ServingRequest& one : all_of(arrivals)) {
        second += one.priority;
    }
    EXPECT_NEAR(second / 40'000, 0.25, 4 * std::sqrt(0.25 * 0.75 / 40'000));
}

TEST(ServingArrivals, ReplayAListAndBeginItAgain) {
    Arrivals arrivals;
    arrivals.law = ArrivalLaw::listed;
    arrivals.list.resize(2);
    arrivals.list[0].input = 10;
    arrivals.list[1].arrival = 7;
    EXPECT_EQ(all_of(arrivals), arrivals.list);
    arrivals.law = ArrivalLaw::at_once;
    arrivals.requests = 3;
    const auto found = all_of(arrivals);
    EXPECT_EQ(found[2].input, 10);
    EXPECT_DOUBLE_EQ(found[1].arrival, 0);
}

TEST(ServingArrivals, ShareTheBeginningsOfTheirGroups) {
    const std::vector<PromptGroup> groups = {{-1, 100}, {0, 20}, {-1, 5}};
    EXPECT_EQ(shared_tokens(groups, -1), 0);
    EXPECT_EQ(shared_tokens(groups, 1), 120);
    EXPECT_EQ(shared_tokens(groups, 2), 5);
}

} // namespace
} // namespace meshslice
