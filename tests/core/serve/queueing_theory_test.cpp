#include "tests/core/serve/small_serving.h"

#include <cmath>

namespace meshslice {
namespace {

using namespace tests;

struct WaitInQueue {
    double mean = 0, error = 0; ///< s; the standard error by batch means
};

/// Of one server that takes one request after the other, in 1 s or in a time that is exponential around it.
WaitInQueue wait_in_queue(double utilization, LengthLaw service, std::int64_t requests) {
    constexpr double tokens = 10'000; // of a prompt: enough that whole numbers of them are as good as any
    const StraightStepTimes times(StraightCosts{0, 1 / tokens, 0, 0, 0});
    ServingDeployment deployment = servers_of(times);
    deployment.pools[0].settings.prompts = PromptPolicy::whole;
    deployment.pools[0].settings.most_batch = 1;
    Arrivals arrivals = alike(ArrivalLaw::poisson, requests, tokens, 1);
    arrivals.kinds[0].input.law = service;
    arrivals.rate = utilization;
    const ServingResult found = served(deployment, arrivals);

    constexpr std::size_t batches = 20;
    const std::size_t each = found.requests.size() / batches;
    double sum = 0, squares = 0;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        double queue = 0;
        for (std::size_t index = batch * each; index < (batch + 1) * each; ++index) {
            queue += found.requests[index].queue() / static_cast<double>(each);
        }
        sum += queue;
        squares += queue * queue;
    }
    const double mean = sum / batches;
    return {mean, std::sqrt((squares / batches - mean * mean) / (batches - 1))};
}

/// Pollaczek and Khinchine: utilization / (1 - utilization) times the mean service, and half of it where
/// every service takes as long.
double theory(double utilization, LengthLaw service) {
    const double wait = utilization / (1 - utilization);
    return service == LengthLaw::fixed ? wait / 2 : wait;
}

/// The benchmark of the serving simulation has 10^6 requests and their deviations.
TEST(QueueingTheory, WaitsAreThoseOfTheory) {
    for (const LengthLaw service : {LengthLaw::fixed, LengthLaw::exponential}) {
        for (const double utilization : {0.3, 0.5, 0.8, 0.95}) {
            const WaitInQueue wait = wait_in_queue(utilization, service, 100'000);
            const double expected = theory(utilization, service);
            EXPECT_NEAR(wait.mean, expected, 3 * wait.error) << utilization;
            if (utilization < 0.9) {
                EXPECT_NEAR(wait.mean, expected, 0.06 * expected) << utilization;
                EXPECT_LT(wait.error, 0.04 * expected) << utilization;
            }
        }
    }
}

} // namespace
} // namespace meshslice
