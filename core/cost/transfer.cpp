#include "core/cost/transfer.h"

#include "core/base/parse.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/sharding/shards.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace meshslice {
namespace {

/// More are not walked through: larger than every pod that comes with the program.
constexpr std::int64_t most_chips = 16384;

/// A directed graph whose edges have room for so much, whole numbers, and the largest flow through it.
class FlowGraph {
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using Room =
        boost::property<boost::edge_capacity_t, std::int64_t,
                        boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>;
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Room>;

  public:
    using Edge = Traits::edge_descriptor;

    explicit FlowGraph(std::size_t nodes) : graph_(nodes) {}

    Edge add(std::size_t from, std::size_t to, std::int64_t room) {
        const Edge there = boost::add_edge(from, to, graph_).first;
        const Edge back = boost::add_edge(to, from, graph_).first;
        boost::put(boost::edge_capacity, graph_, there, room);
        boost::put(boost::edge_capacity, graph_, back, 0);
        boost::put(boost::edge_reverse, graph_, there, back);
        boost::put(boost::edge_reverse, graph_, back, there);
        return there;
    }
    std::int64_t fill(std::size_t from, std::size_t to) {
        return boost::push_relabel_max_flow(graph_, from, to);
    }
    [[nodiscard]] bool carries(const Edge& edge) const {
        return boost::get(boost::edge_residual_capacity, graph_, edge) <
               boost::get(boost::edge_capacity, graph_, edge);
    }
    /// Which nodes still have a way to be reached from one, of those that are filled: one side of a narrowest
    /// cut.
    [[nodiscard]] std::vector<bool> reached_from(std::size_t node) const {
        std::vector<bool> reached(boost::num_vertices(graph_));
        std::deque<std::size_t> next = {node};
        reached[node] = true;
        while (!next.empty()) {
            const std::size_t at = next.front();
            next.pop_front();
            for (auto [edge, end] = boost::out_edges(at, graph_); edge != end; ++edge) {
                const std::size_t to = boost::target(*edge, graph_);
                if (!reached[to] && boost::get(boost::edge_residual_capacity, graph_, *edge) > 0) {
                    reached[to] = true;
                    next.push_back(to);
                }
            }
        }
        return reached;
    }

  private:
    Graph graph_;
};

/// A link, one way, between chips by their numbers.
struct DirectedLink {
    std::size_t from = 0, to = 0;
    std::size_t axis = 0;
};

std::vector<DirectedLink> links_between(const NamedMesh& slice, const std::vector<MeshLinks>& links) {
    std::vector<DirectedLink> all;
    std::int64_t stride = 1;
    for (std::size_t axis = slice.axes.size(); axis-- > 0;) {
        const std::int64_t size = slice.axes[axis].size;
        for (std::int64_t chip = 0; chip < slice.devices() && size > 1; ++chip) {
            const std::int64_t at = chip / stride % size;
            if (at + 1 < size || links[axis].along.ring) {
                const auto next = static_cast<std::size_t>(chip + ((at + 1) % size - at) * stride);
                all.push_back({static_cast<std::size_t>(chip), next, axis});
                all.push_back({next, static_cast<std::size_t>(chip), axis});
            }
        }
        stride *= size;
    }
    return all;
}

std::int64_t number_of(const ChipPlace& place, const NamedMesh& slice) {
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < slice.axes.size(); ++axis) {
        number = number * slice.axes[axis].size + place[axis];
    }
    return number;
}

std::int64_t hops_between(const NamedMesh& slice, const std::vector<MeshLinks>& links, const ChipPlace& from,
                          const ChipPlace& to) {
    std::int64_t hops = 0;
    for (std::size_t axis = 0; axis < slice.axes.size(); ++axis) {
        const std::int64_t apart = std::abs(from[axis] - to[axis]);
        hops += links[axis].along.ring ? std::min(apart, slice.axes[axis].size - apart) : apart;
    }
    return hops;
}

/// A way through `carried` (next chips by chip), which is taken out of it.
TransferRoute taken_route(std::map<std::size_t, std::vector<std::size_t>>& carried, std::size_t from,
                          std::size_t to, const NamedMesh& slice) {
    TransferRoute route = {coordinates(slice, static_cast<std::int64_t>(from))};
    while (from != to) {
        std::vector<std::size_t>& next = carried.at(from);
        from = next.back();
        next.pop_back();
        route.push_back(coordinates(slice, static_cast<std::int64_t>(from)));
    }
    return route;
}

/// The shortest ways along an axis: 1 or -1, or on a ring with its other end across both.
std::vector<std::int64_t> directions(const MeshLinks& links, std::int64_t from, std::int64_t to) {
    const std::int64_t size = links.along.chips;
    const std::int64_t up = ((to - from) % size + size) % size;
    if (!links.along.ring) {
        return {to > from ? 1 : -1};
    }
    return 2 * up == size  ? std::vector<std::int64_t>{1, -1}
           : 2 * up < size ? std::vector<std::int64_t>{1}
                           : std::vector<std::int64_t>{-1};
}

