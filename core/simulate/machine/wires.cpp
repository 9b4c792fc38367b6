#include "core/simulate/machine/wires.h"

#include "core/cost/link_bandwidth.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// A hash of a number (splitmix64; Steele, Lea and Flood, OOPSLA 2014): the same everywhere, whatever the
/// order of calls.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

Time slowed(Time healthy, double speed) {
    return speed == 1 ? healthy : Time(std::llround(static_cast<double>(healthy.value()) / speed));
}

} // namespace

Wires::Wires(const Program& program, const Conditions& conditions, const Network& network)
    : torus_(program.torus), conditions_(conditions) {
    for (int a = 0; a < torus_.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        if (torus_.size(axis) > 1) {
            bandwidth_[static_cast<std::size_t>(a)] = link_bandwidth(network, torus_, axis);
        }
    }
    if (conditions_.jitter > Time(0)) {
        // GEMMs of different shapes draw their own delays; those of equal shape in one step share theirs.
        std::uint64_t seed = conditions.seed;
        for (const std::int64_t size : {program.shape.m, program.shape.n, program.shape.k}) {
            seed = mixed(seed ^ static_cast<std::uint64_t>(size));
        }
        const auto links = static_cast<std::size_t>(torus_.chips() * torus_.link_slots());
        for (std::size_t link = 0; link < links; ++link) {
            chances_.push_back(mixed(seed ^ link));
        }
    }
    if (conditions_.link_speed.empty()) {
        return;
    }
    for (const Link& link : torus_.links()) {
        if (conditions_.link(torus_, link.chip, link_slot(link.axis, link.direction)) == 0) {
            share_ring_of(link);
        }
    }
}

void Wires::share_ring_of(const Link& dead) {
    shared_.resize(static_cast<std::size_t>(torus_.chips() * torus_.link_slots()));
    const int round = link_slot(dead.axis, opposite(dead.direction));
    for (std::int32_t place = 0; place < torus_.size(dead.axis); ++place) {
        const Chip chip = torus_.along(dead.chip, dead.axis, place);
        if (conditions_.link(torus_, chip, round) > 0) {
            shared_[index(chip, round)] = true;
        }
    }
    shared_[index(dead.chip, link_slot(dead.axis, dead.direction))] = true;
}

Time Wires::sync(Chip chip, int slot, Time healthy) const {
    // On a detour every hop synchronizes.
    const bool dead = conditions_.link(torus_, chip, slot) == 0;
    return dead ? healthy * (torus_.size(static_cast<Axis>(slot / 2)) - 1) : healthy;
}

Time Wires::by_chance(std::uint64_t link, std::uint64_t step) const {
    const std::uint64_t chance = mixed(link ^ step);
    return Time(1 +
                static_cast<std::int64_t>(chance % static_cast<std::uint64_t>(conditions_.jitter.value())));
}

Time Wires::transfer(Chip chip, int slot, Time healthy) const {
    return conditions_.link_speed.empty() ? healthy : slowed(healthy, conditions_.link(torus_, chip, slot));
}

Time Wires::compute(Chip chip, Time healthy) const {
    return slowed(healthy, conditions_.core(chip));
}

std::vector<std::uint32_t> Wires::way(Chip chip, int slot) const {
    if (conditions_.link(torus_, chip, slot) > 0) {
        return {static_cast<std::uint32_t>(index(chip, slot))};
    }
    const auto axis = static_cast<Axis>(slot / 2);
    const Direction other = slot % 2 == 0 ? Direction::backward : Direction::forward;
    const std::int32_t chips = torus_.size(axis);
    const std::int32_t here = torus_.coordinate(chip, axis);
    std::vector<std::uint32_t> links;
    for (std::int32_t hop = 0; hop + 1 < chips; ++hop) {
        const std::int32_t at = (other == Direction::backward ? here + chips - hop : here + hop) % chips;
        links.push_back(
            static_cast<std::uint32_t>(index(torus_.along(chip, axis, at), link_slot(axis, other))));
    }
    return links;
}

} // namespace meshslice
