#include "tests/core/serve/small_serving.h"

namespace meshslice {
namespace {

using namespace tests;

/// A step takes 1 s, 1 s for each token of a prompt, 2 s for each request that decodes.
const StraightStepTimes by_hand(StraightCosts{1, 1, 0, 2, 0});

ServingResult two_requests(PromptPolicy policy) {
    ServingDeployment deployment = servers_of(by_hand);
    deployment.pools[0].settings.prompts = policy;
    deployment.pools[0].settings.most_tokens = 5;
    deployment.pools[0].settings.most_batch = 4;
    return served(deployment, replayed({request_at(0, 4, 3), request_at(1, 6, 2)}), 100);
}

TEST(ServingSchedule, PartsOfPromptsFillWhatDecodingLeaves) {
    const ServingResult found = two_requests(PromptPolicy::chunked);
    // 0 to 5: the 4 tokens of A. 5 to 12: a token of A, 4 tokens of B's prompt. 12 to 17: A's last, and the 2
    // that are left of B's prompt. 17 to 20: B's last.
    const RequestOutcome &a = found.requests[0], &b = found.requests[1];
    EXPECT_DOUBLE_EQ(a.queue(), 0);
    EXPECT_DOUBLE_EQ(a.first, 5);
    EXPECT_DOUBLE_EQ(a.last, 17);
    EXPECT_DOUBLE_EQ(a.tpot(), 6);
    EXPECT_DOUBLE_EQ(b.queue(), 4);
    EXPECT_DOUBLE_EQ(b.ttft(), 16);
    EXPECT_DOUBLE_EQ(b.last, 20);
    const std::vector<ServerStretch> expected = {{0, 5, 0, 1, 0, 4, 1, 10, 0},
                                                 {5, 12, 0, 1, 1, 4, 1, 10, 5},
                                                 {12, 17, 0, 1, 1, 2, 1, 11, 6},
                                                 {17, 20, 0, 1, 1, 0, 0, 0, 7}};
    EXPECT_EQ(found.stretches, expected);
    EXPECT_DOUBLE_EQ(found.servers[0].busy, 20);
    EXPECT_EQ(found.servers[0].prompt_tokens, 10);
    EXPECT_EQ(found.servers[0].output_tokens, 5);
    EXPECT_EQ(found.servers[0].decode_steps, 3);
}

TEST(ServingSchedule, WholePromptsStandNextToDecoding) {
    const ServingResult found = two_requests(PromptPolicy::whole);
    // 5 to 14: a token of A and B's prompt, longer than a step takes and thus without others. 14 to 19: both.
    EXPECT_DOUBLE_EQ(found.requests[0].last, 19);
    EXPECT_DOUBLE_EQ(found.requests[1].first, 14);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 19);
}

TEST(ServingSchedule, NothingDecodesNextToPromptsThatAreAlone) {
    const ServingResult found = two_requests(PromptPolicy::alone);
    // 5 to 12: B's prompt. 12 to 17: both, B's last. 17 to 20: A's last.
    EXPECT_DOUBLE_EQ(found.requests[0].last, 20);
    EXPECT_DOUBLE_EQ(found.requests[1].first, 12);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 17);
}

TEST(ServingSchedule, ARunOfEqualStepsEndsWhereARequestMayBegin) {
    // Steps take half a second for each key as well: A's prompt ends at 3, its tokens are out at 7.5, 12.5,
    // 18 and 24.
    const StraightStepTimes times(StraightCosts{1, 1, 0, 2, 0.5});
    ServingDeployment deployment = servers_of(times);
    EXPECT_DOUBLE_EQ(served(deployment, replayed({request_at(0, 2, 5)})).requests[0].last, 24);
    // B comes at 8 or, as well, just when a step ends: its prompt is in the step from 12.5 to 19.
    for (const double arrival : {8.0, 12.5}) {
        const ServingResult found =
            served(deployment, replayed({request_at(0, 2, 5), request_at(arrival, 1, 1)}));
        EXPECT_DOUBLE_EQ(found.requests[1].started, 12.5);
        EXPECT_DOUBLE_EQ(found.requests[1].last, 19);
        EXPECT_DOUBLE_EQ(found.requests[0].last, 25);
        EXPECT_EQ(found.servers[0].steps, 5);
    }
    // A server of one request finishes it before the next.
    deployment.pools[0].settings.most_batch = 1;
    EXPECT_DOUBLE_EQ(
        served(deployment, replayed({request_at(0, 2, 5), request_at(8, 1, 1)})).requests[1].started, 24);
}

TEST(ServingSchedule, DelaysOfEngineAndHostAddUp) {
    ServingDeployment deployment = servers_of(by_hand);
    deployment.pools[0].settings.step_delay = 0.5;
    deployment.pools[0].settings.host_delay = 0.25;
    // Begins at 0.25; 1 + 4 + 0.5 s for the prompt, 1 + 2 + 0.5 s for each of two tokens.
    const RequestOutcome one = served(deployment, replayed({request_at(0, 4, 3)})).requests[0];
    EXPECT_DOUBLE_EQ(one.queue(), 0.25);
    EXPECT_DOUBLE_EQ(one.ttft(), 5.75);
    EXPECT_DOUBLE_EQ(one.e2e(), 12.75);
}

TEST(ServingSchedule, TheSmallerPriorityGoesFirst) {
    ServingDeployment deployment = servers_of(by_hand);
    deployment.pools[0].settings.most_batch = 1;
    std::vector<ServingRequest> list = {request_at(0, 4, 1), request_at(1, 4, 1), request_at(2, 4, 1)};
    list[0].priority = list[1].priority = 7;
    const ServingResult found = served(deployment, replayed(list));
    EXPECT_DOUBLE_EQ(found.requests[0].last, 5);
    EXPECT_DOUBLE_EQ(found.requests[2].last, 10);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 15);
}

TEST(ServingSchedule, AClientOfAClosedLoopWaitsForItsLastToken) {
    Arrivals arrivals = alike(ArrivalLaw::closed_loop, 3, 4, 2);
    arrivals.client_delay = 2;
    // A request takes 5 + 3 s: 0 to 8, 10 to 18, 20 to 28.
    const ServingResult found = served(servers_of(by_hand), arrivals);
    EXPECT_DOUBLE_EQ(found.requests[1].arrival, 10);
    EXPECT_DOUBLE_EQ(found.requests[2].last, 28);
}

TEST(ServingSchedule, RoundRobinTakesServersInTurns) {
    const ServingResult found = served(servers_of(by_hand, 2), alike(ArrivalLaw::at_once, 4, 4, 1));
    // Two to each: both prompts in one step of 9 s.
    for (std::size_t index = 0; index < 4; ++index) {
        EXPECT_EQ(found.requests[index].server, static_cast<std::int32_t>(index % 2));
        EXPECT_DOUBLE_EQ(found.requests[index].last, 9);
    }
}

TEST(ServingSchedule, TheLeastLoadedServerIsTheOneWithFewestRequests) {
    ServingDeployment deployment = servers_of(by_hand, 2);
    deployment.pools[0].routing = Routing::least_loaded;
    // The first is at work until 101; the second takes the others, one after the other.
    const ServingResult found =
        served(deployment, replayed({request_at(0, 100, 1), request_at(1, 4, 1), request_at(10, 4, 1)}));
    EXPECT_EQ(found.requests[1].server, 1);
    EXPECT_EQ(found.requests[2].server, 1);
}

} // namespace
} // namespace meshslice
