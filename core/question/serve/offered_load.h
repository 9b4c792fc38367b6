#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/serve/replica/replica.h"
#include "core/question/serve/replica/served_run.h"
#include "core/serve/arrivals.h"
#include "core/serve/deployment.h"
#include "core/serve/serving_result.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Requests that come in time: so many in a second, independent of each other, or those of a list.
struct OfferedLoad {
    double rate = 0; ///< requests/s; of a list its own
    std::int64_t requests = 1000;
    std::vector<ServingRequest> list; ///< to be replayed; empty: `rate`
    std::uint64_t seed = 1;
};

/// The servers that requests come to. Where `prefill` is 0, `replicas` take prompts and decode.
struct ServedPools {
    std::int64_t replicas = 1, prefill = 0;
    std::int64_t prefill_batch = 0; ///< prompts at work in a server of prompts; 0: as Replica::batch
    Routing routing = Routing::least_loaded;
    std::int64_t prefixes = 1; ///< beginnings of Replica::shared tokens, of which each prompt has one
    std::optional<PromptPolicy> prompts = {}; ///< else as the engine has it
    CacheTransfer transfer = {};
    double fail_every = 0; ///< s between the failures of a server, on average; 0: none fails
    std::int64_t most_servers =
        0;                   ///< that are started when requests wait, in place of `replicas`; 0: none is
    double start_delay = 60; ///< s until one that starts, or is repaired, takes requests

    [[nodiscard]] std::int64_t servers() const { return replicas + prefill; }
};

/// A replica with the mean lengths of the requests of a list; as it is where there is none.
[[nodiscard]] Replica with_lengths_of(const OfferedLoad& load, Replica one);

/// Of a simulation, what is kept for a timeline.
struct KeptStretch {
    std::int64_t most = 0;                                         ///< stretches of each kind; 0: nothing
    double from = 0, to = std::numeric_limits<double>::infinity(); ///< s
};

/// What became of them on some replicas.
struct ServedLoad {
    OfferedLoad load;
    ServingSummary summary;
    /// Requests come faster than they can be served.
    [[nodiscard]] bool overloaded() const {
        return summary.saturated || (capacity > 0 && load.rate > capacity);
    }
    double capacity = 0; ///< requests/s that the replicas finish when they never lack any; 0: not asked
    std::int64_t cache_room = 0;                      ///< tokens that a replica keeps
    double servers = 0;                               ///< that were there, on average
    double held = 0;                                  ///< the same with those that were starting
    std::int64_t failures = 0;                        ///< of servers while requests came or were at work
    std::shared_ptr<const ServingResult> result = {}; ///< where a part of it is kept
    ServedStretch kept = {};
};

/// Tokens whose keys and values a replica keeps next to weights, runtime and what a step of prompts takes. An
/// engine leaves a tenth of a chip's memory alone, as vLLM does at first (gpu_memory_utilization of
/// vllm/engine/arg_utils.py; the others' defaults are as large). 0: none.
[[nodiscard]] std::int64_t cache_room_of(const Replica& one);

/// Simulates requests on servers that have at most Replica::batch at work each. Engines take prompts as in
/// the runs that their constants were fitted to: in chunks between tokens, whole and alone under SGLang, and
/// whole next to tokens under TensorRT-LLM 0.9; a server of prompts takes them whole. Refuses what
/// simulate_serving() refuses, and a cache that has no room for one request.
[[nodiscard]] Result<ServedLoad> served_load(const Replica& asked, const ServedPools& pools,
                                             const std::string& engine, const OfferedLoad& load,
                                             const ServiceGoal& goal, const RunControl& control,
                                             const KeptStretch& kept = {});
/// The same without what the servers could do at most.
[[nodiscard]] Result<ServedLoad> simulated_load(const Replica& asked, const ServedPools& pools,
                                                const std::string& engine, const OfferedLoad& load,
                                                const ServiceGoal& goal, const RunControl& control,
                                                const KeptStretch& kept = {});
/// How the servers of an engine take prompts in.
[[nodiscard]] PromptPolicy prompts_of(const Replica& one, const std::string& engine);

} // namespace meshslice
