#include "tests/core/serve/small_serving.h"

namespace meshslice {
namespace {

using namespace tests;

/// A step of prompts takes 1 s and 1 s for each token; one that decodes 1 s and 1 s for each request. A token
/// of the cache goes over in half a second, and every transfer has 0.25 s of latency.
struct TwoPools {
    StraightStepTimes prompts{StraightCosts{1, 1, 0, 0, 0}};
    StraightStepTimes decodes{StraightCosts{1, 0, 0, 1, 0}};
    ServingDeployment deployment = servers_of(prompts);

    TwoPools() {
        deployment.pools.push_back(deployment.pools[0]);
        deployment.pools[1].times = &decodes;
        deployment.pools[0].settings.most_tokens = deployment.pools[0].settings.most_batch = 4;
        deployment.bytes_per_token = 1;
        deployment.transfer = {2, 0.25};
    }
};

TEST(Disaggregation, IsWorkedByHand) {
    const TwoPools two;
    const ServingResult found =
        served(two.deployment, replayed({request_at(0, 4, 3), request_at(0, 2, 3)}), 100);
    // A's prompt until 5, its cache over until 7.25, tokens at 9.25 and 11.25. B's prompt until 8, where the
    // server that decodes is in a step: it asks for the cache at 9.25 and has it at 10.5. B's tokens at 13.25
    // and 15.25.
    EXPECT_DOUBLE_EQ(found.requests[0].first, 5);
    EXPECT_DOUBLE_EQ(found.requests[0].last, 11.25);
    EXPECT_DOUBLE_EQ(found.requests[1].first, 8);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 15.25);
    EXPECT_EQ(found.requests[1].server, 1);
    const std::vector<TransferStretch> expected = {{5, 7.25, 0, 1, 4}, {9.25, 10.5, 0, 1, 2}};
    EXPECT_EQ(found.transfers, expected);
    EXPECT_EQ(found.servers[0].output_tokens, 2);
    EXPECT_EQ(found.servers[1].output_tokens, 4);
    EXPECT_EQ(found.servers[1].prompt_tokens, 0);
}

TEST(Disaggregation, OneLinkTakesOneCacheAfterTheOther) {
    TwoPools two;
    two.deployment.pools[0].settings.most_tokens = 100;
    // Both prompts until 7; A's cache is out at 9 and there at 9.25, B's is out at 10 and there at 10.25.
    const ServingResult found =
        served(two.deployment, replayed({request_at(0, 4, 2), request_at(0, 2, 2)}), 100);
    EXPECT_DOUBLE_EQ(found.transfers[0].end, 9.25);
    EXPECT_DOUBLE_EQ(found.transfers[1].start, 9);
    EXPECT_DOUBLE_EQ(found.transfers[1].end, 10.25);
}

TEST(Disaggregation, ACacheStaysWhereItIsUntilThereIsRoom) {
    TwoPools two;
    ServerSettings& decode = two.deployment.pools[1].settings;
    decode.cache = CachePolicy::reserved;
    decode.cache_room = 8;
    decode.page = 1;
    two.deployment.pools[0].settings.cache_room = 4;
    two.deployment.pools[0].settings.page = 1;
    // A holds 7 of 8 tokens until it ends, decoding alone, at 7.25 + 2 * 2. The server of prompts has room
    // for one cache of 4, so that B's prompt begins when A's is over, at 7.25, and C's when B's is.
    const ServingResult found =
        served(two.deployment, replayed({request_at(0, 4, 3), request_at(0, 4, 3), request_at(0, 4, 1)}));
    EXPECT_DOUBLE_EQ(found.requests[0].last, 11.25);
    EXPECT_DOUBLE_EQ(found.requests[1].started, 7.25);
    EXPECT_DOUBLE_EQ(found.requests[1].first, 12.25);
    EXPECT_DOUBLE_EQ(found.requests[1].last, 14.5 + 4);
    EXPECT_DOUBLE_EQ(found.requests[2].started, 14.5);
    EXPECT_DOUBLE_EQ(found.requests[2].last, 19.5); // of one token: it never goes over
    EXPECT_EQ(found.requests[2].server, 0);
}

TEST(Disaggregation, RefusesWhatTheOtherPoolHasNoRoomFor) {
    TwoPools two;
    two.deployment.pools[1].settings.cache_room = 16;
    const ServingResult found = served(two.deployment, replayed({request_at(0, 4, 20), request_at(1, 4, 4)}));
    EXPECT_EQ(found.requests[0].end, RequestEnd::refused);
    EXPECT_EQ(found.requests[1].end, RequestEnd::finished);
}

} // namespace
} // namespace meshslice
