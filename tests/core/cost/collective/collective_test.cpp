#include "core/cost/collective/collective.h"
#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

struct PublishedCollective {
    const char* cluster;
    Collective what;
    double gigabytes;
    std::int64_t chips, near;
    double seconds;
};

/// So many chips, of which so many in one fast domain.
ChipGroup of(std::int64_t chips, std::int64_t together) {
    ChipGroup group{chips};
    group.within.fill(together);
    return group;
}

TEST(Collective, MeetsThePublishedOnes) {
    using enum Collective;
    const std::vector<PublishedCollective> all = {
#define COLLECTIVE(...) PublishedCollective{__VA_ARGS__},
#include "tests/core/plan/published_collectives.def"
#undef COLLECTIVE
    };
    ASSERT_EQ(all.size(), 2u);
    for (const PublishedCollective& its : all) {
        const LevelLaws network = LevelLaws::of(*machine_preset(its.cluster), ModelRules::reference).value();
        EXPECT_NEAR(network.seconds(its.what, its.gigabytes * 1e9, of(its.chips, its.near)), its.seconds,
                    1e-5 * its.seconds);
    }
}

/// B200: 900 GB/s x 0.7 = 630 GB/s and 2.5 us within a domain, 100 GB/s x 0.7 = 70 GB/s and 5 us across.
TEST(Collective, IsWorkedByHand) {
    const LevelLaws network = LevelLaws::of(*machine_preset("b200-nvs8"), ModelRules::exact).value();
    const double gb = 1e9;
    // 8 chips of one domain: 7 steps, 7/8 of a gigabyte.
    EXPECT_NEAR(network.seconds(Collective::all_gather, gb, of(8, 8)), 7 * 2.5e-6 + 0.875 / 630, 1e-12);
    // 16 chips, 8 in a domain, leave it over 8 NICs: 560 GB/s, slower than the 630 inside; 1 step across, 14
    // within.
    EXPECT_NEAR(network.seconds(Collective::reduce_scatter, gb, of(16, 8)), 5e-6 + 14 * 2.5e-6 + 0.9375 / 560,
                1e-12);
    // One of each domain: 15 steps across.
    EXPECT_NEAR(network.seconds(Collective::all_gather, gb, of(16, 1)), 15 * 5e-6 + 0.9375 / 70, 1e-12);
    // A broadcast passes whole.
    EXPECT_NEAR(network.seconds(Collective::broadcast, gb, of(16, 1)), 15 * 5e-6 + 1.0 / 70, 1e-12);
    EXPECT_EQ(network.seconds(Collective::all_gather, gb, of(1, 1)), 0);
    EXPECT_EQ(network.seconds(Collective::all_gather, 0, of(8, 8)), 0);
    EXPECT_NEAR(network.seconds_to_one(gb, 0), 2.5e-6 + 1.0 / 630, 1e-12);
    EXPECT_NEAR(network.seconds_to_one(gb, 1), 5e-6 + 1.0 / 70, 1e-12);
}

/// The published all-reduce is one pass of the ring unless it crosses domains; then its bytes count twice.
TEST(Collective, AnAllReduceIsAReduceScatterAndAnAllGather) {
    const LevelLaws exact = LevelLaws::of(*machine_preset("b200-nvs8"), ModelRules::exact).value();
    const LevelLaws reference = LevelLaws::of(*machine_preset("b200-nvs8"), ModelRules::reference).value();
    for (const ChipGroup& group : {of(8, 8), of(16, 8), of(16, 1)}) {
        const double both = exact.seconds(Collective::reduce_scatter, 1e9, group) +
                            exact.seconds(Collective::all_gather, 1e9, group);
        EXPECT_NEAR(exact.seconds(Collective::all_reduce, 1e9, group), both, 1e-12);
    }
    EXPECT_NEAR(reference.seconds(Collective::all_reduce, 1e9, of(8, 8)), 7 * 2.5e-6 + 0.875 / 630, 1e-12);
    EXPECT_NEAR(reference.seconds(Collective::all_reduce, 1e9, of(16, 8)),
                5e-6 + 14 * 2.5e-6 + 2 * 0.9375 / 560, 1e-12);
}

