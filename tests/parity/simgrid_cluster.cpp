#include "tests/parity/simgrid_cluster.h"

#include "tests/parity/simgrid_configure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace meshslice::parity {
namespace {

namespace s4u = simgrid::s4u;
using Hosts = std::vector<s4u::Host*>;

/// A chip's link out and its link in, in a star zone.
s4u::Host* add_to_star(s4u::NetZone* star, const std::string& name, double rate) {
    s4u::Host* host = star->create_host(name, 1.0);
    const s4u::Link* out = star->create_link(name + " out", rate)->seal();
    const s4u::Link* in = star->create_link(name + " in", rate)->seal();
    star->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {s4u::LinkInRoute(out)}, false);
    star->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {s4u::LinkInRoute(in)}, false);
    return host;
}

s4u::NetZone* star_in(const s4u::NetZone* parent, const std::string& name) {
    s4u::NetZone* zone = s4u::create_star_zone(name);
    zone->set_parent(parent);
    return zone;
}

Hosts inner_hosts(const ClusterZones& zones, const s4u::NetZone* root) {
    Hosts hosts;
    for (std::int64_t first = 0; first < zones.chips && zones.domain > 1; first += zones.domain) {
        s4u::NetZone* domain = star_in(root, fmt::format("domain {}", first));
        for (std::int64_t chip = first; chip < first + zones.domain; ++chip) {
            hosts.push_back(add_to_star(domain, fmt::format("inner {}", chip), zones.inner_rate));
        }
        domain->seal();
    }
    return hosts;
}

double outer_rate(const ClusterZones& zones, std::int64_t chip) {
    const auto slow = zones.slow.find(chip);
    return zones.outer_rate * (slow == zones.slow.end() ? 1 : slow->second);
}

/// The chip that is so far from the first leaf's first.
std::int64_t chip_below(const ClusterZones& zones, std::int64_t place) {
    if (!zones.rails) {
        return place;
    }
    const std::int64_t rail = place / zones.leaf, number = place % zones.leaf;
    return (rail / zones.domain * zones.leaf + number) * zones.domain + rail % zones.domain;
}

Hosts stars_in_a_star(const ClusterZones& zones, const s4u::NetZone* root) {
    Hosts hosts(static_cast<std::size_t>(zones.chips));
    s4u::NetZone* spine = star_in(root, "spine");
    const std::int64_t size = zones.leaf > 0 ? zones.leaf : zones.chips;
    for (std::int64_t first = 0; first < zones.chips; first += size) {
        s4u::NetZone* leaf = star_in(spine, fmt::format("leaf {}", first));
        for (std::int64_t place = first; place < first + size; ++place) {
            const std::int64_t chip = chip_below(zones, place);
            hosts.at(static_cast<std::size_t>(chip)) =
                add_to_star(leaf, fmt::format("outer {}", chip), outer_rate(zones, chip));
        }
        auto* router = leaf->create_router(fmt::format("router {}", first));
        leaf->seal();
        const double rate = zones.outer_rate * static_cast<double>(std::max<std::int64_t>(zones.spines, 1));
        const s4u::Link* up = spine->create_link(fmt::format("up {}", first), rate)->seal();
        const s4u::Link* down = spine->create_link(fmt::format("down {}", first), rate)->seal();
        spine->add_route(leaf->get_netpoint(), nullptr, router, nullptr, {s4u::LinkInRoute(up)}, false);
        spine->add_route(nullptr, leaf->get_netpoint(), nullptr, router, {s4u::LinkInRoute(down)}, false);
    }
    spine->seal();
    return hosts;
}

Hosts fat_tree(const ClusterZones& zones, const s4u::NetZone* root) {
    Hosts hosts(static_cast<std::size_t>(zones.chips));
    const auto part = [](std::int64_t number) { return static_cast<unsigned>(number); };
    const s4u::FatTreeParams tree(2, {part(zones.leaf), part(zones.chips / zones.leaf)},
                                  {1U, part(zones.spines)}, {1U, 1U});
    const s4u::ClusterCallbacks leaves(
        [&](s4u::NetZone* zone, const std::vector<unsigned long>& /*place*/, unsigned long id) {
            s4u::Host* host = zone->create_host(fmt::format("outer {}", id), 1.0);
            hosts.at(static_cast<std::size_t>(chip_below(zones, static_cast<std::int64_t>(id)))) = host;
            return std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>(
                host->get_netpoint(), nullptr);
        });
    s4u::create_fatTree_zone("fat tree", root, tree, leaves, zones.outer_rate, 0,
                             s4u::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
    return hosts;
}

std::vector<double> simulated(const ClusterZones& zones, const std::vector<ClusterFlow>& flows,
                              std::size_t exchanges) {
    const s4u::Engine engine("meshslice");
    configure_simgrid();
    const s4u::NetZone* root = s4u::create_full_zone("cluster");
    const Hosts inner = inner_hosts(zones, root);
    const Hosts outer =
        zones.spines > 0 && !zones.one_uplink ? fat_tree(zones, root) : stars_in_a_star(zones, root);
    std::vector<s4u::SemaphorePtr> over;
    std::vector<int> waiting(flows.size());
    for (const ClusterFlow& one : flows) {
        for (const std::uint32_t before : one.after) {
            ++waiting[before];
        }
        over.push_back(s4u::Semaphore::create(0));
    }
    std::vector<double> ends(exchanges, -1);
    std::size_t done = 0;
    for (std::size_t k = 0; k < flows.size(); ++k) {
        const ClusterFlow& flow = flows[k];
        const bool within = zones.domain > 1 && flow.from / zones.domain == flow.to / zones.domain;
        const Hosts& hosts = within ? inner : outer;
        s4u::Host* from = hosts.at(static_cast<std::size_t>(flow.from));
        s4u::Host* to = hosts.at(static_cast<std::size_t>(flow.to));
        const double latency = within ? zones.inner_latency : zones.outer_latency;
        s4u::Actor::create(fmt::format("flow {}", k), from, [&, k, from, to, latency] {
            const ClusterFlow& own = flows[k];
            for (const std::uint32_t before : own.after) {
                over[before]->acquire();
            }
            s4u::this_actor::sleep_for(latency);
            s4u::Comm::sendto(from, to, static_cast<std::uint64_t>(std::llround(own.bytes)));
            double& end = ends[static_cast<std::size_t>(own.exchange)];
            end = std::max(end, s4u::Engine::get_clock());
            ++done;
            for (int n = 0; n < waiting[k]; ++n) {
                over[k]->release();
            }
        });
    }
    engine.run();
    if (done != flows.size()) {
        ends.assign(exchanges, -1);
    }
    return ends;
}

} // namespace

Result<std::vector<double>> cluster_on_simgrid(const ClusterZones& zones,
                                               const std::vector<ClusterFlow>& flows, std::size_t exchanges) {
    std::array<int, 2> pipes{};
    if (pipe(pipes.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const auto size = static_cast<ssize_t>(exchanges * sizeof(double));
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) { // It ends here, without the destructors and buffers that are its parent's.
        close(pipes[0]);
        const std::vector<double> ends = simulated(zones, flows, exchanges);
        _exit(write(pipes[1], ends.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
    }
    close(pipes[1]);
    std::vector<double> ends(exchanges, -1);
    const ssize_t got = read(pipes[0], ends.data(), static_cast<std::size_t>(size));
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (got != size || std::ranges::any_of(ends, [](double end) { return end < 0; })) {
        return refuse(fmt::format("SimGrid's run of {} flows did not reach its end.", flows.size()));
    }
    return ends;
}

} // namespace meshslice::parity
