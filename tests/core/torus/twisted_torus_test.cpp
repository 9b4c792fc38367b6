// Tori with a twist, by hand and by following every shortest way.

#include "core/cost/collective/twisted_exchange.h"
#include "core/machine/catalogue.h"
#include "core/torus/twisted_torus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace meshslice {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::HasSubstr;

TwistedTorus twisted_torus(const std::vector<std::int32_t>& mesh) {
    const auto torus = TwistedTorus::create(mesh, *machine_preset("tpu-v4"));
    EXPECT_TRUE(torus) << (torus ? "" : torus.error().sentence);
    return *torus;
}

/// Over the end of a short axis of 4 x 4 x 8 one comes to the layer 4 further on; 4 x 8 x 8 shifts both.
TEST(TwistedTorus, WrapsWithItsTwist) {
    const TwistedTorus one = twisted_torus({4, 4, 8});
    const auto chip = [](std::int32_t x, std::int32_t y, std::int32_t z) { return (x * 4 + y) * 8 + z; };
    EXPECT_EQ(one.neighbour(chip(3, 1, 1), 0, true), chip(0, 1, 5));
    EXPECT_EQ(one.neighbour(chip(0, 1, 6), 0, false), chip(3, 1, 2));
    EXPECT_EQ(one.neighbour(chip(2, 3, 7), 1, true), chip(2, 0, 3));
    EXPECT_EQ(one.neighbour(chip(2, 3, 7), 2, true), chip(2, 3, 0));
    EXPECT_EQ(one.neighbour(chip(1, 1, 1), 0, true), chip(2, 1, 1));
    const TwistedTorus other = twisted_torus({8, 4, 8});
    const auto place = [](std::int32_t x, std::int32_t y, std::int32_t z) { return (x * 8 + y) * 8 + z; };
    EXPECT_EQ(other.neighbour(place(3, 1, 6), 0, true), place(0, 5, 2));
    EXPECT_EQ(other.neighbour(place(3, 7, 6), 1, true), place(3, 0, 6));
}

/// What is sent forward comes back.
TEST(TwistedTorus, LinksJoinTwoChips) {
    for (const auto& mesh : {std::vector{4, 4, 8}, std::vector{4, 8, 8}, std::vector{8, 8, 16}}) {
        const TwistedTorus torus = twisted_torus(mesh);
        for (std::int32_t chip = 0; chip < torus.chips(); ++chip) {
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_EQ(torus.neighbour(torus.neighbour(chip, axis, true), axis, false), chip);
            }
        }
    }
}

/// Without the twist 4 x 4 x 8 has ways of up to 8 links, 4 on average.
TEST(TwistedTorus, ShortensWays) {
    const TwistedTorus one = twisted_torus({4, 4, 8});
    EXPECT_EQ(one.longest_way(), 6);
    EXPECT_EQ(one.all_ways(), 440);
    EXPECT_EQ(one.all_straight_ways(), 128 * (1 + 1 + 2));
    // A link along the axis of 8 would bear 128 x 2 / 2.
    EXPECT_DOUBLE_EQ(one.all_to_all_gain(), 128.0 / (440.0 / 6));
    EXPECT_EQ(twisted_torus({4, 8, 8}).all_ways(), 1104);
    EXPECT_NEAR(twisted_torus({4, 8, 8}).all_to_all_gain(), 1.391, 0.001);
}

