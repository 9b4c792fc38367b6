// Which server a request goes to, and how its cache goes from one to another.

#include "core/serve/serving_run.h"

#include <algorithm>

namespace meshslice {

void ServingRun::route(std::int32_t place, std::size_t pool) {
    LiveRequest& one = live_.at(place);
    one.prompt_only = pool == 0 && pools_.size() > 1;
    if (!servers_[static_cast<std::size_t>(pools_[pool].begin)].fits(one)) {
        if (one.source >= 0) {
            touch(one.source);
            server(one.source).let_go(place);
        }
        ends(place, RequestEnd::refused);
        return;
    }
    const std::int32_t index = chosen(one, pool);
    if (index < 0) {
        pools_[pool].held.push_back(place);
        return;
    }
    Server& to = server(index);
    if (to.add(place) && to.cut(now_)) {
        push(to.step_end(), EventKind::step_end, index, to.generation);
    }
    touch(index);
}

/// -1: none takes requests.
std::int32_t ServingRun::chosen(const LiveRequest& one, std::size_t pool) {
    PoolState& state = pools_[pool];
    std::int32_t index = -1;
    switch (deployment_.pools[pool].routing) {
    case Routing::round_robin:
        for (std::int32_t count = state.begin; count < state.end && index < 0; ++count) {
            if (server(state.next).takes_requests) {
                index = state.next;
            }
            state.next = state.next + 1 < state.end ? state.next + 1 : state.begin;
        }
        break;
    case Routing::least_loaded: index = least_loaded(state); break;
    case Routing::prefix_aware: index = nearest_prefix(one, pool); break;
    }
    if (one.asked.group >= 0 && pool == 0) {
        home_[static_cast<std::size_t>(one.asked.group)] = index;
    }
    return index;
}

std::int32_t ServingRun::least_loaded(const PoolState& pool) const {
    std::int32_t best = -1;
    std::int64_t least = 0;
    for (std::int32_t index = pool.begin; index < pool.end; ++index) {
        const Server& one = servers_[static_cast<std::size_t>(index)];
        if (one.takes_requests && (best < 0 || one.load() < least)) {
            best = index;
            least = one.load();
        }
    }
    return best;
}

std::int32_t ServingRun::nearest_prefix(const LiveRequest& one, std::size_t which) const {
    const PoolState& pool = pools_[which];
    const std::int32_t free = least_loaded(pool);
    if (free < 0 || one.asked.group < 0) {
        return free;
    }
    // Where it was last stands for a prompt that is still being computed there.
    std::int32_t best = home_[static_cast<std::size_t>(one.asked.group)];
    if (best < pool.begin || best >= pool.end || !servers_[static_cast<std::size_t>(best)].takes_requests) {
        best = -1;
    }
    std::int64_t most = 0, longest = 0;
    for (std::int32_t index = pool.begin; index < pool.end; ++index) {
        const Server& candidate = servers_[static_cast<std::size_t>(index)];
        if (candidate.takes_requests) {
            most = std::max(most, candidate.load());
            const std::int64_t found =
                deployment_.pools[which].settings.prefix_cache ? candidate.prefix_found(one.asked.group) : 0;
            if (found > longest) {
                longest = found;
                best = index;
            }
        }
    }
    const std::int64_t least = servers_[static_cast<std::size_t>(free)].load();
    constexpr std::int64_t unequal = 64; // balance_abs_threshold and balance_rel_threshold of SGLang's router
    constexpr double times = 1.5;
    const bool imbalanced =
        most - least > unequal && static_cast<double>(most) > times * static_cast<double>(least);
    return best < 0 || imbalanced ? free : best;
}

/// The prompt is computed, and the first token out: the rest is for a server that decodes.
void ServingRun::hand_over(std::int32_t place) {
    route(place, 1);
}

/// The server that decodes has room for it.
void ServingRun::pull(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    double& free = link_free_[static_cast<std::size_t>(one.source)];
    const double start = std::max(now_, free);
    free = start + static_cast<double>(one.prompt) * deployment_.bytes_per_token / deployment_.transfer.rate;
    const double end = free + deployment_.transfer.latency;
    one.order = live_.orders++;
    push(end, EventKind::transferred, place, one.order);
    if (end > options_.from && start < options_.to &&
        static_cast<std::int64_t>(result_.transfers.size()) < options_.most_stretches) {
        result_.transfers.push_back({start, end, one.source, one.server, one.prompt});
    }
}

void ServingRun::transferred(std::int32_t place) {
    LiveRequest& one = live_.at(place);
    Server& to = server(one.server);
    touch(one.source);
    server(one.source).let_go(place);
    to.received(place);
    if (to.cut(now_)) {
        push(to.step_end(), EventKind::step_end, one.server, to.generation);
    }
    touch(one.server);
}

} // namespace meshslice
