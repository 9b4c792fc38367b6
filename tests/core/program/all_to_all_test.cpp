#include "core/program/ring_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace meshslice {
namespace {

/// Follows the pieces hop by hop: each one is there before it is sent on, arrives once, and after the last
/// step every position has all that was for it. Where a position waits for as many arrivals as the schedule
/// says, what it passes on is among them.
void expect_exchanged(std::int32_t positions, bool closed, RingMode mode, std::int32_t pieces) {
    SCOPED_TRACE(testing::Message() << positions << (closed ? " ring " : " line ") << name(mode) << pieces);
    const RingSchedule ring = RingSchedule::all_to_all(positions, closed, mode, pieces);
    const auto n = static_cast<std::size_t>(positions);
    std::vector<std::set<std::int32_t>> held(n);
    for (std::int32_t from = 0; from < positions; ++from) {
        for (std::int32_t to = 0; to < positions; ++to) {
            for (std::int32_t piece = 0; piece < pieces; ++piece) {
                held[static_cast<std::size_t>(from)].insert(ring.exchanged(from, to, piece));
            }
        }
    }
    // By position and way: what came, in order.
    std::vector<std::array<std::vector<std::int32_t>, 2>> came(n);
    std::vector<std::array<std::int32_t, 2>> sent(n);
    for (std::int32_t step = 0; step < ring.steps(); ++step) {
        std::vector<std::pair<std::size_t, std::int32_t>> arriving;
        for (std::int32_t here = 0; here < positions; ++here) {
            for (const Direction direction : both_directions) {
                const auto at = static_cast<std::size_t>(here);
                const auto d = static_cast<std::size_t>(direction);
                const auto chunk = ring.chunk(direction, step, here);
                EXPECT_EQ(chunk.has_value(), step < ring.sending_steps(direction, here).end);
                if (!chunk) {
                    continue;
                }
                EXPECT_TRUE(held[at].contains(*chunk)) << here << " sends what it lacks at " << step;
                const auto place = std::ranges::find(came[at][d], *chunk) - came[at][d].begin();
                const std::int32_t needed = ring.arrivals_needed(direction, here, sent[at][d]++);
                if (ring.exchanged_from(*chunk) != here) {
                    EXPECT_LT(place, needed) << here << " at " << step;
                }
                EXPECT_LE(needed, static_cast<std::int32_t>(came[at][d].size()));
                const std::int32_t next = here + (direction == Direction::forward ? 1 : -1);
                ASSERT_TRUE(closed || (next >= 0 && next < positions));
                arriving.emplace_back(d * n + static_cast<std::size_t>((next + positions) % positions),
                                      *chunk);
            }
        }
        for (const auto& [to, chunk] : arriving) {
            EXPECT_TRUE(held[to % n].insert(chunk).second) << "came twice";
            came[to % n][to / n].push_back(chunk);
        }
    }
    for (std::int32_t to = 0; to < positions; ++to) {
        for (std::int32_t from = 0; from < positions; ++from) {
            for (std::int32_t piece = 0; piece < pieces; ++piece) {
                EXPECT_TRUE(held[static_cast<std::size_t>(to)].contains(ring.exchanged(from, to, piece)))
                    << from << " to " << to;
            }
        }
    }
}

TEST(AllToAll, BringsEveryPieceToItsPlaceOnce) {
    for (std::int32_t positions = 2; positions <= 9; ++positions) {
        expect_exchanged(positions, true, RingMode::both_ways, 1);
        expect_exchanged(positions, true, RingMode::one_way, 1);
        expect_exchanged(positions, false, RingMode::both_ways, 1);
        if (positions % 2 == 0) {
            expect_exchanged(positions, true, RingMode::both_ways, 2);
        }
    }
}

/// On a ring of 8 in two pieces: chips 1 to 3 ahead get both forward, 2 (1 + 2 + 3) steps, and of the one
/// across one, 4 steps: 16 each way, an eighth of the 8 x 8 x 2 pieces there are. On a line of 8 the link in
/// the middle carries what 4 send to 4.
TEST(AllToAll, TakesTheStepsOfItsBusiestLink) {
    const RingSchedule ring = RingSchedule::all_to_all(8, true, RingMode::both_ways, 2);
    EXPECT_EQ(ring.steps(), 16);
    EXPECT_EQ(ring.sending_steps(Direction::backward, 3).count(), 16);
    EXPECT_EQ(RingSchedule::all_to_all(8, false, RingMode::both_ways, 1).steps(), 16);
    // One way round 1 + 2 + ... + 7.
    EXPECT_EQ(RingSchedule::all_to_all(8, true, RingMode::one_way, 1).steps(), 28);
}

} // namespace
} // namespace meshslice
