#include "core/serve/serving_run.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshslice {
namespace {

/// std's heaps have the greatest in front.
constexpr auto later = [](const auto& a, const auto& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
};

} // namespace

ServingRun::ServingRun(const ServingDeployment& deployment, const Arrivals& arrivals,
                       const ServingOptions& options)
    : deployment_(deployment)
    , arrivals_(arrivals)
    , options_(options)
    , stream_(arrivals)
    , home_(arrivals.groups.size(), -1) {
    for (const ServerPool& pool : deployment.pools) {
        PoolState& state = pools_.emplace_back(PoolState{0, 0, 0, 0, {}, DecodeLines(*pool.times)});
        state.begin = state.next = static_cast<std::int32_t>(servers_.size());
        const std::int64_t most = std::max(pool.servers, pool.autoscaling.most);
        for (std::int64_t count = 0; count < most; ++count) {
            Server& one = servers_.emplace_back(static_cast<std::int32_t>(servers_.size()), pool, deployment,
                                                arrivals.groups, state.lines, live_);
            one.alive = one.takes_requests = count < pool.servers;
        }
        state.end = static_cast<std::int32_t>(servers_.size());
    }
    live_.most_stages = options.most_stretches;
    live_.from = options.from;
    live_.to = options.to;
    link_free_.resize(servers_.size());
    alive_since_.resize(servers_.size());
    is_starting_.resize(servers_.size());
    is_broken_.resize(servers_.size());
    was_here_.resize(servers_.size());
    result_.servers.resize(servers_.size());
    constexpr std::int64_t at_first = 1 << 20;
    live_.outcomes.reserve(static_cast<std::size_t>(std::min(stream_.count(), at_first)));
}

Result<ServingResult> ServingRun::run() {
    if (arrivals_.law == ArrivalLaw::closed_loop) {
        for (std::int64_t client = 0; client < arrivals_.clients; ++client) {
            send(0);
        }
    } else if (const auto first = stream_.next()) {
        coming(*first);
    }
    for (std::size_t index = 0; index < deployment_.failures.size(); ++index) {
        push(deployment_.failures[index].at, EventKind::failure, static_cast<std::int32_t>(index));
    }
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        if (deployment_.pools[pool].autoscaling.most > 0) {
            push(deployment_.pools[pool].autoscaling.period, EventKind::look,
                 static_cast<std::int32_t>(pool));
        }
    }
    constexpr std::int64_t between_looks = 1024; // events, of some microseconds each
    for (std::int64_t event = 0; ended_ < stream_.count() && !events_.empty();) {
        now_ = events_.front().time;
        for (; !events_.empty() && events_.front().time == now_; ++event) {
            if (event % between_looks == 0 && !goes_on()) {
                return cancelled();
            }
            happens(pop());
        }
        begin_steps();
    }
    for (RequestOutcome& outcome : live_.outcomes) {
        if (outcome.end == RequestEnd::lost) {
            outcome.last = now_; // where it is known that no server comes back
        }
    }
    assert(ended_ < stream_.count() ||
           std::ranges::all_of(servers_, [](const Server& one) { return one.pages_used() == 0; }));
    result_.requests = std::move(live_.outcomes);
    result_.stages = std::move(live_.stages);
    result_.stages_left_out = live_.stages_left_out;
    result_.begin = result_.requests.empty() ? 0 : result_.requests.front().arrival;
    result_.end = now_;
    for (std::size_t index = 0; index < servers_.size(); ++index) {
        const double alive =
            result_.servers[index].alive +
            (servers_[index].alive ? now_ - std::max(alive_since_[index], result_.begin) : 0);
        const double starting = result_.servers[index].starting;
        result_.servers[index] = servers_[index].totals();
        result_.servers[index].starting = starting;
        result_.servers[index].alive = alive;
    }
    if (options_.control.progress != nullptr) {
        *options_.control.progress = 1;
    }
    return std::move(result_);
}

/// Says how far it is, and whether it may go on.
bool ServingRun::goes_on() const {
    if (options_.control.progress != nullptr) {
        *options_.control.progress = static_cast<double>(ended_) / static_cast<double>(stream_.count());
    }
    return !options_.control.stop.stop_requested();
}

void ServingRun::push(double time, EventKind kind, std::int32_t index, std::uint64_t stamp) {
    others_ += kind == EventKind::look ? 0 : 1;
    events_.push_back({time, decided_++, kind, index, stamp});
    std::ranges::push_heap(events_, later);
}

ServingRun::Event ServingRun::pop() {
    std::ranges::pop_heap(events_, later);
    const Event event = events_.back();
    events_.pop_back();
    others_ -= event.kind == EventKind::look ? 0 : 1;
    return event;
}

