#include "core/simulate/path/critical_path.h"

#include "core/simulate/path/run_graph.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/topological_sort.hpp>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace meshslice {
namespace {

/// From each event to those it waits for.
using Waits = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
using EventId = std::uint32_t;

/// Takes them from the graph: kept twice, they would be a third of all memory that a path takes.
Waits take_waits(RunGraph& graph) {
    std::vector<std::pair<EventId, EventId>> backwards = std::move(graph.waits);
    graph.waits = {};
    for (auto& [before, after] : backwards) {
        std::swap(before, after);
    }
    // Several events that one waits for keep their order.
    return Waits(boost::edges_are_unsorted_multi_pass, backwards.begin(), backwards.end(),
                 static_cast<EventId>(graph.events.size()));
}

/// The event with which the run ends: of the lowest chip, its core's if that is one.
std::optional<EventId> last_event(const RunGraph& graph, Time end) {
    std::optional<EventId> last;
    for (EventId id = 0; id < graph.events.size(); ++id) {
        const RunEvent& event = graph.events[id];
        if (event.end != end || event.marks_end) {
            continue;
        }
        if (!last || (event.place == Place::core && event.chip == graph.events[*last].chip)) {
            last = id;
        }
    }
    return last;
}

/// Back from the last event, each time to the first of those it waited for that ended when it began.
std::vector<EventId> chain_to(EventId last, const RunGraph& graph, const Waits& waits) {
    std::vector<EventId> chain;
    for (std::optional<EventId> at = last; at;) {
        chain.push_back(*at);
        const Time start = graph.events[*at].start;
        const auto [begin, end] = boost::adjacent_vertices(*at, waits);
        const auto before =
            std::find_if(begin, end, [&](EventId id) { return graph.events[id].end == start; });
        assert(before != end || start == Time(0));
        at = before == end ? std::nullopt : std::optional<EventId>(*before);
    }
    std::ranges::reverse(chain);
    return chain;
}

/// A copy or a launch is recorded in both links of its axis. The ones right before the last event are named
/// by its row.
void name_in_row_of_last(std::vector<CriticalEvent>& events, const Timeline& timeline) {
    const CriticalEvent last = events.back();
    for (std::uint32_t back = 1; last.row >= 0 && back < events.size() && back <= last.index; ++back) {
        CriticalEvent& event = events[events.size() - 1 - back];
        const Interval& other = timeline.intervals(static_cast<std::size_t>(last.row))[last.index - back];
        const bool both = event.activity == Activity::launch || event.activity == Activity::copy;
        if (!both || event.chip != last.chip || event.place != last.place || event.row == last.row ||
            other.activity != event.activity || other.start != event.start) {
            return;
        }
        event.row = last.row;
        event.index = last.index - back;
    }
}

/// The chain without the moments that take no time.
std::vector<CriticalEvent> named(const std::vector<EventId>& chain, const RunGraph& graph,
                                 const Timeline& timeline) {
    std::vector<CriticalEvent> events;
    for (const EventId id : chain) {
        const RunEvent& event = graph.events[id];
        if (event.start != event.end) {
            events.push_back(
                {event.start, event.end, event.row, event.index, event.chip, event.place, event.activity});
            name_in_row_of_last(events, timeline);
        }
    }
    return events;
}

/// When the steady state begins and ends on a chip.
struct Steady {
    Time begin;
    Time end;
};
Steady steady_of(const Program& program, const RunGraph& graph, Chip chip, Time end) {
    OperationId first = program.loop_begin;
    while (first < program.operations.size() && place(program.operations[first]) != Place::core) {
        ++first;
    }
    std::optional<Steady> steady;
    for (const RunEvent& event : graph.events) {
        if (event.chip != chip || event.place != Place::core || event.operation != first) {
            continue;
        }
        // A multiplication that is launched begins with its launch.
        const std::int64_t last = program.runs(first) - 1;
        if (!steady) {
            steady = {event.start, event.start};
        } else if (last > 0 && event.iteration == last) {
            steady->end = event.start;
            break;
        }
    }
    return steady.value_or(Steady{end, end});
}

/// Cuts each event of the chain at the ends of the steady state, and at those of the core's multiplications.
void add_up(CriticalPath& path, Steady steady, Time end, std::span<const Interval> core) {
    const std::array<Steady, phase_count> phases = {Steady{Time(0), steady.begin}, steady, {steady.end, end}};
    std::size_t next = 0;
    for (const CriticalEvent& event : path.events) {
        while (next < core.size() && core[next].end <= event.start) {
            ++next;
        }
        for (std::size_t phase = 0; phase < phase_count; ++phase) {
            const Time from = std::max(event.start, phases[phase].begin);
            const Time to = std::min(event.end, phases[phase].end);
            if (to <= from) {
                continue;
            }
            Time multiplies;
            for (std::size_t k = next; k < core.size() && core[k].start < to; ++k) {
                const Time both = std::min(core[k].end, to) - std::max(core[k].start, from);
                multiplies += core[k].activity == Activity::compute ? std::max(Time(0), both) : Time(0);
            }
            path.times[phase].at(event.place, event.activity) += to - from;
            path.exposed[phase].at(event.place, event.activity) += to - from - multiplies;
        }
    }
}

/// How much later each event could have ended without delaying the end of the run.
std::vector<Time> floats(const RunGraph& graph, const Waits& waits, Time end, const std::stop_token& stop) {
    std::vector<EventId> order; // what is waited for comes first
    order.reserve(graph.events.size());
    std::vector<boost::default_color_type> colors(graph.events.size());
    const boost::topo_sort_visitor sorts(std::back_inserter(order));
    for (EventId id = 0; id < colors.size() && !stop.stop_requested(); ++id) {
        if (colors[id] == boost::white_color) {
            boost::depth_first_visit(
                waits, id, sorts,
                boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, waits)),
                [&](EventId, const Waits&) { return stop.stop_requested(); });
        }
    }
    std::vector<Time> latest_end(graph.events.size(), end);
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        const RunEvent& event = graph.events[*id];
        const Time latest_start = latest_end[*id] - (event.end - event.start);
        const auto [first, last] = boost::adjacent_vertices(*id, waits);
        for (auto before = first; before != last; ++before) {
            latest_end[*before] = std::min(latest_end[*before], latest_start);
        }
    }
    for (EventId id = 0; id < latest_end.size(); ++id) {
        latest_end[id] -= graph.events[id].end;
    }
    return latest_end;
}

