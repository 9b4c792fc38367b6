#include "core/machine/catalogue.h"
#include "core/machine/fields.h"
#include "core/machine/machine.h"
#include "core/machine/ring_stores.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RingStores, AreThereInTheOrderOfTheirNames) {
    std::vector<std::string> names;
    for (const Machine& one : presets_that(feeds_rings)) {
        names.push_back(one.name);
        EXPECT_TRUE(feeds_rings(one)) << one.name;
        EXPECT_NE(makes_fed_ring(one).has_value(), makes_fed_torus(one).has_value()) << one.name;
        EXPECT_EQ(*read_machine(write_machine(one), "again"), one);
    }
    EXPECT_THAT(names, ElementsAre("mi210-like", "t3-paper-2x-cu", "t3-paper", "t3-torus"));
}

/// Table 1 of the T3 paper; and what it does not print says where it is from.
TEST(RingStores, HaveThePapersNumbers) {
    const Machine gpu = *machine_preset("t3-paper");
    EXPECT_EQ(gpu.cores.value, 80);
    EXPECT_EQ(gpu.on_chip_memory.value, Bytes(16'000'000));
    EXPECT_EQ(gpu.hbm_bandwidth.value, Bandwidth(1e12));
    EXPECT_EQ(gpu.network.link_bandwidth(0), Bandwidth(150e9));
    EXPECT_EQ(gpu.ring_stores->link_flight.value, Time(500'000)); // 500 ns
    EXPECT_EQ(gpu.ring_stores->near_memory_cost.value, 2);
    for (const std::string& source :
         {gpu.peak[DataType::bf16].source, gpu.ring_stores->reduction_share.source,
          gpu.ring_stores->unit_bandwidth.source}) {
        EXPECT_THAT(source, HasSubstr("Fitted to"));
    }
    EXPECT_THAT(gpu.output_tile.source, HasSubstr("Assumed"));
}

/// Twice the compute units and their rate; all else is the same.
TEST(RingStores, OfTwiceTheUnitsDifferInNothingElse) {
    const Machine one = *machine_preset("t3-paper");
    Machine twice = *machine_preset("t3-paper-2x-cu");
    EXPECT_EQ(twice.cores.value, 160);
    EXPECT_EQ(twice.peak_rate(DataType::bf16).value(), 2 * one.peak_rate(DataType::bf16).value());
    twice.name = one.name;
    twice.title = one.title;
    twice.cores = one.cores;
    twice.peak = one.peak;
    EXPECT_EQ(twice, one);
}

/// The same chip with its links divided over two axes.
TEST(RingStores, InATorusDifferInTheirLinksAlone) {
    const Machine ring = *machine_preset("t3-paper");
    Machine torus = *machine_preset("t3-torus");
    EXPECT_TRUE(makes_fed_torus(torus));
    EXPECT_FALSE(makes_fed_torus(ring));
    EXPECT_EQ(torus.network.torus_axes(), 2);
    EXPECT_EQ(torus.network.link_bandwidth(0), Bandwidth(75e9));
    EXPECT_EQ(torus.network.link_bandwidth(1), Bandwidth(75e9));
    EXPECT_THAT(torus.network.torus_links(0).bandwidth.source, HasSubstr("Assumed"));
    torus.name = ring.name;
    torus.title = ring.title;
    torus.network = ring.network;
    EXPECT_EQ(torus, ring);
}

/// A TPU says nothing of them, so neither its file nor its facts have them.
TEST(RingStores, LeaveOtherHardwareAsItWas) {
    const Machine tpu = *machine_preset("tpu-v4");
    EXPECT_FALSE(tpu.ring_stores);
    EXPECT_THAT(write_machine(tpu), testing::Not(HasSubstr("workgroups")));
    const auto labels = [](const Machine& hardware) {
        std::vector<std::string> all;
        for (const MachineFact& fact : facts(hardware)) {
            all.push_back(fact.label);
        }
        return all;
    };
    EXPECT_THAT(labels(tpu), testing::Not(testing::Contains("work-groups of a compute unit")));
    EXPECT_THAT(labels(*machine_preset("t3-paper")), testing::Contains("work-groups of a compute unit"));
    EXPECT_THAT(makes_fed_ring(tpu).error().sentence, HasSubstr("TPU v4\" is not a ring of GPUs"));
}

/// Every number that a ring needs is asked for.
TEST(RingStores, MakeNoRingWithoutAnyOfTheirNumbers) {
    const Machine whole = *machine_preset("t3-paper");
    const auto without = [&](auto change) {
        Machine less = whole;
        change(less);
        return !makes_fed_ring(less);
    };
    EXPECT_TRUE(without([](Machine& gpu) { gpu.ring_stores->workgroups.value = 0; }));
    EXPECT_TRUE(without([](Machine& gpu) { gpu.ring_stores->near_memory_cost.value = 0; }));
    EXPECT_TRUE(without([](Machine& gpu) { gpu.ring_stores->reduction_share.value = 0; }));
    EXPECT_TRUE(without([](Machine& gpu) { gpu.ring_stores->unit_bandwidth.value = Bandwidth(0); }));
    EXPECT_TRUE(without([](Machine& gpu) { gpu.output_tile.value = 0; }));
    EXPECT_TRUE(without([](Machine& gpu) { gpu.network = torus_network(2, gpu.network.torus_links(0)); }));
    EXPECT_FALSE(
        without([](Machine& gpu) { gpu.ring_stores->link_flight.value = Time(0); })); // as the crow flies
}

/// Where one number alone is missing, it is said which, and what another has; else what kind it is not.
TEST(RingStores, SayWhichOfTheirNumbersIsMissing) {
    Machine gpu = *machine_preset("t3-paper");
    gpu.ring_stores->near_memory_cost.value = 0;
    const std::string sentence = "The near-memory cost is 0, which stands for not known; memory that adds up "
                                 "what arrives needs a number above 0, such as the 2 of t3-paper.";
    EXPECT_EQ(makes_fed_ring(gpu).error().sentence, sentence);
    EXPECT_EQ(makes_fed_torus(gpu).error().sentence, sentence);
    gpu.ring_stores->near_memory_cost.value = 2;
    gpu.output_tile.value = 0;
    EXPECT_THAT(makes_fed_ring(gpu).error().sentence, HasSubstr("The output tile is 0"));
    for (const Machine& torus : presets_that(is_plain_torus)) {
        EXPECT_THAT(makes_fed_ring(torus).error().sentence, HasSubstr("is not a ring of GPUs"));
    }
    EXPECT_THAT(makes_fed_ring(*machine_preset("t3-torus")).error().sentence,
                HasSubstr("is not a ring of GPUs"));
}

} // namespace
} // namespace meshslice
