#include "core/torus/grid_ways.h"

#include "core/torus/flow_graph.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace meshslice {
namespace {

/// A link, one way, between chips by their numbers.
struct DirectedLink {
    std::size_t from = 0, to = 0;
    std::size_t axis = 0;
};

std::vector<DirectedLink> links_between(const Grid& grid) {
    std::vector<DirectedLink> all;
    const std::int64_t chips = chips_of(grid);
    std::int64_t stride = 1;
    for (std::size_t axis = grid.size(); axis-- > 0;) {
        const std::int64_t size = grid[axis].chips;
        for (std::int64_t chip = 0; chip < chips && size > 1; ++chip) {
            const std::int64_t at = chip / stride % size;
            if (at + 1 < size || grid[axis].ring) {
                const auto next = static_cast<std::size_t>(chip + ((at + 1) % size - at) * stride);
                all.push_back({static_cast<std::size_t>(chip), next, axis});
                all.push_back({next, static_cast<std::size_t>(chip), axis});
            }
        }
        stride *= size;
    }
    return all;
}

std::size_t number_of(const Grid& grid, const GridPlace& place) {
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        number = number * grid[axis].chips + place[axis];
    }
    return static_cast<std::size_t>(number);
}

/// The shortest ways along an axis: 1 or -1, or on a ring to the place across both.
std::vector<std::int64_t> directions(const GridAxis& axis, std::int64_t from, std::int64_t to) {
    const std::int64_t up = ((to - from) % axis.chips + axis.chips) % axis.chips;
    if (!axis.ring) {
        return {to > from ? 1 : -1};
    }
    return 2 * up == axis.chips  ? std::vector<std::int64_t>{1, -1}
           : 2 * up < axis.chips ? std::vector<std::int64_t>{1}
                                 : std::vector<std::int64_t>{-1};
}

/// Ways that turn as rarely as can be: each begins along another link, and takes the axes in turn. Some may
/// share links.
std::vector<GridWay> straight_ways(const Grid& grid, const GridPlace& from, const GridPlace& to) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        if (from[axis] != to[axis]) {
            axes.push_back(axis);
        }
    }
    const auto along = [&](std::size_t axis) { return directions(grid[axis], from[axis], to[axis]); };
    std::vector<GridWay> all;
    for (std::size_t first = 0; first < axes.size(); ++first) {
        for (std::size_t which = 0; which < along(axes[first]).size(); ++which) {
            GridWay way = {from};
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const std::size_t axis = axes[(first + k) % axes.size()];
                const std::vector<std::int64_t> steps = along(axis);
                const std::int64_t step = steps[std::min(which, steps.size() - 1)];
                while (way.back()[axis] != to[axis]) {
                    GridPlace next = way.back();
                    next[axis] = (next[axis] + step + grid[axis].chips) % grid[axis].chips;
                    way.push_back(std::move(next));
                }
            }
            all.push_back(std::move(way));
        }
    }
    return all;
}

/// A link is named by its ends; the two between the chips of a ring of two count as one, so that this may say
/// so where it need not.
bool share_a_link(const std::vector<GridWay>& ways) {
    std::set<std::pair<GridPlace, GridPlace>> used;
    for (const GridWay& way : ways) {
        for (std::size_t hop = 1; hop < way.size(); ++hop) {
            if (!used.emplace(way[hop - 1], way[hop]).second) {
                return true;
            }
        }
    }
    return false;
}

/// A way through `carried` (next chips by chip), which is taken out of it.
GridWay taken_way(std::map<std::size_t, std::vector<std::size_t>>& carried, std::size_t from, std::size_t to,
                  const Grid& grid) {
    GridWay way = {place_of(grid, static_cast<std::int64_t>(from))};
    while (from != to) {
        std::vector<std::size_t>& next = carried.at(from);
        from = next.back();
        next.pop_back();
        way.push_back(place_of(grid, static_cast<std::int64_t>(from)));
    }
    return way;
}

} // namespace

std::int64_t chips_of(const Grid& grid) {
    std::int64_t chips = 1;
    for (const GridAxis& axis : grid) {
        chips *= axis.chips;
    }
    return chips;
}

GridPlace place_of(const Grid& grid, std::int64_t chip) {
    GridPlace place(grid.size());
    for (std::size_t axis = grid.size(); axis-- > 0;) {
        place[axis] = chip % grid[axis].chips;
        chip /= grid[axis].chips;
    }
    return place;
}

