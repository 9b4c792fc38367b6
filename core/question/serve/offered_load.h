#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/serve/replica.h"
#include "core/serve/arrivals.h"
#include "core/serve/serving_result.h"

#include <cstdint>
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

/// A replica with the mean lengths of the requests of a list; as it is where there is none.
[[nodiscard]] Replica with_lengths_of(const OfferedLoad& load, Replica one);

/// What became of them on some replicas.
struct ServedLoad {
    OfferedLoad load;
    ServingSummary summary;
    /// Requests come faster than they can be served.
    [[nodiscard]] bool overloaded() const { return summary.saturated || load.rate > capacity; }
    double capacity = 0;         ///< requests/s that the replicas finish when they never lack any
    std::int64_t cache_room = 0; ///< tokens that a replica keeps
};

/// Tokens whose keys and values a replica keeps next to weights, runtime and what a step of prompts takes. An
/// engine leaves a tenth of a chip's memory alone, as vLLM does at first (gpu_memory_utilization of
/// vllm/engine/arg_utils.py; the others' defaults are as large). 0: none.
[[nodiscard]] std::int64_t cache_room_of(const Replica& one);

/// Simulates requests on so many replicas, each of which has at most Replica::batch at work and takes the
/// next one that is least loaded. Prompts come in chunks between tokens, or whole under TensorRT-LLM. Refuses
/// what simulate_serving() refuses, and a cache that has no room for one request.
[[nodiscard]] Result<ServedLoad> served_load(const Replica& asked, std::int64_t replicas,
                                             const std::string& engine, const OfferedLoad& load,
                                             const ServiceGoal& goal, const RunControl& control);

} // namespace meshslice
