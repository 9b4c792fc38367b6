#include "core/estimate/closed_form.h"

#include "core/estimate/cycle_ratio.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace meshslice {
namespace {

/// The edges of the loop's graph, engines included: each takes its operations in turn, round and round.
std::vector<CycleEdge> loop_edges(const Program& program, const std::vector<Time>& times,
                                  const std::vector<Dependency>& needs) {
    std::vector<CycleEdge> edges;
    const auto add = [&](OperationId before, OperationId after, std::int64_t distance) {
        edges.push_back({static_cast<std::size_t>(before - program.loop_begin),
                         static_cast<std::size_t>(after - program.loop_begin), times[before], distance});
    };
    for (const Dependency& need : needs) {
        if (program.in_loop(need.before) && program.in_loop(need.after)) {
            add(need.before, need.after, need.distance);
        }
    }
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        std::optional<OperationId> first;
        OperationId last = 0;
        for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
            if (engine_of(program.operations[id]) == engine) {
                if (first) {
                    add(last, id, 0);
                }
                first = first.value_or(id);
                last = id;
            }
        }
        if (first) {
            add(last, *first, 1);
        }
    }
    return edges;
}

/// Whether a turn of `turn` is long enough for every cycle: with weights time - turn x distance no cycle may
/// be positive. Longest paths then settle within as many rounds as there are nodes (Bellman and Ford).
bool long_enough(std::size_t nodes, const std::vector<CycleEdge>& edges, Time turn) {
    std::vector<Time> latest(nodes);
    for (std::size_t round = 0; round <= nodes; ++round) {
        bool changed = false;
        for (const CycleEdge& edge : edges) {
            const Time through = latest[edge.from] + edge.time - turn * edge.distance;
            if (through > latest[edge.to]) {
                latest[edge.to] = through;
                changed = true;
            }
        }
        if (!changed) {
            return true;
        }
    }
    return false;
}

/// When the first multiplication of the loop (or, without a loop, of all) may start.
Time first_multiplication(const Program& program, const FirstPass& pass) {
    for (OperationId id = program.loop_begin; id < program.operations.size(); ++id) {
        if (place(program.operations[id]) == Place::core) {
            return pass.start[id];
        }
    }
    return pass.last_end;
}

/// Every operation in every turn of the loop, each when its engine is free and what it needs is there.
LoopTime turn_by_turn(const Program& program, const OperationTimes& times, const std::vector<Time>& slower,
                      const std::vector<Dependency>& needs) {
    const auto count = static_cast<OperationId>(program.operations.size());
    std::int64_t kept = 1; // Runs whose ends are remembered.
    std::vector<std::vector<Dependency>> waits(count);
    for (const Dependency& need : needs) {
        waits[need.after].push_back(need);
        kept = std::max(kept, need.distance + 1);
    }
    std::vector<Time> ends(static_cast<std::size_t>(count * kept));
    const auto end_of = [&](OperationId id, std::int64_t run) -> Time& {
        return ends[static_cast<std::size_t>(id * kept + run % kept)];
    };
    Engines engines;
    std::optional<Time> first_begin, last_begin;
    const auto run = [&](OperationId id, std::int64_t iteration) {
        Time start;
        for (const Dependency& need : waits[id]) {
            if (const std::int64_t runs = runs_needed(program, need, iteration); runs > 0) {
                start = std::max(start, end_of(need.before, runs - 1));
            }
        }
        Time lasts = iteration == 0 ? times.first[id] : times.of_further_turns()[id];
        lasts += iteration == 0 || slower.empty() ? Time(0) : slower[id];
        start = engines.run(program.operations[id], lasts, start);
        end_of(id, iteration) = start + lasts;
        return start;
    };
    for (OperationId id = 0; id < program.loop_begin; ++id) {
        run(id, 0);
    }
    for (std::int64_t iteration = 0; iteration < program.iterations; ++iteration) {
        bool multiplied = false;
        for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
            const Time start = run(id, iteration);
            if (!multiplied && place(program.operations[id]) == Place::core) {
                multiplied = true;
                last_begin = start;
                first_begin = first_begin.value_or(start);
            }
        }
    }
    for (OperationId id = program.loop_end; id < count; ++id) {
        run(id, 0);
    }
    return loop_time(first_begin.value_or(engines.last()), last_begin.value_or(engines.last()),
                     engines.last(), program.iterations);
}

} // namespace