std::int64_t hops_between(const Grid& grid, const GridPlace& from, const GridPlace& to) {
    std::int64_t hops = 0;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
        const std::int64_t apart = std::abs(from[axis] - to[axis]);
        hops += grid[axis].ring ? std::min(apart, grid[axis].chips - apart) : apart;
    }
    return hops;
}

std::vector<GridWay> shortest_ways(const Grid& grid, const GridPlace& from, const GridPlace& to) {
    const std::size_t source = number_of(grid, from);
    const std::size_t target = number_of(grid, to);
    const std::int64_t hops = hops_between(grid, from, to);
    FlowGraph graph(static_cast<std::size_t>(chips_of(grid)));
    std::vector<std::pair<DirectedLink, std::size_t>> on_the_way;
    for (const DirectedLink& link : links_between(grid)) {
        const GridPlace begin = place_of(grid, static_cast<std::int64_t>(link.from));
        const GridPlace end = place_of(grid, static_cast<std::int64_t>(link.to));
        if (hops_between(grid, from, begin) + 1 + hops_between(grid, end, to) == hops) {
            on_the_way.emplace_back(link, graph.add(link.from, link.to, 1));
        }
    }
    const std::int64_t count = graph.fill(source, target);
    std::vector<GridWay> straight = straight_ways(grid, from, to);
    if (static_cast<std::int64_t>(straight.size()) == count && !share_a_link(straight)) {
        return straight;
    }
    std::map<std::size_t, std::vector<std::size_t>> carried;
    for (const auto& [link, edge] : on_the_way) {
        if (graph.carries(edge)) {
            carried[link.from].push_back(link.to);
        }
    }
    std::vector<GridWay> ways;
    for (std::int64_t k = 0; k < count; ++k) {
        ways.push_back(taken_way(carried, source, target, grid));
    }
    std::ranges::sort(ways);
    return ways;
}

double rate_of(const Grid& grid, const GridWay& way) {
    double rate = std::numeric_limits<double>::infinity();
    for (std::size_t hop = 1; hop < way.size(); ++hop) {
        for (std::size_t axis = 0; axis < grid.size(); ++axis) {
            if (way[hop][axis] != way[hop - 1][axis]) {
                rate = std::min(rate, grid[axis].rate);
            }
        }
    }
    return rate;
}

InwardCut narrowest_cut(const Grid& grid, const GridPlace& target) {
    // Room for a flow in whole numbers; the narrowest cut that is found is added up again in bytes.
    constexpr double of_each = 1 << 20;
    const auto chips = static_cast<std::size_t>(chips_of(grid));
    const std::size_t sink = number_of(grid, target);
    const std::vector<DirectedLink> all = links_between(grid);
    const auto cut_of = [&](const std::vector<bool>& outside) {
        InwardCut cut;
        for (std::size_t chip = 0; chip < chips; ++chip) {
            cut.chips += outside[chip] ? 1 : 0;
        }
        for (const DirectedLink& link : all) {
            if (outside[link.from] && !outside[link.to]) {
                cut.rate += grid[link.axis].rate;
                ++cut.links;
            }
        }
        return cut;
    };
    std::vector<bool> outside(chips, true);
    outside[sink] = false;
    InwardCut narrowest = cut_of(outside);
    // Every round finds a narrower one or ends, as in Newton's method for ratios (Dinkelbach, 1967).
    while (true) {
        const double seconds = narrowest.seconds(of_each);
        FlowGraph graph(chips + 1); // the last one sends to all
        for (const DirectedLink& link : all) {
            graph.add(link.from, link.to, std::llround(grid[link.axis].rate * seconds));
        }
        for (std::size_t chip = 0; chip < chips; ++chip) {
            if (chip != sink) {
                graph.add(chips, chip, static_cast<std::int64_t>(of_each));
            }
        }
        graph.fill(chips, sink);
        std::vector<bool> waiting = graph.reached_from(chips);
        waiting.resize(chips);
        if (std::ranges::none_of(waiting, [](bool one) { return one; })) {
            return narrowest;
        }
        const InwardCut found = cut_of(waiting);
        if (found.seconds(of_each) <= seconds * (1 + 1e-6)) {
            return narrowest;
        }
        narrowest = found;
    }
}

} // namespace meshslice