/// Two NICs a chip: the published formula has one where a chip is alone in its domain.
TEST(Collective, AllNicsOfAChipCarryWhatLeavesIt) {
    Machine two = *machine_preset("b200-nvs8");
    two.network.levels[1].ports.value = 2;
    const LevelLaws exact = LevelLaws::of(two, ModelRules::exact).value();
    const LevelLaws reference = LevelLaws::of(two, ModelRules::reference).value();
    EXPECT_NEAR(exact.seconds(Collective::all_gather, 1e9, of(2, 1)), 5e-6 + 0.5 / 140, 1e-12);
    EXPECT_NEAR(reference.seconds(Collective::all_gather, 1e9, of(2, 1)), 5e-6 + 0.5 / 70, 1e-12);
}

TEST(Collective, SomeNetworksHaveNoLaws) {
    EXPECT_THAT(LevelLaws::of(*machine_preset("tpu-v5p"), ModelRules::reference).error().sentence,
                HasSubstr("no rules were published"));
    Machine uneven = *machine_preset("tpu-v5p");
    uneven.network.torus_links(1).bandwidth.value = Bandwidth(1e9);
    EXPECT_THAT(LevelLaws::of(uneven, ModelRules::exact).error().sentence, HasSubstr("axes that are alike"));
    EXPECT_THAT(parse_model_rules("loose").error().sentence, HasSubstr("exact or reference"));
    EXPECT_EQ(parse_model_rules("reference").value(), ModelRules::reference);
}

ChipGroup along(const std::vector<AlongAxis>& axes) {
    ChipGroup group;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        group.along[k] = axes[k];
        group.chips *= axes[k].chips;
    }
    group.within.fill(group.chips);
    return group;
}

/// TPU v5p: 90 GB/s of a link one way, 1 us for each step and link, 5 us for each launch.
TEST(Collective, AlongATorusIsWorkedByHand) {
    const LevelLaws network = LevelLaws::of(*machine_preset("tpu-v5p"), ModelRules::exact).value();
    const double us = 1e-6, gb = 1e9, link = 90e9;
    const auto gather = [&](const std::vector<AlongAxis>& axes) {
        return network.seconds(Collective::all_gather, gb, along(axes));
    };
    // A ring of 4: 3 steps of a quarter, half of it each way; a line: one way.
    EXPECT_NEAR(gather({{4, 1, true}}), 5 * us + 3 * (1 * us + gb / 4 / (2 * link)), 1e-12);
    EXPECT_NEAR(gather({{4, 1, false}}), 5 * us + 3 * (1 * us + gb / 4 / link), 1e-12);
    // Every second chip: each step passes two links, which it shares with the ring in between.
    EXPECT_NEAR(gather({{4, 2, true}}), 5 * us + 3 * (2 * us + 2 * gb / 4 / (2 * link)), 1e-12);
    // 4 x 4: half of the tensor along each axis first, a sixteenth of it on each chip, then four along the
    // other.
    EXPECT_NEAR(gather({{4, 1, true}, {4, 1, true}}),
                2 * 5 * us + 3 * (2 * us + (1 + 4) * gb / 2 / 16 / (2 * link)), 1e-12);
    // 4 x 2: the part that begins along 4 moves 3 eighths of its half there and 4 along 2, while the other
    // moves 1 and then 3 x 2.
    EXPECT_NEAR(gather({{4, 1, true}, {2, 1, true}}),
                2 * 5 * us + 2 * 3 * us + (3 + 6) * gb / 2 / 8 / (2 * link), 1e-12);
    EXPECT_NEAR(network.seconds(Collective::all_reduce, gb, along({{4, 1, true}})),
                2 * gather({{4, 1, true}}), 1e-12);
    EXPECT_NEAR(network.seconds(Collective::broadcast, gb, along({{4, 1, false}})),
                5 * us + 3 * us + gb / link, 1e-12);
    EXPECT_EQ(gather({}), 0);
    EXPECT_NEAR(network.seconds_to_one(gb, 0), 6 * us + gb / link, 1e-12);
    EXPECT_NEAR(network.seconds_over(gb, 3), 5 * us + 3 * (1 * us + gb / link), 1e-12);
}

