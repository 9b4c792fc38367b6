#include "tests/core/serve/small_serving.h"

namespace meshslice {
namespace {

using namespace tests;

/// Of a request that began at once, had its first token after `ttft` and 10 more, one every `tpot`.
RequestOutcome outcome_of(double arrival, double ttft, double tpot) {
    RequestOutcome one;
    one.arrival = one.started = arrival;
    one.first = arrival + ttft;
    one.last = one.first + 10 * tpot;
    one.input = 100;
    one.output = 11;
    one.end = RequestEnd::finished;
    return one;
}

TEST(ServingSummary, HasPercentilesBetweenRequests) {
    ServingResult result;
    for (const double ttft : {5.0, 1.0, 2.0, 4.0, 3.0}) {
        result.requests.push_back(outcome_of(0, ttft, 0.1));
    }
    const ServingSummary found = summarize(result);
    // 1, 2, 3, 4, 5: the 95th of 100 is at 0.95 x 4 = 3.8, that is 4.8.
    EXPECT_DOUBLE_EQ(found.ttft.mean, 3);
    EXPECT_DOUBLE_EQ(found.ttft.p50, 3);
    EXPECT_DOUBLE_EQ(found.ttft.p95, 4.8);
    EXPECT_DOUBLE_EQ(found.ttft.p99, 4.96);
    EXPECT_DOUBLE_EQ(found.ttft.most, 5);
    EXPECT_NEAR(found.tpot.mean, 0.1, 1e-12);
    // 55 tokens until 6 s.
    EXPECT_DOUBLE_EQ(found.tokens_per_s, 55 / 6.0);
    EXPECT_DOUBLE_EQ(found.requests_per_s, 5 / 6.0);
}

TEST(ServingSummary, CountsWhatMeetsTheGoal) {
    ServingResult result;
    result.requests = {outcome_of(0, 1, 0.1), outcome_of(0, 3, 0.1), outcome_of(0, 1, 0.2),
                       outcome_of(0, 1, 0.1)};
    result.requests[3].end = RequestEnd::refused;
    const ServingSummary found = summarize(result, {2, 0.15});
    // The first alone, until 4 s, when the second ends.
    EXPECT_DOUBLE_EQ(found.good_share, 0.25);
    EXPECT_DOUBLE_EQ(found.good_per_s, 0.25);
    EXPECT_EQ(found.finished, 3);
    EXPECT_EQ(found.refused, 1);
    EXPECT_DOUBLE_EQ(summarize(result).good_share, 0.75);
}

/// The first request ends at 2 s, and the last one comes at 4 s. Between them the second one has the ten
/// tokens after its first, which was out at 2 s, and ends; the third has its first token at 5 s.
TEST(ServingSummary, SaysRatesWithoutRampUpAndDrain) {
    ServingResult result;
    result.requests = {outcome_of(0, 1, 0.1), outcome_of(1, 1, 0.1), outcome_of(4, 1, 0.1)};
    const SteadyRates steady = summarize(result).steady;
    EXPECT_DOUBLE_EQ(steady.from, 2);
    EXPECT_DOUBLE_EQ(steady.to, 4);
    EXPECT_DOUBLE_EQ(steady.tokens_per_s, 10 / 2.0);
    EXPECT_DOUBLE_EQ(steady.requests_per_s, 1 / 2.0);
    result.requests[2].arrival = 1.5; // all come before one has ended
    EXPECT_FALSE(summarize(result).steady.any());
    EXPECT_FALSE(summarize(ServingResult()).steady.any());
}

TEST(ServingSummary, LeavesOutTheFirst) {
    ServingResult result;
    result.requests = {outcome_of(0, 9, 0.1), outcome_of(1, 1, 0.1)};
    const ServingSummary found = summarize(result, {}, 1);
    EXPECT_EQ(found.requests, 1);
    EXPECT_DOUBLE_EQ(found.ttft.mean, 1);
    EXPECT_DOUBLE_EQ(found.seconds, 2);
    EXPECT_EQ(summarize(result, {}, 5).requests, 0);
}

TEST(ServingSummary, SaysWhereTheQueueGrowsForEver) {
    // A step of one request takes 1 s.
    const StraightStepTimes times(StraightCosts{1, 0, 0, 0, 0});
    ServingDeployment deployment = servers_of(times);
    deployment.pools[0].settings.most_batch = 1;
    for (const ArrivalLaw law : {ArrivalLaw::even, ArrivalLaw::poisson}) {
        Arrivals arrivals = alike(law, 2000, 1, 1);
        for (const double rate : {0.3, 0.7, 0.9, 1.2, 2.0}) {
            arrivals.rate = rate;
            EXPECT_EQ(summarize(served(deployment, arrivals)).saturated, rate > 1) << rate;
        }
    }
    EXPECT_DOUBLE_EQ(serving_capacity(deployment, alike(ArrivalLaw::poisson, 100, 1, 1)).value(), 1);
}

TEST(ServingSummary, SharesTimeBetweenSteps) {
    const StraightStepTimes times(StraightCosts{1, 0, 0, 0, 0});
    // 3 tokens each, one at 0 and one at 9: 6 s of 12 in steps.
    const ServingSummary found =
        summarize(served(servers_of(times), replayed({request_at(0, 1, 3), request_at(9, 1, 3)})));
    EXPECT_DOUBLE_EQ(found.utilization, 0.5);
    EXPECT_DOUBLE_EQ(found.decode_batch, 1);
    EXPECT_EQ(found.steps, 6);
}

} // namespace
} // namespace meshslice
