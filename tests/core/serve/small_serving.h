#pragma once

#include "core/serve/simulate_serving.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace meshslice::tests {

/// Servers whose steps take what a test can add up in its head. `times` outlives what uses it.
inline ServingDeployment servers_of(const StepTimes& times, std::int64_t count = 1) {
    ServingDeployment deployment;
    deployment.pools[0].times = &times;
    deployment.pools[0].servers = count;
    return deployment;
}

/// A request that arrives then, of so many tokens.
inline ServingRequest request_at(double arrival, std::int64_t input, std::int64_t output) {
    ServingRequest request;
    request.arrival = arrival;
    request.input = input;
    request.output = output;
    return request;
}

inline Arrivals replayed(std::vector<ServingRequest> list) {
    Arrivals arrivals;
    arrivals.law = ArrivalLaw::listed;
    arrivals.list = std::move(list);
    return arrivals;
}

/// Requests of fixed lengths.
inline Arrivals alike(ArrivalLaw law, std::int64_t requests, double input, double output) {
    Arrivals arrivals;
    arrivals.law = law;
    arrivals.requests = requests;
    arrivals.kinds[0].input.nominal = input;
    arrivals.kinds[0].output.nominal = output;
    return arrivals;
}

/// What cannot fail.
inline ServingResult served(const ServingDeployment& deployment, const Arrivals& arrivals,
                            std::int64_t most_stretches = 0) {
    ServingOptions options;
    options.most_stretches = most_stretches;
    auto result = simulate_serving(deployment, arrivals, options);
    EXPECT_TRUE(result.has_value()) << (result ? std::string() : result.error().sentence);
    return result ? *std::move(result) : ServingResult();
}

} // namespace meshslice::tests
