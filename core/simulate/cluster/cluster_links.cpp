#include "core/simulate/cluster/cluster_links.h"

#include "core/base/say.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// How many neighbours share a port where a chip has so many: n where it is 1/n. Else as many as divide those
/// that stand together without filling more than a port, which is so much slower: with 0.4 two chips at one
/// of 0.8 of the rate, with 0.75 each chip at one of 0.75.
std::int64_t chips_at_a_port(double ports, std::int64_t together, std::int64_t chips) {
    const std::int64_t whole = ports < 1 ? std::llround(1 / ports) : 1;
    if (chips % whole == 0 && std::abs(static_cast<double>(whole) * ports - 1) < 1e-9) {
        return whole;
    }
    std::int64_t share = 1;
    for (std::int64_t each = 2; each <= together && static_cast<double>(each) * ports < 1 + 1e-9; ++each) {
        share = together % each == 0 ? each : share;
    }
    return share;
}

} // namespace

Result<ClusterLinks> ClusterLinks::of(const Machine& machine, const ClusterWiring& wiring,
                                      const std::vector<PortFault>& faults) {
    ClusterLinks made;
    made.wiring_ = wiring;
    const std::vector<Level>& levels = machine.network.levels;
    const std::vector<std::int64_t> units = unit_chips(machine.network);
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const Level& level = levels[k];
        if (level.kind != LevelKind::switched) {
            return refuse(say("{} forms a torus, whose links `simulate` follows; a machine whose chips are "
                              "joined by switches works, such as h100.",
                              machine.title));
        }
        const bool last = k + 1 == levels.size();
        const std::int64_t unit = last ? wiring.chips : units[k];
        if (last && level.units.value > 0 && units.back() < wiring.chips) {
            return refuse(
                say("{} joins {} chips; {} are asked for.", machine.title, units.back(), wiring.chips));
        }
        const double ports = level.ports.value;
        const std::int64_t together = k > 0 ? units[k - 1] : last ? wiring.chips : units[k];
        const std::int64_t share = chips_at_a_port(ports, together, wiring.chips);
        Tier tier{unit, share, static_cast<std::uint32_t>(made.links_.size()), level.latency.value};
        const double rate =
            level.bandwidth.value.value() * level.efficiency.value * ports * static_cast<double>(share);
        for (std::int64_t port = 0; port * share < wiring.chips; ++port) {
            const std::string place = say("chip {}", port * share);
            made.links_.push_back({place, say("{} out", title(level)), rate, static_cast<int>(k)});
            made.links_.push_back({place, say("{} in", title(level)), rate, static_cast<int>(k)});
        }
        made.tiers_.push_back(tier);
    }
    made.domain_ = levels.size() > 1 ? std::min(units[levels.size() - 2], wiring.chips) : 1;
    if (wiring.chips % made.domain_ != 0) {
        return refuse(say("{} chips do not fill domains of {}.", wiring.chips, made.domain_));
    }
    if (const Result<void> done = made.add_leaves(); !done) {
        return refuse(done.error());
    }
    if (const Result<void> done = made.add_faults(faults); !done) {
        return refuse(done.error());
    }
    return made;
}

Result<void> ClusterLinks::add_leaves() {
    if (wiring_.leaf == 0) {
        return {};
    }
    const Tier& tier = tiers_.back();
    const std::int64_t together = wiring_.rails ? wiring_.leaf * domain_ : wiring_.leaf;
    if (wiring_.chips % together != 0 || wiring_.leaf % tier.share != 0 ||
        (!wiring_.rails && wiring_.leaf % domain_ != 0) || (wiring_.rails && tier.share > 1)) {
        return refuse(wiring_.rails
                          ? say("Leaves of {} chips, one of each domain of {}, do not divide {} chips.",
                                wiring_.leaf, domain_, wiring_.chips)
                          : say("Leaves of {} chips are not whole domains of {} that divide {} chips.",
                                wiring_.leaf, domain_, wiring_.chips));
    }
    const double uplinks = static_cast<double>(wiring_.leaf / tier.share) / wiring_.oversubscription;
    uplinks_ = std::llround(uplinks);
    if (uplinks_ < 1 || std::abs(uplinks - static_cast<double>(uplinks_)) > 1e-9) {
        return refuse(say("A leaf of {} ports, {} to 1 oversubscribed, has {} links to the spine; a whole "
                          "number is needed.",
                          wiring_.leaf / tier.share, wiring_.oversubscription, uplinks));
    }
    const double rate = links_[tier.first].rate;
    first_uplink_ = static_cast<std::uint32_t>(links_.size());
    const bool spread = wiring_.routing == SpineRouting::spread;
    const double all = spread ? static_cast<double>(uplinks_) : 1.0;
    uplinks_ = spread ? 1 : uplinks_;
    for (std::int64_t leaf = 0; leaf < wiring_.chips / wiring_.leaf; ++leaf) {
        for (std::int64_t k = 0; k < uplinks_; ++k) {
            for (const bool in : {false, true}) {
                links_.push_back({say("leaf {}", leaf),
                                  spread ? (in ? said("uplinks in") : said("uplinks out"))
                                  : in   ? say("uplink {} in", k)
                                         : say("uplink {} out", k),
                                  rate * all, static_cast<int>(tiers_.size())});
            }
        }
    }
    return {};
}

