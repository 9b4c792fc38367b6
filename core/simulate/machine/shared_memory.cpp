#include "core/simulate/machine/shared_memory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace meshslice {

double fair_level(double capacity, const std::array<double, engine_count>& most) {
    double level = capacity / static_cast<double>(most.size());
    while (true) {
        // What jobs below the level leave is shared evenly by the others.
        double rest = capacity;
        int others = 0;
        for (const double wanted : most) {
            if (wanted <= level) {
                rest -= wanted;
            } else {
                ++others;
            }
        }
        if (others == 0) {
            return std::ranges::max(most);
        }
        if (rest / others <= level) {
            return level;
        }
        level = rest / others;
    }
}

Time SharedMemory::Job::end() const {
    return speed == 0 ? since : since + Time(std::llrint(std::max(left, 0.0) / speed));
}

Time SharedMemory::ends(Chip chip, std::size_t engine) const {
    const State& state = chips_[static_cast<std::size_t>(chip)];
    return (state.active >> engine & 1u) != 0 ? state.jobs[engine].end() : Time(-1);
}

SharedMemory::State& SharedMemory::changed(Chip chip) {
    State& state = chips_[static_cast<std::size_t>(chip)];
    if (!state.changed) {
        state.changed = true;
        changed_.push_back(chip);
    }
    return state;
}

void SharedMemory::begin(Time now, Chip chip, std::size_t engine, Bytes bytes, Time alone) {
    follow_links(chip, now);
    State& state = changed(chip);
    alone = std::max(alone, Time(1));
    state.active |= 1u << engine;
    state.most[engine] = static_cast<double>(bytes.value()) / in_seconds(alone);
    state.jobs[engine] = {static_cast<double>(alone.value()), 0, now, Time(-1)};
}

void SharedMemory::end(Time now, Chip chip, std::size_t engine) {
    follow_links(chip, now);
    State& state = changed(chip);
    state.active &= ~(1u << engine);
    state.most[engine] = 0;
    state.jobs[engine] = {};
}

void SharedMemory::links_take(Time now, Chip chip, std::int64_t more) {
    follow_links(chip, now);
    changed(chip).links_take += more;
}

inline void SharedMemory::share(State& state, std::int64_t known, Time at) const {
    const double room = bandwidth_ - static_cast<double>(state.links_take + known);
    // Nearly always: one core and its links.
    const bool alone = (state.active & (state.active - 1)) == 0;
    const double level = alone ? room : fair_level(room, state.most);
    for (std::uint32_t rest = state.active; rest != 0; rest &= rest - 1) {
        const auto engine = static_cast<std::size_t>(std::countr_zero(rest));
        const double most = state.most[engine];
        state.jobs[engine].go_on(most <= level ? 1 : level / most, at);
    }
}

void SharedMemory::follow_links(Chip chip, Time until) {
    State& state = chips_[static_cast<std::size_t>(chip)];
    if (!state.scarce || state.followed == until) {
        return;
    }
    state.followed = until;
    LinkDemand& demand = demand_[static_cast<std::size_t>(chip)];
    demand.look_again();
    while (demand.next() < until) {
        const Time at = demand.next();
        const std::int64_t before = demand.take();
        demand.pass();
        if (std::max(before, demand.take()) > state.free) {
            share(state, demand.take(), at);
        }
    }
}

Time SharedMemory::visit(const State& state, const LinkDemand& demand, const Job& job) {
    const Time change = state.scarce ? demand.next() : LinkDemand::never;
    if (const Time end = job.end(); end <= change) {
        return end;
    }
    // At best it goes on at its own pace from here.
    return change + Time(std::max(std::int64_t{1}, static_cast<std::int64_t>(job.left_at(change))));
}

bool SharedMemory::over(Time now, Chip chip, std::size_t engine) {
    follow_links(chip, now);
    State& state = chips_[static_cast<std::size_t>(chip)];
    Job& job = state.jobs[engine];
    // A job without a speed has only just begun, so the visit was set for an earlier job.
    if (job.speed > 0 && job.end() <= now) {
        return true;
    }
    if (job.visit == now) {
        job.visit = Time(-1);
        if (job.speed > 0) {
            job.visit = std::max(now, visit(state, demand_[static_cast<std::size_t>(chip)], job));
            visits_.push_back({chip, engine, job.visit});
        }
    }
    return false;
}

void SharedMemory::note(Time now, std::vector<std::uint64_t>& numbers) const {
    const auto from_now = [&](Time time) { return static_cast<std::uint64_t>((time - now).value()); };
    for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
        const State& state = chips_[chip];
        const bool followed = state.followed == now;
        numbers.push_back(state.active | (state.scarce ? 1u << engine_count : 0u) |
                          (followed ? 2u << engine_count : 0u));
        numbers.push_back(static_cast<std::uint64_t>(state.links_take));
        numbers.push_back(static_cast<std::uint64_t>(state.free));
        for (std::uint32_t rest = state.active; rest != 0; rest &= rest - 1) {
            const auto engine = static_cast<std::size_t>(std::countr_zero(rest));
            const Job& job = state.jobs[engine];
            numbers.push_back(std::bit_cast<std::uint64_t>(state.most[engine]));
            numbers.push_back(std::bit_cast<std::uint64_t>(job.left));
            numbers.push_back(std::bit_cast<std::uint64_t>(job.speed));
            numbers.push_back(from_now(job.since));
            numbers.push_back(job.visit < Time(0) ? ~std::uint64_t{0} : from_now(job.visit));
        }
        if (state.scarce) { // Else it goes to the time at which links may be short again.
            demand_[chip].note(now, numbers);
        }
    }
}

std::vector<LinkDemand::Behind> SharedMemory::behind() const {
    std::vector<LinkDemand::Behind> behind;
    for (const LinkDemand& demand : demand_) {
        behind.push_back(demand.behind());
    }
    return behind;
}

void SharedMemory::move_on(Time later, const std::vector<LinkDemand::Behind>& behind) {
    for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
        State& state = chips_[chip];
        for (Job& job : state.jobs) {
            job.since += later;
            job.visit += job.visit < Time(0) ? Time(0) : later;
        }
        state.followed += later;
        if (state.scarce) {
            demand_[chip].move_on(later, behind[chip]);
        }
    }
}

const std::vector<SharedMemory::Visit>& SharedMemory::settle(Time now) {
    for (const Chip chip : changed_) {
        follow_links(chip, now);
        State& state = chips_[static_cast<std::size_t>(chip)];
        LinkDemand& demand = demand_[static_cast<std::size_t>(chip)];
        state.changed = false;
        const double wanted = std::accumulate(state.most.begin(), state.most.end(), 0.0);
        state.free = static_cast<std::int64_t>(std::floor(bandwidth_ - wanted)) - state.links_take;
        const bool was_scarce = std::exchange(state.scarce, state.active != 0 && demand.most() > state.free);
        if (state.scarce && !was_scarce) {
            demand.look_again();
            demand.go_to(now);
            state.followed = now;
        }
        share(state, state.scarce ? demand.take() : 0, now);
        for (std::uint32_t rest = state.active; rest != 0; rest &= rest - 1) {
            const auto engine = static_cast<std::size_t>(std::countr_zero(rest));
            Job& job = state.jobs[engine];
            if (const Time at = std::max(now, visit(state, demand, job));
                job.visit < Time(0) || at < job.visit) {
                job.visit = at;
                visits_.push_back({chip, engine, at});
            }
        }
    }
    changed_.clear();
    handed_over_.clear();
    handed_over_.swap(visits_);
    return handed_over_;
}

} // namespace meshslice
