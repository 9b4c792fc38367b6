#include "core/torus/routes.h"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <algorithm>
#include <utility>

namespace meshslice {

std::vector<std::int32_t> hops_from(const Torus& torus, Chip from) {
    using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (const Link& link : torus.links()) {
        edges.emplace_back(link.chip, *torus.neighbour(link.chip, link.axis, link.direction));
    }
    const auto chips = static_cast<std::size_t>(torus.chips());
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), chips);
    std::vector<std::int32_t> hops(chips, 0);
    boost::breadth_first_search(
        graph, static_cast<std::size_t>(from),
        boost::visitor(boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()))));
    return hops;
}

std::vector<Link> shortest_route(const Torus& torus, Chip from, Chip to) {
    // Links come in pairs, so the distance to `to` is the distance from it: walk downhill.
    const std::vector<std::int32_t> hops = hops_from(torus, to);
    std::vector<Link> route;
    for (Chip here = from; here != to;) {
        for (int slot = 0; slot < torus.link_slots(); ++slot) {
            const Link link{here, static_cast<Axis>(slot / 2), static_cast<Direction>(slot % 2)};
            const auto next = torus.neighbour(here, link.axis, link.direction);
            if (next && hops[static_cast<std::size_t>(*next)] + 1 == hops[static_cast<std::size_t>(here)]) {
                route.push_back(link);
                here = *next;
                break;
            }
        }
    }
    return route;
}

std::int32_t diameter(const Torus& torus) {
    // Wrapped axes look the same from every chip and an open one is longest from its end, where chip 0
    // stands.
    const std::vector<std::int32_t> hops = hops_from(torus, 0);
    return *std::max_element(hops.begin(), hops.end());
}

} // namespace meshslice
