// Servers that break down and come back, start and stop.

#include "core/serve/serving_run.h"

#include <algorithm>
#include <cmath>

namespace meshslice {

std::size_t ServingRun::pool_of(std::int32_t server) const {
    return server < pools_.front().end ? 0 : 1;
}

void ServingRun::fail(const ServerFailure& failure) {
    const auto index = static_cast<std::int32_t>(failure.server);
    Server& broken = server(index);
    const auto state = static_cast<std::size_t>(index);
    is_broken_[state] = true;
    was_here_[state] = broken.alive;
    if (std::isfinite(failure.back)) {
        push(failure.back, EventKind::back, index);
    }
    if (!broken.alive) {
        return;
    }
    std::vector<std::int32_t> orphans;
    broken.fail(now_, orphans);
    // What has its cache there, or a place for it, and is not in its lists.
    for (std::int32_t place = 0; place < static_cast<std::int32_t>(live_.places.size()); ++place) {
        LiveRequest& one = live_.at(place);
        const bool remote = one.phase == RequestPhase::remote, over = one.phase == RequestPhase::receiving;
        if (one.source == index && (remote || over)) {
            if (remote) {
                const auto held = std::ranges::find(pools_.back().held, place);
                if (held != pools_.back().held.end()) {
                    pools_.back().held.erase(held);
                } else {
                    server(one.server).withdraw(place);
                }
            } else {
                server(one.server).stop_receiving(place);
                touch(one.server);
            }
            one.source = -1;
            orphans.push_back(place);
        } else if (one.server == index && over && std::ranges::find(orphans, place) == orphans.end()) {
            orphans.push_back(place);
        }
    }
    goes(index);
    std::ranges::sort(orphans, {}, [&](std::int32_t place) { return live_.at(place).number; });
    for (const std::int32_t place : orphans) {
        restart(place);
    }
}

/// From its prompt and what was put out of its tokens.
void ServingRun::restart(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    if (one.source >= 0) { // with a server that is still there
        touch(one.source);
        server(one.source).let_go(place);
    }
    live_.turn(place, RequestPhase::waiting, now_);
    const ServingRequest asked = one.asked;
    const std::int64_t number = one.number, left = one.left;
    one = LiveRequest{};
    one.asked = asked;
    one.number = number;
    one.left = left;
    one.order = live_.orders++;
    one.phase = RequestPhase::waiting;
    one.since = now_;
    one.prompt = asked.input + asked.output - left;
    ++live_.outcome(place).restarts;
    route(place, 0);
}

void ServingRun::back(std::int32_t index) {
    is_broken_[static_cast<std::size_t>(index)] = false;
    if (was_here_[static_cast<std::size_t>(index)]) {
        comes(index);
    }
}

void ServingRun::started(std::int32_t index) {
    --pools_[pool_of(index)].starting;
    is_starting_[static_cast<std::size_t>(index)] = false;
    result_.servers[static_cast<std::size_t>(index)].starting +=
        deployment_.pools[pool_of(index)].autoscaling.start_delay;
    if (!is_broken_[static_cast<std::size_t>(index)]) {
        comes(index);
    }
}

void ServingRun::comes(std::int32_t index) {
    Server& one = server(index);
    one.takes_requests = true;
    if (!one.alive) {
        one.alive = true;
        alive_since_[static_cast<std::size_t>(index)] = now_;
    }
    std::deque<std::int32_t> held;
    held.swap(pools_[pool_of(index)].held);
    for (const std::int32_t place : held) {
        route(place, pool_of(index));
    }
}

void ServingRun::goes(std::int32_t index) {
    server(index).alive = server(index).takes_requests = false;
    const double since = std::max(alive_since_[static_cast<std::size_t>(index)], first_arrival());
    result_.servers[static_cast<std::size_t>(index)].alive += std::max(0.0, now_ - since);
}

/// A simple rule: one server more where many wait, one less where the rest is enough.
void ServingRun::look(std::size_t pool) {
    const Autoscaling& rule = deployment_.pools[pool].autoscaling;
    PoolState& state = pools_[pool];
    std::int64_t taking = 0, waiting = static_cast<std::int64_t>(state.held.size()), all = waiting;
    std::int32_t last = -1, draining = -1, absent = -1;
    for (std::int32_t index = state.begin; index < state.end; ++index) {
        const Server& one = server(index);
        const bool starting = is_starting_[static_cast<std::size_t>(index)];
        waiting += one.waiting();
        all += one.load();
        if (one.takes_requests) {
            ++taking;
            last = index;
        } else if (one.alive) {
            draining = index;
        } else if (!starting && !is_broken_[static_cast<std::size_t>(index)] && absent < 0) {
            absent = index;
        }
    }
    if (static_cast<double>(waiting) > rule.start_above * static_cast<double>(taking)) {
        if (draining >= 0) {
            comes(draining);
        } else if (absent >= 0 && taking + state.starting < rule.most) {
            ++state.starting;
            is_starting_[static_cast<std::size_t>(absent)] = true;
            push(now_ + rule.start_delay, EventKind::started, absent);
        }
    } else if (taking > deployment_.pools[pool].servers &&
               static_cast<double>(all) < rule.stop_below * static_cast<double>(taking - 1)) {
        server(last).takes_requests = false;
        touch(last);
    }
    if (others_ > 0) { // otherwise nothing will ever happen
        push(now_ + rule.period, EventKind::look, static_cast<std::int32_t>(pool));
    }
}

} // namespace meshslice
