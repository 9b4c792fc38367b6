#include "core/cost/collective.h"
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

TEST(Collective, MeetsThePublishedOnes) {
    using enum Collective;
    const std::vector<PublishedCollective> all = {
#define COLLECTIVE(...) PublishedCollective{__VA_ARGS__},
#include "tests/core/plan/published_collectives.def"
#undef COLLECTIVE
    };
    ASSERT_EQ(all.size(), 2u);
    for (const PublishedCollective& its : all) {
        const GroupNetwork network =
            GroupNetwork::of(*machine_preset(its.cluster), ModelRules::reference).value();
        EXPECT_NEAR(network.seconds(its.what, its.gigabytes * 1e9, {its.chips, its.near}), its.seconds,
                    1e-5 * its.seconds);
    }
}

/// B200: 900 GB/s x 0.7 = 630 GB/s and 2.5 us within a domain, 100 GB/s x 0.7 = 70 GB/s and 5 us across.
TEST(Collective, IsWorkedByHand) {
    const GroupNetwork network = GroupNetwork::of(*machine_preset("b200-nvs8"), ModelRules::exact).value();
    EXPECT_EQ(network.domain(), 8);
    const double gb = 1e9;
    // 8 chips of one domain: 7 steps, 7/8 of a gigabyte.
    EXPECT_NEAR(network.seconds(Collective::all_gather, gb, {8, 8}), 7 * 2.5e-6 + 0.875 / 630, 1e-12);
    // 16 chips, 8 in a domain, leave it over 8 NICs: 560 GB/s, slower than the 630 inside; 1 step across, 14
    // within.
    EXPECT_NEAR(network.seconds(Collective::reduce_scatter, gb, {16, 8}), 5e-6 + 14 * 2.5e-6 + 0.9375 / 560,
                1e-12);
    // One of each domain: 15 steps across.
    EXPECT_NEAR(network.seconds(Collective::all_gather, gb, {16, 1}), 15 * 5e-6 + 0.9375 / 70, 1e-12);
    // A broadcast passes whole.
    EXPECT_NEAR(network.seconds(Collective::broadcast, gb, {16, 1}), 15 * 5e-6 + 1.0 / 70, 1e-12);
    EXPECT_EQ(network.seconds(Collective::all_gather, gb, {1, 1}), 0);
    EXPECT_EQ(network.seconds(Collective::all_gather, 0, {8, 8}), 0);
    EXPECT_NEAR(network.seconds_to_one(gb, true), 2.5e-6 + 1.0 / 630, 1e-12);
    EXPECT_NEAR(network.seconds_to_one(gb, false), 5e-6 + 1.0 / 70, 1e-12);
}

/// The published all-reduce is one pass of the ring unless it crosses domains; then its bytes count twice.
TEST(Collective, AnAllReduceIsAReduceScatterAndAnAllGather) {
    const GroupNetwork exact = GroupNetwork::of(*machine_preset("b200-nvs8"), ModelRules::exact).value();
    const GroupNetwork reference =
        GroupNetwork::of(*machine_preset("b200-nvs8"), ModelRules::reference).value();
    for (const ChipGroup group : {ChipGroup{8, 8}, ChipGroup{16, 8}, ChipGroup{16, 1}}) {
        const double both = exact.seconds(Collective::reduce_scatter, 1e9, group) +
                            exact.seconds(Collective::all_gather, 1e9, group);
        EXPECT_NEAR(exact.seconds(Collective::all_reduce, 1e9, group), both, 1e-12);
    }
    EXPECT_NEAR(reference.seconds(Collective::all_reduce, 1e9, {8, 8}), 7 * 2.5e-6 + 0.875 / 630, 1e-12);
    EXPECT_NEAR(reference.seconds(Collective::all_reduce, 1e9, {16, 8}),
                5e-6 + 14 * 2.5e-6 + 2 * 0.9375 / 560, 1e-12);
}

/// Two NICs a chip: the published formula has one where a chip is alone in its domain.
TEST(Collective, AllNicsOfAChipCarryWhatLeavesIt) {
    Machine two = *machine_preset("b200-nvs8");
    std::get<OuterNetwork>(two.network.levels[1]).nics.value = 2;
    const GroupNetwork exact = GroupNetwork::of(two, ModelRules::exact).value();
    const GroupNetwork reference = GroupNetwork::of(two, ModelRules::reference).value();
    EXPECT_NEAR(exact.seconds(Collective::all_gather, 1e9, {2, 1}), 5e-6 + 0.5 / 140, 1e-12);
    EXPECT_NEAR(reference.seconds(Collective::all_gather, 1e9, {2, 1}), 5e-6 + 0.5 / 70, 1e-12);
}

TEST(Collective, SomeNetworksAreOfNoKind) {
    Machine mixed = *machine_preset("tpu-v5p"); // a torus within an outer network
    mixed.network.levels.back() = OuterNetwork{};
    const auto refused = GroupNetwork::of(mixed, ModelRules::exact);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("TPU v5p is not a cluster"));
    EXPECT_THAT(refused.error().sentence, HasSubstr("b200-nvs8"));
    EXPECT_THAT(GroupNetwork::of(*machine_preset("tpu-v5p"), ModelRules::reference).error().sentence,
                HasSubstr("no rules were published"));
    Machine uneven = *machine_preset("tpu-v5p");
    uneven.network.torus_links(1).bandwidth.value = Bandwidth(1e9);
    EXPECT_THAT(GroupNetwork::of(uneven, ModelRules::exact).error().sentence,
                HasSubstr("axes that are alike"));
    EXPECT_THAT(parse_model_rules("loose").error().sentence, HasSubstr("exact or reference"));
    EXPECT_EQ(parse_model_rules("reference").value(), ModelRules::reference);
}

ChipGroup along(const std::vector<AlongAxis>& axes) {
    ChipGroup group;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        group.along[k] = axes[k];
        group.chips *= axes[k].chips;
    }
    group.near = group.chips;
    return group;
}

/// TPU v5p: 90 GB/s of a link one way, 1 us for each step and link, 5 us for each launch.
TEST(Collective, AlongATorusIsWorkedByHand) {
    const GroupNetwork network = GroupNetwork::of(*machine_preset("tpu-v5p"), ModelRules::exact).value();
    EXPECT_TRUE(network.torus());
    EXPECT_EQ(network.domain(), 8960);
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
    EXPECT_NEAR(network.seconds_to_one(gb, true), 6 * us + gb / link, 1e-12);
    EXPECT_NEAR(network.seconds_over(gb, 3), 5 * us + 3 * (1 * us + gb / link), 1e-12);
}

/// The all-gather of A in C = A B over a row of chips is all that Collective sends there: 2 bytes an element.
TEST(Collective, AlongATorusIsThatOfTheEngine) {
    const Machine hardware = *machine_preset("tpu-v5p");
    const GroupNetwork network = GroupNetwork::of(hardware, ModelRules::exact).value();
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

} // namespace
} // namespace meshslice
