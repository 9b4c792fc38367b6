#include "core/machine/catalogue.h"
#include "core/question/serve/schedules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace meshslice {
namespace {

ServingAsked compared_on(const char* machine) {
    ServingAsked asked{served_model(model_preset("llama-3-8b").value()).value(),
                       machine_preset(machine).value(), "vllm", Efficiency::ideal};
    asked.batch = 4;
    asked.input = 1024;
    asked.output = 256;
    return asked;
}

/// One request in a second: a server gets those of 0, 2, 4 and 6 s and begins when the last of them is there.
TEST(Schedules, LetABatchWaitForItsLastRequest) {
    const ServingAsked asked = compared_on("h100-nvs8");
    const Replica one = replica_of(asked, 1).value();
    const auto compared = compared_schedules(asked, one, 1, RunControl());
    ASSERT_TRUE(compared) << compared.error().sentence;
    ASSERT_EQ(compared->all.size(), 4u);
    const std::vector<RequestOutcome>& batched = compared->all.front().requests;
    ASSERT_EQ(batched.size(), 12u);
    Replica four = one;
    four.batch = 4;
    const double prefill = step_seconds(four, ServedPhase::prefill, 0);
    for (const std::size_t k : {0u, 2u, 4u, 6u}) {
        EXPECT_DOUBLE_EQ(batched[k].started, 6);
        EXPECT_DOUBLE_EQ(batched[k].first, 6 + prefill);
    }
    EXPECT_DOUBLE_EQ(batched[1].started, 7);
    // The half of 256 tokens is out after 127 steps, the whole after 255.
    EXPECT_NEAR((batched[2].last - batched[2].first) / (batched[0].last - batched[0].first), 127.0 / 255,
                0.01);
}

/// All of them serve all requests; none that takes prompts as they come lets a first token wait for others.
TEST(Schedules, ServeTheSameRequests) {
    const ServingAsked asked = compared_on("h100-nvs8");
    const auto compared = compared_schedules(asked, replica_of(asked, 1).value(), 0, RunControl());
    ASSERT_TRUE(compared) << compared.error().sentence;
    EXPECT_TRUE(compared->not_apart.empty());
    for (const ScheduledRequests& one : compared->all) {
        ASSERT_EQ(one.requests.size(), 12u);
        for (std::size_t k = 0; k < one.requests.size(); ++k) {
            const RequestOutcome& of = one.requests[k];
            EXPECT_EQ(of.end, RequestEnd::finished);
            EXPECT_EQ(of.output, compared->all.front().requests[k].output);
            EXPECT_LE(of.arrival, of.started);
            EXPECT_LT(of.started, of.first);
            EXPECT_LE(of.first, of.last);
        }
        if (one.schedule != ServingSchedule::batched) {
            EXPECT_LT(one.mean_ttft(), compared->all.front().mean_ttft()) << name(one.schedule);
        }
    }
}

} // namespace
} // namespace meshslice