Result<void> ClusterLinks::add_faults(const std::vector<PortFault>& faults) {
    const std::size_t tier = tiers_.size() - 1;
    dead_.assign(static_cast<std::size_t>(wiring_.chips), false);
    for (const PortFault& one : faults) {
        if (one.chip < 0 || one.chip >= wiring_.chips) {
            return refuse(
                say("Chip {} has a fault, and there are {} chips, from 0 on.", one.chip, wiring_.chips));
        }
        if (std::ranges::count(faults, one.chip, &PortFault::chip) > 1) {
            return refuse(say("The port of chip {} is named twice; once is expected.", one.chip));
        }
        for (const bool in : {false, true}) {
            links_[port(tier, one.chip, in)].rate *= one.speed;
        }
        const std::int64_t share = tiers_[tier].share;
        for (std::int64_t k = 0; k < share && one.speed == 0; ++k) {
            dead_[static_cast<std::size_t>(one.chip / share * share + k)] = true;
        }
    }
    for (std::int64_t first = 0; first < wiring_.chips; first += domain_) {
        const auto from = dead_.begin() + first;
        if (std::find(from, from + domain_, false) == from + domain_) {
            return refuse(domain_ == 1 ? say("Chip {} has no port to the network that is alive.", first)
                                       : say("No port of chips {} to {} to the network is alive.", first,
                                             first + domain_ - 1));
        }
    }
    return {};
}

std::size_t ClusterLinks::common(std::int64_t from, std::int64_t to) const {
    std::size_t tier = 0;
    while (tier + 1 < tiers_.size() && from / tiers_[tier].unit != to / tiers_[tier].unit) {
        ++tier;
    }
    return tier;
}

std::uint32_t ClusterLinks::port(std::size_t tier, std::int64_t chip, bool in) const {
    return tiers_[tier].first + static_cast<std::uint32_t>(2 * (chip / tiers_[tier].share) + (in ? 1 : 0));
}

std::int64_t ClusterLinks::leaf_of(std::int64_t chip) const {
    return wiring_.rails ? chip / (wiring_.leaf * domain_) * domain_ + chip % domain_ : chip / wiring_.leaf;
}

std::int64_t ClusterLinks::stand_in(std::int64_t chip) const {
    const std::int64_t first = chip / domain_ * domain_;
    while (dead_[static_cast<std::size_t>(chip)]) {
        chip = first + (chip - first + 1) % domain_;
    }
    return chip;
}

std::vector<std::uint32_t> ClusterLinks::route(std::int64_t from, std::int64_t to) const {
    const std::size_t tier = common(from, to);
    if (tier + 1 < tiers_.size()) {
        return {port(tier, from, false), port(tier, to, true)};
    }
    std::vector<std::uint32_t> way;
    const std::int64_t leaves = stand_in(from), enters = stand_in(to);
    const auto within = [&](std::int64_t one, std::int64_t other) {
        if (one != other) {
            const std::size_t inner = common(one, other);
            way.push_back(port(inner, one, false));
            way.push_back(port(inner, other, true));
        }
    };
    within(from, leaves);
    way.push_back(port(tier, leaves, false));
    if (wiring_.leaf > 0 && leaf_of(leaves) != leaf_of(enters)) {
        // The chips of a rail have the same place in their domains: the domain tells them apart.
        const std::int64_t number = enters / (wiring_.rails ? domain_ : tiers_[tier].share) % uplinks_;
        const auto uplink = [&](std::int64_t leaf, bool in) {
            return first_uplink_ + static_cast<std::uint32_t>(2 * (leaf * uplinks_ + number) + (in ? 1 : 0));
        };
        way.push_back(uplink(leaf_of(leaves), false));
        way.push_back(uplink(leaf_of(enters), true));
    }
    way.push_back(port(tier, enters, true));
    within(enters, to);
    return way;
}

Time ClusterLinks::latency(std::int64_t from, std::int64_t to) const {
    return tiers_[common(from, to)].latency;
}

} // namespace meshslice
