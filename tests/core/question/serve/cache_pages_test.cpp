#include "core/machine/catalogue.h"
#include "core/question/serve/cache_pages.h"
#include "core/question/serve/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

/// LLaMA 3 8B on two chips of 16 GB without losses: 32 requests of 1024 and 256 tokens.
Replica cached_replica(double shared) {
    ServingAsked asked{served_model(model_preset("llama-3-8b").value()).value(),
                       machine_preset("tpu-v5e").value(), "vllm", Efficiency::ideal};
    asked.batch = 32;
    asked.input = 1024;
    asked.output = 256;
    asked.shared = shared;
    return replica_of(asked, 2).value();
}

TEST(CachePages, HaveRoomNextToTheWeights) {
    // A token keeps 2 x 8 x 128 numbers in each of 32 blocks, two bytes each, half of it on each chip. Nine
    // tenths of the memory are used, of which the weights take half of two bytes for each parameter.
    const double token = 2.0 * 8 * 128 * 32 * 2 / 2;
    const Replica one = cached_replica(0);
    const CachePages cache = cache_pages(one, 1);
    EXPECT_EQ(cache.page_tokens, 16);
    EXPECT_DOUBLE_EQ(cache.page_bytes, 16 * token);
    const double room = 0.9 * one.chip.chip.memory - one.model.whole.parameters;
    EXPECT_NEAR(static_cast<double>(cache.pages), room / (16 * token), 1);
    EXPECT_EQ(cache.request_pages, (1024 + 256) / 16);
    EXPECT_EQ(cache.most_requests, cache.pages / 80);
    EXPECT_EQ(cache.prefixes, 0);
    EXPECT_EQ(cache.taken(), 32 * 80);
}

TEST(CachePages, KeepASharedBeginningOnce) {
    const CachePages cache = cache_pages(cached_replica(0.5), 3); // 512 tokens of three kinds
    EXPECT_EQ(cache.prefix_pages, 32);
    EXPECT_EQ(cache.request_pages, 80 - 32);
    EXPECT_EQ(cache.most_requests, (cache.pages - 3 * 32) / 48);
    EXPECT_EQ(cache.alone_requests, cache.pages / 80);
    EXPECT_EQ(cache.taken(), 3 * 32 + 32 * 48);
}

/// Four tokens from prompts of 1024 are prefills of 1024, 1025, 1026 and 1027 tokens where nothing is kept.
TEST(CachePages, SayWhatIsSpared) {
    Replica one = cached_replica(0);
    one.output = 4;
    double again = 0;
    for (const double tokens : {1024, 1025, 1026, 1027}) {
        Replica longer = one;
        longer.input = tokens;
        again += step_seconds(longer, ServedPhase::prefill, 0);
    }
    const SparedByCache spared = spared_by_cache(one);
    EXPECT_NEAR(spared.again, again, 1e-6 * again);
    EXPECT_NEAR(spared.prefill + spared.decode, served_times(one).e2e, 1e-9);
    EXPECT_GT(spared.again, 3 * spared.prefill);
}

/// Twice the context is twice the cache of a request, so that half as many fit; the last one that is listed
/// has room for none, and the one that was asked about stands among them.
TEST(CachePages, SayWhatALongerContextCosts) {
    const std::vector<ContextCost> costs = context_costs(cached_replica(0));
    ASSERT_GT(costs.size(), 3U);
    EXPECT_EQ(costs.front().context, 1024);
    EXPECT_EQ(costs[1].context, 1280);
    EXPECT_EQ(costs[2].context, 2048);
    EXPECT_DOUBLE_EQ(costs[2].request_bytes, 2 * costs[0].request_bytes);
    EXPECT_EQ(costs[2].requests, costs[0].requests / 2);
    EXPECT_EQ(costs.back().requests, 0);
    EXPECT_EQ(costs.back().per_chip, 0);
    for (const ContextCost& one : costs) {
        EXPECT_EQ(one.batch, std::min<double>(32, static_cast<double>(one.requests)));
    }
    // At the same batch only attention takes longer, by as many bytes more.
    double difference = 0;
    for (std::size_t kind = 0; kind < served_operations; ++kind) {
        difference += costs[2].step[kind].seconds - costs[0].step[kind].seconds;
    }
    EXPECT_NEAR(difference, 32 * costs[0].request_bytes / 8.1e11, 0.01 * difference);
}

} // namespace
} // namespace meshslice
