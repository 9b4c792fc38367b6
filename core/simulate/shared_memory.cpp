#include "core/simulate/shared_memory.h"

#include <algorithm>
#include <cmath>

namespace meshslice {

double fair_level(double capacity, std::array<double, engine_count> most) {
    std::ranges::sort(most);
    for (std::size_t k = 0; k < most.size(); ++k) {
        // Those before have all they want; this one and the rest want at least as much as it.
        const auto rest = static_cast<double>(most.size() - k);
        if (most[k] * rest >= capacity) {
            return capacity / rest;
        }
        capacity -= most[k];
    }
    return most.back();
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
    State& state = changed(chip);
    ++state.active;
    alone = std::max(alone, Time(1));
    const double most = static_cast<double>(bytes.value()) / in_seconds(alone);
    state.jobs[engine] = {alone, most, 1, 0, now, now, Time(-1)};
}

void SharedMemory::end(Chip chip, std::size_t engine) {
    State& state = changed(chip);
    --state.active;
    state.jobs[engine] = {};
}

bool SharedMemory::over(Time now, Chip chip, std::size_t engine) {
    Progress& job = chips_[static_cast<std::size_t>(chip)].jobs[engine];
    if (job.ends == now && job.speed > 0) { // Else it has only just begun, and the visit is of one before it.
        return true;
    }
    if (job.visit == now) {
        job.visit = Time(-1);
        changed(chip);
    }
    return false;
}

double SharedMemory::level(const State& state, double room) const {
    if (state.active == 1) {
        return room; // As nearly always: a core beside its links.
    }
    std::array<double, engine_count> most{};
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        most[engine] = state.jobs[engine].active() ? state.jobs[engine].most : 0;
    }
    return fair_level(room, most);
}

void SharedMemory::share(Time now, Chip chip, State& state) {
    Links& links = links_[static_cast<std::size_t>(chip)];
    const double level = this->level(state, bandwidth_ - static_cast<double>(links.take));
    double wanted = 0; // bytes/s
    bool slowed = false;
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        Progress& job = state.jobs[engine];
        if (!job.active()) {
            continue;
        }
        const double speed = job.most <= level ? 1 : level / job.most;
        wanted += job.most;
        slowed = slowed || speed < 1;
        if (job.speed != speed) {
            const auto alone = static_cast<double>(job.alone.value());
            job.left -= static_cast<double>((now - job.since).value()) / alone * job.speed;
            job.since = now;
            job.speed = speed;
            job.ends = now + Time(std::llround(std::max(job.left, 0.0) * alone / speed));
        }
        if (job.visit < Time(0) || job.ends < job.visit) {
            job.visit = job.ends;
            visits_.push_back({chip, engine, job.ends});
        }
    }
    // A job that is slowed feels every change.
    links.free = slowed ? std::numeric_limits<std::int64_t>::min()
                        : static_cast<std::int64_t>(std::floor(bandwidth_ - wanted));
}

const std::vector<SharedMemory::Visit>& SharedMemory::settle(Time now) {
    visits_.clear();
    for (const Chip chip : changed_) {
        State& state = chips_[static_cast<std::size_t>(chip)];
        state.changed = false;
        if (state.active > 0) {
            share(now, chip, state);
        } else {
            links_[static_cast<std::size_t>(chip)].free = std::numeric_limits<std::int64_t>::max();
        }
    }
    changed_.clear();
    return visits_;
}

} // namespace meshslice
