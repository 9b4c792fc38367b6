#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/serve/arrivals.h"
#include "core/serve/deployment.h"
#include "core/serve/serving_result.h"

#include <cstdint>
#include <limits>

namespace meshslice {

struct ServingOptions {
    std::int64_t most_stretches = 0; ///< of each kind, recorded for a timeline; those after are only counted
    double from = 0, to = std::numeric_limits<double>::infinity(); ///< s: the others are not
    RunControl control;
};

/// What cannot be simulated, as a sentence: a setting outside of its range, a list that is not in order.
[[nodiscard]] Result<void> check_serving(const ServingDeployment& deployment, const Arrivals& arrivals);

/// Simulates the requests of `arrivals` on the servers of `deployment`, event by event: continuous batching,
/// in which requests come and go between steps. Equal decode steps between two events are taken together, and
/// what happens at one moment is seen by the steps that begin in it. The same question has the same answer,
/// bit for bit.
[[nodiscard]] Result<ServingResult> simulate_serving(const ServingDeployment& deployment,
                                                     const Arrivals& arrivals,
                                                     const ServingOptions& options = {});

/// Requests per second that the deployment finishes when it never lacks any: so many of `arrivals` come at
/// once, and the middle half of those that finish counts. A rate above it saturates.
[[nodiscard]] Result<double> serving_capacity(const ServingDeployment& deployment, const Arrivals& arrivals,
                                              const RunControl& control = {});

} // namespace meshslice
