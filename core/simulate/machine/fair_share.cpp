#include "core/simulate/machine/fair_share.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Levels as close as this are equal: they differ only by the order of summation.
constexpr double same_level = 1 + 1e-12;

} // namespace

void FairShare::touch(const Flow& flow) {
    for (const Use& use : flow.uses) {
        if (!dirty_[use.resource]) {
            dirty_[use.resource] = true;
            changed_.push_back(use.resource);
        }
    }
}

void FairShare::start(Time now, std::uint32_t flow, std::vector<Use> uses, double amount, double most) {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(flows_.size()));
        flows_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    if (place_of_.size() <= flow) {
        place_of_.resize(flow + std::size_t{1}, none);
    }
    place_of_[flow] = place;
    Flow& begun = flows_[place];
    begun = {flow, std::move(uses), amount, most, 0, now, false, 0};
    for (const Use& use : begun.uses) {
        users_[use.resource].push_back(place);
    }
    touch(begun);
    if (begun.uses.empty()) {
        unused_.push_back(place);
    }
}

void FairShare::end(Time /*now*/, std::uint32_t flow) {
    const std::uint32_t place = place_of_[flow];
    touch(flows_[place]);
    for (const Use& use : flows_[place].uses) {
        std::vector<std::uint32_t>& users = users_[use.resource];
        // In the order in which the flows began, so that a run is the same every time.
        users.erase(std::ranges::find(users, place));
    }
    std::erase(unused_, place);
    free_.push_back(place);
    place_of_[flow] = none;
}

/// All flows of a resource that has changed and, through every other resource of theirs that could be short,
/// the flows of that.
void FairShare::find_affected() {
    rooms_.clear();
    affected_.clear();
    for (const std::uint32_t resource : changed_) {
        rooms_.push_back({resource, capacities_[resource], 0});
    }
    for (std::size_t k = 0; k < rooms_.size(); ++k) {
        for (const std::uint32_t place : users_[rooms_[k].resource]) {
            Flow& flow = flows_[place];
            if (flow.seen) {
                continue;
            }
            flow.seen = true;
            affected_.push_back(place);
            for (const Use& use : flow.uses) {
                if (dirty_[use.resource]) {
                    continue;
                }
                double wanted = 0;
                for (const std::uint32_t user : users_[use.resource]) {
                    const Flow& other = flows_[user];
                    const auto its = std::ranges::find(other.uses, use.resource, &Use::resource);
                    wanted += its->weight * other.most;
                }
                if (wanted > capacities_[use.resource]) {
                    dirty_[use.resource] = true;
                    rooms_.push_back({use.resource, capacities_[use.resource], 0});
                }
            }
        }
    }
}

/// All rates rise together. In each round either a resource is full, which settles the flows that use it, or
/// the flows with the smallest limit reach it first.
void FairShare::fill() {
    for (std::uint32_t k = 0; k < rooms_.size(); ++k) {
        room_of_[rooms_[k].resource] = k;
    }
    const auto room_of = [&](const Use& use) -> Room* {
        const std::uint32_t k = room_of_[use.resource];
        return k == none ? nullptr : &rooms_[k];
    };
    for (const std::uint32_t place : affected_) {
        for (const Use& use : flows_[place].uses) {
            if (Room* const room = room_of(use)) {
                room->weight += use.weight;
            }
        }
    }
    std::vector<std::uint32_t> rising = affected_;
    while (!rising.empty()) {
        double level = unheld;
        for (const Room& room : rooms_) {
            if (room.weight > 0) {
                level = std::min(level, std::max(0.0, room.left) / room.weight);
            }
        }
        double most = unheld;
        for (const std::uint32_t place : rising) {
            most = std::min(most, flows_[place].most);
        }
        const double rate = std::min(level, most);
        const auto full = [&](const Use& use) {
            const Room* const room = room_of(use);
            return room != nullptr && room->left <= rate * room->weight * same_level;
        };
        // All flows are tested before any takes its part, so that all are tested against the same remaining
        // capacities.
        const auto settled = std::stable_partition(rising.begin(), rising.end(), [&](std::uint32_t place) {
            const Flow& flow = flows_[place];
            return flow.most > rate * same_level && std::ranges::none_of(flow.uses, full);
        });
        for (auto at = settled; at != rising.end(); ++at) {
            Flow& flow = flows_[*at];
            flow.again = std::min(rate, flow.most);
            for (const Use& use : flow.uses) {
                if (Room* const room = room_of(use)) {
                    room->left -= flow.again * use.weight;
                    room->weight -= use.weight;
                }
            }
        }
        for (Room& room : rooms_) {
            room.weight = room.weight < same_level - 1 ? 0 : room.weight;
        }
        rising.erase(settled, rising.end());
    }
}

const std::vector<FairShare::Completion>& FairShare::settle(Time now) {
    completions_.clear();
    find_affected();
    fill();
    for (const std::uint32_t place : unused_) {
        flows_[place].again = flows_[place].most;
        affected_.push_back(place);
    }
    unused_.clear();
    for (const std::uint32_t place : affected_) {
        Flow& flow = flows_[place];
        flow.seen = false;
        if (flow.again != flow.rate || flow.since == now) {
            flow.left = std::max(0.0, flow.left - flow.rate * in_seconds(now - flow.since));
            flow.since = now;
            flow.rate = flow.again;
            completions_.push_back({flow.name, now + seconds(flow.left / flow.rate), flow.rate});
        }
    }
    for (const Room& room : rooms_) {
        dirty_[room.resource] = false;
        room_of_[room.resource] = none;
    }
    changed_.clear();
    return completions_;
}

} // namespace meshslice
