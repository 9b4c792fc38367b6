// Our simulation of flows behind switches against SimGrid's cluster and fat-tree zones.

#include "core/machine/catalogue.h"
#include "core/simulate/cluster/cluster_run.h"
#include "tests/parity/simgrid_cluster.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshslice::parity {
namespace {

using testing::DoubleNear;
using testing::Gt;

/// What the two may differ by, as a share: ours counts whole picoseconds, SimGrid whole bytes.
constexpr double most_cluster_deviation = 1e-6;

constexpr double bytes = 64.0 * 1024 * 1024;

/// A machine of round numbers: domains of so many chips (1: none) with 400 GB/s a chip after 1 us, and 50
/// GB/s a chip after 5 us around them.
Machine round_cluster(std::int64_t domain) {
    Machine machine = *machine_preset("h100-nvs4");
    std::vector<Level>& levels = machine.network.levels;
    for (Level& level : levels) {
        level.efficiency.value = 1;
        level.ports.value = 1;
        level.reduces = false;
    }
    levels.front().units.value = domain;
    levels.front().bandwidth.value = Bandwidth(400e9);
    levels.front().latency.value = seconds(1e-6);
    levels.back().bandwidth.value = Bandwidth(50e9);
    levels.back().latency.value = seconds(5e-6);
    if (domain == 1) {
        levels.erase(levels.begin());
    }
    return machine;
}

struct ClusterCase {
    std::vector<ClusterExchange> exchanges;
    std::int64_t domain = 1;
    ClusterWiring wiring{.chips = 16};
    std::vector<PortFault> faults = {};
};

ClusterZones zones_of(const ClusterCase& one) {
    ClusterZones zones{one.wiring.chips, one.domain, 400e9, 1e-6, 50e9, 5e-6};
    zones.leaf = one.wiring.leaf;
    zones.spines =
        zones.leaf == 0 ? 0 : std::llround(static_cast<double>(zones.leaf) / one.wiring.oversubscription);
    zones.rails = one.wiring.rails;
    zones.one_uplink = one.wiring.routing == SpineRouting::spread;
    for (const PortFault& fault : one.faults) {
        zones.slow[fault.chip] = fault.speed;
    }
    return zones;
}

std::vector<ClusterFlow> flows_of(const ClusterCase& one) {
    const auto flows = cluster_flows(one.exchanges, one.wiring.chips, one.domain);
    EXPECT_TRUE(flows) << (flows ? "" : flows.error().sentence);
    return flows ? *flows : std::vector<ClusterFlow>();
}

std::vector<double> ours(const ClusterCase& one) {
    const auto links = ClusterLinks::of(round_cluster(one.domain), one.wiring, one.faults);
    EXPECT_TRUE(links) << (links ? "" : links.error().sentence);
    if (!links) {
        return {};
    }
    const auto outcome = run_cluster(*links, flows_of(one), {});
    std::vector<double> ends;
    for (const Time end : outcome->exchange_ends) {
        ends.push_back(in_seconds(end));
    }
    return ends;
}

std::vector<double> simgrids(const ClusterCase& one, const ClusterZones& zones) {
    const auto ends = cluster_on_simgrid(zones, flows_of(one), one.exchanges.size());
    EXPECT_TRUE(ends) << (ends ? "" : ends.error().sentence);
    return ends ? *ends : std::vector<double>(one.exchanges.size(), -1);
}

void expect_same(const ClusterCase& one, const std::string& what) {
    const std::vector<double> own = ours(one), other = simgrids(one, zones_of(one));
    ASSERT_EQ(own.size(), other.size()) << what;
    for (std::size_t k = 0; k < own.size(); ++k) {
        EXPECT_THAT(own[k], Gt(0)) << what;
        EXPECT_THAT(other[k] / own[k] - 1, DoubleNear(0, most_cluster_deviation)) << what << ' ' << own[k];
    }
}

std::vector<ClusterExchange> each_collective(std::int64_t group, std::int64_t stride) {
    std::vector<ClusterExchange> all;
    for (const Collective what : all_collectives) {
        all.push_back({what, bytes, group, stride});
    }
    return all;
}

/// An all-reduce of 64 MiB on a ring of 16: 30 steps of 4 MiB, 5 us each and 50 GB/s.
TEST(ClusterParity, BothReachTheEndWorkedByHand) {
    const ClusterCase one{{{Collective::all_reduce, bytes, 16, 1}}};
    const double by_hand = 30 * (5e-6 + bytes / 16 / 50e9);
    EXPECT_NEAR(ours(one).front(), by_hand, 1e-10);
    EXPECT_NEAR(simgrids(one, zones_of(one)).front(), by_hand, 1e-10);
}

/// Two all-to-alls at once halve each other on every port: 2 x 15 / 16 of 4 MiB over 50 GB/s.
TEST(ClusterParity, BothShareAsWorkedByHand) {
    const ClusterExchange exchange{Collective::all_to_all, bytes, 16, 1};
    const ClusterCase two{{exchange, exchange}};
    const double by_hand = 5e-6 + 2 * 15.0 / 16 * bytes / 16 / 50e9;
    for (const double end : {ours(two)[0], ours(two)[1], simgrids(two, zones_of(two))[0]}) {
        EXPECT_NEAR(end, by_hand, 1e-10);
    }
}

TEST(ClusterParity, ADifferenceShows) {
    const ClusterCase one{
        {{Collective::all_to_all, bytes, 16, 1}},
        1,
        {.chips = 16, .leaf = 4, .oversubscription = 2, .routing = SpineRouting::by_destination}};
    ClusterZones wider = zones_of(one);
    wider.spines = 4;
    EXPECT_LT(simgrids(one, wider).front(), 0.9 * ours(one).front());
}

TEST(ClusterParity, HoldsForEachCollectiveBehindOneSwitch) {
    for (const ClusterExchange& one : each_collective(16, 1)) {
        expect_same({{one}}, std::string(name(one.what)));
    }
}

TEST(ClusterParity, HoldsForEachCollectiveInDomainsAndAroundThem) {
    for (const std::int64_t stride : {1, 2}) {
        for (const ClusterExchange& one : each_collective(8, stride)) {
            expect_same({{one}, 4}, fmt::format("{} {}", name(one.what), stride));
        }
    }
}

TEST(ClusterParity, HoldsForEachCollectiveOnFatTrees) {
    for (const double oversubscription : {1.0, 2.0, 4.0}) {
        for (const SpineRouting routing : {SpineRouting::by_destination, SpineRouting::spread}) {
            for (const ClusterExchange& one : each_collective(16, 1)) {
                for (const std::int64_t domain : {1, 2}) {
                    expect_same(
                        {{one},
                         domain,
                         {.chips = 16, .leaf = 4, .oversubscription = oversubscription, .routing = routing}},
                        fmt::format("{} {} {} {}", name(one.what), oversubscription,
                                    static_cast<int>(routing), domain));
                }
            }
        }
    }
}

/// Two groups of four domains, with a leaf for each of four rails of a group.
TEST(ClusterParity, HoldsForEachCollectiveOnRails) {
    for (const double oversubscription : {1.0, 2.0, 4.0}) {
        for (const SpineRouting routing : {SpineRouting::by_destination, SpineRouting::spread}) {
            for (const ClusterExchange& one : each_collective(32, 1)) {
                expect_same(
                    {{one},
                     4,
                     {.chips = 32,
                      .leaf = 4,
                      .oversubscription = oversubscription,
                      .rails = true,
                      .routing = routing}},
                    fmt::format("{} {} {}", name(one.what), oversubscription, static_cast<int>(routing)));
            }
        }
    }
}

/// Tensor-parallel gathers that cross domains while data-parallel sums go on, and an exchange of experts.
TEST(ClusterParity, HoldsForTrafficThatContends) {
    const std::vector<ClusterExchange> both = {{Collective::all_gather, bytes, 8, 1},
                                               {Collective::all_reduce, 3 * bytes, 4, 8}};
    std::vector<ClusterExchange> three = both;
    three.push_back({Collective::all_to_all, 2 * bytes, 16, 1});
    for (const auto& exchanges : {both, three}) {
        for (const std::int64_t leaf : {0, 8}) {
            for (const SpineRouting routing : {SpineRouting::by_destination, SpineRouting::spread}) {
                const ClusterCase one{
                    exchanges, 4, {.chips = 32, .leaf = leaf, .oversubscription = 4, .routing = routing}};
                expect_same(one, fmt::format("{} {}", exchanges.size(), leaf));
                // It is contention: the gathers alone are faster.
                EXPECT_LT(ours({{exchanges[0]}, 4, one.wiring}).front(), 0.9 * ours(one)[0]);
            }
        }
    }
}

TEST(ClusterParity, HoldsWithSlowPorts) {
    for (const ClusterExchange& one : each_collective(16, 1)) {
        expect_same({{one}, 4, {.chips = 16}, {{5, 0.5}}}, std::string(name(one.what)));
        expect_same({{one}, 4, {.chips = 16}, {{5, 0.5}, {10, 0.25}}}, std::string(name(one.what)));
    }
}

} // namespace
} // namespace meshslice::parity