/// Traffic of all chips to all, divided evenly over all shortest ways, loads every link the same, as the law
/// of an all-to-all says.
TEST(TwistedTorus, LoadsEveryLinkAlike) {
    for (const auto& mesh : {std::vector{4, 4, 8}, std::vector{4, 8, 8}}) {
        const TwistedTorus torus = twisted_torus(mesh);
        const auto count = static_cast<std::size_t>(torus.chips());
        std::vector<double> load(count * 6);
        for (std::int32_t from = 0; from < torus.chips(); ++from) {
            std::vector<std::int32_t> away(count, -1), order = {from};
            std::vector<double> ways(count), passes(count, 1);
            away[static_cast<std::size_t>(from)] = 0;
            ways[static_cast<std::size_t>(from)] = 1;
            const auto each_link = [&](std::int32_t chip,
                                       const std::function<void(std::size_t link, std::size_t next)>& take) {
                for (int axis = 0; axis < 3; ++axis) {
                    for (const bool forward : {false, true}) {
                        take(static_cast<std::size_t>(chip * 6 + 2 * axis + (forward ? 1 : 0)),
                             static_cast<std::size_t>(torus.neighbour(chip, axis, forward)));
                    }
                }
            };
            for (std::size_t k = 0; k < order.size(); ++k) {
                const auto chip = static_cast<std::size_t>(order[k]);
                each_link(order[k], [&](std::size_t /*link*/, std::size_t next) {
                    if (away[next] < 0) {
                        away[next] = away[chip] + 1;
                        order.push_back(static_cast<std::int32_t>(next));
                    }
                    ways[next] += away[next] == away[chip] + 1 ? ways[chip] : 0;
                });
            }
            for (std::size_t k = order.size(); k-- > 0;) {
                const auto chip = static_cast<std::size_t>(order[k]);
                each_link(order[k], [&](std::size_t link, std::size_t next) {
                    if (away[next] == away[chip] + 1) {
                        const double part = passes[next] * ways[chip] / ways[next];
                        load[link] += part;
                        passes[chip] += part;
                    }
                });
            }
        }
        const double each = static_cast<double>(torus.all_ways()) / 6;
        EXPECT_THAT(load, Each(DoubleNear(each, 1e-6)));
    }
}

/// 64 MB of 128 chips: 64e6 x 440 / (6 x 128^2) bytes over a link of 45 GB/s.
TEST(TwistedTorus, BoundsItsExchanges) {
    const TwistedTorus torus = twisted_torus({4, 4, 8});
    const ExchangeBound all = twisted_bound(Collective::all_to_all, 64e6, torus, Bandwidth(45e9), 1e-6);
    EXPECT_DOUBLE_EQ(all.bandwidth, 64e6 * 440 / (6.0 * 128 * 128) / 45e9);
    EXPECT_DOUBLE_EQ(all.latency, 6e-6);
    const std::vector<ExchangeAxis> straight = {{4, true, false, Bandwidth(45e9)},
                                                {4, true, false, Bandwidth(45e9)},
                                                {8, true, false, Bandwidth(45e9)}};
    EXPECT_NEAR(exchange_bound(Collective::all_to_all, 64e6, straight, 1e-6).bandwidth / all.bandwidth,
                torus.all_to_all_gain(), 1e-12);
    for (const Collective what : {Collective::all_gather, Collective::all_reduce, Collective::broadcast}) {
        EXPECT_DOUBLE_EQ(twisted_bound(what, 64e6, torus, Bandwidth(45e9), 1e-6).bandwidth,
                         exchange_bound(what, 64e6, straight, 1e-6).bandwidth);
    }
}

TEST(TwistedTorus, RefusesOtherShapesAndMachines) {
    const auto refusal = [](const std::vector<std::int32_t>& mesh, const char* machine) {
        const auto torus = TwistedTorus::create(mesh, *machine_preset(machine));
        return torus ? std::string() : torus.error().sentence;
    };
    EXPECT_EQ(refusal({4, 4, 4}, "tpu-v4"),
              "4x4x4 cannot be twisted; expected k x k x 2k or k x 2k x 2k with "
              "k a multiple of 4, such as 4x4x8.");
    EXPECT_THAT(refusal({2, 2, 4}, "tpu-v5p"), HasSubstr("cannot be twisted"));
    EXPECT_THAT(refusal({4, 4, 8}, "tpu-v5e"), HasSubstr("has no cubes behind optical switches"));
    EXPECT_EQ(refusal({16, 8, 16}, "tpu-v5p"), "");
}

} // namespace
} // namespace meshslice
