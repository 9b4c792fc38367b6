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
    Progress& job = changed(chip).jobs[engine];
    const double most = static_cast<double>(bytes.value()) / in_seconds(std::max(alone, Time(1)));
    job = {alone, most, 1, 0, now, now};
}

void SharedMemory::end(Time, Chip chip, std::size_t engine) {
    changed(chip).jobs[engine] = {};
}

void SharedMemory::links_take(Time, Chip chip, std::int64_t more) {
    changed(chip).links += more;
}

void SharedMemory::share(Time now, Chip chip, State& state) {
    std::array<double, engine_count> most{};
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        most[engine] = state.jobs[engine].ends >= Time(0) ? state.jobs[engine].most : 0;
    }
    const double level = fair_level(bandwidth_ - static_cast<double>(state.links), most);
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        Progress& job = state.jobs[engine];
        const double speed = job.most <= level ? 1 : level / job.most;
        if (job.ends < Time(0) || job.speed == speed) {
            continue;
        }
        const auto alone = static_cast<double>(job.alone.value());
        job.left -= static_cast<double>((now - job.since).value()) / alone * job.speed;
        job.since = now;
        job.speed = speed;
        const Time ends = now + Time(std::llround(std::max(job.left, 0.0) * alone / speed));
        job.ends = ends;
        moved_.push_back({chip, engine, ends});
    }
}

const std::vector<SharedMemory::Job>& SharedMemory::settle(Time now) {
    moved_.clear();
    for (const Chip chip : changed_) {
        State& state = chips_[static_cast<std::size_t>(chip)];
        state.changed = false;
        share(now, chip, state);
    }
    changed_.clear();
    return moved_;
}

} // namespace meshslice
