#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/offered_load.h"
#include "core/question/serve/replica/replica_times.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

Replica replica_of_8b() {
    ServingAsked asked{*served_model(*model_preset("llama-3-8b")), *machine_preset("h100-nvs8"), "vllm"};
    asked.tensor = 1;
    asked.batch = 32;
    asked.input = 1024;
    asked.output = 128;
    return *chosen_replica(asked);
}

/// A step of one whole prompt is a prefill, one without prompts a decode step; both together read the weights
/// once, so they take less than one after the other, and more than either.
TEST(ReplicaTimes, AreThoseOfTheLaw) {
    Replica one = replica_of_8b();
    const ReplicaTimes times(one);
    StepLoad prompt;
    prompt.prompts = prompt.prompts_ended = 1;
    prompt.prompt_tokens = 1024;
    prompt.prompt_keys = 1024 * 1024 / 2.0;
    one.batch = 1;
    const double prefill = step_seconds(one, ServedPhase::prefill, 0);
    EXPECT_NEAR(times.seconds(prompt), prefill, 1e-9 * prefill);
    StepLoad decoding;
    decoding.decoding = 32;
    decoding.cached = 32 * 1000;
    one.batch = 32;
    const double decode = step_seconds(one, ServedPhase::decode, 1000);
    EXPECT_NEAR(times.seconds(decoding), decode, 0.01 * decode);
    StepLoad both = prompt;
    both.decoding = decoding.decoding;
    both.cached = decoding.cached;
    EXPECT_GT(times.seconds(both), times.seconds(prompt));
    EXPECT_LT(times.seconds(both), times.seconds(prompt) + times.seconds(decoding));
}

/// A rate far below what can be served waits for next to nothing; a rate above it grows its queue. The same
/// seed has the same times.
TEST(ServedLoad, KnowsWhatCanBeServed) {
    const Replica one = replica_of_8b();
    const auto at = [&](double rate, std::uint64_t seed) {
        return served_load(one, {}, "vllm", {rate, 2000, {}, seed}, {}, {}).value();
    };
    const double capacity = at(1, 1).capacity;
    EXPECT_GT(capacity, 1);
    const ServedLoad idle = at(capacity / 50, 1);
    EXPECT_FALSE(idle.summary.saturated);
    Replica alone = one;
    alone.batch = 1;
    EXPECT_NEAR(idle.summary.ttft.p50, request_start(alone) + step_seconds(alone, ServedPhase::prefill, 0),
                0.1 * idle.summary.ttft.p50);
    EXPECT_TRUE(at(2 * capacity, 1).summary.saturated);
    EXPECT_LT(at(0.5 * capacity, 1).summary.ttft.p95, at(0.9 * capacity, 1).summary.ttft.p95);
    EXPECT_EQ(at(0.5 * capacity, 3).summary.e2e.mean, at(0.5 * capacity, 3).summary.e2e.mean);
    EXPECT_NE(at(0.5 * capacity, 3).summary.e2e.mean, at(0.5 * capacity, 4).summary.e2e.mean);
}

/// By hand: weights of 8.03e9 parameters in 16 bits leave less than 0.9 * 85.9 - 16.06 GB for tokens of
/// 2 * 32 layers * 8 heads * 128 numbers of 2 bytes.
TEST(ServedLoad, HasRoomNextToTheWeights) {
    const Replica one = replica_of_8b();
    const double token = 2 * 32 * 8 * 128 * 2;
    const double most = (0.9 * 85.9e9 - 16.06e9) / token;
    const auto room = static_cast<double>(cache_room_of(one));
    EXPECT_LT(room, most);
    EXPECT_GT(room, 0.8 * most);
    Replica long_requests = one;
    long_requests.input = 1e6;
    EXPECT_FALSE(served_load(long_requests, {}, "vllm", {1, 10, {}, 1}, {}, {}));
}

} // namespace
} // namespace meshslice