/// Ways that turn as rarely as can be: each begins along another link, and takes the axes in turn. Links of
/// some may be the same.
std::vector<TransferRoute> straight_routes(const TransferAsked& asked, const std::vector<MeshLinks>& links) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < links.size(); ++axis) {
        if (asked.source[axis] != asked.target[axis]) {
            axes.push_back(axis);
        }
    }
    std::vector<TransferRoute> routes;
    for (std::size_t first = 0; first < axes.size(); ++first) {
        const std::size_t ways =
            directions(links[axes[first]], asked.source[axes[first]], asked.target[axes[first]]).size();
        for (std::size_t way = 0; way < ways; ++way) {
            TransferRoute route = {asked.source};
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const std::size_t axis = axes[(first + k) % axes.size()];
                const auto along = directions(links[axis], asked.source[axis], asked.target[axis]);
                const std::int64_t step = along[std::min(way, along.size() - 1)];
                while (route.back()[axis] != asked.target[axis]) {
                    ChipPlace next = route.back();
                    next[axis] = (next[axis] + step + links[axis].along.chips) % links[axis].along.chips;
                    route.push_back(std::move(next));
                }
            }
            routes.push_back(std::move(route));
        }
    }
    return routes;
}

/// A link is told by its ends, and on a ring of two chips by nothing: there the two links count as one.
bool share_a_link(const std::vector<TransferRoute>& routes) {
    std::set<std::pair<ChipPlace, ChipPlace>> used;
    for (const TransferRoute& route : routes) {
        for (std::size_t hop = 1; hop < route.size(); ++hop) {
            if (!used.emplace(route[hop - 1], route[hop]).second) {
                return true;
            }
        }
    }
    return false;
}

/// As many shortest ways as there are that share no link: a maximum flow over the links of shortest ways, of
/// which each carries one (Menger, 1927).
std::vector<TransferRoute> shortest_routes(const TransferAsked& asked, const std::vector<MeshLinks>& links) {
    const NamedMesh& slice = asked.slice;
    const auto from = static_cast<std::size_t>(number_of(asked.source, slice));
    const auto to = static_cast<std::size_t>(number_of(asked.target, slice));
    const std::int64_t hops = hops_between(slice, links, asked.source, asked.target);
    FlowGraph graph(static_cast<std::size_t>(slice.devices()));
    std::vector<std::pair<DirectedLink, FlowGraph::Edge>> on_the_way;
    for (const DirectedLink& link : links_between(slice, links)) {
        const ChipPlace begin = coordinates(slice, static_cast<std::int64_t>(link.from));
        const ChipPlace end = coordinates(slice, static_cast<std::int64_t>(link.to));
        if (hops_between(slice, links, asked.source, begin) + 1 +
                hops_between(slice, links, end, asked.target) ==
            hops) {
            on_the_way.emplace_back(link, graph.add(link.from, link.to, 1));
        }
    }
    const std::int64_t count = graph.fill(from, to);
    std::vector<TransferRoute> straight = straight_routes(asked, links);
    if (static_cast<std::int64_t>(straight.size()) == count && !share_a_link(straight)) {
        return straight;
    }
    std::map<std::size_t, std::vector<std::size_t>> carried;
    for (const auto& [link, edge] : on_the_way) {
        if (graph.carries(edge)) {
            carried[link.from].push_back(link.to);
        }
    }
    std::vector<TransferRoute> routes;
    for (std::int64_t k = 0; k < count; ++k) {
        routes.push_back(taken_route(carried, from, to, slice));
    }
    std::ranges::sort(routes);
    return routes;
}

/// The rate of the slowest link of a way.
double rate_of(const TransferRoute& route, const std::vector<MeshLinks>& links) {
    double rate = std::numeric_limits<double>::infinity();
    for (std::size_t hop = 1; hop < route.size(); ++hop) {
        for (std::size_t axis = 0; axis < links.size(); ++axis) {
            if (route[hop][axis] != route[hop - 1][axis]) {
                rate = std::min(rate, links[axis].along.link.value());
            }
        }
    }
    return rate;
}

std::string rate_text(std::size_t links, double all_together) {
    return links == 1
               ? si_text(all_together, "B/s")
               : fmt::format("({} x {})", links, si_text(all_together / static_cast<double>(links), "B/s"));
}

/// "15/16 x ": what has to come, of all.
std::string share_text(std::int64_t part, std::int64_t whole) {
    return part == whole ? std::string() : fmt::format("{}/{} x ", part, whole);
}

TransferStage stage_over_links(const TransferAsked& asked, const std::vector<MeshLinks>& links,
                               const std::vector<TransferRoute>& routes) {
    if (asked.from == TransferAsked::From::chip) {
        double rate = 0;
        for (const TransferRoute& route : routes) {
            rate += rate_of(route, links);
        }
        return {said("links"), asked.bytes / rate,
                fmt::format("{} / {}", bytes_text(asked.bytes), rate_text(routes.size(), rate))};
    }
    const InwardCut cut = narrowest_cut(asked.slice, links, asked.target);
    const std::int64_t chips = asked.slice.devices();
    return {said("links"), cut.seconds(asked.bytes / static_cast<double>(chips)),
            fmt::format("{}{} / {}", share_text(cut.chips, chips), bytes_text(asked.bytes),
                        rate_text(static_cast<std::size_t>(cut.count), cut.links.value()))};
}

