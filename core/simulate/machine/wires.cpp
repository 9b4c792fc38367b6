#include "core/simulate/machine/wires.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// A well-mixed number of a number (splitmix64; Steele, Lea and Flood, OOPSLA 2014): the same everywhere,
/// whatever the order in which it is asked.
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

Wires::Wires(const Program& program, const Conditions& conditions, Bandwidth bandwidth)
    : torus_(program.torus), conditions_(conditions), bandwidth_(bandwidth) {
    if (conditions_.jitter > Time(0)) {
        // GEMMs of different shapes have chances of their own; those of equal shape in one step share theirs.
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
            share_ring_of(link, bandwidth);
        }
    }
}

void Wires::share_ring_of(const Link& dead, Bandwidth bandwidth) {
    if (shared_by_.empty()) {
        shared_by_.assign(static_cast<std::size_t>(torus_.chips() * torus_.link_slots()), -1);
    }
    const int round = link_slot(dead.axis, opposite(dead.direction));
    // Several dead links of one ring share the same way round. It begins here, so this link is not dead; one
    // that is goes round itself, by the other ring.
    std::int32_t& ring = shared_by_[index(dead.chip, round)];
    if (ring < 0) {
        std::vector<double> capacities;
        for (std::int32_t place = 0; place < torus_.size(dead.axis); ++place) {
            const Chip chip = torus_.along(dead.chip, dead.axis, place);
            const double speed = conditions_.link(torus_, chip, round);
            capacities.push_back(bandwidth.value() * speed);
            if (speed > 0) {
                shared_by_[index(chip, round)] = static_cast<std::int32_t>(rings_.size());
            }
        }
        rings_.emplace_back(std::move(capacities));
    }
    shared_by_[index(dead.chip, link_slot(dead.axis, dead.direction))] = ring;
}

Time Wires::sync(Chip chip, int slot, Time healthy) const {
    // On a detour every hop synchronises.
    const bool dead = conditions_.link(torus_, chip, slot) == 0;
    return dead ? healthy * (torus_.size(static_cast<Axis>(slot / 2)) - 1) : healthy;
}

Time Wires::by_chance(std::uint64_t link, std::uint64_t step) const {
    const std::uint64_t chance = mixed(link ^ step);
    return Time(1 +
                static_cast<std::int64_t>(chance % static_cast<std::uint64_t>(conditions_.jitter.value())));
}

double Wires::pace(Chip chip, int slot, Bandwidth rate) const {
    const double speed = conditions_.link(torus_, chip, slot);
    return rate > Bandwidth(0) && rate < bandwidth_ ? std::min(1.0, speed * bandwidth_.value() / rate.value())
                                                    : speed;
}

Time Wires::transfer(Chip chip, int slot, Time healthy, Bandwidth rate) const {
    return conditions_.link_speed.empty() ? healthy : slowed(healthy, pace(chip, slot, rate));
}

Time Wires::compute(Chip chip, Time healthy) const {
    return slowed(healthy, conditions_.core(chip));
}

const std::vector<FairShare::Completion>& Wires::start(Time now, Chip chip, int slot, Bytes bytes,
                                                       double most) {
    const auto axis = static_cast<Axis>(slot / 2);
    const auto here = static_cast<std::uint32_t>(torus_.coordinate(chip, axis));
    const auto chips = static_cast<std::uint32_t>(torus_.size(axis));
    std::vector<std::uint32_t> links;
    if (conditions_.link(torus_, chip, slot) > 0) {
        links.push_back(here);
    } else {
        // The other way round: from this chip on, over all but the link that leads back to it.
        const bool forward = slot % 2 == 0;
        for (std::uint32_t hop = 0; hop + 1 < chips; ++hop) {
            links.push_back((forward ? here + chips - hop : here + hop) % chips);
        }
    }
    FairShare& ring = rings_[static_cast<std::size_t>(shared_by_[index(chip, slot)])];
    return ring.start(now, static_cast<std::uint32_t>(index(chip, slot)), std::move(links),
                      static_cast<double>(bytes.value()), most);
}

const std::vector<FairShare::Completion>& Wires::end(Time now, Chip chip, int slot) {
    FairShare& ring = rings_[static_cast<std::size_t>(shared_by_[index(chip, slot)])];
    return ring.end(now, static_cast<std::uint32_t>(index(chip, slot)));
}

} // namespace meshslice
