#include "core/program/ring_schedule.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace meshslice {
namespace {

/// On a closed ring of four, forward: position i passes on what came from behind it.
TEST(RingSchedule, GathersChunkByChunkRoundTheRing) {
    const RingSchedule ring(Collective::all_gather, 4, true, RingMode::both_ways);
    EXPECT_EQ(ring.steps(), 3);
    EXPECT_EQ(ring.chunk(Direction::forward, 0, 2), 2);
    EXPECT_EQ(ring.chunk(Direction::forward, 1, 2), 1);
    EXPECT_EQ(ring.chunk(Direction::forward, 2, 2), 0);
    EXPECT_EQ(ring.chunk(Direction::forward, 2, 1), 3);
    EXPECT_EQ(ring.chunk(Direction::backward, 1, 2), 3);
    EXPECT_EQ(ring.chunk(Direction::backward, 2, 2), 0);
    EXPECT_EQ(ring.chunk(Direction::forward, 3, 2), std::nullopt);
}

TEST(RingSchedule, HalvesAChunkBothWaysOrSendsItWhole) {
    const RingSchedule both(Collective::all_gather, 4, true, RingMode::both_ways);
    EXPECT_EQ(both.part(Direction::forward, 7).size(), 4);
    EXPECT_EQ(both.part(Direction::backward, 7).size(), 3);
    EXPECT_EQ(both.part(Direction::backward, 7).begin, 4);
    const RingSchedule one_way(Collective::all_gather, 4, true, RingMode::one_way);
    EXPECT_EQ(one_way.part(Direction::forward, 7).size(), 7);
    EXPECT_EQ(one_way.part(Direction::backward, 7).size(), 0);
    EXPECT_EQ(one_way.sending_steps(Direction::backward, 1).count(), 0);
    const RingSchedule line(Collective::all_gather, 4, false, RingMode::one_way);
    EXPECT_EQ(line.part(Direction::backward, 7).size(), 7);
}

/// Follows the chunks by hand: after all steps every position has every chunk (gather), or a chunk's owner
/// has each position's contribution exactly once (scatter). No position sends what it does not have yet.
void expect_complete(const RingSchedule& ring, bool closed, bool both) {
    const std::int32_t positions = ring.positions();
    const auto n = static_cast<std::size_t>(positions);
    const bool scatters = ring.collective() == Collective::reduce_scatter;
    // By way, position and chunk: whose contributions it holds.
    using Inside = std::multiset<std::int32_t>;
    const int ways = closed ? (both ? 2 : 1) : 1; // On a closed ring each half travels by itself.
    for (int way = 0; way < ways; ++way) {
        std::vector<std::vector<Inside>> held(n, std::vector<Inside>(n));
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t c = 0; c < n; ++c) {
                if (scatters || p == c) {
                    held[p][c] = {static_cast<std::int32_t>(p)};
                }
            }
        }
        for (std::int32_t step = 0; step < ring.steps(); ++step) {
            struct Message {
                std::size_t to, chunk;
                Inside inside;
            };
            std::vector<Message> messages;
            for (const Direction direction : both_directions) {
                if (closed && static_cast<int>(direction) != way) {
                    continue;
                }
                for (std::int32_t p = 0; p < positions; ++p) {
                    const auto chunk = ring.chunk(direction, step, p);
                    if (!chunk) {
                        continue;
                    }
                    const std::int32_t to = p + (direction == Direction::forward ? 1 : -1);
                    ASSERT_TRUE(closed || (to >= 0 && to < positions));
                    const auto c = static_cast<std::size_t>(*chunk);
                    ASSERT_FALSE(held[static_cast<std::size_t>(p)][c].empty());
                    messages.push_back({static_cast<std::size_t>((to + positions) % positions), c,
                                        held[static_cast<std::size_t>(p)][c]});
                }
            }
            for (const Message& message : messages) {
                Inside& target = held[message.to][message.chunk];
                if (scatters) {
                    target.insert(message.inside.begin(), message.inside.end());
                } else {
                    EXPECT_TRUE(target.empty()) << "gathered twice";
                    target = message.inside;
                }
            }
        }
        for (std::size_t p = 0; p < n; ++p) {
            if (scatters) {
                EXPECT_EQ(held[p][p].size(), n);
                EXPECT_EQ((std::set<std::int32_t>(held[p][p].begin(), held[p][p].end()).size()), n);
            } else {
                for (std::size_t c = 0; c < n; ++c) {
                    EXPECT_EQ(held[p][c], Inside{static_cast<std::int32_t>(c)});
                }
            }
        }
    }
}