void ServingRun::happens(const Event& event) {
    switch (event.kind) {
    case EventKind::arrival: arrive(); break;
    case EventKind::step_end:
        if (event.stamp == server(event.index).generation) {
            end_step(event.index);
        }
        break;
    case EventKind::transferred:
        if (live_.at(event.index).phase == RequestPhase::receiving &&
            live_.at(event.index).order == event.stamp) {
            transferred(event.index);
        }
        break;
    case EventKind::failure: fail(deployment_.failures[static_cast<std::size_t>(event.index)]); break;
    case EventKind::back: back(event.index); break;
    case EventKind::started: started(event.index); break;
    case EventKind::look: look(static_cast<std::size_t>(event.index)); break;
    }
}

void ServingRun::touch(std::int32_t server) {
    touched_.push_back(server); // more than once perhaps; begin_steps() takes it once
}

/// Once everything of this moment has happened.
void ServingRun::begin_steps() {
    std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::int32_t index : touched_) {
        Server& one = server(index);
        if (!one.alive || one.in_step()) {
            continue;
        }
        if (one.begin(now_)) {
            push(one.step_end(), EventKind::step_end, index, one.generation);
        } else if (!one.takes_requests && one.load() == 0) {
            goes(index);
        }
        for (const std::int32_t place : one.pulls()) {
            pull(place);
        }
        one.pulls().clear();
    }
    touched_.clear();
}

/// A client of a closed loop sends its next request.
void ServingRun::send(double time) {
    if (const auto request = stream_.sent_at(time)) {
        coming(*request);
    }
}

void ServingRun::coming(const ServingRequest& request) {
    coming_.push_back(request);
    push(request.arrival + deployment_.pools.front().settings.host_delay, EventKind::arrival, -1);
}

void ServingRun::arrive() {
    const std::int32_t place = live_.add(coming_.front());
    coming_.pop_front();
    if (arrivals_.law != ArrivalLaw::closed_loop) {
        if (const auto next = stream_.next()) {
            coming(*next);
        }
    }
    route(place, 0);
}

void ServingRun::end_step(std::int32_t index) {
    Server& one = server(index);
    if (options_.most_stretches > 0) {
        record(one.last_stretch());
    }
    finished_.clear();
    handed_.clear();
    one.end_step(finished_, handed_);
    touch(index);
    for (const std::int32_t place : finished_) {
        ends(place, RequestEnd::finished);
    }
    for (const std::int32_t place : handed_) {
        hand_over(place);
    }
}

void ServingRun::record(const ServerStretch& stretch) {
    if (stretch.end <= options_.from || stretch.start >= options_.to) {
        return;
    }
    if (static_cast<std::int64_t>(result_.stretches.size()) < options_.most_stretches) {
        result_.stretches.push_back(stretch);
    } else {
        ++result_.stretches_left_out;
    }
}

void ServingRun::ends(std::int32_t place, RequestEnd end) {
    live_.end(place, end, now_);
    ++ended_;
    if (arrivals_.law == ArrivalLaw::closed_loop) {
        send(now_ + arrivals_.client_delay);
    }
}

Result<ServingResult> simulate_serving(const ServingDeployment& deployment, const Arrivals& arrivals,
                                       const ServingOptions& options) {
    if (auto checked = check_serving(deployment, arrivals); !checked) {
        return refuse(std::move(checked.error()));
    }
    return ServingRun(deployment, arrivals, options).run();
}

Result<double> serving_capacity(const ServingDeployment& deployment, const Arrivals& arrivals,
                                const RunControl& control) {
    Arrivals all = arrivals;
    all.requests = arrivals.law == ArrivalLaw::listed ? static_cast<std::int64_t>(arrivals.list.size())
                                                      : arrivals.requests;
    all.law = ArrivalLaw::at_once;
    ServingDeployment unchanging = deployment;
    unchanging.failures.clear();
    const auto result = simulate_serving(unchanging, all, {.control = control});
    if (!result) {
        return refuse(result.error());
    }
    std::vector<double> ends;
    for (const RequestOutcome& one : result->requests) {
        if (one.end == RequestEnd::finished) {
            ends.push_back(one.last);
        }
    }
    std::ranges::sort(ends);
    if (ends.empty()) {
        return 0;
    }
    const std::size_t low = ends.size() / 4, high = ends.size() - 1 - low;
    return ends[high] > ends[low] ? static_cast<double>(high - low) / (ends[high] - ends[low])
                                  : static_cast<double>(ends.size()) / ends.back();
}

} // namespace meshslice
