#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/machine/faster.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// Of an H100 one thing after another; the rest stays.
TEST(Faster, ScalesOnePartAlone) {
    const Machine before = machine_preset("h100").value();
    for (const MachineRate rate : all_machine_rates) {
        const Machine after = faster(before, rate, 2);
        const auto is = [&](MachineRate one) { return rate == one ? 2.0 : 1.0; };
        EXPECT_EQ(after.vector_rate.value.value(),
                  is(MachineRate::compute) * before.vector_rate.value.value());
        EXPECT_EQ(after.hbm_bandwidth.value.value(),
                  is(MachineRate::memory) * before.hbm_bandwidth.value.value());
        for (std::size_t k = 0; k < before.network.levels.size(); ++k) {
            const Level& was = before.network.levels[k];
            const Level& now = after.network.levels[k];
            const MachineRate of = was.units.value > 0 ? MachineRate::domains : MachineRate::network;
            EXPECT_EQ(now.bandwidth.value.value(), is(of) * was.bandwidth.value.value());
            EXPECT_EQ(static_cast<double>(was.latency.value.value()),
                      is(MachineRate::latency) * static_cast<double>(now.latency.value.value()));
        }
        EXPECT_EQ(faster(after, rate, 0.5), before) << "and back";
    }
}

/// The second axis of three.
TEST(Faster, ScalesTheLinksOfSomeAxes) {
    const Machine before = machine_preset("tpu-v4").value();
    const Machine after = with_faster_links(before, {1}, 4);
    EXPECT_EQ(after.network.link_bandwidth(1).value(), 4 * before.network.link_bandwidth(1).value());
    EXPECT_EQ(after.network.link_bandwidth(0), before.network.link_bandwidth(0));
    const Machine all = faster(before, MachineRate::links, 4);
    EXPECT_EQ(all.network.link_bandwidth(0).value(), 4 * before.network.link_bandwidth(0).value());
}

/// A preset with some of its numbers so many times as large.
Machine edited(const char* preset, const std::vector<std::pair<std::string, double>>& numbers) {
    Machine made = *machine_preset(preset);
    for (const auto& [key, times] : numbers) {
        EXPECT_TRUE(edit(made, machine_number(key), Factor{times})) << key;
    }
    return made;
}

/// Half of each alone: of a rate and of a share it is slower, of a latency faster, and of what is neither it
/// is open which.
TEST(MachineAgainst, KnowsWhichWayEachNumberIsFaster) {
    const Machine usual = *machine_preset("h100-nvs8");
    EXPECT_EQ(against(usual, usual), MachineAgainst::same);
    for (const char* const key :
         {"peak_bf16_in_flop_per_s", "vector_rate_in_flop_per_s", "effective_fraction_of_peak",
          "hbm_bandwidth_in_bytes_per_s", "pcie_in_bytes_per_s", "hbm_capacity_in_bytes",
          "domain_bandwidth_in_bytes_per_s", "domain_efficiency", "network_bandwidth_in_bytes_per_s",
          "network_ports_per_chip", "network_efficiency"}) {
        const Machine half = edited("h100-nvs8", {{key, 0.5}});
        EXPECT_EQ(against(half, usual), MachineAgainst::no_faster) << key;
        EXPECT_EQ(against(usual, half), MachineAgainst::no_slower) << key;
    }
    for (const char* const key : {"launch_multiply_in_s", "domain_latency_in_s", "network_latency_in_s"}) {
        const Machine half = edited("h100-nvs8", {{key, 0.5}});
        EXPECT_EQ(against(half, usual), MachineAgainst::no_slower) << key;
        EXPECT_EQ(against(usual, half), MachineAgainst::no_faster) << key;
    }
    for (const char* const key : {"power_in_w", "cores", "on_chip_memory_in_bytes"}) {
        EXPECT_EQ(against(edited("h100-nvs8", {{key, 0.5}}), usual), MachineAgainst::either) << key;
    }
}

/// Half of one number and twice another may be faster and slower; so may a domain of other chips, and a
/// vector rate that only one of them knows.
TEST(MachineAgainst, LeavesOpenWhatMayBeEither) {
    const Machine usual = *machine_preset("h100-nvs8");
    EXPECT_EQ(against(edited("h100-nvs8",
                             {{"hbm_bandwidth_in_bytes_per_s", 0.5}, {"peak_bf16_in_flop_per_s", 0.5}}),
                      usual),
              MachineAgainst::no_faster);
    EXPECT_EQ(
        against(edited("h100-nvs8", {{"hbm_bandwidth_in_bytes_per_s", 0.5}, {"peak_bf16_in_flop_per_s", 2}}),
                usual),
        MachineAgainst::either);
    EXPECT_EQ(
        against(edited("h100-nvs8", {{"hbm_bandwidth_in_bytes_per_s", 0.5}, {"network_latency_in_s", 0.5}}),
                usual),
        MachineAgainst::either);
    EXPECT_EQ(against(*machine_preset("h100-nvs64"), usual), MachineAgainst::either);
    Machine unknown = usual;
    unknown.vector_rate.value = FlopRate(0);
    EXPECT_EQ(against(unknown, usual), MachineAgainst::either);
}

/// The mean of three axes stays where one is twice and another half as fast; a step that waits for the slow
/// one takes longer.
TEST(MachineAgainst, TakesEachAxisOfATorusByItself) {
    const Machine usual = *machine_preset("tpu-v4");
    EXPECT_EQ(against(with_faster_links(usual, {0}, 0.5), usual), MachineAgainst::no_faster);
    const Machine other = with_faster_links(with_faster_links(usual, {0}, 0.5), {1}, 1.5);
    EXPECT_EQ(against(other, usual), MachineAgainst::either);
}

/// Of a network of three levels the one in the middle counts too.
TEST(MachineAgainst, TakesEveryLevelOfANetwork) {
    const Machine usual = *machine_preset("h100-nvs8");
    Machine three = usual;
    Level middle = three.network.levels.front();
    middle.units.value = 4;
    three.network.levels.insert(three.network.levels.begin() + 1, middle);
    EXPECT_EQ(against(three, usual), MachineAgainst::either);
    Machine slower = three;
    slower.network.levels[1].bandwidth.value = Bandwidth(middle.bandwidth.value.value() / 2);
    EXPECT_EQ(against(slower, three), MachineAgainst::no_faster);
}

} // namespace
} // namespace meshslice
