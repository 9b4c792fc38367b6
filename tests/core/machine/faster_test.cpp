#include "core/machine/catalogue.h"
#include "core/machine/faster.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace meshslice
