#include "tests/core/serve/small_serving.h"

#include <limits>

namespace meshslice {
namespace {

using namespace tests;

/// A step takes 1 s, and 1 s for each token of a prompt.
const StraightStepTimes a_second_each(StraightCosts{1, 1, 0, 0, 0});

TEST(ServerFailure, WhatWasOutStaysOut) {
    ServingDeployment deployment = servers_of(a_second_each, 2);
    deployment.failures = {{0, 4.5}};
    const ServingResult found = served(deployment, replayed({request_at(0, 2, 4), request_at(0, 2, 20)}));
    // A has put out tokens at 3 and 4. The other server takes its prompt of 2 and those 2 next to B's token
    // from 5 to 10, where the third is out, and then the last.
    EXPECT_DOUBLE_EQ(found.requests[0].first, 3);
    EXPECT_DOUBLE_EQ(found.requests[0].last, 11);
    EXPECT_EQ(found.requests[0].server, 1);
    EXPECT_EQ(found.requests[0].restarts, 1);
    // B: tokens at 3, 4, 5, 10, and 16 more.
    EXPECT_DOUBLE_EQ(found.requests[1].last, 26);
    EXPECT_DOUBLE_EQ(found.servers[0].alive, 4.5);
    EXPECT_EQ(found.servers[0].output_tokens, 2);
    EXPECT_EQ(found.servers[1].output_tokens, 22);
}

TEST(ServerFailure, RequestsWaitForAServerThatComesBack) {
    ServingDeployment deployment = servers_of(a_second_each);
    deployment.failures = {{0, 4.5, 10}};
    const ServingResult found = served(deployment, replayed({request_at(0, 2, 4), request_at(6, 2, 1)}));
    // Both prompts, 4 tokens and 2, from 10 to 17.
    EXPECT_DOUBLE_EQ(found.requests[0].last, 18);
    EXPECT_DOUBLE_EQ(found.requests[1].started, 10);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 17);
    EXPECT_DOUBLE_EQ(found.servers[0].alive, 18 - 5.5);
}

TEST(ServerFailure, WithoutAnyServerRequestsAreLost) {
    ServingDeployment deployment = servers_of(a_second_each);
    deployment.failures = {{0, 4.5}};
    const ServingResult found = served(deployment, replayed({request_at(0, 2, 4), request_at(6, 2, 1)}));
    EXPECT_EQ(found.requests[0].end, RequestEnd::lost);
    EXPECT_EQ(found.requests[1].end, RequestEnd::lost);
    EXPECT_EQ(summarize(found).lost, 2);
    EXPECT_EQ(summarize(found).good_share, 0);
}

/// Two servers of prompts, two that decode; a cache takes 4 s to go over.
ServingDeployment two_and_two(const StepTimes& times) {
    ServingDeployment deployment = servers_of(times, 2);
    deployment.pools.push_back(deployment.pools[0]);
    deployment.bytes_per_token = 1;
    deployment.transfer = {0.5, 0};
    return deployment;
}

TEST(ServerFailure, ACacheOnItsWayIsLostWithEitherEnd) {
    // The prompt ends at 3, its cache is on its way until 7. Where either end fails at 5, prompt and first
    // token are computed again, on the server of prompts that is next, from 5 to 9; 6 s later the last is
    // decoded.
    for (const std::int64_t server : {0, 2}) {
        ServingDeployment deployment = two_and_two(a_second_each);
        deployment.failures = {{server, 5}};
        const RequestOutcome one = served(deployment, replayed({request_at(0, 2, 3)})).requests[0];
        EXPECT_DOUBLE_EQ(one.first, 3);
        EXPECT_DOUBLE_EQ(one.last, 9 + 6 + 1);
        EXPECT_EQ(one.restarts, 1);
        EXPECT_EQ(one.server, 3);
    }
}

TEST(Autoscaling, StartsServersWhereRequestsWaitAndStopsThem) {
    const StraightStepTimes ten_seconds(StraightCosts{10, 0, 0, 0, 0});
    ServingDeployment deployment = servers_of(ten_seconds);
    deployment.pools[0].settings.most_batch = 1;
    deployment.pools[0].autoscaling = {2, 8, 0.5, 1, 3};
    Arrivals arrivals = alike(ArrivalLaw::even, 5, 1, 1);
    arrivals.rate = 0.2;
    // At 8 a request waits: a server starts, and is there from 11 on. The request of 15 goes to it, and so on
    // by turns: the first server works until 40, the second from 15 to 25.
    arrivals.requests = 5;
    const ServingResult found = served(deployment, arrivals);
    EXPECT_EQ(found.requests[2].server, 0);
    EXPECT_DOUBLE_EQ(found.requests[2].started, 20);
    EXPECT_EQ(found.requests[3].server, 1);
    EXPECT_DOUBLE_EQ(found.requests[3].started, 15);
    EXPECT_DOUBLE_EQ(found.requests[4].last, 40);
    // At 32 one request is there, no less than one for the server that would remain.
    EXPECT_DOUBLE_EQ(found.servers[1].alive, 29);

    // A request much later, and a rule that lets two servers go down to one for fewer than two requests each.
    ServingDeployment lower = deployment;
    lower.pools[0].autoscaling.stop_below = 2;
    const ServingResult stopped = served(lower, arrivals);
    EXPECT_DOUBLE_EQ(stopped.servers[1].alive, 32 - 11);
    EXPECT_DOUBLE_EQ(stopped.requests[4].last, 40);
}

} // namespace
} // namespace meshslice
