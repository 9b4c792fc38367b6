#include "core/torus/flow_graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include <deque>

namespace meshslice {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Room =
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Room>;

} // namespace

struct FlowGraph::Boost {
    Graph graph;
    std::vector<Traits::edge_descriptor> edges;
};

FlowGraph::FlowGraph(std::size_t nodes) : boost_(std::make_unique<Boost>(Boost{Graph(nodes), {}})) {}
FlowGraph::~FlowGraph() = default;

std::size_t FlowGraph::add(std::size_t from, std::size_t to, std::int64_t room) {
    Graph& graph = boost_->graph;
    const auto there = boost::add_edge(from, to, graph).first;
    const auto back = boost::add_edge(to, from, graph).first;
    boost::put(boost::edge_capacity, graph, there, room);
    boost::put(boost::edge_capacity, graph, back, 0);
    boost::put(boost::edge_reverse, graph, there, back);
    boost::put(boost::edge_reverse, graph, back, there);
    boost_->edges.push_back(there);
    return boost_->edges.size() - 1;
}

std::int64_t FlowGraph::fill(std::size_t from, std::size_t to) {
    return boost::push_relabel_max_flow(boost_->graph, from, to);
}

bool FlowGraph::carries(std::size_t edge) const {
    const auto& of = boost_->edges[edge];
    return boost::get(boost::edge_residual_capacity, boost_->graph, of) <
           boost::get(boost::edge_capacity, boost_->graph, of);
}

std::vector<bool> FlowGraph::reached_from(std::size_t node) const {
    const Graph& graph = boost_->graph;
    std::vector<bool> reached(boost::num_vertices(graph));
    std::deque<std::size_t> next = {node};
    reached[node] = true;
    while (!next.empty()) {
        const std::size_t at = next.front();
        next.pop_front();
        for (auto [edge, end] = boost::out_edges(at, graph); edge != end; ++edge) {
            const std::size_t to = boost::target(*edge, graph);
            if (!reached[to] && boost::get(boost::edge_residual_capacity, graph, *edge) > 0) {
                reached[to] = true;
                next.push_back(to);
            }
        }
    }
    return reached;
}

} // namespace meshslice