/// The all-gather of A in C = A B over a row of chips is all that Collective sends there: 2 bytes an element.
TEST(Collective, AlongATorusIsThatOfTheEngine) {
    const Machine hardware = *machine_preset("tpu-v5p");
    const LevelLaws network = LevelLaws::of(hardware, ModelRules::exact).value();
    const GemmShape shape{8192, 4096, 16384};
    for (const std::int32_t chips : {2, 4, 8, 16}) {
        for (const bool ring : {true, false}) {
            const Torus row = Torus::create(std::vector<TorusAxis>{{1, true}, {chips, ring}}).value();
            const Program program =
                (*algorithm("collective"))->write(shape, Dataflow::OS, row, GemmOptions{}).value();
            const Estimate engine = estimate(program, hardware, Schedule{});
            EXPECT_NEAR(
                network.seconds(Collective::all_gather, 2.0 * 8192 * 16384, along({{chips, 1, ring}})),
                in_seconds(engine.communication()), 1e-9)
                << chips << (ring ? " in a ring" : " in a line");
        }
    }
}

/// Two dies of a package at 2 TB/s, 8 packages behind a switch at 450 GB/s and 70%, and a network of one NIC
/// of 50 GB/s a chip, all of its bandwidth.
Machine of_three_levels() {
    Machine machine = *machine_preset("h100-nvs8");
    const auto level = [](std::int64_t units, double bandwidth, double latency, double efficiency) {
        Level made;
        made.units = {units, "test"};
        made.ports = {1, "test"};
        made.bandwidth = {Bandwidth(bandwidth), "test"};
        made.latency = {seconds(latency), "test"};
        made.efficiency = {efficiency, "test"};
        return made;
    };
    machine.network.levels = {level(2, 2e12, 1e-6, 1), level(8, 450e9, 2e-6, 0.7), level(0, 50e9, 5e-6, 1)};
    return machine;
}

/// 32 chips, 2 x 8 in each of two switches. An all-gather of 3.2 GB brings 31/32 of it, 3.1 GB, to each. Over
/// a port of a die: 3.1 / 2000 s. Over the switch, whose links two dies share: 3.1 / (2 x 315). Across the
/// network, which all 16 chips reach with a NIC each: 3.1 / (16 x 50) = 3.875 ms. The switch is the slowest,
/// with 4.92 ms. Of the 31 steps one crosses the network, 14 a switch, and 16 stay in a package.
TEST(Collective, OnThreeLevelsIsWorkedByHand) {
    const Machine machine = of_three_levels();
    EXPECT_EQ(unit_chips(machine.network), (std::vector<std::int64_t>{2, 16}));
    const auto found = collective_on_levels(machine, Collective::all_gather, 3.2e9, 32).value();
    ASSERT_EQ(found.levels.size(), 3u);
    EXPECT_NEAR(found.levels[0].transfer, 3.1 / 2000, 1e-12);
    EXPECT_NEAR(found.levels[1].transfer, 3.1 / 630, 1e-12);
    EXPECT_NEAR(found.levels[2].transfer, 3.1 / 800, 1e-12);
    EXPECT_EQ(found.slowest().level, 1u);
    EXPECT_NEAR(found.seconds, 3.1 / 630 + 5e-6 + 14 * 2e-6 + 16 * 1e-6, 1e-12);
    // There and back again.
    const auto reduced = collective_on_levels(machine, Collective::all_reduce, 3.2e9, 32).value();
    EXPECT_NEAR(reduced.seconds, 2 * found.seconds, 1e-12);
    EXPECT_THAT(collective_on_levels(machine, Collective::all_reduce, 1e9, 1).error().sentence,
                HasSubstr("2 or more"));
}

/// 8 chips behind a switch of 450 GB/s, of which 70% are reached: 2 x 7/8 x 1.6 GB / 315 GB/s = 8.9 ms, and
/// 14 steps of 2.5 us. A switch that reduces has all of it go up once and come down once.
TEST(Collective, AnAllReduceBehindASwitchIsWorkedByHand) {
    Machine machine = *machine_preset("h100-nvs8");
    const Level& domain = machine.network.levels.front();
    ASSERT_EQ(domain.bandwidth.value, Bandwidth(450e9));
    ASSERT_EQ(domain.efficiency.value, 0.7);
    const double step = in_seconds(domain.latency.value);
    const auto found = collective_on_levels(machine, Collective::all_reduce, 1.6e9, 8).value();
    ASSERT_EQ(found.levels.size(), 1u);
    EXPECT_NEAR(found.levels[0].transfer, 2 * 7.0 / 8 * 1.6 / 315, 1e-12);
    EXPECT_NEAR(found.levels[0].waits, 14 * step, 1e-12);
    EXPECT_NEAR(found.seconds, found.levels[0].transfer + found.levels[0].waits, 1e-12);
    machine.network.levels.front().reduces = true;
    EXPECT_NEAR(collective_on_levels(machine, Collective::all_reduce, 1.6e9, 8)->seconds,
                1.6 / 315 + 2 * step, 1e-12);
}

