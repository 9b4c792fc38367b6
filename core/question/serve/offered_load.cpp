#include "core/question/serve/offered_load.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/serve/replica/replica_times.h"
#include "core/serve/draws.h"
#include "core/serve/simulate_serving.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
    made.most_tokens = most_step_tokens * static_cast<std::int64_t>(one.data);
    made.most_batch = static_cast<std::int64_t>(one.batch);
    made.cache_room = cache_room_of(one);
    made.prompts = prompts_of(one, engine);
    made.prefix_cache = one.shared > 0;
    if (engine == "tensorrt-llm") {
        made.cache = CachePolicy::reserved; // GUARANTEED_NO_EVICT
    }
    made.host_delay = request_start(one);
    return made;
}

/// Steps that put out so many tokens.
std::int64_t steps_of(const Replica& one, std::int64_t tokens) {
    const double steps = std::round(static_cast<double>(tokens) / one.accepted);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

Arrivals arrivals_of(const Replica& one, const ServedPools& pools, const OfferedLoad& load) {
    Arrivals made;
    made.seed = load.seed;
    made.requests = load.requests;
    if (!load.list.empty()) {
        made.law = ArrivalLaw::listed;
        made.list = load.list;
        made.list.resize(std::min(static_cast<std::size_t>(load.requests), load.list.size()));
        made.requests = static_cast<std::int64_t>(made.list.size());
        for (ServingRequest& request : made.list) {
            request.output = steps_of(one, request.output);
        }
        return made;
    }
    made.rate = load.rate;
    const double steps = static_cast<double>(steps_of(one, static_cast<std::int64_t>(one.output)));
    made.kinds = {RequestKind{1, {LengthLaw::fixed, one.input}, {LengthLaw::fixed, steps}}};
    if (one.shared > 0) {
        const RequestKind kind = made.kinds.front();
        made.kinds.clear();
        for (std::int32_t group = 0; group < pools.prefixes; ++group) {
            made.groups.push_back({-1, static_cast<std::int64_t>(one.shared)});
            made.kinds.push_back(kind);
            made.kinds.back().group = group;
        }
    }
    return made;
}

/// A step of several tokens, in tokens.
void count_tokens(const Replica& one, const ServiceGoal& goal, ServingResult& result, ServingSummary& found) {
    if (one.accepted == 1) {
        return;
    }
    for (double* seconds :
         {&found.tpot.mean, &found.tpot.p50, &found.tpot.p95, &found.tpot.p99, &found.tpot.most}) {
        *seconds /= one.accepted;
    }
    found.tokens_per_s *= one.accepted;
    found.steady.tokens_per_s *= one.accepted;
    ServiceGoal of_steps = goal;
    of_steps.tpot *= one.accepted;
    const ServingSummary judged = summarize(result, of_steps);
    found.good_share = judged.good_share;
    found.good_per_s = judged.good_per_s;
}

ServingDeployment deployment_of(const Replica& one, const ServedPools& pools, const std::string& engine,
                                const StepTimes& times) {
    ServingDeployment made;
    made.bytes_per_token = moved_bytes_of_token(one);
    made.transfer = pools.transfer;
    ServerPool& pool = made.pools.front();
    pool.times = &times;
    pool.servers = pools.replicas;
    pool.settings = settings_of(one, engine);
    pool.settings.prompts = pools.prompts.value_or(pool.settings.prompts);
    pool.routing = pools.routing;
    pool.autoscaling.most = pools.most_servers;
    pool.autoscaling.start_delay = pools.start_delay;
    if (pools.prefill > 0) {
        ServerPool prompts = pool;
        prompts.servers = pools.prefill;
        prompts.settings.prompts = PromptPolicy::whole;
        if (pools.prefill_batch > 0) {
            prompts.settings.most_batch = pools.prefill_batch;
        }
        pool.settings.host_delay = 0; // a request begins once
        prompts.autoscaling.most = 0; // servers that decode are started and stopped
        made.pools.insert(made.pools.begin(), std::move(prompts));
    }
    return made;
}

/// Servers fail independent of each other, until twice as long as requests come.
std::vector<ServerFailure> failures_of(const ServedPools& pools, const Arrivals& arrivals) {
    std::vector<ServerFailure> made;
    if (!(pools.fail_every > 0)) {
        return made;
    }
    const double comes = arrivals.list.empty() ? static_cast<double>(arrivals.requests) / arrivals.rate
                                               : arrivals.list.back().arrival;
    const std::int64_t servers = pools.prefill + std::max(pools.replicas, pools.most_servers);
    constexpr std::uint64_t first_stream = 1000; // those before are of the requests
    for (std::int64_t server = 0; server < servers; ++server) {
        Draws draws(arrivals.seed, first_stream + static_cast<std::uint64_t>(server));
        double at = pools.fail_every * draws.exponential();
        while (at < 2 * comes) {
            const double back = at + std::max(pools.start_delay, 1e-6); // later than it fails
            made.push_back({server, at, back});
            at = back + pools.fail_every * draws.exponential() + 1e-6;
        }
    }
    return made;
}

/// What of a simulation that was recorded there is to show.
ServedStretch kept_of(const ServingResult& result, const KeptStretch& asked) {
    ServedStretch made{std::max(0.0, asked.from), std::min(asked.to, result.end), true};
    const auto until = [&](const auto& recorded, std::int64_t left_out) {
        if (left_out > 0) {
            made.to = std::min(made.to, recorded.back().end);
            made.whole = false;
        }
    };
    until(result.stretches, result.stretches_left_out);
    until(result.stages, result.stages_left_out);
    made.whole = made.whole && made.from <= result.begin && made.to >= result.end;
    return made;
}

} // namespace