TransferStage stage(std::string name, double bytes, double rate) {
    return {std::move(name), bytes / rate, fmt::format("{} / {}", bytes_text(bytes), si_text(rate, "B/s"))};
}

} // namespace

Result<ChipPlace> parse_chip_place(std::string_view words, const NamedMesh& slice, std::string_view who) {
    ChipPlace place;
    std::size_t begin = 0;
    bool read = slice.axes.size() > 0;
    while (read && begin <= words.size()) {
        const std::size_t comma = std::min(words.find(',', begin), words.size());
        const Result<std::int64_t> at = parse_whole(words.substr(begin, comma - begin));
        read = at && place.size() < slice.axes.size() && *at >= 0 && *at < slice.axes[place.size()].size;
        if (read) {
            place.push_back(*at);
        }
        begin = comma + 1;
    }
    if (!read || place.size() != slice.axes.size()) {
        ChipPlace last;
        std::ranges::transform(slice.axes, std::back_inserter(last),
                               [](const MeshAxis& axis) { return axis.size - 1; });
        return refuse(say("{} is \"{}\"; a place along each axis of {} was expected, up to {}.", who,
                          shortened(words), text(slice), fmt::format("{}", fmt::join(last, ","))));
    }
    return place;
}

std::string text(const ChipPlace& place) {
    return fmt::format("({})", fmt::join(place, ", "));
}

const TransferStage& Transfer::slowest() const {
    return *std::ranges::max_element(stages, {}, &TransferStage::seconds);
}

InwardCut narrowest_cut(const NamedMesh& slice, const std::vector<MeshLinks>& links,
                        const ChipPlace& target) {
    // Room for a flow in whole numbers; the narrowest cut that is found is added up again in bytes.
    constexpr double of_each = 1 << 20;
    const auto chips = static_cast<std::size_t>(slice.devices());
    const auto sink = static_cast<std::size_t>(number_of(target, slice));
    const std::vector<DirectedLink> all = links_between(slice, links);
    const auto cut_of = [&](const std::vector<bool>& outside) {
        InwardCut cut;
        double rate = 0;
        for (std::size_t chip = 0; chip < chips; ++chip) {
            cut.chips += outside[chip] ? 1 : 0;
        }
        for (const DirectedLink& link : all) {
            if (outside[link.from] && !outside[link.to]) {
                rate += links[link.axis].along.link.value();
                ++cut.count;
            }
        }
        cut.links = Bandwidth(rate);
        return cut;
    };
    std::vector<bool> outside(chips, true);
    outside[sink] = false;
    InwardCut narrowest = cut_of(outside);
    // Every round finds a narrower one or ends, as in Newton's method for ratios (Dinkelbach, 1967).
    while (true) {
        const double seconds = narrowest.seconds(of_each);
        FlowGraph graph(chips + 1);
        for (const DirectedLink& link : all) {
            graph.add(link.from, link.to, std::llround(links[link.axis].along.link.value() * seconds));
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

Result<Transfer> transfer(const TransferAsked& asked, const Hardware& hardware) {
    using From = TransferAsked::From;
    const std::int64_t chips = asked.slice.devices();
    if (chips > most_chips) {
        return refuse(say("{} has {} chips; a transfer is worked out on at most {}.", text(asked.slice),
                          chips, most_chips));
    }
    const Result<std::vector<MeshLinks>> links = links_of(asked.slice, hardware);
    if (!links) {
        return refuse(links.error());
    }
    if (chips == 1) {
        return refuse(say("{} is one chip, which has nothing to send; X=4,Y=4 has 16.", text(asked.slice)));
    }
    if (asked.from == From::chip && asked.source == asked.target) {
        return refuse(say("The chip {} is source and target; two places were expected.", text(asked.source)));
    }
    Transfer found;
    if (asked.from == From::chip) {
        found.routes = shortest_routes(asked, *links);
        found.hops = hops_between(asked.slice, *links, asked.source, asked.target);
    } else {
        for (std::int64_t chip = 0; chip < chips; ++chip) {
            found.hops = std::max(
                found.hops, hops_between(asked.slice, *links, coordinates(asked.slice, chip), asked.target));
        }
    }
    found.latency = static_cast<double>(found.hops) * in_seconds(hardware.sync.value);
    if (asked.from == From::hosts) {
        found.stages.push_back(
            stage(said("PCIe of each chip"), asked.bytes / static_cast<double>(chips), asked.pcie.value()));
    }
    found.stages.push_back(stage_over_links(asked, *links, found.routes));
    found.stages.push_back(
        stage(said("HBM of the target"), asked.bytes, hardware.hbm_bandwidth.value.value()));
    if (asked.flop > 0) {
        const double peak = hardware.peak_rate(DataType::bf16).value();
        found.stages.push_back(
            {said("arithmetic"), asked.flop / peak,
             fmt::format("{} / {}", si_text(asked.flop, "FLOP"), si_text(peak, "FLOP/s"))});
    }
    return found;
}

} // namespace meshslice
