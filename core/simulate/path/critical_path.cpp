#include "core/simulate/path/critical_path.h"

#include "core/simulate/path/run_graph.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace meshslice {
namespace {

using EventId = std::uint32_t;
using Wait = std::pair<EventId, EventId>; ///< of the second for the first

/// From each event to those it waits for, in the order in which the graph names them: its rows one after the
/// other.
class Waits {
  public:
    /// Takes them from the graph: kept twice, they would be a third of all memory that a path takes.
    explicit Waits(RunGraph& graph)
        : begin_(graph.events.size() + 1, graph.events.get_allocator())
        , before_(graph.waits.size(), graph.events.get_allocator()) {
        const std::pmr::vector<Wait> pairs = std::move(graph.waits);
        for (const Wait& wait : pairs) {
            ++begin_[wait.second];
        }
        EventId sum = 0;
        for (EventId& begin : begin_) {
            begin = sum += begin;
        }
        for (auto wait = pairs.rbegin(); wait != pairs.rend(); ++wait) { // Each row from its end.
            before_[--begin_[wait->second]] = wait->first;
        }
    }

    [[nodiscard]] std::span<const EventId> of(EventId event) const {
        return {before_.data() + begin_[event], before_.data() + begin_[event + 1]};
    }
    [[nodiscard]] std::span<const EventId> all() const { return before_; }

  private:
    std::pmr::vector<EventId> begin_; ///< by event: its row in
    std::pmr::vector<EventId> before_;
};

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
        const std::span<const EventId> waited_for = waits.of(*at);
        const auto before =
            std::ranges::find_if(waited_for, [&](EventId id) { return graph.events[id].end == start; });
        assert(before != waited_for.end() || start == Time(0));
        at = before == waited_for.end() ? std::nullopt : std::optional<EventId>(*before);
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

/// How much later each event could have ended without delaying the end of the run: back from those that
/// nothing waits for, each once all that wait for it are known (Kahn's order). Nothing holds if it is
/// stopped.
std::pmr::vector<Time> floats(const RunGraph& graph, const Waits& waits, Time end,
                              const std::stop_token& stop) {
    constexpr std::size_t events_between_looks = 4096;
    const auto memory = graph.events.get_allocator();
    std::pmr::vector<std::uint32_t> waiting(graph.events.size(),
                                            memory); // for each event, of those not known yet
    for (const EventId before : waits.all()) {
        ++waiting[before];
    }
    std::pmr::vector<EventId> known(memory);
    for (EventId id = 0; id < waiting.size(); ++id) {
        if (waiting[id] == 0) {
            known.push_back(id);
        }
    }
    std::pmr::vector<Time> later(graph.events.size(), end,
                                 memory); // the latest end, and once that is known less its own
    for (std::size_t k = 1; !known.empty(); ++k) {
        if (k % events_between_looks == 0 && stop.stop_requested()) {
            break;
        }
        const EventId id = known.back();
        known.pop_back();
        const RunEvent& event = graph.events[id];
        const Time latest_start = later[id] - (event.end - event.start);
        later[id] -= event.end;
        for (const EventId before : waits.of(id)) {
            later[before] = std::min(later[before], latest_start);
            if (--waiting[before] == 0) {
                known.push_back(before);
            }
        }
    }
    return later;
}

std::array<std::optional<Time>, resource_count> slack_of(const RunGraph& graph, const Waits& waits, Time end,
                                                         Steady steady, const std::stop_token& stop) {
    std::array<std::optional<Time>, resource_count> in_steady;
    std::array<std::optional<Time>, resource_count> in_all;
    const std::pmr::vector<Time> later = floats(graph, waits, end, stop);
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
    // event has its slack and how many still wait for it, and may stand among those that nothing waits for.
    const auto events = static_cast<std::size_t>(intervals);
    const std::size_t waits = room_for_waits(events);
    const std::size_t pairs = waits * sizeof(Wait);
    const std::size_t slack = events * (2 * sizeof(EventId) + sizeof(Time));
    return Bytes(static_cast<std::int64_t>(events * (sizeof(RunEvent) + sizeof(EventId)) +
                                           waits * sizeof(EventId) + std::max(pairs, slack)));
}

CriticalPath critical_path(const Program& program, const Machine& hardware, const Schedule& schedule,
                           const Conditions& conditions, const Timeline& timeline,
                           const RunControl& control) {
    const std::stop_token& stop = control.stop;
    RunGraph graph = run_graph(program, plans(program, hardware, schedule, conditions), schedule, timeline,
                               stop, Hops::left_out, control.memory.get());
    const std::optional<EventId> last =
        stop.stop_requested() ? std::nullopt : last_event(graph, timeline.end());
    if (!last) {
        return {};
    }
    const Waits waits(graph);
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
    const Waits waits(graph);
    const std::pmr::vector<Time> later = floats(graph, waits, timeline.end(), stop);
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