LoopTime loop_time(Time first_multiplication, Time last_multiplication, Time last_end,
                   std::int64_t iterations) {
    LoopTime result;
    result.prologue = first_multiplication;
    if (iterations > 1) {
        result.steady = Time((last_multiplication - first_multiplication).value() / (iterations - 1));
    }
    result.epilogue = last_end - result.prologue - result.steady * (iterations - 1);
    result.total = last_end;
    return result;
}

bool follows_turns(const Program& program, const std::vector<Time>& times) {
    if (program.iterations <= 1 || program.iterations > most_turns_followed) {
        return false;
    }
    for (OperationId id = 0; id < program.loop_begin; ++id) {
        if (engine_of(program.operations[id]) < engine_count && times[id] > Time(0)) {
            return true;
        }
    }
    return false;
}

FirstPass first_pass(const Program& program, const std::vector<Time>& times,
                     const std::vector<Dependency>& needs) {
    FirstPass pass{std::vector<Time>(times.size()), std::vector<Time>(times.size()), {}};
    Engines engines;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        Time start;
        // What follows the loop stands where its next turn would.
        const std::int64_t last_turn = id >= program.loop_end && program.loop_end > 0 ? 1 : 0;
        for (const Dependency& need : needs) {
            if (need.after == id && need.before < id &&
                need.distance <= (program.in_loop(need.before) ? last_turn : 0)) {
                start = std::max(start, pass.end[need.before]);
            }
        }
        pass.start[id] = engines.run(program.operations[id], times[id], start);
        pass.end[id] = pass.start[id] + times[id];
    }
    pass.last_end = engines.last();
    return pass;
}

LoopTime loop_time(const Program& program, const OperationTimes& times, const std::vector<Time>& slower,
                   const std::vector<Dependency>& needs) {
    if (follows_turns(program, times.first)) {
        return turn_by_turn(program, times, slower, needs);
    }
    const FirstPass pass = first_pass(program, times.first, needs);
    LoopTime result;
    result.prologue = first_multiplication(program, pass);
    result.epilogue = pass.last_end - result.prologue;
    if (slower.empty()) {
        result.steady = steady_time(program, times.of_further_turns(), needs);
    } else if (program.iterations > 1) {
        std::vector<Time> slowed = times.of_further_turns();
        std::ranges::transform(slowed, slower, slowed.begin(), std::plus());
        result.steady = steady_time(program, slowed, needs);
    }
    result.total = pass.last_end + result.steady * (program.iterations - 1);
    return result;
}

Time busiest_in_loop(const Program& program, const std::vector<Time>& times) {
    std::array<Time, engine_count> busy{};
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        if (const std::size_t engine = engine_of(program.operations[id]); engine < engine_count) {
            busy[engine] += times[id];
        }
    }
    return *std::max_element(busy.begin(), busy.end());
}

Time steady_time(const Program& program, const std::vector<Time>& times,
                 const std::vector<Dependency>& needs) {
    if (program.iterations <= 1) {
        return Time(0);
    }
    // Mostly the busiest engine sets it, which is quickly seen.
    const Time busiest = busiest_in_loop(program, times);
    const auto nodes = static_cast<std::size_t>(program.loop_end - program.loop_begin);
    const std::vector<CycleEdge> edges = loop_edges(program, times, needs);
    return long_enough(nodes, edges, busiest) ? busiest : largest_cycle_ratio(nodes, edges);
}

} // namespace meshslice
