// Flows behind switches, by hand.

#include "core/cost/collective/collective.h"
#include "core/machine/catalogue.h"
#include "core/run/run.h"
#include "core/simulate/cluster/cluster_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr double cluster_bytes = 48e6;

/// Domains of 4 chips with 100 GB/s each after 1 us; 10 GB/s a chip after 10 us around them.
Machine four_by_four() {
    Machine machine = *machine_preset("h100-nvs4");
    for (Level& level : machine.network.levels) {
        level.efficiency.value = 1;
        level.ports.value = 1;
    }
    Level& inner = machine.network.levels.front();
    inner.bandwidth.value = Bandwidth(100e9);
    inner.latency.value = seconds(1e-6);
    Level& outer = machine.network.levels.back();
    outer.bandwidth.value = Bandwidth(10e9);
    outer.latency.value = seconds(10e-6);
    return machine;
}

ClusterOutcome cluster_outcome(const std::vector<ClusterExchange>& exchanges, const ClusterWiring& wiring,
                               const std::vector<PortFault>& faults = {}) {
    const auto links = ClusterLinks::of(four_by_four(), wiring, faults);
    EXPECT_TRUE(links) << (links ? "" : links.error().sentence);
    const auto flows = cluster_flows(exchanges, wiring.chips, links->domain());
    EXPECT_TRUE(flows) << (flows ? "" : flows.error().sentence);
    return *run_cluster(*links, *flows, {});
}

double cluster_seconds(const ClusterExchange& exchange, const ClusterWiring& wiring,
                       const std::vector<PortFault>& faults = {}) {
    return in_seconds(cluster_outcome({exchange}, wiring, faults).end);
}

/// Within a domain 3 steps of 12 MB; around domains 3 steps of 12 MB over each chip's own port.
TEST(Cluster, RingsTakeWhatTheyTakeByHand) {
    EXPECT_NEAR(cluster_seconds({Collective::all_gather, cluster_bytes, 4, 1}, {.chips = 16}),
                3 * (1e-6 + 12e6 / 100e9), 1e-11);
    EXPECT_NEAR(cluster_seconds({Collective::reduce_scatter, cluster_bytes, 4, 4}, {.chips = 16}),
                3 * (10e-6 + 12e6 / 10e9), 1e-11);
    EXPECT_NEAR(cluster_seconds({Collective::all_reduce, cluster_bytes, 4, 4}, {.chips = 16}),
                6 * (10e-6 + 12e6 / 10e9), 1e-11);
    EXPECT_NEAR(cluster_seconds({Collective::send_receive, cluster_bytes, 4, 4}, {.chips = 16}),
                10e-6 + 48e6 / 10e9, 1e-11);
    // Four pieces pass three links: the last arrives after 6 of their steps.
    EXPECT_NEAR(cluster_seconds({Collective::broadcast, cluster_bytes, 4, 4}, {.chips = 16}),
                6 * (10e-6 + 12e6 / 10e9), 1e-11);
}

/// The law that plans use has the same where a group stays on one level.
TEST(Cluster, PlansCountTheSameOnOneLevel) {
    const LevelLaws laws = LevelLaws::of(four_by_four(), ModelRules::exact).value();
    for (const Collective what :
         {Collective::all_gather, Collective::reduce_scatter, Collective::all_reduce}) {
        ChipGroup inside{.chips = 4}, around{.chips = 4};
        inside.within.fill(4);
        EXPECT_NEAR(cluster_seconds({what, cluster_bytes, 4, 1}, {.chips = 16}),
                    laws.seconds(what, cluster_bytes, inside), 1e-10);
        EXPECT_NEAR(cluster_seconds({what, cluster_bytes, 4, 4}, {.chips = 16}),
                    laws.seconds(what, cluster_bytes, around), 1e-10);
    }
}

/// A number of ports that is not 1, 1/2, 1/4: all ports together have the rate that plans count.
TEST(Cluster, PartsOfAPortAreAsFastAsPlansCount) {
    for (const double ports : {0.75, 0.5, 0.4, 1.0 / 3, 0.25, 0.2, 1.5}) {
        Machine machine = four_by_four();
        machine.network.levels.back().ports.value = ports;
        const auto links = ClusterLinks::of(machine, {.chips = 16}, {});
        double all = 0;
        for (const ClusterLink& link : links->all()) {
            all += link.tier == 1 ? link.rate : 0;
        }
        EXPECT_NEAR(all, 2 * 16 * ports * 10e9, 1) << ports; // one way and the other
        const auto flows = cluster_flows({{Collective::all_gather, cluster_bytes, 4, 4}}, 16, 4);
        ChipGroup around{.chips = 4};
        around.within.fill(1);
        EXPECT_NEAR(in_seconds(run_cluster(*links, *flows, {})->end),
                    LevelLaws::of(machine, ModelRules::exact)
                        .value()
                        .seconds(Collective::all_gather, cluster_bytes, around),
                    1e-10)
            << ports;
    }
}