/// A switch of 8 that reduces, within a network that does not: one step up to the switch and one down again,
/// over all that each chip holds; between the four switches a ring of four places, whose three steps each way
/// bring 3/4 of it over the NICs of 8 chips. And the other way round: a ring of 8 within each switch.
TEST(Collective, ARingPassesOnceWhatASwitchAddsUp) {
    Machine machine = *machine_preset("h100-nvs8");
    std::vector<Level>& levels = machine.network.levels;
    levels[0].reduces = true;
    const auto within = collective_on_levels(machine, Collective::all_reduce, 1.6e9, 32).value();
    EXPECT_NEAR(within.levels[0].transfer, 1.6 / 315, 1e-12);
    EXPECT_NEAR(within.levels[1].transfer, 2 * 0.75 * 1.6 / (8 * 35), 1e-12);
    EXPECT_EQ(within.levels[0].steps, 2);
    EXPECT_EQ(within.levels[1].steps, 6);
    levels[0].reduces = false;
    levels[1].reduces = true;
    const auto around = collective_on_levels(machine, Collective::all_reduce, 1.6e9, 32).value();
    EXPECT_NEAR(around.levels[0].transfer, 2 * 0.875 * 1.6 / 315, 1e-12);
    EXPECT_NEAR(around.levels[1].transfer, 1.6 / (8 * 35), 1e-12);
    EXPECT_EQ(around.levels[0].steps, 14);
    EXPECT_EQ(around.levels[1].steps, 2);
}

/// Each of 16 chips, 8 in a domain, holds a sixteenth: 7/16 of that stay in the domain, half leaves it over
/// the chip's own NIC, at 70% of 50 GB/s.
TEST(Collective, AnAllToAllCrossesEachLevelOnce) {
    const Machine machine = *machine_preset("h100-nvs8");
    const auto found = collective_on_levels(machine, Collective::all_to_all, 1.6e9, 16).value();
    ASSERT_EQ(found.levels.size(), 2u);
    EXPECT_NEAR(found.levels[0].transfer, 0.1 * 7 / 16 / 315, 1e-12);
    EXPECT_NEAR(found.levels[1].transfer, 0.1 * 8 / 16 / 35, 1e-12);
    EXPECT_NEAR(found.seconds, 0.1 * 8 / 16 / 35 + in_seconds(machine.network.levels[1].latency.value),
                1e-12);
}

/// Two slices of 4 x 4 chips within a network: the torus first, then each chip with a sixteenth of the rest.
TEST(Collective, WithinANetworkATorusComesFirst) {
    Machine machine = *machine_preset("tpu-v5p");
    const LevelLaws alone = LevelLaws::of(machine, ModelRules::exact).value();
    machine.network.levels.push_back(of_three_levels().network.levels.back());
    const LevelLaws laws = LevelLaws::of(machine, ModelRules::exact).value();
    ChipGroup slice = along({{4, 1, true}, {4, 1, true}});
    ChipGroup both = slice;
    both.chips = 32;
    const double outer = 5e-6 + 1e9 / 16 / 2 / 50e9;
    EXPECT_NEAR(laws.seconds(Collective::reduce_scatter, 1e9, both),
                alone.seconds(Collective::reduce_scatter, 1e9, slice) + outer, 1e-12);
    const std::vector<LevelTakes> takes = laws.takes(Collective::reduce_scatter, 1e9, both);
    ASSERT_EQ(takes.size(), 2u);
    EXPECT_NEAR(takes[1].transfer + takes[1].waits, outer, 1e-12);
    EXPECT_NEAR(takes[0].transfer + takes[0].waits, alone.seconds(Collective::reduce_scatter, 1e9, slice),
                1e-12);
}

} // namespace
} // namespace meshslice
