#pragma once

#include "core/serve/step_times.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace meshslice {

/// How prompts come into the steps of requests that decode.
enum class PromptPolicy {
    chunked, ///< a step decodes first, and parts of prompts fill what is left of its tokens (vLLM V1)
    whole,   ///< prompts are taken whole, next to the requests that decode (TensorRT-LLM without chunks)
    alone,   ///< prompts are taken whole, and nothing decodes in their step (vLLM V0)
};

/// When a request gets its room in the cache.
enum class CachePolicy {
    grows,   ///< page by page; what no longer fits is preempted (vLLM; MAX_UTILIZATION of TensorRT-LLM)
    reserved ///< for prompt and output when it begins (GUARANTEED_NO_EVICT of TensorRT-LLM)
};

/// What becomes of the cache of a preempted request. One that is still in its prompt always computes it
/// again.
enum class Preemption {
    recompute, ///< dropped, and computed again as a prompt
    swap,      ///< moved to the host and back, during which its server waits
};

inline constexpr std::int64_t unlimited_room = std::numeric_limits<std::int64_t>::max();

/// How a server makes its steps. The defaults of tokens, requests and page are those of vLLM V1 as an API
/// server on a GPU of 80 GB (vllm/engine/arg_utils.py).
struct ServerSettings {
    PromptPolicy prompts = PromptPolicy::chunked;
    /// Of a step: requests that decode count, one each, where prompts come in chunks. A prompt that is longer
    /// and must stay whole has a step without other prompts.
    std::int64_t most_tokens = 8192;
    std::int64_t most_batch = 1024;           ///< requests that are at work
    std::int64_t cache_room = unlimited_room; ///< tokens; whole pages of it are used
    std::int64_t page = 16;                   ///< tokens
    CachePolicy cache = CachePolicy::grows;
    Preemption preemption = Preemption::recompute;
    double swap_rate = 64e9;   ///< bytes/s: one direction of PCIe 5.0 x16 (PCI-SIG), before its overheads
    bool prefix_cache = false; ///< keep the pages of shared prompts until their room is needed
    double step_delay = 0;     ///< s that the engine takes besides, in each step
    double host_delay = 0;     ///< s from a request's arrival until a server may begin with it

    bool operator==(const ServerSettings&) const = default;
};

/// Which server of a pool a request goes to.
enum class Routing {
    round_robin,
    least_loaded, ///< fewest requests, the first of several
    /// The one that has the longest beginning of the prompt in its cache, or had the group last; the least
    /// loaded where the load is unequal: 64 requests and 1.5 times between most and least (SGLang's router).
    prefix_aware,
};

/// Servers start and stop as the load asks, looked at every `period`.
struct Autoscaling {
    std::int64_t most = 0;   ///< servers; 0: as many as the pool has, always
    double period = 10;      ///< s
    double start_above = 2;  ///< requests that wait, for each server at work: one more starts
    double stop_below = 1;   ///< requests in all, for each server that would remain: one stops taking any
    double start_delay = 60; ///< s from the decision to the first request

    bool operator==(const Autoscaling&) const = default;
};

/// Servers that are alike.
struct ServerPool {
    const StepTimes* times = nullptr; ///< outlives the simulation
    std::int64_t servers = 1;
    ServerSettings settings;
    Routing routing = Routing::round_robin;
    Autoscaling autoscaling;

    bool operator==(const ServerPool&) const = default;
};

/// A server that is away for a time: what it worked on begins again elsewhere, and tokens that were put out
/// stay out.
struct ServerFailure {
    std::int64_t server = 0;                               ///< counted through the pools
    double at = 0;                                         ///< s
    double back = std::numeric_limits<double>::infinity(); ///< s, with an empty cache

    bool operator==(const ServerFailure&) const = default;
};

/// What moves the cache of a prompt from a server of prompts to one that decodes.
struct CacheTransfer {
    double rate = std::numeric_limits<double>::infinity(); ///< bytes/s out of one server, one after the other
    double latency = 0;                                    ///< s of each

    bool operator==(const CacheTransfer&) const = default;
};

/// One pool that does everything, or one for prompts and one that decodes. The first token is out where the
/// prompt ends; the cache goes over when the server that decodes has room for it.
struct ServingDeployment {
    std::vector<ServerPool> pools{ServerPool{}}; ///< one, or prompts and decoding
    CacheTransfer transfer;
    double bytes_per_token = 0; ///< of the cache, for transfer and swap
    std::vector<ServerFailure> failures;

    bool operator==(const ServingDeployment&) const = default;
};

} // namespace meshslice
