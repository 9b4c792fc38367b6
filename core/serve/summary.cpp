#include "core/serve/serving_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace meshslice {
namespace {

/// Straight between the two nearest requests, as numpy.percentile does it. `times` are in order.
double percentile(const std::vector<double>& times, double share) {
    const double at = share * static_cast<double>(times.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, times.size() - 1);
    return times[low] + (times[high] - times[low]) * (at - static_cast<double>(low));
}

TimeSpread spread(std::vector<double> times) {
    if (times.empty()) {
        return {};
    }
    std::ranges::sort(times);
    double sum = 0;
    for (const double time : times) {
        sum += time;
    }
    return {sum / static_cast<double>(times.size()), percentile(times, 0.5), percentile(times, 0.95),
            percentile(times, 0.99), times.back()};
}

bool meets(const RequestOutcome& one, const ServiceGoal& goal) {
    return one.ttft() <= goal.ttft && one.tpot() <= goal.tpot && one.e2e() <= goal.e2e;
}

SteadyRates steady_rates(const std::vector<RequestOutcome>& requests, std::size_t first) {
    SteadyRates made;
    double begin = std::numeric_limits<double>::infinity();
    for (std::size_t index = first; index < requests.size(); ++index) {
        const RequestOutcome& one = requests[index];
        made.to = std::max(made.to, one.arrival);
        begin = one.end == RequestEnd::finished ? std::min(begin, one.last) : begin;
    }
    made.from = begin;
    if (!made.any()) {
        return {};
    }
    const auto within = [&](double time) { return time > made.from && time <= made.to; };
    double tokens = 0, ended = 0;
    for (std::size_t index = first; index < requests.size(); ++index) {
        const RequestOutcome& one = requests[index];
        if (one.end != RequestEnd::finished) {
            continue;
        }
        ended += within(one.last) ? 1 : 0;
        tokens += within(one.first) ? 1 : 0;
        const double overlap = std::min(one.last, made.to) - std::max(one.first, made.from);
        if (one.last > one.first && overlap > 0) {
            tokens += static_cast<double>(one.output - 1) * overlap / (one.last - one.first);
        }
    }
    made.tokens_per_s = tokens / (made.to - made.from);
    made.requests_per_s = ended / (made.to - made.from);
    return made;
}

} // namespace

ServingSummary summarize(const ServingResult& result, const ServiceGoal& goal, std::int64_t skipped) {
    ServingSummary summary;
    const std::size_t first = std::min(static_cast<std::size_t>(skipped), result.requests.size());
    summary.requests = static_cast<std::int64_t>(result.requests.size() - first);
    std::vector<double> queue, ttft, tpot, e2e;
    double tokens = 0, prompts = 0, reused = 0, last = 0;
    std::int64_t good = 0;
    for (std::size_t index = first; index < result.requests.size(); ++index) {
        const RequestOutcome& one = result.requests[index];
        summary.preemptions += one.preemptions;
        summary.restarts += one.restarts;
        summary.refused += one.end == RequestEnd::refused ? 1 : 0;
        summary.lost += one.end == RequestEnd::lost ? 1 : 0;
        if (one.end != RequestEnd::finished) {
            continue;
        }
        ++summary.finished;
        queue.push_back(one.queue());
        ttft.push_back(one.ttft());
        e2e.push_back(one.e2e());
        if (one.output > 1) {
            tpot.push_back(one.tpot());
        }
        tokens += static_cast<double>(one.output);
        prompts += static_cast<double>(one.input);
        reused += static_cast<double>(one.reused);
        last = std::max(last, one.last);
        good += meets(one, goal) ? 1 : 0;
    }
    summary.queue = spread(std::move(queue));
    summary.ttft = spread(std::move(ttft));
    summary.tpot = spread(std::move(tpot));
    summary.e2e = spread(std::move(e2e));
    if (summary.finished > 0) {
        summary.seconds = last - result.requests[first].arrival;
        summary.reused_share = reused / prompts;
    }
    if (summary.seconds > 0) {
        summary.requests_per_s = static_cast<double>(summary.finished) / summary.seconds;
        summary.tokens_per_s = tokens / summary.seconds;
        summary.good_per_s = static_cast<double>(good) / summary.seconds;
    }
    summary.steady = steady_rates(result.requests, first);
    summary.good_share =
        summary.requests > 0 ? static_cast<double>(good) / static_cast<double>(summary.requests) : 0;

    double busy = 0, alive = 0, decoded = 0;
    std::int64_t decode_steps = 0;
    for (const ServerTotals& server : result.servers) {
        busy += server.busy;
        alive += server.alive;
        decoded += server.decode_batch;
        decode_steps += server.decode_steps;
        summary.steps += server.steps;
    }
    summary.utilization = alive > 0 ? busy / alive : 0;
    summary.decode_batch = decode_steps > 0 ? decoded / static_cast<double>(decode_steps) : 0;
    summary.saturated = queue_grows(result);
    return summary;
}

bool queue_grows(const ServingResult& result) {
    const std::size_t third = result.requests.size() / 3;
    if (third == 0) {
        return false;
    }
    double middle = 0, end = 0;
    for (std::size_t index = third; index < result.requests.size(); ++index) {
        const RequestOutcome& one = result.requests[index];
        if (one.end != RequestEnd::finished) {
            continue;
        }
        if (index < 2 * third) {
            middle += one.queue();
        } else if (index < 3 * third) {
            if (!(one.queue() > 0)) {
                return false;
            }
            end += one.queue();
        }
    }
    constexpr double between = 4.0 / 3; // half way from 1 to 5/3
    return end > between * middle;
}

} // namespace meshslice
