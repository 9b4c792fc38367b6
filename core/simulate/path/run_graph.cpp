#include "core/simulate/path/run_graph.h"

#include "core/program/dependencies.h"
#include "core/simulate/record/memory_reserve.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace meshslice {
namespace {

constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// One launch of an operation on an engine of a chip, and the events it became.
struct Launched {
    OperationId operation = 0;
    std::uint32_t iteration = 0;
    bool last = true;               ///< of those in a row that make one run of the operation
    std::uint32_t first = nothing;  ///< a copy before it, or itself
    std::uint32_t begins = nothing; ///< of links: from its end on there may be sends
    std::uint32_t ends = nothing;
    std::uint32_t over = nothing; ///< a copy after it, or its own end
    // Of links, by direction.
    std::array<std::uint32_t, 2> first_send{};
    std::array<std::int32_t, 2> sends{};
    std::array<std::int32_t, 2> arrivals{};
    std::array<std::int32_t, 2> first_needed{};        ///< arrivals before the first send
    std::array<std::int32_t, 2> more_needed{};         ///< and more before each further one
    std::array<std::uint32_t, 2> events_of_send{1, 1}; ///< 2 where it synchronizes

    [[nodiscard]] bool moves() const { return sends[0] + sends[1] + arrivals[0] + arrivals[1] > 0; }
    [[nodiscard]] std::uint32_t send(std::size_t d, std::int32_t k) const {
        return first_send[d] + static_cast<std::uint32_t>(k) * events_of_send[d];
    }
    [[nodiscard]] std::uint32_t transfer(std::size_t d, std::int32_t k) const {
        return send(d, k) + events_of_send[d] - 1;
    }
};

/// Reads the rows of a timeline in the order in which the program filled them.
class GraphWriter {
  public:
    GraphWriter(const Program& program, const Plans& plans, const Schedule& schedule,
                const Timeline& timeline, Hops hops, std::pmr::memory_resource* memory);
    RunGraph write(const std::stop_token& stop);

  private:
    static constexpr std::size_t most_slots = 6;
    /// Where the rows of a chip are read.
    struct Cursor {
        std::int32_t row = -1;
        std::uint32_t next = 0;
    };

    template <class Visit>
    void in_program_order(Visit visit) const;
    std::vector<Launched>& launches(std::size_t which, std::size_t engine) {
        return launches_[which * engine_count + engine];
    }
    const OperationPlan& plan(OperationId id, std::int64_t iteration, Chip chip) const;
    std::uint32_t take(Cursor& cursor, Place place);
    bool next_is(const Cursor& cursor, const Launched& launched, Activity activity) const;
    void read_chip(std::size_t which);
    void read_core(Launched& launched);
    std::uint32_t read_both(const Launched& launched, Chip chip, Axis axis, Activity activity, Time duration);
    void read_links(Launched& launched, Chip chip, const OperationPlan& plan, Axis axis, bool is_first);
    void join_chip(std::size_t which);
    void join_sends(const Launched& launched, std::size_t which, std::size_t engine, std::size_t run);
    void wait(std::uint32_t before, std::uint32_t after, int hop = RunGraph::own_chip);
    void add_wait(std::uint32_t before, std::uint32_t after, int hop);
    /// What another launch of the ring, one chip on in `direction`, became; null at the end of a line.
    const Launched* beside(std::size_t which, std::size_t engine, std::size_t run, Direction direction);

