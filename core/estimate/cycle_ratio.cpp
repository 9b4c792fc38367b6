#include "core/estimate/cycle_ratio.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>

#include <cmath>
#include <limits>

namespace meshslice {

Time largest_cycle_ratio(std::size_t nodes, const std::vector<CycleEdge>& edges) {
    // Picoseconds fit a double exactly up to 2^53, some 9000 s.
    using Weights =
        boost::property<boost::edge_weight_t, double, boost::property<boost::edge_weight2_t, double>>;
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::property<boost::vertex_index_t, std::size_t>, Weights>;
    Graph graph(nodes);
    for (const CycleEdge& edge : edges) {
        boost::add_edge(edge.from, edge.to,
                        Weights(static_cast<double>(edge.time.value()), {static_cast<double>(edge.distance)}),
                        graph);
    }
    const double ratio = boost::maximum_cycle_ratio(graph, boost::get(boost::vertex_index, graph),
                                                    boost::get(boost::edge_weight, graph),
                                                    boost::get(boost::edge_weight2, graph));
    if (!std::isfinite(ratio) || ratio <= 0) {
        return Time(0); // No cycle.
    }
    return Time(static_cast<std::int64_t>(std::ceil(ratio)));
}

} // namespace meshslice