/// A group in four domains has four rings, so that each NIC carries a fourth: 15 steps of 48 MB / 4 / 16 on
/// each ring, of which a chip's port inside carries three rings at a time.
TEST(Cluster, AGroupInSeveralDomainsUsesEveryPort) {
    const ClusterOutcome found =
        cluster_outcome({{Collective::all_gather, cluster_bytes, 16, 1}}, {.chips = 16});
    const auto links = ClusterLinks::of(four_by_four(), {.chips = 16}, {});
    for (std::size_t k = 0; k < links->all().size(); ++k) {
        const double all = cluster_bytes * 15 / 16;
        EXPECT_NEAR(found.bytes[k], links->all()[k].tier == 0 ? all * 3 / 4 : all / 4, 1);
    }
    EXPECT_NEAR(in_seconds(found.end), 15 * (10e-6 + 0.75e6 / 10e9), 15 * 1e-6);
}

/// Each chip sends 3 MB to each of 12 chips in other domains. Over leaves of one domain that have 4 ports and
/// one link: 4 x 12 x 0.1875 MB over it.
TEST(Cluster, AnOversubscribedLeafIsTheSlowest) {
    const ClusterExchange exchange{Collective::all_to_all, cluster_bytes, 16, 1};
    const double each = cluster_bytes / 256;
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16}), 10e-6 + 12 * each / 10e9, 1e-10);
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16, .leaf = 4, .oversubscription = 1}),
                10e-6 + 12 * each / 10e9, 1e-10);
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16, .leaf = 4, .oversubscription = 4}),
                10e-6 + 48 * each / 10e9, 1e-10);
    // Along rails nothing that stays on its rail passes the spine: 3 of 12, and the rest does.
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16, .leaf = 4, .oversubscription = 4, .rails = true}),
                10e-6 + 36 * each / 10e9, 1e-10);
}

/// Flows to chips 4 and 8 both take link 0 of a leaf's two, and each gets half of it.
TEST(Cluster, FlowsThatPickOneLinkToTheSpineShareIt) {
    const auto links = ClusterLinks::of(
        four_by_four(),
        {.chips = 16, .leaf = 4, .oversubscription = 2, .routing = SpineRouting::by_destination}, {});
    const auto end = [&](std::int32_t one, std::int32_t other) {
        return in_seconds(
            run_cluster(*links, {{0, one, 0, 0, 10e6, {}}, {1, other, 0, 0, 10e6, {}}}, {})->end);
    };
    EXPECT_NEAR(end(4, 8), 10e-6 + 2e-3, 1e-10);
    EXPECT_NEAR(end(4, 9), 10e-6 + 1e-3, 1e-10);
}

/// A rail of four chips has four links to the spine, and its chips differ by the domain alone: each takes a
/// link of its own, and an exchange with as many links as ports takes what it takes behind one switch.
TEST(Cluster, FlowsIntoARailSpreadByThePlaceInIt) {
    const ClusterWiring rails{.chips = 16, .leaf = 4, .rails = true, .routing = SpineRouting::by_destination};
    const ClusterExchange exchange{Collective::all_to_all, cluster_bytes, 16, 1};
    EXPECT_NEAR(cluster_seconds(exchange, rails), cluster_seconds(exchange, {.chips = 16}), 1e-10);
    const auto links = ClusterLinks::of(four_by_four(), rails, {});
    const auto end = [&](std::int32_t one, std::int32_t other) {
        return in_seconds(
            run_cluster(*links, {{0, one, 0, 0, 10e6, {}}, {4, other, 0, 0, 10e6, {}}}, {})->end);
    };
    EXPECT_NEAR(end(9, 13), 10e-6 + 1e-3, 1e-10); // chips of rail 1 in two domains
    EXPECT_NEAR(end(9, 10), 10e-6 + 2e-3, 1e-10); // of one domain, on two rails: both link 2 of rail 0
}

TEST(Cluster, ASlowPortHoldsUpItsRing) {
    const ClusterExchange exchange{Collective::all_gather, cluster_bytes, 4, 4};
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16}, {{5, 0.5}}), 3 * (10e-6 + 12e6 / 5e9), 1e-10);
    // A dead port's bytes share the next chip's: two rings on one port.
    EXPECT_NEAR(cluster_seconds(exchange, {.chips = 16}, {{5, 0}}), 3 * (10e-6 + 12e6 / 5e9), 1e-10);
}