TEST(RingSchedule, EveryChunkReachesEverybodyOnce) {
    for (const Collective pattern : {Collective::all_gather, Collective::reduce_scatter}) {
        for (const std::int32_t positions : {2, 3, 4, 5, 8}) {
            for (const bool closed : {true, false}) {
                for (const RingMode mode : {RingMode::both_ways, RingMode::one_way}) {
                    SCOPED_TRACE(testing::Message()
                                 << positions << (closed ? " ring " : " line ") << name(mode));
                    expect_complete(RingSchedule(pattern, positions, closed, mode), closed,
                                    mode == RingMode::both_ways);
                }
            }
        }
    }
}

/// A stream sends its packets both ways, to each chip by the shorter way: every chip but the root gets (or,
/// of a reduce, sends) each packet once, over as many hops as it is away.
TEST(RingSchedule, AStreamBothWaysReachesEveryChipOnceByTheShorterWay) {
    for (const Collective pattern : {Collective::broadcast, Collective::reduce}) {
        for (const std::int32_t positions : {3, 4, 5, 8, 9}) {
            const std::int32_t root = 1;
            const std::int32_t packets = 3;
            const RingSchedule ring =
                RingSchedule::stream(pattern, positions, true, RingMode::both_ways, root, packets);
            EXPECT_EQ(ring.steps(), positions / 2 + packets - 1);
            std::int32_t sends = 0;
            for (const Direction direction : both_directions) {
                EXPECT_EQ(ring.part(direction, 10).size(), 10);
                for (std::int32_t position = 0; position < positions; ++position) {
                    const RingSchedule::Steps steps = ring.sending_steps(direction, position);
                    sends += steps.count();
                    EXPECT_TRUE(steps.count() == 0 || steps.count() == packets);
                    EXPECT_LE(steps.end, ring.steps());
                    const std::int32_t away = std::abs(position - root);
                    const std::int32_t hops = std::min(away, positions - away);
                    if (pattern == Collective::broadcast && steps.count() > 0) {
                        EXPECT_EQ(steps.begin, hops);
                    }
                }
            }
            EXPECT_EQ(sends, (positions - 1) * packets);
        }
    }
    // Two chips have two links, of which each takes half.
    const RingSchedule two = RingSchedule::stream(Collective::broadcast, 2, true, RingMode::both_ways, 0, 3);
    EXPECT_EQ(two.part(Direction::forward, 10).size(), 5);
    EXPECT_EQ(two.steps(), 3);
}

/// A line of four gathers: chip 0 sends one chunk forward, chip 1 two, chip 2 three; chip 3 has no neighbour
/// there.
TEST(RingSchedule, ALinePausesNearItsEnds) {
    const RingSchedule gather(Collective::all_gather, 4, false, RingMode::both_ways);
    const RingSchedule scatter(Collective::reduce_scatter, 4, false, RingMode::both_ways);
    for (std::int32_t position = 0; position < 4; ++position) {
        EXPECT_EQ(gather.sending_steps(Direction::forward, position).count(),
                  position == 3 ? 0 : position + 1);
        EXPECT_EQ(scatter.sending_steps(Direction::forward, position).count(), 3 - position);
    }
    EXPECT_EQ(scatter.chunk(Direction::forward, 0, 0), 3); // The farthest sets out first.
    EXPECT_EQ(scatter.chunk(Direction::forward, 1, 1), 3);
    EXPECT_EQ(scatter.chunk(Direction::backward, 0, 3), 0);
    EXPECT_EQ(scatter.arrivals_needed(Direction::forward, 0, 2), 0);
    EXPECT_EQ(scatter.arrivals_needed(Direction::forward, 1, 0), 1);
    EXPECT_EQ(gather.arrivals_needed(Direction::forward, 2, 0), 0);
}

} // namespace
} // namespace meshslice
