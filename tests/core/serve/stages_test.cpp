#include "tests/core/serve/small_serving.h"

#include <gmock/gmock.h>

#include <map>

namespace meshslice {
namespace {

using namespace tests;
using testing::ElementsAre;
using enum RequestStage;

/// A step takes 1 s, 1 s for each token of a prompt, 2 s for each request that decodes.
const StraightStepTimes stage_times(StraightCosts{1, 1, 0, 2, 0});

ServingDeployment small_steps() {
    ServingDeployment deployment = servers_of(stage_times);
    deployment.pools[0].settings.most_tokens = 5;
    deployment.pools[0].settings.most_batch = 4;
    return deployment;
}
const Arrivals early_and_late = replayed({request_at(0, 4, 3), request_at(1, 6, 2)});

TEST(RequestStages, SayWhatEachRequestDoes) {
    // A's prompt until 5, and its tokens until 17. B comes at 1, its prompt begins at 5 and ends at 17, and
    // its last token is out at 20.
    const ServingResult found = served(small_steps(), early_and_late, 100);
    EXPECT_THAT(found.stages,
                ElementsAre(RequestStretch{0, 5, 0, 0, prefill}, RequestStretch{1, 5, 1, 0, waiting},
                            RequestStretch{5, 17, 0, 0, decode}, RequestStretch{5, 17, 1, 0, prefill},
                            RequestStretch{17, 20, 1, 0, decode}));
    EXPECT_EQ(found.stages_left_out, 0);
    EXPECT_TRUE(served(small_steps(), early_and_late).stages.empty());
}

TEST(RequestStages, AreKeptOfAStretchOfTimeAndUpToANumber) {
    ServingOptions options;
    options.most_stretches = 100;
    options.from = 17; // what ends then is not in it
    options.to = 18;
    const ServingResult late = simulate_serving(small_steps(), early_and_late, options).value();
    EXPECT_THAT(late.stages, ElementsAre(RequestStretch{17, 20, 1, 0, decode}));
    EXPECT_EQ(late.stretches.size(), 1U);
    const ServingResult few = served(small_steps(), early_and_late, 2);
    EXPECT_EQ(few.stages.size(), 2U);
    EXPECT_EQ(few.stages_left_out, 3);
    EXPECT_EQ(few.requests, late.requests); // they change nothing
}

TEST(RequestStages, OfAPreemptedRequestHaveAGap) {
    // As in CacheRoom.PreemptsTheLastRequestAndComputesItAgain: prompts until 7, B goes at 9 and is computed
    // again from 10 on.
    const StraightStepTimes prompts(StraightCosts{1, 1, 0, 0, 0});
    ServingDeployment deployment = servers_of(prompts);
    deployment.pools[0].settings.cache_room = 10;
    deployment.pools[0].settings.page = 1;
    const ServingResult found = served(deployment, alike(ArrivalLaw::at_once, 2, 3, 4), 100);
    EXPECT_THAT(found.stages,
                ElementsAre(RequestStretch{0, 7, 0, 0, prefill}, RequestStretch{0, 7, 1, 0, prefill},
                            RequestStretch{7, 9, 1, 0, decode}, RequestStretch{7, 10, 0, 0, decode},
                            RequestStretch{9, 10, 1, 0, preempted}, RequestStretch{10, 17, 1, 0, prefill}));
}

TEST(RequestStages, FillTheTimeOfEachRequest) {
    // Servers that fail, pools that hand over: from its arrival to its last token a request is always in
    // some stage.
    ServingDeployment deployment = servers_of(stage_times, 2);
    deployment.pools.push_back(deployment.pools[0]);
    deployment.bytes_per_token = 1;
    deployment.transfer.rate = 2;
    deployment.failures = {{0, 30, 50}, {3, 40, 60}};
    const ServingResult found = served(deployment, alike(ArrivalLaw::at_once, 20, 3, 4), 10'000);
    std::map<std::int64_t, double> spent;
    bool transfers = false;
    for (const RequestStretch& one : found.stages) {
        spent[one.request] += one.end - one.start;
        transfers = transfers || one.stage == transfer;
    }
    EXPECT_TRUE(transfers);
    EXPECT_GT(summarize(found).restarts, 0);
    for (std::size_t k = 0; k < found.requests.size(); ++k) {
        EXPECT_NEAR(spent[static_cast<std::int64_t>(k)], found.requests[k].e2e(), 1e-9) << k;
    }
}

} // namespace
} // namespace meshslice
