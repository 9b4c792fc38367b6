// Shortest ways that share no link, and the narrowest place on the way to a chip.

#include "core/torus/grid_ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;

std::int64_t apart(const GridAxis& axis, std::int64_t from, std::int64_t to) {
    const std::int64_t steps = std::abs(from - to);
    return axis.ring ? std::min(steps, axis.chips - steps) : steps;
}

/// One link a hop, no link twice, and no hop too many.
void expect_sound(const Grid& grid, const std::vector<GridWay>& ways, const GridPlace& from,
                  const GridPlace& to) {
    std::map<std::pair<GridPlace, GridPlace>, int> used;
    for (const GridWay& way : ways) {
        EXPECT_EQ(way.front(), from);
        EXPECT_EQ(way.back(), to);
        EXPECT_EQ(static_cast<std::int64_t>(way.size()) - 1, hops_between(grid, from, to));
        for (std::size_t hop = 1; hop < way.size(); ++hop) {
            std::int64_t steps = 0;
            bool two_links = false;
            for (std::size_t axis = 0; axis < grid.size(); ++axis) {
                const std::int64_t along = apart(grid[axis], way[hop - 1][axis], way[hop][axis]);
                steps += along;
                two_links = two_links || (along > 0 && grid[axis].ring && grid[axis].chips == 2);
            }
            EXPECT_EQ(steps, 1) << "one link a hop";
            EXPECT_LE(++used[std::pair(way[hop - 1], way[hop])], two_links ? 2 : 1);
        }
    }
}

/// How many links of a shortest way leave a chip.
std::size_t leaving(const Grid& grid, const GridPlace& from, const GridPlace& to) {
    std::size_t links = 0;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        const std::int64_t steps = std::abs(from[axis] - to[axis]);
        links += steps == 0 ? 0 : grid[axis].ring && 2 * steps == grid[axis].chips ? 2 : 1;
    }
    return links;
}

/// On grids of one to three axes, lines and rings, also of two chips and of one. Where no axis has its other
/// end across, as many as links leave towards the target: they begin along different axes and take them in
/// turn.
TEST(GridWays, AreShortestAndShareNoLink) {
    std::mt19937 random(7);
    const auto below = [&](std::int64_t bound) {
        return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
    };
    int whole = 0, across = 0;
    for (int k = 0; k < 600; ++k) {
        Grid grid;
        for (std::int64_t axes = 1 + below(3); axes > 0; --axes) {
            grid.push_back({1 + below(6), below(2) == 1, 1.0});
        }
        const std::int64_t chips = chips_of(grid);
        const GridPlace from = place_of(grid, below(chips)), to = place_of(grid, below(chips));
        if (from == to) {
            continue;
        }
        const std::vector<GridWay> ways = shortest_ways(grid, from, to);
        expect_sound(grid, ways, from, to);
        const std::size_t links = leaving(grid, from, to);
        EXPECT_GE(ways.size(), 1u);
        EXPECT_LE(ways.size(), links);
        std::size_t axes_that_differ = 0;
        for (std::size_t axis = 0; axis < grid.size(); ++axis) {
            axes_that_differ += from[axis] != to[axis] ? 1 : 0;
        }
        if (links == axes_that_differ) {
            EXPECT_EQ(ways.size(), links) << k;
            ++whole;
        } else {
            ++across;
        }
    }
    EXPECT_GT(whole, 200);
    EXPECT_GT(across, 50);
}

TEST(GridWays, TakeAxesInTurn) {
    const Grid grid = {{4, false, 1}, {4, false, 1}};
    EXPECT_THAT(shortest_ways(grid, {0, 0}, {1, 2}), ElementsAre(GridWay{{0, 0}, {1, 0}, {1, 1}, {1, 2}},
                                                                 GridWay{{0, 0}, {0, 1}, {0, 2}, {1, 2}}));
    EXPECT_THAT(shortest_ways({{2, true, 1}}, {0}, {1}), ElementsAre(GridWay{{0}, {1}}, GridWay{{0}, {1}}))
        << "two links";
    // Across along the first axis and one step along the second: the third way lies between the others.
    EXPECT_EQ(shortest_ways({{16, true, 1}, {16, true, 1}}, {0, 0}, {8, 1}).size(), 3u);
}

TEST(GridWays, HaveTheRateOfTheirSlowestLink) {
    const Grid grid = {{4, false, 5}, {4, false, 3}};
    EXPECT_EQ(rate_of(grid, {{0, 0}, {1, 0}, {2, 0}}), 5);
    EXPECT_EQ(rate_of(grid, {{0, 0}, {1, 0}, {1, 1}}), 3);
}

/// Every cut of a small grid, one by one, is no narrower than the one that is found; axes with different
/// links too.
TEST(InwardCuts, AreTheNarrowestOfAll) {
    for (const Grid& grid :
         {Grid{{8, false, 45}}, Grid{{8, true, 45}}, Grid{{2, true, 45}, {4, false, 45}},
          Grid{{3, false, 10}, {4, true, 90}}, Grid{{2, false, 1}, {2, true, 5}, {3, false, 2}}}) {
        const std::int64_t chips = chips_of(grid);
        // From every chip to every other one: bytes/s of the links between them.
        std::vector<std::vector<double>> links(static_cast<std::size_t>(chips),
                                               std::vector<double>(static_cast<std::size_t>(chips)));
        for (std::size_t chip = 0; chip < links.size(); ++chip) {
            const GridPlace from = place_of(grid, static_cast<std::int64_t>(chip));
            for (std::size_t next = 0; next < links.size(); ++next) {
                const GridPlace to = place_of(grid, static_cast<std::int64_t>(next));
                for (std::size_t axis = 0; axis < grid.size() && hops_between(grid, from, to) == 1; ++axis) {
                    const bool twice = grid[axis].ring && grid[axis].chips == 2;
                    links[chip][next] += from[axis] != to[axis] ? grid[axis].rate * (twice ? 2 : 1) : 0;
                }
            }
        }
        for (std::int64_t target = 0; target < chips; ++target) {
            double narrowest = 0;
            for (std::uint32_t outside = 1; outside < (1U << chips); ++outside) {
                if ((outside >> target & 1U) != 0) {
                    continue;
                }
                double rate = 0;
                for (std::size_t chip = 0; chip < links.size(); ++chip) {
                    for (std::size_t next = 0; next < links.size() && (outside >> chip & 1U) != 0; ++next) {
                        rate += (outside >> next & 1U) == 0 ? links[chip][next] : 0;
                    }
                }
                narrowest = std::max(narrowest, std::popcount(outside) / rate);
            }
            EXPECT_NEAR(narrowest_cut(grid, place_of(grid, target)).seconds(1) / narrowest, 1, 1e-6)
                << chips << " chips, to " << target;
        }
    }
}

} // namespace
} // namespace meshslice
