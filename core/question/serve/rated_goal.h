#pragma once

#include "core/base/run_control.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/offered_load.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A deployment that requests were simulated on, and what came of the goal.
struct RatedDeployment {
    std::int64_t tensor = 1, batch = 1; ///< chips that a request attends on; requests at work in a replica
    std::int64_t replicas = 1;          ///< that decode; they prefill too where `prefill` is 0
    std::int64_t prefill = 0;           ///< servers that only take prompts
    std::int64_t chips = 0;             ///< of all of them; of those that are there at first
    std::int64_t most_servers = 0; ///< that decode, where they start and stop with the load; 0: they do not
    double held = 0;               ///< chips on average, also while they start
    std::int64_t failures = 0;     ///< of servers, in the simulation
    ServingSummary summary = {};
    double worst = 0;        ///< largest share of a limit that a time takes; at most 1 meets the goal
    std::string which = {};  ///< the limit that has it: "ttft_p95"
    bool overloaded = false; ///< the queue grows
    bool simulated = true;   ///< else one request alone takes longer than the goal

    [[nodiscard]] bool met() const { return worst <= 1 && !overloaded; }
    [[nodiscard]] bool apart() const { return prefill > 0; }
    [[nodiscard]] bool scales() const { return most_servers > 0; }
};

/// What meets a goal with one split and kind of pools.
struct RatedKind {
    RatedDeployment found; ///< that holds the fewest chips; the last one tried where none does
    std::optional<RatedDeployment> fewer{}; ///< with one server less: why it has to be so many
};

/// All of them, the fewest chips on average first, and those that never meet it last.
struct RatedSearch {
    std::vector<RatedKind> kinds;
    std::int64_t requests = 0; ///< simulated of each deployment
    std::int64_t tried = 0;    ///< deployments that were simulated

    [[nodiscard]] bool met() const { return !kinds.empty() && kinds.front().found.met(); }
};

/// Of a simulation, the same as ServingLimit::of() of a static batch: of 95 in 100 requests where the limit
/// does not say it.
[[nodiscard]] double simulated_value(const ServingLimit& limit, const ServingSummary& found);
/// "ttft_p95".
[[nodiscard]] std::string limit_name(const ServingLimit& limit);

/// By simulation: for each split, for servers that do both phases or have one each, and with
/// ServingAsked::autoscale also for servers that start and stop, the fewest chips that serve requests as they
/// come within limits, while servers fail as is asked. A limit without a percentile is asked of 95 in 100
/// requests. `batch`: of each replica; 0: a power of two that works. ServingAsked::chips are the most that
/// may be taken; 0: any number. Simulates at least as many requests as come while four of them pass.
[[nodiscard]] Result<RatedSearch> cheapest_deployments(const ServingAsked& asked, std::int64_t batch,
                                                       const OfferedLoad& load,
                                                       const std::vector<ServingLimit>& limits,
                                                       const RunControl& control);

/// A number of the chip at twice and at half its value: how many chips the same kind of deployment then
/// needs.
struct RatedChange {
    std::string number;                ///< "memory bandwidth"
    std::optional<double> twice, half; ///< chips on average; none: nothing of this kind meets the goal
};
[[nodiscard]] Result<std::vector<RatedChange>>
changed_deployments(const ServingAsked& asked, std::int64_t batch, const OfferedLoad& load,
                    const std::vector<ServingLimit>& limits, const RatedDeployment& of,
                    const RunControl& control);

/// Servers of a deployment, with the cache moved at what the network joins them with.
[[nodiscard]] Result<ServedPools> pools_of_servers(const ServingAsked& asked, const Replica& one,
                                                   std::int64_t replicas, std::int64_t prefill,
                                                   std::int64_t most_servers = 0);

} // namespace meshslice