    const Program& program_;
    const Plans& plans_;
    const Timeline& timeline_;
    Hops hops_;
    std::vector<std::vector<Dependency>> needs_; ///< by the operation that waits
    std::vector<bool> timed_;
    std::vector<std::vector<Launched>> launches_; ///< by class and engine, in the order in which it did them
    std::vector<std::size_t> first_row_;          ///< by class
    Cursor core_;
    std::array<Cursor, most_slots> links_;
    RunGraph graph_;
};

GraphWriter::GraphWriter(const Program& program, const Plans& plans, const Schedule& schedule,
                         const Timeline& timeline, Hops hops, std::pmr::memory_resource* memory)
    : program_(program)
    , plans_(plans)
    , timeline_(timeline)
    , hops_(hops)
    , needs_(program.operations.size())
    , graph_(memory) {
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        timed_.push_back(takes_time(program, plans, id));
    }
    for (const Dependency& dependency : contracted(dependencies(program, schedule.prefetch), timed_)) {
        needs_[dependency.after].push_back(dependency);
    }
    const ChipClasses& classes = timeline.classes();
    launches_.resize(classes.count() * engine_count);
    first_row_.resize(classes.count());
    for (std::size_t row = timeline.rows().size(); row-- > 0;) {
        const Chip chip = timeline.rows()[row].chip;
        if (classes.representative(chip) == chip) {
            first_row_[classes.of(chip)] = row;
        }
    }
    graph_.events.reserve(timeline.stored_intervals() * 9 / 8);
    graph_.waits.reserve(room_for_waits(timeline.stored_intervals()));
}

const OperationPlan& GraphWriter::plan(OperationId id, std::int64_t iteration, Chip chip) const {
    const std::vector<OperationPlan>& ways = plans_[id];
    return ways.size() == 1
               ? ways.front()
               : ways[static_cast<std::size_t>(variant(program_, program_.operations[id], iteration, chip))];
}

template <class Visit>
void GraphWriter::in_program_order(Visit visit) const {
    const auto pass = [&](std::size_t begin, std::size_t end, std::uint32_t iteration) {
        for (std::size_t id = begin; id < end; ++id) {
            if (timed_[id]) {
                visit(static_cast<OperationId>(id), iteration);
            }
        }
    };
    pass(0, program_.loop_begin, 0);
    for (std::int64_t iteration = 0; iteration < program_.iterations; ++iteration) {
        pass(program_.loop_begin, program_.loop_end, static_cast<std::uint32_t>(iteration));
    }
    pass(program_.loop_end, program_.operations.size(), 0);
}

std::uint32_t GraphWriter::take(Cursor& cursor, Place place) {
    const auto row = static_cast<std::size_t>(cursor.row);
    const Interval& interval = timeline_.intervals(row)[cursor.next];
    graph_.events.push_back({interval.start, interval.end, cursor.row, cursor.next,
                             timeline_.rows()[row].chip, interval.iteration, interval.operation, place,
                             interval.activity, false});
    ++cursor.next;
    return static_cast<std::uint32_t>(graph_.events.size() - 1);
}

bool GraphWriter::next_is(const Cursor& cursor, const Launched& launched, Activity activity) const {
    const auto intervals = timeline_.intervals(static_cast<std::size_t>(cursor.row));
    return cursor.next < intervals.size() && intervals[cursor.next].activity == activity &&
           intervals[cursor.next].operation == launched.operation;
}

void GraphWriter::read_core(Launched& launched) {
    if (next_is(core_, launched, Activity::launch)) {
        launched.begins = take(core_, Place::core);
    }
    launched.ends = take(core_, Place::core);
    if (launched.begins == nothing) {
        launched.begins = launched.ends;
    } else {
        add_wait(launched.begins, launched.ends, RunGraph::own_chip);
    }
    launched.first = launched.begins;
    launched.over = launched.ends;
}

/// What both links of an axis do together, a launch or a copy, as one event, named in the row of the first
/// that recorded it. Where none did, because the chip only receives, it takes `duration`.
std::uint32_t GraphWriter::read_both(const Launched& launched, Chip chip, Axis axis, Activity activity,
                                     Time duration) {
    RunEvent event{
        {},       duration, -1, 0, chip, launched.iteration, launched.operation, static_cast<Place>(axis),
        activity, false};
    for (const Direction direction : both_directions) {
        Cursor& link = links_[static_cast<std::size_t>(link_slot(axis, direction))];
        if (launched.sends[static_cast<std::size_t>(direction)] == 0 || !next_is(link, launched, activity)) {
            continue;
        }
        if (event.row < 0) {
            const Interval& interval = timeline_.intervals(static_cast<std::size_t>(link.row))[link.next];
            event.start = interval.start;
            event.end = interval.end;
            event.row = link.row;
            event.index = link.next;
        }
        ++link.next;
    }
    graph_.events.push_back(event);
    return static_cast<std::uint32_t>(graph_.events.size() - 1);
}

