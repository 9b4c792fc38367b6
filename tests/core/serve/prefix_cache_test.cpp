#include "core/serve/prefix_cache.h"
#include "tests/core/serve/small_serving.h"

namespace meshslice {
namespace {

using namespace tests;

/// 8 tokens; 4 more in two ways; 2 more, without a page of their own, and 4 more behind those.
const std::vector<PromptGroup> family = {{-1, 8}, {0, 4}, {0, 4}, {0, 2}, {3, 4}};

TEST(PrefixCache, CountsPagesWhereTheyEnd) {
    const PrefixCache cache(family, 4);
    EXPECT_EQ(cache.whole(0), 2);
    EXPECT_EQ(cache.whole(1), 3);
    EXPECT_EQ(cache.whole(3), 2);
    EXPECT_EQ(cache.whole(4), 3); // 14 tokens
    EXPECT_EQ(cache.found(1), 0);
}

TEST(PrefixCache, SharesWhatABeginningHasInCommon) {
    PrefixCache cache(family, 4);
    EXPECT_EQ(cache.insert(1), 3);
    EXPECT_EQ(cache.found(1), 3);
    EXPECT_EQ(cache.found(2), 2);
    EXPECT_EQ(cache.insert(2), 1);
    EXPECT_EQ(cache.idle(), 4);
    EXPECT_EQ(cache.pinned(), 0);
}

TEST(PrefixCache, LetsTheLeastRecentlyUsedGoAndLeavesBeforeTrunks) {
    PrefixCache cache(family, 4);
    cache.insert(1);
    cache.insert(2);
    cache.insert(4);
    EXPECT_EQ(cache.idle(), 5);
    cache.shrink_idle(4);
    EXPECT_EQ(cache.found(1), 2); // its own went, and what it shares stayed
    EXPECT_EQ(cache.found(2), 3);
    cache.shrink_idle(2);
    EXPECT_EQ(cache.found(2), 2);
    EXPECT_EQ(cache.found(4), 2);
    cache.shrink_idle(1);
    EXPECT_EQ(cache.found(4), 1);
    cache.shrink_idle(0);
    EXPECT_EQ(cache.found(4), 0);
}

TEST(PrefixCache, KeepsWhatIsInUse) {
    PrefixCache cache(family, 4);
    cache.insert(1);
    cache.insert(2);
    cache.pin(1);
    EXPECT_EQ(cache.pinned(), 3);
    cache.shrink_idle(0);
    EXPECT_EQ(cache.found(1), 3);
    EXPECT_EQ(cache.found(2), 2);
    cache.unpin(1);
    EXPECT_EQ(cache.idle(), 3);
    cache.shrink_idle(0);
    EXPECT_EQ(cache.found(1), 0);
}

/// A step takes 1 s, and 1 s for each token of a prompt; pages of 4.
const StraightStepTimes second_a_token(StraightCosts{1, 1, 0, 0, 0});

ServingDeployment with_prefix_cache(std::int64_t room = unlimited_room) {
    ServingDeployment deployment = servers_of(second_a_token);
    deployment.pools[0].settings.prefix_cache = true;
    deployment.pools[0].settings.page = 4;
    deployment.pools[0].settings.cache_room = room;
    return deployment;
}

ServingRequest in_group(std::int32_t group, double arrival, std::int64_t input, std::int64_t output = 1) {
    ServingRequest request = request_at(arrival, input, output);
    request.group = group;
    return request;
}

TEST(PrefixCache, SavesThePromptThatIsThere) {
    for (const std::int64_t room : {unlimited_room, std::int64_t{40}}) {
        Arrivals arrivals = replayed({in_group(0, 0, 12), in_group(0, 20, 12), in_group(0, 40, 10)});
        arrivals.groups = {{-1, 10}};
        const ServingResult found = served(with_prefix_cache(room), arrivals);
        // 12 tokens until 13; of the next, 8 are there in two pages: 20 to 25 and 40 to 43.
        EXPECT_DOUBLE_EQ(found.requests[0].last, 13);
        EXPECT_DOUBLE_EQ(found.requests[1].last, 25);
        EXPECT_DOUBLE_EQ(found.requests[2].last, 43);
        EXPECT_EQ(found.requests[1].reused, 8);
    }
}

TEST(PrefixCache, ComputesTheLastTokenOfAPromptThatIsAllThere) {
    Arrivals arrivals = replayed({in_group(0, 0, 8), in_group(0, 20, 8)});
    arrivals.groups = {{-1, 8}};
    const ServingResult found = served(with_prefix_cache(), arrivals);
    EXPECT_EQ(found.requests[1].reused, 7);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 22);
}

TEST(PrefixCache, GivesWayToRequests) {
    Arrivals arrivals = replayed({in_group(0, 0, 9), in_group(1, 100, 9), in_group(0, 200, 9),
                                  in_group(-1, 300, 16, 1), in_group(0, 400, 9), in_group(1, 500, 9)});
    arrivals.groups = {{-1, 8}, {-1, 8}};
    const ServingResult found = served(with_prefix_cache(20), arrivals);
    // Five pages. Both beginnings stay, two pages each, until the fourth request takes four: the second
    // beginning was used before the first, so that it goes, and with it the last page of the first.
    EXPECT_EQ(found.requests[2].reused, 8);
    EXPECT_EQ(found.requests[4].reused, 4);
    EXPECT_EQ(found.requests[5].reused, 0);
    EXPECT_LE(found.servers[0].most_cache, 20);
}

TEST(PrefixCache, TwoThatComputeTheSameKeepOneCopy) {
    Arrivals arrivals = replayed({in_group(0, 0, 9, 3), in_group(0, 0, 9, 3), in_group(-1, 19.5, 8)});
    arrivals.groups = {{-1, 8}};
    // Both prompts in one step until 19 need 3 pages each; then the 2 shared ones are there once, and of 6
    // pages two are free for the third request while both decode.
    const ServingResult found = served(with_prefix_cache(24), arrivals);
    EXPECT_EQ(found.requests[1].reused, 0);
    EXPECT_EQ(found.requests[1].preemptions, 0);
    EXPECT_EQ(found.servers[0].most_cache, 24);
    EXPECT_DOUBLE_EQ(found.requests[2].started, 20);
}

TEST(PrefixCache, AConversationFindsItsLastTurn) {
    Arrivals arrivals = replayed({in_group(-1, 0, 8, 8), in_group(0, 100, 14, 1)});
    arrivals.groups = {{-1, 13}};
    arrivals.list[0].leaves = 0;
    EXPECT_EQ(served(with_prefix_cache(), arrivals).requests[1].reused, 12);
}

TEST(PrefixCache, APrefixAwareRouteGoesWhereTheBeginningIs) {
    ServingDeployment deployment = with_prefix_cache();
    deployment.pools[0].servers = 3;
    deployment.pools[0].routing = Routing::prefix_aware;
    Arrivals arrivals = replayed({in_group(0, 0, 9), in_group(1, 1, 9), in_group(1, 50, 9),
                                  in_group(0, 51, 9), in_group(-1, 51.5, 9)});
    arrivals.groups = {{-1, 8}, {-1, 8}};
    const ServingResult found = served(deployment, arrivals);
    EXPECT_EQ(found.requests[0].server, 0);
    EXPECT_EQ(found.requests[1].server, 1); // the least loaded
    EXPECT_EQ(found.requests[2].server, 1);
    EXPECT_EQ(found.requests[3].server, 0);
    EXPECT_EQ(found.requests[4].server, 2);
}

} // namespace
} // namespace meshslice
