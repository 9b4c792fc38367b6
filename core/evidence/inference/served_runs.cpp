#include "core/evidence/inference/served_runs.h"

#include "core/serve/simulate_serving.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

using ResultKind = InferenceQuantity;

std::int64_t whole(double number) {
    constexpr double most = 1e15;
    return static_cast<std::int64_t>(std::clamp(std::round(number), 0.0, most));
}

constexpr double cache_share = 0.9; ///< of what is left of the memory, for the cache (vLLM's default)

/// Tokens that a request puts out in a step.
double tokens_of_step(const InferenceAsked& asked, const InferenceValues& values) {
    return asked.drafts > 0 ? std::max(1.0, at(values, InferenceConstant::accepted)) : 1;
}

Lengths lengths_of(double nominal, const ServingSetup& setup) {
    Lengths made;
    made.law = setup.shortest < setup.longest ? LengthLaw::uniform : LengthLaw::fixed;
    made.nominal = std::max(1.0, nominal * setup.longest);
    made.spread = setup.shortest / setup.longest;
    return made;
}

ServerSettings settings_of(const InferenceRow& row, const InferenceAsked& asked,
                           const InferenceValues& values) {
    const ServingSetup& setup = row.setup;
    ServerSettings made;
    made.prompts = setup.prompts;
    made.cache = CachePolicy::reserved;
    made.page = 1;
    made.most_tokens = whole(setup.most_tokens * asked.data);
    constexpr double most_at_work = 1e6;
    made.most_batch = std::max<std::int64_t>(1, whole(std::min(setup.most_batch, most_at_work)));
    if (made.prompts == PromptPolicy::chunked) {
        made.most_batch = std::min(made.most_batch, made.most_tokens);
    }
    made.cache_room = std::max(whole(cache_room(asked, cache_share, values) * asked.data),
                               whole(setup.longest * (asked.input + asked.output)) + 1);
    made.step_delay = setup.step_delay;
    // A log begins where the engine takes a request in.
    made.host_delay = row.log == nullptr ? at(values, InferenceConstant::request_start) : 0;
    if (setup.steps_between_looks > 1) {
        InferenceAsked busy = asked;
        busy.batch = asked.batch;
        made.host_delay += setup.steps_between_looks / 2 * middle_decode_step(busy, values).total();
    }
    return made;
}

/// Tokens of prompts and of decode steps move between servers: an adapter for each chip, or the links of one
/// domain.
CacheTransfer transfer_of(const InferenceRow& row) {
    const InferenceChip& chip = *row.prefill.chip;
    constexpr double one_server = 8;
    const double chips = row.prefill.chips();
    return {chips * (chip.domain > one_server ? chip.link_rate : chip.rate_beyond_domain), 0};
}

double cache_bytes_of_token(const InferenceAsked& asked, const InferenceValues& values) {
    InferenceAsked one = asked;
    one.batch = 1;
    one.input = 0;
    one.output = 1;
    InferenceAsked none = one;
    none.output = 0;
    one.data = none.data = 1;
    const double of_chip = inference_memory(one, values) - inference_memory(none, values);
    return of_chip * (asked.model->latent ? 1 : std::min(asked.tensor, asked.model->kv_heads));
}

struct ServedMeans {
    double ttft = 0, tpot = 0, e2e = 0, tokens_per_s = 0;
};

ServedMeans means_of(const ServingResult& result) {
    ServedMeans made;
    double finished = 0, several = 0, tokens = 0;
    for (const RequestOutcome& one : result.requests) {
        if (one.end != RequestEnd::finished) {
            continue;
        }
        finished += 1;
        made.ttft += one.ttft();
        made.e2e += one.e2e();
        tokens += static_cast<double>(one.output);
        if (one.output > 1) {
            several += 1;
            made.tpot += one.tpot();
        }
    }
    if (finished > 0) {
        made.ttft /= finished;
        made.e2e /= finished;
        made.tokens_per_s = tokens / std::max(result.end - result.begin, 1e-12);
    }
    made.tpot /= std::max(several, 1.0);
    return made;
}

} // namespace

double LawStepTimes::step(const StepLoad& load) const {
    return mixed_step(asked_, batch_of(load), values_).total();
}

double cache_room(const InferenceAsked& asked, double share, const InferenceValues& values) {
    InferenceAsked empty = asked;
    empty.batch = 0;
    InferenceAsked one = empty;
    one.batch = asked.data;
    one.input = 0;
    one.output = 1;
    InferenceAsked none = one;
    none.output = 0;
    const double token = inference_memory(one, values) - inference_memory(none, values);
    return std::max(0.0, (asked.chip->memory - inference_memory(empty, values)) * share / token);
}