std::int64_t cache_room_of(const Replica& one) {
    Replica step = one; // a step with as many tokens of prompts as it may have
    step.batch = 1;
    step.input = static_cast<double>(most_step_tokens);
    step.output = 1;
    const ServedMemory memory = served_memory(step);
    const double token = cache_bytes_of_token(one);
    const double left = one.data * (memory_in_use * one.chip.chip.memory - memory.weights -
                                    memory.activations - memory.runtime);
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

PromptPolicy prompts_of(const Replica& one, const std::string& engine) {
    return one.chip.serving           ? engine == "sglang" ? PromptPolicy::alone : PromptPolicy::chunked
           : engine == "tensorrt-llm" ? PromptPolicy::whole
                                      : PromptPolicy::chunked;
}

Result<ServedLoad> simulated_load(const Replica& asked, const ServedPools& pools, const std::string& engine,
                                  const OfferedLoad& load, const ServiceGoal& goal, const RunControl& control,
                                  const KeptStretch& kept) {
    const Replica one = with_lengths_of(load, asked);
    const ReplicaTimes times(one);
    ServingDeployment deployment = deployment_of(one, pools, engine, times);
    const std::int64_t room = deployment.pools.back().settings.cache_room;
    if (room < static_cast<std::int64_t>(one.input + one.output)) {
        return refuse(
            say("The KV cache has room for {} tokens, and a request needs {}; expected more chips for a "
                "replica, or fewer tokens.",
                room, one.input + one.output));
    }
    const Arrivals arrivals = arrivals_of(one, pools, load);
    deployment.failures = failures_of(pools, arrivals);
    ServedLoad made{load, {}, 0, room};
    made.load.requests = arrivals.requests;
    ServingOptions options;
    options.control = control;
    options.most_stretches = kept.most;
    options.from = kept.from;
    options.to = kept.to;
    Result<ServingResult> result = simulate_serving(deployment, arrivals, options);
    if (!result) {
        return refuse(result.error());
    }
    made.summary = summarize(*result, goal);
    count_tokens(one, goal, *result, made.summary);
    for (const ServerTotals& server : result->servers) {
        const double span = result->end - result->begin;
        made.servers += span > 0 ? server.alive / span : 0;
        made.held += span > 0 ? (server.alive + server.starting) / span : 0;
    }
    made.failures = std::ranges::count_if(deployment.failures,
                                          [&](const ServerFailure& one) { return one.at <= result->end; });
    if (kept.most > 0) {
        made.kept = kept_of(*result, kept);
        made.result = std::make_shared<const ServingResult>(*std::move(result));
    }
    if (!arrivals.list.empty()) {
        const double span = arrivals.list.back().arrival - arrivals.list.front().arrival;
        made.load.rate = span > 0 ? static_cast<double>(arrivals.list.size() - 1) / span : 0;
    }
    return made;
}

Result<ServedLoad> served_load(const Replica& asked, const ServedPools& pools, const std::string& engine,
                               const OfferedLoad& load, const ServiceGoal& goal, const RunControl& control,
                               const KeptStretch& kept) {
    Result<ServedLoad> made = simulated_load(asked, pools, engine, load, goal, control, kept);
    if (!made) {
        return made;
    }
    const Replica one = with_lengths_of(load, asked);
    const ReplicaTimes times(one);
    // Replicas are alike, and each request goes to one of them; pools wait for each other.
    const std::int64_t most = std::max(pools.replicas, pools.most_servers);
    ServedPools few = pools;
    few.replicas = pools.prefill > 0 ? most : 1;
    few.most_servers = 0;
    const ServingDeployment deployment = deployment_of(one, few, engine, times);
    Arrivals many = arrivals_of(one, pools, load);
    const ServerSettings& settings = deployment.pools.back().settings;
    const auto at_once = static_cast<double>(few.replicas) *
                         std::min(static_cast<double>(settings.most_batch),
                                  static_cast<double>(settings.cache_room) / (one.input + one.output));
    many.requests = std::clamp(4 * static_cast<std::int64_t>(at_once), least_to_see, most_to_see);
    const Result<double> capacity = serving_capacity(deployment, many, control);
    if (!capacity) {
        return refuse(capacity.error());
    }
    made->capacity = *capacity * static_cast<double>(most) / static_cast<double>(few.replicas);
    return made;
}

} // namespace meshslice