std::array<std::optional<Time>, resource_count> slack_of(const RunGraph& graph, const Waits& waits, Time end,
                                                         Steady steady, const std::stop_token& stop) {
    std::array<std::optional<Time>, resource_count> in_steady;
    std::array<std::optional<Time>, resource_count> in_all;
    const std::vector<Time> later = floats(graph, waits, end, stop);
    for (EventId id = 0; id < later.size(); ++id) {
        const RunEvent& event = graph.events[id];
        if (event.marks_end || event.start == event.end) {
            continue;
        }
        const auto place = static_cast<std::size_t>(event.place);
        in_all[place] = std::min(in_all[place].value_or(later[id]), later[id]);
        if (event.end > steady.begin && event.start < steady.end) {
            in_steady[place] = std::min(in_steady[place].value_or(later[id]), later[id]);
        }
    }
    for (std::size_t place = 0; place < resource_count; ++place) {
        in_all[place] = in_steady[place] ? in_steady[place] : in_all[place];
    }
    return in_all;
}

} // namespace

std::string_view name(Phase phase) {
    constexpr std::array<std::string_view, phase_count> names = {"prologue", "steady state", "epilogue"};
    return names[static_cast<std::size_t>(phase)];
}

Time CauseTimes::of(Place place) const {
    Time sum;
    for (const Time time : times[static_cast<std::size_t>(place)]) {
        sum += time;
    }
    return sum;
}