void GraphWriter::read_links(Launched& launched, Chip chip, const OperationPlan& plan, Axis axis,
                             bool is_first) {
    const auto place = static_cast<Place>(axis);
    const std::int32_t at = program_.torus.coordinate(chip, axis);
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        launched.sends[d] = plan.sends[d][static_cast<std::size_t>(at)];
        launched.arrivals[d] = plan.arrivals[d][static_cast<std::size_t>(at)];
    }
    if (is_first && plan.cost.copied[0] > Bytes(0)) {
        launched.first = read_both(launched, chip, axis, Activity::copy, plan.cost.copying[0]);
    }
    // Where nothing moves there is no launch either.
    launched.begins =
        read_both(launched, chip, axis, Activity::launch, launched.moves() ? plan.cost.launch : Time(0));
    launched.first = launched.first == nothing ? launched.begins : launched.first;
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        if (launched.sends[d] == 0) {
            continue;
        }
        const RingSchedule& ring = plan.communication->ring;
        launched.first_needed[d] = ring.arrivals_needed(direction, at, 0);
        launched.more_needed[d] = ring.arrivals_needed(direction, at, 1) - launched.first_needed[d];
        Cursor& link = links_[static_cast<std::size_t>(link_slot(axis, direction))];
        launched.events_of_send[d] = next_is(link, launched, Activity::sync) ? 2 : 1;
        launched.first_send[d] = static_cast<std::uint32_t>(graph_.events.size());
        for (std::int32_t send = 0; send < launched.sends[d]; ++send) {
            for (std::uint32_t event = 0; event < launched.events_of_send[d]; ++event) {
                take(link, place);
            }
        }
    }
    launched.ends = static_cast<std::uint32_t>(graph_.events.size());
    graph_.events.push_back(
        {{}, {}, -1, 0, chip, launched.iteration, launched.operation, place, Activity::launch, true});
    launched.over = launched.ends;
    if (launched.last && plan.cost.copied[1] > Bytes(0)) {
        launched.over = read_both(launched, chip, axis, Activity::copy, plan.cost.copying[1]);
    }
}

void GraphWriter::read_chip(std::size_t which) {
    const Chip chip = timeline_.classes().representatives[which];
    const std::vector<Row>& rows = timeline_.rows();
    for (std::size_t row = first_row_[which]; row < rows.size() && rows[row].chip == chip; ++row) {
        Cursor& cursor =
            rows[row].is_core
                ? core_
                : links_[static_cast<std::size_t>(link_slot(rows[row].axis, rows[row].direction))];
        cursor = {static_cast<std::int32_t>(row), 0};
    }
    in_program_order([&](OperationId id, std::uint32_t iteration) {
        const std::size_t engine = engine_of(program_.operations[id]);
        const OperationPlan& plan = this->plan(id, iteration, chip);
        for (std::int32_t repeat = 0; repeat < plan.cost.launches; ++repeat) {
            Launched launched;
            launched.operation = id;
            launched.iteration = iteration;
            launched.last = repeat + 1 == plan.cost.launches;
            if (engine == core_engine) {
                read_core(launched);
            } else {
                read_links(launched, chip, plan, static_cast<Axis>(engine), repeat == 0);
            }
            launches(which, engine).push_back(launched);
        }
    });
}

const Launched* GraphWriter::beside(std::size_t which, std::size_t engine, std::size_t run,
                                    Direction direction) {
    const ChipClasses& classes = timeline_.classes();
    const auto chip =
        program_.torus.neighbour(classes.representatives[which], static_cast<Axis>(engine), direction);
    return chip ? &launches(classes.of(*chip), engine)[run] : nullptr;
}

void GraphWriter::add_wait(std::uint32_t before, std::uint32_t after, int hop) {
    graph_.waits.emplace_back(before, after);
    if (hops_ == Hops::kept) {
        graph_.hops.push_back(static_cast<std::int8_t>(hop));
    }
}

