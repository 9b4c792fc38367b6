#include "core/simulate/machine/fair_share.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

/// Levels as close as this are one: they differ by the order in which they were added up.
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

void FairShare::end(std::uint32_t flow) {
    const std::uint32_t place = place_of_[flow];
    touch(flows_[place]);
    for (const Use& use : flows_[place].uses) {
        std::vector<std::uint32_t>& users = users_[use.resource];
        // In the order in which they began, so that a run is the same every time.
        users.erase(std::ranges::find(users, place));
    }
    std::erase(unused_, place);
    free_.push_back(place);
    place_of_[flow] = none;
}

void FairShare::add_room(std::uint32_t resource) {
    dirty_[resource] = true;
    room_of_[resource] = static_cast<std::uint32_t>(rooms_.size());
    rooms_.push_back({resource});
}

/// The flows of the rooms from `first` on are shared out again, too.
void FairShare::add_flows(std::size_t first) {
    for (std::size_t k = first; k < rooms_.size(); ++k) {
        for (const std::uint32_t place : users_[rooms_[k].resource]) {
            if (!std::exchange(flows_[place].seen, true)) {
                affected_.push_back(place);
            }
        }
    }
}

/// Adds the resources that feel the rates found, for they were full or are too full now. Returns whether
/// there are any. Where there are many, it adds all that could be short and have anything to do with them.
bool FairShare::add_who_feels_it() {
    constexpr std::size_t many = 48;
    const std::size_t before = rooms_.size();
    const auto flow_of = [&](std::uint32_t place) -> const Flow& { return flows_[place]; };
    const auto taken = [&](std::uint32_t resource, bool wanted) {
        double sum = 0;
        for (const std::uint32_t user : users_[resource]) {
            const Flow& flow = flow_of(user);
            const double weight = std::ranges::find(flow.uses, resource, &Use::resource)->weight;
            sum += weight * (wanted ? flow.most : flow.seen ? flow.again : flow.rate);
        }
        return sum;
    };
    for (std::size_t k = 0; k < affected_.size(); ++k) {
        const Flow& flow = flow_of(affected_[k]);
        const bool all = before > many;
        if (!all && std::abs(flow.again - flow.rate) <= (same_level - 1) * flow.rate) {
            continue;
        }
        for (const Use& use : flow.uses) {
            if (!dirty_[use.resource] &&
                (level_[use.resource] < unheld ||
                 taken(use.resource, all) > capacities_[use.resource] * same_level)) {
                add_room(use.resource);
                if (all) {
                    add_flows(rooms_.size() - 1);
                }
            }
        }
    }
    return rooms_.size() > before;
}

/// All rates rise together. Round by round either a resource is full, and the flows that use it are settled,
/// or the flows that take least have it before.
void FairShare::fill() {
    for (Room& room : rooms_) {
        room = {room.resource, capacities_[room.resource], 0, unheld};
    }
    const auto room_of = [&](const Use& use) -> Room* {
        const std::uint32_t k = room_of_[use.resource];
        return k == none ? nullptr : &rooms_[k];
    };
    for (const std::uint32_t place : affected_) {
        Flow& flow = flows_[place];
        flow.held = flow.most;
        for (const Use& use : flow.uses) {
            if (Room* const room = room_of(use)) {
                room->weight += use.weight;
            } else { // As long as nothing changes there.
                flow.held = std::min(flow.held, level_[use.resource]);
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
            most = std::min(most, flows_[place].held);
        }
        const double rate = std::min(level, most);
        const auto full = [&](const Use& use) {
            const Room* const room = room_of(use);
            return room != nullptr && room->left <= rate * room->weight * same_level;
        };
        // Who is settled is asked before anything is taken, so that all are asked of the same rooms.
        const auto settled = std::stable_partition(rising.begin(), rising.end(), [&](std::uint32_t place) {
            const Flow& flow = flows_[place];
            return flow.held > rate * same_level && std::ranges::none_of(flow.uses, full);
        });
        for (Room& room : rooms_) {
            if (room.weight > 0 && room.left <= rate * room.weight * same_level) {
                room.level = std::min(room.level, rate);
            }
        }
        for (auto at = settled; at != rising.end(); ++at) {
            Flow& flow = flows_[*at];
            flow.again = std::min(rate, flow.held);
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
    rooms_.clear();
    affected_.clear();
    for (const std::uint32_t resource : changed_) {
        add_room(resource);
    }
    std::size_t first = 0;
    do {
        add_flows(std::exchange(first, rooms_.size()));
        fill();
    } while (add_who_feels_it());
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
        level_[room.resource] = room.level;
        room_of_[room.resource] = none;
    }
    changed_.clear();
    return completions_;
}

} // namespace meshslice