TEST(Cluster, OtherTrafficTakesItsShare) {
    const ClusterExchange sums{Collective::all_to_all, cluster_bytes, 4, 4};
    const double alone = cluster_seconds(sums, {.chips = 16});
    const ClusterOutcome two = cluster_outcome({sums, sums}, {.chips = 16});
    EXPECT_NEAR(in_seconds(two.end) - 10e-6, 2 * (alone - 10e-6), 1e-10);
    EXPECT_EQ(two.exchange_ends[0], two.exchange_ends[1]);
}

/// A run that picoseconds could not count is refused; one of 12 days is not.
TEST(Cluster, RefusesWhatLastsTooLong) {
    const auto links = ClusterLinks::of(four_by_four(), {.chips = 16}, {});
    const auto sent = [&](double bytes) {
        return run_cluster(*links, {{0, 4, 0, 0, bytes, {}}, {4, 8, 0, 0, bytes, {0}}}, {});
    };
    EXPECT_NEAR(in_seconds(sent(5e15)->end), 1e6, 1);
    ASSERT_FALSE(sent(5e16));
    EXPECT_THAT(sent(5e16).error().sentence, HasSubstr("take more than 4e+06 s"));
    EXPECT_FALSE(sent(1e20));
}

/// The lanes of the links say when each exchange uses them, and are busy as long as the links are.
TEST(Cluster, TheTimelineShowsLinks) {
    const auto links = ClusterLinks::of(four_by_four(), {.chips = 16}, {});
    const std::vector<ClusterExchange> exchanges = {{Collective::all_gather, cluster_bytes, 4, 1},
                                                    {Collective::all_reduce, cluster_bytes, 4, 4}};
    const auto flows = cluster_flows(exchanges, 16, 4);
    const ClusterOutcome found = *run_cluster(*links, *flows, {});
    const auto run = cluster_timeline(*links, *flows, found, {"gather", "sum"}, "both");
    EXPECT_EQ(run->end(), found.end);
    EXPECT_EQ(run->lane_count(), 64u);
    for (std::size_t lane = 0; lane < run->lane_count(); ++lane) {
        Time busy;
        const std::vector<RunSlice> bars = slices(*run, lane);
        for (const RunSlice& bar : bars) {
            busy += bar.end - bar.start;
        }
        EXPECT_EQ(busy, found.busy[static_cast<std::size_t>(run->lane(lane).order)]);
        const bool inside = run->lane(lane).name.find("switch of 4") == 0;
        EXPECT_EQ(run->label(lane, bars.front().item).name, inside ? "gather" : "sum");
    }
}

TEST(Cluster, RefusesWhatItHasNot) {
    const auto refusal = [](const Machine& machine, const ClusterWiring& wiring,
                            const std::vector<PortFault>& faults) {
        const auto links = ClusterLinks::of(machine, wiring, faults);
        return links ? std::string() : links.error().sentence;
    };
    EXPECT_THAT(refusal(*machine_preset("tpu-v5e"), {.chips = 16}, {}), HasSubstr("forms a torus"));
    EXPECT_EQ(refusal(four_by_four(), {.chips = 18}, {}), "18 chips do not fill domains of 4.");
    EXPECT_EQ(refusal(four_by_four(), {.chips = 16, .leaf = 6}, {}),
              "Leaves of 6 chips are not whole domains of 4 that divide 16 chips.");
    EXPECT_EQ(refusal(four_by_four(), {.chips = 16, .leaf = 8, .oversubscription = 3}, {}).substr(0, 22),
              "A leaf of 8 ports, 3 t");
    EXPECT_EQ(refusal(four_by_four(), {.chips = 16}, {{16, 0.5}}),
              "Chip 16 has a fault, and there are 16 chips, from 0 on.");
    EXPECT_EQ(refusal(four_by_four(), {.chips = 16}, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}),
              "No port of chips 0 to 3 to the network is alive.");
    EXPECT_EQ(refusal(four_by_four(), {.chips = 16}, {{3, 0.5}, {3, 0.5}}),
              "The port of chip 3 is named twice; once is expected.");
    EXPECT_EQ(cluster_flows({{Collective::all_gather, 1e6, 3, 1}}, 16, 4).error().sentence,
              "Groups of 3 chips do not divide 16 chips.");
    EXPECT_THAT(cluster_flows({{Collective::all_to_all, 1e6, 4096, 1}}, 4096, 4).error().sentence,
                HasSubstr("more than 200000 flows"));
}

} // namespace
} // namespace meshslice