void GraphWriter::wait(std::uint32_t before, std::uint32_t after, int hop) {
    add_wait(before, after, hop);
    // What was not recorded has its time from here.
    RunEvent& event = graph_.events[after];
    if (event.row < 0) {
        const Time start = std::max(event.start, graph_.events[before].end);
        event.end += start - event.start;
        event.start = start;
    }
}

void GraphWriter::join_sends(const Launched& launched, std::size_t which, std::size_t engine,
                             std::size_t run) {
    const auto axis = static_cast<Axis>(engine);
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        const int from_sender = link_slot(axis, opposite(direction));
        const Launched* receiver = beside(which, engine, run, direction);
        const Launched* sender = beside(which, engine, run, opposite(direction));
        for (std::int32_t send = 0; send < launched.sends[d]; ++send) {
            wait(send > 0 ? launched.transfer(d, send - 1) : launched.begins, launched.send(d, send));
            if (launched.events_of_send[d] == 2) {
                wait(launched.send(d, send), launched.transfer(d, send));
            }
            const std::int32_t needed =
                std::min(launched.first_needed[d] + send * launched.more_needed[d], launched.arrivals[d]);
            if (needed > 0) {
                wait(sender->transfer(d, needed - 1), launched.send(d, send), from_sender);
            }
            if (send == 0) {
                wait(receiver->begins, launched.send(d, send), link_slot(axis, direction));
            }
        }
    }
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        if (launched.sends[d] > 0) {
            wait(launched.transfer(d, launched.sends[d] - 1), launched.ends);
        }
    }
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        if (launched.arrivals[d] > 0) {
            const Launched* sender = beside(which, engine, run, opposite(direction));
            wait(sender->transfer(d, launched.arrivals[d] - 1), launched.ends,
                 link_slot(axis, opposite(direction)));
        }
    }
    if (!launched.moves()) {
        wait(launched.begins, launched.ends);
    }
}

void GraphWriter::join_chip(std::size_t which) {
    std::array<std::size_t, engine_count> run{};
    std::vector<std::vector<std::uint32_t>> over(
        program_.operations.size()); ///< by operation: its runs' ends
    in_program_order([&](OperationId id, std::uint32_t iteration) {
        const std::size_t engine = engine_of(program_.operations[id]);
        std::vector<Launched>& all = launches(which, engine);
        for (bool first = true, last = false; !last; first = false) {
            const std::size_t k = run[engine]++;
            const Launched& launched = all[k];
            last = launched.last;
            if (k > 0) {
                wait(all[k - 1].over, launched.first);
            }
            for (const Dependency& need : needs_[id]) {
                const std::int64_t runs = first ? runs_needed(program_, need, iteration) : 0;
                if (runs > 0) {
                    wait(over[need.before][static_cast<std::size_t>(runs - 1)], launched.first);
                }
            }
            if (engine != core_engine) {
                if (launched.first != launched.begins) {
                    wait(launched.first, launched.begins);
                }
                join_sends(launched, which, engine, k);
                if (launched.over != launched.ends) {
                    wait(launched.ends, launched.over);
                }
            }
            if (last) {
                over[id].push_back(launched.over);
            }
        }
    });
}

RunGraph GraphWriter::write(const std::stop_token& stop) {
    for (std::size_t which = 0; which < timeline_.classes().count() && !stop.stop_requested(); ++which) {
        read_chip(which);
    }
    for (std::size_t which = 0; which < timeline_.classes().count() && !stop.stop_requested(); ++which) {
        join_chip(which);
    }
    return std::move(graph_);
}

} // namespace

RunGraph::RunGraph(std::pmr::memory_resource* memory)
    : events(memory != nullptr ? memory : huge_pages()), waits(events.get_allocator()) {}

RunGraph run_graph(const Program& program, const Plans& plans, const Schedule& schedule,
                   const Timeline& timeline, const std::stop_token& stop, Hops hops,
                   std::pmr::memory_resource* memory) {
    return GraphWriter(program, plans, schedule, timeline, hops, memory).write(stop);
}

} // namespace meshslice
