#include "core/cost/collective/exchange_bound.h"
#include "core/machine/catalogue.h"
#include "core/program/writer.h"
#include "core/simulate/engine/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace meshslice {
namespace {

constexpr double microsecond = 1e-6, link_rate = 45e9;

ExchangeAxis ring_of(std::int64_t chips) {
    return {chips, true, false, Bandwidth(link_rate)};
}
ExchangeAxis one_way_of(std::int64_t chips) {
    return {chips, true, true, Bandwidth(link_rate)};
}
ExchangeAxis open_line_of(std::int64_t chips) {
    return {chips, false, false, Bandwidth(link_rate)};
}

struct ExpectedExchange {
    Collective what;
    std::vector<ExchangeAxis> axes;
    double bandwidth; ///< s, of 36 MB
    std::int64_t hops;
};

/// 36 MB take 800 us over one link of 45 GB/s, 400 us over two.
TEST(ExchangeBound, IsWorkedByHand) {
    using enum Collective;
    const std::vector<ExpectedExchange> all = {
        // A closed ring: both links, half way round, whatever its length.
        {all_gather, {ring_of(16)}, 400 * microsecond, 8},
        {all_gather, {ring_of(4)}, 400 * microsecond, 2},
        {all_gather, {ring_of(5)}, 400 * microsecond, 2},
        {reduce_scatter, {ring_of(16)}, 400 * microsecond, 8},
        {all_reduce, {ring_of(16)}, 800 * microsecond, 16},
        // One link brings 15 of 16 parts; a line is as slow.
        {all_gather, {one_way_of(16)}, 750 * microsecond, 15},
        {all_gather, {open_line_of(16)}, 750 * microsecond, 15},
        {all_reduce, {open_line_of(4)}, 1200 * microsecond, 6},
        // Axes add up: four links, three, two.
        {all_gather, {ring_of(16), ring_of(16)}, 200 * microsecond, 16},
        {all_gather, {ring_of(16), open_line_of(2)}, 36e6 * 31 / 32 / (3 * link_rate), 9},
        {all_gather, {open_line_of(4), open_line_of(4)}, 375 * microsecond, 6},
        {reduce_scatter, {ring_of(4), ring_of(4), ring_of(4)}, 400 * microsecond / 3, 6},
        // What is broadcast is new to all others.
        {broadcast, {ring_of(16)}, 400 * microsecond, 8},
        {reduce, {open_line_of(4)}, 800 * microsecond, 3},
        // A quarter of the all-gather; half of it one way; in the middle of a line 2 x 2 of 4 x 4 parts pass,
        // of five chips 2 x 3 of 5 x 5.
        {all_to_all, {ring_of(16)}, 100 * microsecond, 8},
        {all_to_all, {one_way_of(16)}, 375 * microsecond, 15},
        {all_to_all, {open_line_of(4)}, 200 * microsecond, 3},
        {all_to_all, {open_line_of(5)}, 800 * microsecond * 6 / 25, 4},
        // The longest axis, over the links of all 64 chips.
        {all_to_all, {ring_of(16), ring_of(4)}, 25 * microsecond, 10},
        {all_to_all, {open_line_of(4), ring_of(16)}, 25 * microsecond, 11},
        {all_to_all, {open_line_of(16), ring_of(4)}, 50 * microsecond, 17},
        // To the next chip; from the end of a line back to its beginning.
        {send_receive, {ring_of(16)}, 800 * microsecond, 1},
        {send_receive, {open_line_of(16)}, 800 * microsecond, 15},
    };
    for (const ExpectedExchange& expected : all) {
        const ExchangeBound bound = exchange_bound(expected.what, 36e6, expected.axes, microsecond);
        const std::string said = std::string(name(expected.what)) + " " + bound.formula();
        EXPECT_NEAR(bound.bandwidth, expected.bandwidth, 1e-12) << said;
        EXPECT_EQ(bound.hops, expected.hops) << said;
        EXPECT_NEAR(bound.latency, static_cast<double>(expected.hops) * microsecond, 1e-15) << said;
        EXPECT_FALSE(bound.bound_by_latency()) << said;
        EXPECT_EQ(bound.seconds(), bound.bandwidth) << said;
        // Where both take equally long, a little less is bound by latency, a little more by bandwidth.
        const double knee = latency_bound_below(expected.what, expected.axes, microsecond);
        EXPECT_TRUE(
            exchange_bound(expected.what, 0.999 * knee, expected.axes, microsecond).bound_by_latency())
            << said;
        EXPECT_FALSE(
            exchange_bound(expected.what, 1.001 * knee, expected.axes, microsecond).bound_by_latency())
            << said;
    }
}

/// What is achieved is what a chip's own links carry: at most what they have, and all of it where every axis
/// is as busy and latency does not bind. An all-to-all of 64 chips as 4 x 4 x 4 moves 64 MB / 64 x 4 / 4 on
/// each axis.
TEST(ExchangeBound, AchievedIsNoMoreThanAChipsLinksHave) {
    const std::vector<ExchangeAxis> cube(3, ring_of(4));
    const ExchangeBound of_cube = exchange_bound(Collective::all_to_all, 64e6, cube, 0);
    EXPECT_NEAR(of_cube.on_wire, 3 * 1e6, 1e-3);
    EXPECT_NEAR(of_cube.achieved(), 6 * link_rate, 1);
    std::mt19937 random(20261128);
    for (int round = 0; round < 500; ++round) {
        const auto what = static_cast<Collective>(random() % 7);
        std::vector<ExchangeAxis> axes(what == Collective::send_receive ? 1 : 1 + random() % 3);
        double links = 0;
        for (ExchangeAxis& axis : axes) {
            const std::int64_t chips = 2 + static_cast<std::int64_t>(random() % 15);
            axis = random() % 3 == 0   ? open_line_of(chips)
                   : random() % 2 == 0 ? one_way_of(chips)
                                       : ring_of(chips);
            axis.link = Bandwidth(link_rate * static_cast<double>(1 + random() % 3));
            links += axis.link.value() * (axis.ring && !axis.one_way ? 2 : 1);
        }
        const double bytes = std::pow(10, static_cast<double>(random() % 10));
        const ExchangeBound bound = exchange_bound(what, bytes, axes, microsecond);
        EXPECT_LE(bound.achieved(), links * (1 + 1e-12)) << name(what) << " " << bound.formula();
        EXPECT_GT(bound.achieved(), 0) << name(what);
    }
}

/// Chapter 12 of the book, servers of 8 H100s: 450 GB/s within one, 400 GB/s out of it.
TEST(ExchangeBound, BehindSwitchesIsThatOfTheBook) {
    using enum Collective;
    const double gb = 1e9;
    const SwitchLevel server = {8, 1, Bandwidth(450e9), false, 7, microsecond};
    SwitchLevel reducing = server;
    reducing.reduces = true;
    const auto within = [&](Collective what) { return level_bound(what, gb, 8, server).seconds; };
    EXPECT_NEAR(within(all_gather), 7.0 / 8 / 450, 1e-12);
    EXPECT_NEAR(within(reduce_scatter), 7.0 / 8 / 450, 1e-12);
    EXPECT_NEAR(within(all_reduce), 2 * 7.0 / 8 / 450, 1e-12);
    EXPECT_NEAR(within(all_to_all), 7.0 / 64 / 450, 1e-12);
    EXPECT_NEAR(within(broadcast), 1.0 / 450, 1e-12);
    EXPECT_NEAR(within(send_receive), 1.0 / 450, 1e-12);
    // What a switch that reduces gains of 8 chips: 2 (n - 1) / n.
    EXPECT_NEAR(within(all_reduce) / level_bound(all_reduce, gb, 8, reducing).seconds, 1.75, 1e-12);
    // Two servers, 50 GB/s of each chip between them: the server binds, at 514 GB/s, and not the 800 GB/s of
    // the halves that have to pass.
    const SwitchLevel of_two = {2, 8, Bandwidth(50e9), false, 1, 5 * microsecond};
    const ExchangeBound gather = exchange_bound(all_gather, gb, 16, {server, of_two});
    EXPECT_NEAR(level_bound(all_gather, gb, 16, of_two).seconds, 1.0 / 800, 1e-12);
    EXPECT_NEAR(gather.bandwidth, 1.0 / (450 * 8 / 7.0), 1e-12);
    EXPECT_EQ(gather.hops, 8);
    EXPECT_NEAR(gather.latency, 12 * microsecond, 1e-15);
    // An all-to-all between them: V (m - 1) / m^2 over the 400 GB/s of a server.
    const ExchangeBound all = exchange_bound(all_to_all, gb, 16, {server, of_two});
    EXPECT_NEAR(all.bandwidth, 1.0 / 4 / 400, 1e-12);
    EXPECT_NEAR(all.latency, 7 * microsecond, 1e-15) << "the longest, as all goes at once";
    // 1,024 chips in 128 servers, 32 to a unit of a leaf and 4 units: 514, 413 and 17,067 GB/s, of which 413.
    const SwitchLevel leaf = {32, 8, Bandwidth(50e9), false, 31, microsecond};
    const SwitchLevel spine = {4, 256, Bandwidth(50e9), false, 3, microsecond};
    EXPECT_NEAR(1 / exchange_bound(all_gather, gb, 1024, {server, leaf, spine}).bandwidth, 412.9, 0.1);
    EXPECT_NEAR(1 / level_bound(all_gather, gb, 1024, spine).seconds, 17067, 1);
}

std::string bound_formula(Collective what, const std::vector<ExchangeAxis>& axes) {
    std::string words = exchange_bound(what, 36e6, axes, microsecond).formula();
    for (std::size_t at = words.find("\u2009"); at != std::string::npos; at = words.find("\u2009")) {
        words.replace(at, std::string("\u2009").size(), " ");
    }
    return words;
}

TEST(ExchangeBound, SaysItsNumbers) {
    using enum Collective;
    EXPECT_EQ(bound_formula(all_gather, {ring_of(16)}), "max(8 x 1 µs, 36 MB / (2 x 45 GB/s))");
    EXPECT_EQ(bound_formula(all_reduce, {open_line_of(4)}), "max(6 x 1 µs, 2 x 36 MB x 3 / 4 / 45 GB/s)");
    EXPECT_EQ(bound_formula(all_gather, {ring_of(16), ring_of(16)}),
              "max(16 x 1 µs, 36 MB / (2 x 45 GB/s x 2 axes))");
    EXPECT_EQ(bound_formula(all_gather, {ring_of(16), open_line_of(2)}),
              "max(9 x 1 µs, 36 MB x 31 / 32 / (2 x 45 GB/s + 45 GB/s))");
    EXPECT_EQ(bound_formula(all_to_all, {ring_of(16), ring_of(4)}),
              "max(10 x 1 µs, 36 MB x 16 / (256 x 2 x 45 GB/s))");
    EXPECT_EQ(bound_formula(send_receive, {ring_of(16)}), "max(1 x 1 µs, 36 MB / 45 GB/s)");
}

/// The gather that programs write, simulated chip by chip and link by link: a launch, and in each
/// of n - 1 steps a synchronization and a shard, half of it each way on a ring, all of it one way on a line.
/// Of that the book has the bytes, on a line exactly, on a ring as if a chip lacked its own shard too.
TEST(ExchangeBound, CountsAShardMoreThanWhatIsSimulatedRoundARing) {
    const Machine hardware = *machine_preset("tpu-v5e");
    const double launch = 5 * microsecond;
    for (const std::int32_t chips : {2, 4, 8, 16}) {
        for (const bool closed : {true, false}) {
            const Torus row = Torus::create(std::vector<TorusAxis>{{1, true}, {chips, closed}}).value();
            // A is 4096 x 4096 in bf16: 33.6 MB over the chips of a row.
            ProgramWriter chip({4096, 16, 4096}, Dataflow::OS, row);
            chip.all_gather_col(chip.left());
            const Program program = std::move(chip).finish().value();
            const double simulated = in_seconds(simulate(program, hardware, Schedule{}).value()->end());
            const double bytes = 2.0 * 4096 * 4096;
            const double steps = chips - 1;
            const double each = bytes / chips / (closed ? 2 * link_rate : link_rate);
            EXPECT_NEAR(simulated, launch + steps * (microsecond + each), 1e-10) << chips << closed;
            const ExchangeBound bound = exchange_bound(
                Collective::all_gather, bytes, {closed ? ring_of(chips) : open_line_of(chips)}, microsecond);
            const double parts = closed ? chips / steps : 1;
            EXPECT_NEAR(bound.bandwidth, parts * steps * each, 1e-10) << chips << closed;
            if (closed) {
                EXPECT_GT(bound.bandwidth, simulated - launch - steps * microsecond);
            } else {
                EXPECT_LT(bound.bandwidth, simulated);
            }
        }
    }
}

} // namespace
} // namespace meshslice
