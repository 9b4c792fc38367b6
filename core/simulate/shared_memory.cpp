#include "core/simulate/shared_memory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace meshslice {

double fair_level(double capacity, const std::array<double, engine_count>& most) {
    double level = capacity / static_cast<double>(most.size());
    while (true) {
        // What those leave who want less than the level is shared evenly by the others.
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

Time SharedMemory::Progress::end() const {
    return speed == 0
               ? since
               : since + Time(std::llrint(std::max(left, 0.0) * static_cast<double>(alone.value()) / speed));
}

Time SharedMemory::ends(Chip chip, std::size_t engine) const {
    const State& state = chips_[static_cast<std::size_t>(chip)];
    return (state.active >> engine & 1u) != 0 ? state.jobs[engine].end() : Time(-1);
}

void SharedMemory::begin(Time now, Chip chip, std::size_t engine, Bytes bytes, Time alone) {
    State& state = changed(chip);
    state.active |= 1u << engine;
    links_[static_cast<std::size_t>(chip)].free = std::numeric_limits<std::int64_t>::min();
    alone = std::max(alone, Time(1));
    state.most[engine] = static_cast<double>(bytes.value()) / in_seconds(alone);
    state.jobs[engine] = {alone, 1, 0, now, Time(-1)};
}

void SharedMemory::end(Chip chip, std::size_t engine) {
    State& state = changed(chip);
    state.active &= ~(1u << engine);
    state.most[engine] = 0;
    state.jobs[engine] = {};
}

bool SharedMemory::over(Time now, Chip chip, std::size_t engine) {
    Progress& job = chips_[static_cast<std::size_t>(chip)].jobs[engine];
    if (job.speed > 0 &&
        job.end() == now) { // Else it has only just begun, and the visit is of one before it.
        return true;
    }
    if (job.visit == now) {
        job.visit = Time(-1);
        changed(chip);
    }
    return false;
}

void SharedMemory::share(Time now, Chip chip, State& state) {
    Links& links = links_[static_cast<std::size_t>(chip)];
    const double room = bandwidth_ - static_cast<double>(links.take);
    const double wanted = std::accumulate(state.most.begin(), state.most.end(), 0.0);
    const bool fits = wanted <= room;
    // As nearly always: a core beside its links.
    const bool alone = (state.active & (state.active - 1)) == 0;
    const double level = fits ? wanted : alone ? room : fair_level(room, state.most);
    for (std::uint32_t rest = state.active; rest != 0; rest &= rest - 1) {
        const auto engine = static_cast<std::size_t>(std::countr_zero(rest));
        Progress& job = state.jobs[engine];
        const double most = state.most[engine];
        const double speed = most <= level ? 1 : level / most;
        if (job.speed != speed) {
            const bool slowed = speed < job.speed;
            const auto own = static_cast<double>(job.alone.value());
            job.left -= static_cast<double>((now - job.since).value()) / own * job.speed;
            job.since = now;
            job.speed = speed;
            if (slowed && job.visit >= Time(0)) {
                continue; // It is visited before it ends.
            }
        }
        if (const Time ends = job.end(); job.visit < Time(0) || ends < job.visit) {
            job.visit = ends;
            visits_.push_back({chip, engine, ends});
        }
    }
    // A job that is slowed feels every change.
    links.free = state.active == 0 ? Links::all
                 : fits            ? static_cast<std::int64_t>(std::floor(bandwidth_ - wanted))
                                   : std::numeric_limits<std::int64_t>::min();
}

const std::vector<SharedMemory::Visit>& SharedMemory::settle(Time now) {
    visits_.clear();
    for (const Chip chip : changed_) {
        State& state = chips_[static_cast<std::size_t>(chip)];
        state.changed = false;
        share(now, chip, state);
    }
    changed_.clear();
    return visits_;
}

} // namespace meshslice