InferenceResults served_results(const InferenceRow& row, const InferenceValues& values) {
    constexpr double rounds = 10, few_rounds = 3, least_requests = 20, enough_requests = 4000;
    const InferenceAsked& asked = row.asked;
    const double accepted = tokens_of_step(asked, values);
    const LawStepTimes decode(asked, values), prefill(row.prefill_servers > 0 ? row.prefill : asked, values);
    ServingDeployment deployment;
    ServerPool& pool = deployment.pools.front();
    pool.times = &decode;
    pool.settings = settings_of(row, asked, values);
    pool.routing = Routing::least_loaded;
    const bool at_once = row.load == "max";
    double clients = row.clients;
    if (at_once) {
        // As many as have room.
        clients = std::clamp(
            std::floor(static_cast<double>(pool.settings.cache_room) / (asked.input + asked.output)), 1.0,
            row.setup.most_batch);
    }
    if (row.prefill_servers > 0) {
        pool.servers = whole(row.replicas);
        ServerPool prompts;
        prompts.times = &prefill;
        prompts.servers = whole(row.prefill_servers);
        prompts.settings = settings_of(row, row.prefill, values);
        prompts.settings.prompts = PromptPolicy::whole;
        prompts.routing = Routing::least_loaded;
        deployment.pools.insert(deployment.pools.begin(), prompts);
        deployment.transfer = transfer_of(row);
        deployment.bytes_per_token = cache_bytes_of_token(row.prefill, values);
    }
    Arrivals arrivals;
    arrivals.law = ArrivalLaw::closed_loop;
    arrivals.clients = std::max<std::int64_t>(1, whole(clients));
    arrivals.client_delay = row.setup.client_delay;
    const double asked_for = std::min(rounds * clients, std::max(few_rounds * clients, enough_requests));
    arrivals.requests = whole(std::max(at_once ? few_rounds * clients : asked_for, least_requests));
    arrivals.kinds.front().input = lengths_of(asked.input, row.setup);
    arrivals.kinds.front().output = lengths_of(std::max(1.0, asked.output / accepted), row.setup);
    const Result<ServingResult> result = simulate_serving(deployment, arrivals);
    InferenceResults made{};
    if (!result) {
        return made;
    }
    const ServedMeans means = means_of(*result);
    const double replicas = row.prefill_servers > 0 ? 1 : row.replicas;
    at(made, ResultKind::throughput) = replicas * accepted * means.tokens_per_s;
    if (!at_once) {
        at(made, ResultKind::ttft) = means.ttft;
        at(made, ResultKind::tpot) = means.tpot / accepted;
        at(made, ResultKind::e2e) = means.e2e;
    }
    if (row.derived_throughput && means.ttft > 0) {
        at(made, ResultKind::throughput) =
            row.clients * asked.output / (means.ttft + (asked.output - 1) * means.tpot / accepted);
    }
    return made;
}

InferenceResults steady_results(const InferenceRow& row, const InferenceValues& values) {
    const InferenceAsked& asked = row.asked;
    const ServingSetup& setup = row.setup;
    const double accepted = tokens_of_step(asked, values);
    const double mean_length = (setup.shortest + setup.longest) / 2;
    const double input = asked.input * mean_length;
    const double steps = std::max(2.0, asked.output * mean_length / accepted);
    const double cached = input + asked.output * mean_length / 2;
    const double room = cache_room(asked, cache_share, values) * asked.data;
    const bool split = row.prefill_servers > 0;
    const double batch = std::max(1.0, std::min({row.clients / (split ? row.replicas : 1), setup.most_batch,
                                                 room / (input + asked.output * mean_length)}));
    InferenceResults made{};
    const double decode = mixed_step(asked, {0, 0, 0, 0, batch, batch * cached}, values).total();
    const double start = at(values, InferenceConstant::request_start);
    if (split) {
        at(made, ResultKind::tpot) = decode / accepted;
        at(made, ResultKind::ttft) =
            start + mixed_step(row.prefill, {input, input * input / 2, 1, 1, 0, 0}, values).total();
        return made;
    }
    const double most_tokens = setup.most_tokens * asked.data;
    const double prompts = std::clamp(batch / steps, 1.0, std::max(1.0, most_tokens / input)); // in a step
    const double tokens = prompts * input, chunks = std::max(1.0, std::ceil(tokens / most_tokens));
    const bool alone = setup.prompts == PromptPolicy::alone;
    const auto with_prompts = [&](double decoding) {
        return chunks * mixed_step(asked,
                                   {tokens / chunks, tokens / chunks * input / 2, prompts, prompts / chunks,
                                    decoding, decoding * cached},
                                   values)
                            .total();
    };
    const double others = std::max(0.0, batch - 1) / prompts; // steps with prompts that a request sees
    const double shared = with_prompts(alone ? 0 : std::max(0.0, batch - prompts));
    const double alone_steps = alone ? steps - 1 : std::max(0.0, steps - 1 - others * chunks);
    const double whole_time = others * shared + alone_steps * decode;
    at(made, ResultKind::tpot) = whole_time / (steps - 1) / accepted;
    const double busy = std::min(0.9, others * shared / whole_time);
    const double own = with_prompts(alone ? 0 : std::max(0.0, batch - 1));
    const double first_burst = row.clients * with_prompts(0) / prompts / 2;
    constexpr double burst_share = 0.1; // of the requests
    at(made, ResultKind::ttft) =
        start + (1 - burst_share) * (own * (1 + busy) + decode / 2) + burst_share * first_burst;
    return made;
}

InferenceResults RunResults::of(const InferenceRow& row, const InferenceValues& values) {
    if (row.log == nullptr) {
        return predicted_results(row, values);
    }
    auto& results = logs_[row.log.get()];
    if (results.empty()) {
        const LawStepTimes times(row.asked, values);
        ServingDeployment deployment;
        ServerPool& pool = deployment.pools.front();
        pool.times = &times;
        pool.settings = settings_of(row, row.asked, values);
        Arrivals arrivals;
        arrivals.law = ArrivalLaw::listed;
        arrivals.list = row.log->requests;
        arrivals.requests = static_cast<std::int64_t>(arrivals.list.size());
        const Result<ServingResult> result = simulate_serving(deployment, arrivals);
        results.resize(arrivals.list.size());
        for (std::size_t k = 0; result && k < result->requests.size(); ++k) {
            const RequestOutcome& one = result->requests[k];
            if (one.end == RequestEnd::finished) {
                at(results[k], ResultKind::ttft) = one.ttft();
                at(results[k], ResultKind::tpot) = one.tpot();
                at(results[k], ResultKind::e2e) = one.e2e();
            }
        }
    }
    return row.place < results.size() ? results[row.place] : InferenceResults{};
}

} // namespace meshslice
