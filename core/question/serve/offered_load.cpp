#include "core/question/serve/offered_load.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/serve/replica_times.h"
#include "core/serve/simulate_serving.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr double memory_in_use = 0.9;
/// Tokens of a step that has prompts: the default of vLLM V1 on large GPUs, and of TensorRT-LLM's
/// max_num_tokens.
constexpr std::int64_t most_step_tokens = 8192;
/// To see what one replica can serve: some batches of them, but not for longer than it takes to see it.
constexpr std::int64_t least_to_see = 400, most_to_see = 20'000;

ServerSettings settings_of(const Replica& one, const std::string& engine) {
    ServerSettings made;
    made.most_tokens = most_step_tokens;
    made.most_batch = static_cast<std::int64_t>(one.batch);
    made.cache_room = cache_room_of(one);
    if (engine == "tensorrt-llm") {
        made.prompts = PromptPolicy::whole;
        made.cache = CachePolicy::reserved; // GUARANTEED_NO_EVICT
    }
    return made;
}

Arrivals arrivals_of(const Replica& one, const OfferedLoad& load) {
    Arrivals made;
    made.seed = load.seed;
    made.requests = load.requests;
    if (!load.list.empty()) {
        made.law = ArrivalLaw::listed;
        made.list = load.list;
        made.list.resize(std::min(static_cast<std::size_t>(load.requests), load.list.size()));
        made.requests = static_cast<std::int64_t>(made.list.size());
        return made;
    }
    made.rate = load.rate;
    made.kinds = {RequestKind{1, {LengthLaw::fixed, one.input}, {LengthLaw::fixed, one.output}}};
    return made;
}

} // namespace

std::int64_t cache_room_of(const Replica& one) {
    Replica step = one; // a step with as many tokens of prompts as it may have
    step.batch = 1;
    step.input = static_cast<double>(most_step_tokens);
    step.output = 1;
    const ServedMemory memory = served_memory(step);
    const double token = one.cache_bytes * one.model.cached_numbers(one.input + one.output, one.tensor) /
                         (one.input + one.output);
    const double left =
        memory_in_use * one.chip.chip.memory - memory.weights - memory.activations - memory.runtime;
    constexpr double most = 1e15; // of a model that keeps nothing for each token
    return left <= 0 ? 0 : static_cast<std::int64_t>(token > 0 ? std::min(left / token, most) : most);
}

Replica with_lengths_of(const OfferedLoad& load, Replica one) {
    if (!load.list.empty()) {
        one.input = one.output = 0;
        const auto count = static_cast<double>(load.list.size());
        for (const ServingRequest& request : load.list) {
            one.input += static_cast<double>(request.input) / count;
            one.output += static_cast<double>(request.output) / count;
        }
    }
    return one;
}

Result<ServedLoad> served_load(const Replica& asked, std::int64_t replicas, const std::string& engine,
                               const OfferedLoad& load, const ServiceGoal& goal, const RunControl& control) {
    const Replica one = with_lengths_of(load, asked);
    const ReplicaTimes times(one);
    ServingDeployment deployment;
    deployment.bytes_per_token = one.cache_bytes *
                                 one.model.cached_numbers(one.input + one.output, one.tensor) /
                                 (one.input + one.output);
    ServerPool& pool = deployment.pools.front();
    pool.times = &times;
    pool.servers = replicas;
    pool.settings = settings_of(one, engine);
    pool.routing = Routing::least_loaded;
    if (pool.settings.cache_room < static_cast<std::int64_t>(one.input + one.output)) {
        return refuse(
            say("The KV cache has room for {} tokens, and a request needs {}; expected more chips for a "
                "replica, or fewer tokens.",
                pool.settings.cache_room, one.input + one.output));
    }
    const Arrivals arrivals = arrivals_of(one, load);
    ServedLoad made{load, {}, 0, pool.settings.cache_room};
    made.load.requests = arrivals.requests;
    ServingOptions options;
    options.control = control;
    const Result<ServingResult> result = simulate_serving(deployment, arrivals, options);
    if (!result) {
        return refuse(result.error());
    }
    made.summary = summarize(*result, goal);
    if (!arrivals.list.empty()) {
        const double span = arrivals.list.back().arrival - arrivals.list.front().arrival;
        made.load.rate = span > 0 ? static_cast<double>(arrivals.list.size() - 1) / span : 0;
    }
    // Replicas are alike, and each request goes to one of them.
    deployment.pools.front().servers = 1;
    Arrivals many = arrivals;
    const auto at_once = std::min(static_cast<double>(pool.settings.most_batch),
                                  static_cast<double>(pool.settings.cache_room) / (one.input + one.output));
    many.requests = std::clamp(4 * static_cast<std::int64_t>(at_once), least_to_see, most_to_see);
    const Result<double> capacity = serving_capacity(deployment, many, control);
    if (!capacity) {
        return refuse(capacity.error());
    }
    made.capacity = *capacity * static_cast<double>(replicas);
    return made;
}

} // namespace meshslice