Time CauseTimes::total() const {
    Time sum;
    for (std::size_t place = 0; place < resource_count; ++place) {
        sum += of(static_cast<Place>(place));
    }
    return sum;
}

CauseTimes& CauseTimes::operator+=(const CauseTimes& other) {
    for (std::size_t place = 0; place < resource_count; ++place) {
        for (std::size_t activity = 0; activity < activity_count; ++activity) {
            times[place][activity] += other.times[place][activity];
        }
    }
    return *this;
}

CauseTimes all_phases(const PhaseTimes& phases) {
    CauseTimes all;
    for (const CauseTimes& phase : phases) {
        all += phase;
    }
    return all;
}

Bytes critical_path_memory(std::int64_t intervals) {
    // Nearly every event is an interval. What it waits for is kept as pairs first, then by event; then each
    // event has its place in an order, a mark of whether it has been seen there, and its slack.
    const auto events = static_cast<std::size_t>(intervals);
    const std::size_t waits = room_for_waits(events);
    const std::size_t pairs = waits * sizeof(std::pair<EventId, EventId>);
    const std::size_t order = events * (sizeof(EventId) + sizeof(boost::default_color_type) + sizeof(Time));
    return Bytes(static_cast<std::int64_t>(events * (sizeof(RunEvent) + sizeof(EventId)) +
                                           waits * sizeof(EventId) + std::max(pairs, order)));
}

CriticalPath critical_path(const Program& program, const Machine& hardware, const Schedule& schedule,
                           const Conditions& conditions, const Timeline& timeline,
                           const std::stop_token& stop) {
    RunGraph graph =
        run_graph(program, plans(program, hardware, schedule, conditions), schedule, timeline, stop);
    const std::optional<EventId> last =
        stop.stop_requested() ? std::nullopt : last_event(graph, timeline.end());
    if (!last) {
        return {};
    }
    const Waits waits = take_waits(graph);
    if (stop.stop_requested()) {
        return {};
    }
    CriticalPath path;
    path.events = named(chain_to(*last, graph, waits), graph, timeline);

    const Chip chip = graph.events[*last].chip;
    const Steady steady = steady_of(program, graph, chip, timeline.end());
    const auto core = std::ranges::find(timeline.rows(), Row{chip, true, Axis::vertical, Direction::forward});
    add_up(path, steady, timeline.end(),
           timeline.intervals(static_cast<std::size_t>(core - timeline.rows().begin())));
    path.slack = slack_of(graph, waits, timeline.end(), steady, stop);
    return stop.stop_requested() ? CriticalPath{} : path;
}

RunSlack run_slack(const Program& program, const Machine& hardware, const Schedule& schedule,
                   const Conditions& conditions, const Timeline& timeline, const std::stop_token& stop) {
    RunGraph graph =
        run_graph(program, plans(program, hardware, schedule, conditions), schedule, timeline, stop);
    if (stop.stop_requested()) {
        return {};
    }
    const Waits waits = take_waits(graph);
    const std::vector<Time> later = floats(graph, waits, timeline.end(), stop);
    RunSlack found;
    found.rows.resize(timeline.rows().size());
    for (std::size_t row = 0; row < found.rows.size(); ++row) {
        const Chip chip = timeline.rows()[row].chip;
        if (timeline.classes().representative(chip) == chip) {
            found.rows[row].resize(timeline.intervals(row).size());
        }
    }
    for (EventId id = 0; id < later.size(); ++id) {
        const RunEvent& event = graph.events[id];
        if (event.row >= 0) {
            found.rows[static_cast<std::size_t>(event.row)][event.index] = later[id];
        }
    }
    return stop.stop_requested() ? RunSlack{} : found;
}

} // namespace meshslice
