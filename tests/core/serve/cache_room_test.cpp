#include "tests/core/serve/small_serving.h"

namespace meshslice {
namespace {

using namespace tests;

/// A step takes 1 s, and 1 s for each token of a prompt.
const StraightStepTimes prompts_only(StraightCosts{1, 1, 0, 0, 0});

ServingDeployment with_room(std::int64_t tokens, std::int64_t page) {
    ServingDeployment deployment = servers_of(prompts_only);
    deployment.pools[0].settings.cache_room = tokens;
    deployment.pools[0].settings.page = page;
    return deployment;
}

const Arrivals two_of_three_and_four = alike(ArrivalLaw::at_once, 2, 3, 4);

TEST(CacheRoom, PreemptsTheLastRequestAndComputesItAgain) {
    const ServingResult found = served(with_room(10, 1), two_of_three_and_four);
    // Both prompts until 7, with 6 tokens in the cache; two steps until 9, with 10. B goes, and A has its
    // last at 10. B's 3 tokens and the 3 that it has put out are computed until 17, and its last is out.
    EXPECT_DOUBLE_EQ(found.requests[0].last, 10);
    EXPECT_DOUBLE_EQ(found.requests[1].first, 7);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 17);
    EXPECT_EQ(found.requests[0].preemptions, 0);
    EXPECT_EQ(found.requests[1].preemptions, 1);
    EXPECT_EQ(found.servers[0].prompt_tokens, 12);
    EXPECT_EQ(found.servers[0].output_tokens, 8);
    EXPECT_EQ(found.servers[0].most_cache, 10);
}

TEST(CacheRoom, SwapsTheLastRequestToTheHostAndBack) {
    ServingDeployment deployment = with_room(10, 1);
    deployment.pools[0].settings.preemption = Preemption::swap;
    deployment.pools[0].settings.swap_rate = 2;
    deployment.bytes_per_token = 1;
    // B's 5 tokens take 2.5 s out before A's last token, until 12.5, and 2.5 s back before its own, until 16.
    const ServingResult found = served(deployment, two_of_three_and_four);
    EXPECT_DOUBLE_EQ(found.requests[0].last, 12.5);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 16);
    EXPECT_EQ(found.servers[0].prompt_tokens, 6);
}

TEST(CacheRoom, ReservedRoomIsNeverTakenAway) {
    ServingDeployment deployment = with_room(10, 1);
    deployment.pools[0].settings.cache = CachePolicy::reserved;
    // A has 7 tokens, and B waits: 0 to 4 and 7, 7 to 11 and 14.
    const ServingResult found = served(deployment, two_of_three_and_four);
    EXPECT_DOUBLE_EQ(found.requests[0].last, 7);
    EXPECT_DOUBLE_EQ(found.requests[1].started, 7);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 14);
    EXPECT_EQ(found.requests[1].preemptions, 0);
}

TEST(CacheRoom, IsTakenInWholePages) {
    // Three pages of 4. Both prompts have a page until 7; the fourth token fits into it, until 8; the fifth
    // needs one more of each. B goes, A ends at 10 with two pages; B's 5 tokens are computed until 16, its
    // last is out at 17.
    const ServingResult found = served(with_room(12, 4), two_of_three_and_four);
    EXPECT_DOUBLE_EQ(found.requests[0].last, 10);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 17);
    EXPECT_EQ(found.servers[0].most_cache, 8);
}

TEST(CacheRoom, RefusesWhatNeverFits) {
    const ServingResult found =
        served(with_room(10, 1), replayed({request_at(0, 8, 3), request_at(0, 8, 2)}));
    EXPECT_EQ(found.requests[0].end, RequestEnd::refused);
    EXPECT_EQ(found.requests[1].end, RequestEnd::finished);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 10);
}

TEST(CacheRoom, PreemptsTheLastPriorityFirst) {
    Arrivals arrivals = replayed({request_at(0, 3, 4), request_at(0, 3, 4)});
    arrivals.list[0].priority = 1;
    const ServingResult found = served(with_room(10, 1), arrivals);
    EXPECT_EQ(found.requests[0].preemptions, 1);
    EXPECT_EQ(found.requests[1].preemptions, 0);
}

} // namespace
} // namespace meshslice
