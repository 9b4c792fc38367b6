#include "core/simulate/machine/memory_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr double picoseconds_in_a_second = 1e12;
constexpr double least_rate_share = 1e-9;
constexpr auto number_of(MemoryStream stream) {
    return static_cast<std::size_t>(stream);
}

} // namespace

MemoryController::MemoryController(std::size_t chips, Bandwidth memory, MemoryPolicy policy)
    : memory_(memory.value() / picoseconds_in_a_second), policy_(policy), chips_(chips) {}

/// Records what a stream that has something to move was served since its rate began.
void MemoryController::serve(One& one, MemoryStream stream, Time now) {
    const bool own = stream == MemoryStream::compute;
    const double rate = one.rate[number_of(stream)];
    const double left = own ? one.left : one.jobs.front().left;
    const double cost = own ? one.cost : one.jobs.front().cost;
    const MemoryAccess& use = own ? one.use : one.jobs.front().use;
    if (rate <= 0 || left <= 0 || now == one.since) {
        return;
    }
    const double share = rate / memory_;
    // The last picosecond is rarely full.
    const double bytes = std::min(left, rate * static_cast<double>((now - one.since).value())) / cost;
    std::vector<MemoryStretch>& row = one.served[number_of(stream)];
    if (!row.empty() && row.back().end == one.since && row.back().share == share && row.back().use == use) {
        row.back().end = now;
        row.back().bytes += bytes;
    } else {
        row.push_back({one.since, now, share, bytes, use});
        ++recorded_;
    }
}

/// What has been done so far, at the rates so far; they are shared out again by settle().
MemoryController::One& MemoryController::change(Time now, Chip chip) {
    One& one = chips_[static_cast<std::size_t>(chip)];
    if (one.doing == Doing::writes) {
        serve(one, MemoryStream::compute, now);
    }
    if (!one.jobs.empty()) {
        serve(one, MemoryStream::communication, now);
    }
    const auto length = static_cast<double>((now - one.since).value());
    one.left -= one.rate[0] * length;
    if (!one.jobs.empty()) {
        one.jobs.front().left -= one.rate[1] * length;
    }
    one.since = now;
    if (!one.changed) {
        one.changed = true;
        changed_.push_back(chip);
    }
    return one;
}

void MemoryController::compute(Time now, Chip chip, Time alone, double bytes) {
    One& one = change(now, chip);
    one.doing = Doing::computes;
    one.left = static_cast<double>(alone.value());
    one.reads = one.left > 0 ? bytes / one.left : 0;
}

void MemoryController::write(Time now, Chip chip, const MemoryWork& work) {
    One& one = change(now, chip);
    one.doing = Doing::writes;
    one.left = work.bytes * work.cost;
    one.cost = work.cost;
    one.use = work.use;
}

void MemoryController::queue(Time now, Chip chip, const MemoryWork& work, std::uint32_t name) {
    change(now, chip).jobs.push_back({work.bytes * work.cost, work.cost, work.use, name});
}

void MemoryController::load(Time now, Chip chip, std::int64_t more) {
    change(now, chip).links += more;
}

void MemoryController::note(Time now, Chip chip, const LinkUse& more, int sign, const MemoryAccess& use) {
    One& one = chips_[static_cast<std::size_t>(chip)];
    if (one.noted.bytes > 0 && now > one.noted_since) {
        const double length = in_seconds(now - one.noted_since);
        const double share = static_cast<double>(one.noted.accesses) / picoseconds_in_a_second / memory_;
        one.served[number_of(MemoryStream::collectives)].push_back(
            {one.noted_since, now, std::min(1.0, share), static_cast<double>(one.noted.bytes) * length,
             one.noted_use});
    }
    one.noted_since = now;
    one.noted.accesses += sign * more.accesses;
    one.noted.bytes += sign * more.bytes;
    // Of several that begin at once one is named, whichever is heard of first.
    if (sign > 0 && (one.noted_from != now || use.operation < one.noted_use.operation)) {
        one.noted_use = use;
        one.noted_from = now;
    }
}

std::vector<ServedStreams> MemoryController::take_served() {
    std::vector<ServedStreams> served;
    served.reserve(chips_.size());
    for (One& one : chips_) {
        served.push_back(std::move(one.served));
    }
    return served;
}

void MemoryController::share(One& one) const {
    const bool waits = !one.jobs.empty();
    const double links =
        policy_ == MemoryPolicy::ideal ? 0 : static_cast<double>(one.links) / picoseconds_in_a_second;
    const double left = std::max(0.0, memory_ - links);
    // What the GEMM could use, and what it and communication get.
    const double wants = one.doing == Doing::computes ? std::min(one.reads, left)
                         : one.doing == Doing::writes ? left
                                                      : 0;
    double own = wants;
    double others = left;
    switch (policy_) {
    case MemoryPolicy::ideal: break;
    case MemoryPolicy::round_robin: own = waits ? 0 : wants; break;
    case MemoryPolicy::communication_aware:
        own = waits ? std::min(wants, left / 2) : wants;
        others = left - own;
        break;
    case MemoryPolicy::compute_first: others = left - wants; break;
    }
    const bool takes_turns = policy_ == MemoryPolicy::round_robin;
    const double pace = takes_turns ? (waits ? 0 : left / memory_) : 1;
    if (one.doing == Doing::computes) {
        one.rate[0] = one.reads > 0 ? std::min(pace, own / one.reads) : pace;
    } else {
        one.rate[0] = one.doing == Doing::writes ? own : 0;
    }
    // What rounding leaves of a memory that is taken is nothing.
    one.rate[1] = waits && others > least_rate_share * memory_ ? others : 0;
}

std::array<double, 2> MemoryController::left(const One& one) const {
    return {one.left, one.jobs.empty() ? 0 : one.jobs.front().left};
}

std::span<const MemoryController::Completion> MemoryController::settle(Time now) {
    completions_.clear();
    for (const Chip chip : changed_) {
        One& one = chips_[static_cast<std::size_t>(chip)];
        one.changed = false;
        share(one);
        const std::array<bool, 2> busy = {one.doing != Doing::nothing, !one.jobs.empty()};
        const std::array<double, 2> still = left(one);
        for (std::size_t stream = 0; stream < busy.size(); ++stream) {
            Time ends(-1);
            if (busy[stream] && (one.rate[stream] > 0 || still[stream] <= 0)) {
                const double wait = still[stream] <= 0 ? 0 : std::ceil(still[stream] / one.rate[stream]);
                ends = now + Time(static_cast<std::int64_t>(wait));
            }
            if (ends != one.ends[stream]) {
                one.ends[stream] = ends;
                if (ends >= now) {
                    completions_.push_back({chip, static_cast<MemoryStream>(stream), ends});
                }
            }
        }
    }
    changed_.clear();
    return completions_;
}

bool MemoryController::over(Time now, Chip chip, MemoryStream stream) {
    if (chips_[static_cast<std::size_t>(chip)].ends[number_of(stream)] != now) {
        return false;
    }
    One& one = change(now, chip);
    one.ends[number_of(stream)] = Time(-1);
    if (stream == MemoryStream::compute) {
        one.doing = Doing::nothing;
        one.left = 0;
    } else {
        one.taken = one.jobs.front().name;
        one.jobs.pop_front();
    }
    return true;
}

} // namespace meshslice
