#include "tests/parity/simgrid_ports.h"

#include "core/cost/link_bandwidth.h"

namespace meshslice::parity {

namespace s4u = simgrid::s4u;

std::string name(const Link& link) {
    return std::to_string(link.chip) + ' ' + link_text(link.axis, link.direction);
}

Ports::Ports(const Torus& torus, const Settings& settings, const Memories& memories, const s4u::NetZone* root)
    : torus_(torus)
    , settings_(settings)
    , memories_(memories)
    , hosts_(static_cast<std::size_t>(torus.chips() * torus.link_slots()))
    , clocks_(hosts_.size())
    , readers_(hosts_.size()) {
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            if (torus.coordinate(chip, axis) == 0) {
                wire_ring(chip, axis, root);
            }
        }
    }
}

bool Ports::carries(const Link& link) const {
    return torus_.neighbour(link.chip, link.axis, link.direction) && !torus_.missing(link) &&
           settings_.conditions.link(torus_, link.chip, link_slot(link.axis, link.direction)) > 0;
}

double Ports::bandwidth(const Link& link) const {
    if (torus_.size(link.axis) == 1) {
        return 1; // No link is there, but SimGrid asks for a rate, by which nothing is ever sent.
    }
    return link_bandwidth(settings_.hardware.network, torus_, link.axis).value() *
           settings_.conditions.link(torus_, link.chip, link_slot(link.axis, link.direction));
}

std::int32_t Ports::hops(const Link& link) const {
    return carries(link) ? 1 : torus_.size(link.axis) - 1;
}

void Ports::wire_ring(Chip first, Axis axis, const s4u::NetZone* root) {
    s4u::NetZone* ring = s4u::create_full_zone("ring of " + name({first, axis, Direction::forward}));
    ring->set_parent(root);
    std::vector<Link> links; ///< whether or not they lead anywhere
    for (std::int32_t position = 0; position < torus_.size(axis); ++position) {
        for (const Direction direction : both_directions) {
            links.push_back({torus_.along(first, axis, position), axis, direction});
        }
    }
    const Time sync = settings_.given.late ? Time(0) : settings_.hardware.sync.value;
    for (const Link& link : links) {
        hosts_[index(link)] = ring->create_host("port of " + name(link), 1.0);
        if (carries(link)) {
            ring->create_link(name(link), bandwidth(link))->set_latency(in_seconds(sync))->seal();
        }
    }
    for (const Link& link : links) {
        if (const auto receiver = torus_.neighbour(link.chip, link.axis, link.direction)) {
            ring->add_route(of(link)->get_netpoint(),
                            of({*receiver, link.axis, link.direction})->get_netpoint(), nullptr, nullptr,
                            route(link, *receiver), false);
            for (const std::size_t reads : {1u, 2u}) {
                if (memories_.of(link.chip) == nullptr) {
                    continue;
                }
                s4u::Host* reader =
                    ring->create_host("reader of " + std::to_string(reads) + " by " + name(link), 1.0);
                std::vector<s4u::LinkInRoute> all = route(link, *receiver);
                // What crosses a link twice takes twice as much of it.
                all.insert(all.end(), reads, s4u::LinkInRoute(memories_.of(link.chip)));
                all.emplace_back(memories_.of(*receiver));
                ring->add_route(reader->get_netpoint(),
                                of({*receiver, link.axis, link.direction})->get_netpoint(), nullptr, nullptr,
                                all, false);
                readers_[index(link)][reads - 1] = reader;
            }
        }
    }
    if (settings_.given.late) {
        add_clock(ring, links);
    }
    ring->seal();
}

void Ports::add_clock(s4u::NetZone* ring, const std::vector<Link>& links) {
    constexpr double a_byte_per_picosecond = 1e12;
    const std::string of_ring = "clock of " + name(links.front());
    s4u::Host* clock = ring->create_host(of_ring, 1.0);
    // A fat pipe gives every flow all it has.
    const s4u::Link* ticks = ring->create_link("ticks of " + of_ring, a_byte_per_picosecond)
                                 ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
                                 ->seal();
    for (const Link& link : links) {
        clocks_[index(link)] = clock;
        ring->add_route(of(link)->get_netpoint(), clock->get_netpoint(), nullptr, nullptr,
                        {s4u::LinkInRoute(ticks)}, false);
    }
}

/// The link itself or, where it is dead or missing, those of the other direction, round to the same
/// neighbour.
std::vector<s4u::LinkInRoute> Ports::route(const Link& link, Chip receiver) const {
    if (const s4u::Link* alive = s4u::Link::by_name_or_null(name(link))) {
        return {s4u::LinkInRoute(alive)};
    }
    std::vector<s4u::LinkInRoute> round;
    Link hop{link.chip, link.axis, opposite(link.direction)};
    while (hop.chip != receiver) {
        round.emplace_back(s4u::Link::by_name(name(hop)));
        hop.chip = *torus_.neighbour(hop.chip, hop.axis, hop.direction);
    }
    return round;
}

} // namespace meshslice::parity
