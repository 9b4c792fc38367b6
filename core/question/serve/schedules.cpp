#include "core/question/serve/schedules.h"

#include "core/question/serve/offered_load.h"
#include "core/question/serve/rated_goal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t requests_compared = 12, servers_compared = 2, places_compared = 4;

std::vector<ServingRequest> requests_of(const Replica& one, double rate) {
    constexpr std::array<double, 4> shares = {1, 0.25, 0.5, 0.75};
    std::vector<ServingRequest> made;
    for (std::int64_t k = 0; k < requests_compared; ++k) {
        ServingRequest request;
        request.arrival = static_cast<double>(k) / rate;
        request.input = static_cast<std::int64_t>(one.input);
        const double output = std::round(one.output * shares[static_cast<std::size_t>(k) % shares.size()]);
        request.output = std::max<std::int64_t>(1, static_cast<std::int64_t>(output));
        made.push_back(request);
    }
    return made;
}

/// Requests go to the servers in turn; each takes as many as it has places at once, and all of them have the
/// time of the longest.
std::vector<RequestOutcome> in_batches(const Replica& one, const std::vector<ServingRequest>& requests) {
    std::vector<RequestOutcome> made(requests.size());
    for (std::int64_t server = 0; server < servers_compared; ++server) {
        std::vector<std::size_t> its;
        for (auto k = static_cast<std::size_t>(server); k < requests.size(); k += servers_compared) {
            its.push_back(k);
        }
        double free = 0;
        for (std::size_t from = 0; from < its.size(); from += places_compared) {
            const std::size_t to = std::min(its.size(), from + places_compared);
            Replica batch = one;
            batch.batch = static_cast<double>(to - from);
            const double begin = std::max(free, requests[its[to - 1]].arrival);
            const double first = begin + request_start(one) + step_seconds(batch, ServedPhase::prefill, 0);
            const double next =
                step_seconds(batch, ServedPhase::decode, middle_context(batch)) / batch.accepted;
            free = first;
            for (std::size_t k = from; k < to; ++k) {
                const ServingRequest& request = requests[its[k]];
                RequestOutcome& outcome = made[its[k]];
                outcome.arrival = request.arrival;
                outcome.started = begin;
                outcome.first = first;
                outcome.last = first + next * static_cast<double>(request.output - 1);
                outcome.input = request.input;
                outcome.output = request.output;
                outcome.server = static_cast<std::int32_t>(server);
                outcome.end = RequestEnd::finished;
                free = std::max(free, outcome.last);
            }
        }
    }
    return made;
}

template <class Value>
double mean_of(const std::vector<RequestOutcome>& requests, Value value) {
    double sum = 0, count = 0;
    for (const RequestOutcome& one : requests) {
        if (const double seconds = value(one); seconds > 0) {
            sum += seconds;
            ++count;
        }
    }
    return count > 0 ? sum / count : 0;
}

template <class Value>
double longest_of(const std::vector<RequestOutcome>& requests, Value value) {
    double most = 0;
    for (const RequestOutcome& one : requests) {
        most = std::max(most, value(one));
    }
    return most;
}

} // namespace

std::string_view name(ServingSchedule schedule) {
    constexpr std::array<std::string_view, 4> names = {"batched", "interleaved", "chunked", "apart"};
    return names[static_cast<std::size_t>(schedule)];
}

double ScheduledRequests::mean_ttft() const {
    return mean_of(requests, [](const RequestOutcome& one) { return one.ttft(); });
}
double ScheduledRequests::longest_ttft() const {
    return longest_of(requests, [](const RequestOutcome& one) { return one.ttft(); });
}
double ScheduledRequests::mean_tpot() const {
    return mean_of(requests, [](const RequestOutcome& one) { return one.tpot(); });
}
double ScheduledRequests::longest_tpot() const {
    return longest_of(requests, [](const RequestOutcome& one) { return one.tpot(); });
}
double ScheduledRequests::end() const {
    return longest_of(requests, [](const RequestOutcome& one) { return one.last; });
}

Result<ComparedSchedules> compared_schedules(const ServingAsked& asked, const Replica& one, double rate,
                                             const RunControl& control) {
    Replica places = one;
    places.batch = places_compared;
    ComparedSchedules made;
    made.rate =
        rate > 0 ? rate : static_cast<double>(servers_compared * places_compared) / served_times(places).e2e;
    OfferedLoad load;
    load.requests = requests_compared;
    load.list = requests_of(one, made.rate);
    made.all.push_back({ServingSchedule::batched, in_batches(places, load.list)});
    for (const auto& [schedule, prompts] : {std::pair(ServingSchedule::interleaved, PromptPolicy::alone),
                                            std::pair(ServingSchedule::chunked, PromptPolicy::chunked),
                                            std::pair(ServingSchedule::apart, PromptPolicy::whole)}) {
        const bool apart = schedule == ServingSchedule::apart;
        Result<ServedPools> pools =
            pools_of_servers(asked, places, apart ? 1 : servers_compared, apart ? 1 : 0);
        if (!pools) {
            made.not_apart = pools.error().sentence;
            continue;
        }
        pools->routing = Routing::least_loaded;
        pools->fail_every = 0;
        pools->prompts = prompts;
        Replica its = places;
        its.batch = apart ? static_cast<double>(servers_compared * places_compared) : places.batch;
        pools->prefill_batch = places_compared;
        const Result<ServedLoad> served =
            simulated_load(its, *pools, asked.engine, load, {}, control, {requests_compared * 1000});
        if (!served) {
            return refuse(served.error());
        }
        ScheduledRequests done{schedule, served->result->requests};
        for (std::size_t k = 0; k < done.requests.size(); ++k) {
            done.requests[k].output = load.list[k].output; // else in steps, which drafts make fewer
        }
        made.all.push_back(std::move(done));
    }
    return made;
}

} // namespace meshslice
