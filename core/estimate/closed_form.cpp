#include "core/estimate/closed_form.h"

#include "core/estimate/cycle_ratio.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace meshslice {
namespace {

/// The edges of the loop's graph, engines included: each takes its operations in turn, round and round.
std::vector<CycleEdge> loop_edges(const Program& program, const std::vector<Time>& times,
                                  const std::vector<Dependency>& needs) {
    std::vector<CycleEdge> edges;
    edges.reserve(needs.size() + program.operations.size() + engine_count);
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

/// Every operation in turn after turn of the loop, each when its engine is free and what it needs is there;
/// until all turns repeat the one before them.
class TurnByTurn {
  public:
    TurnByTurn(const Program& program, const OperationTimes& times, const std::vector<Dependency>& needs)
        : program_(program), times_(times), needs_(needs) {
        std::ranges::stable_sort(needs_, {}, &Dependency::after);
        begins_.resize(program.operations.size() + 1);
        for (const Dependency& need : needs) {
            ++begins_[need.after + 1u];
            kept_ = std::max(kept_, need.distance + 1);
        }
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        ends_.resize(program.operations.size() * static_cast<std::size_t>(kept_));
    }

    LoopTime follow() {
        for (OperationId id = 0; id < program_.loop_begin; ++id) {
            run(id, 0);
        }
        std::int64_t alike = 0; // Turns in a row that lasted as long for every operation.
        std::optional<Time> longer;
        for (std::int64_t iteration = 0; iteration < program_.iterations; ++iteration) {
            const std::optional<Time> later = turn(iteration);
            alike = later && later == longer ? alike + 1 : 0;
            longer = later;
            if (alike > kept_) {
                skip(*later * (program_.iterations - 1 - iteration), iteration);
                break;
            }
        }
        for (OperationId id = program_.loop_end; id < program_.operations.size(); ++id) {
            run(id, 0);
        }
        return loop_time(first_begin_.value_or(last_), last_begin_.value_or(last_), last_,
                         program_.iterations);
    }

  private:
    Time& end_of(OperationId id, std::int64_t run) {
        return ends_[static_cast<std::size_t>(id * kept_ + run % kept_)];
    }

    Time run(OperationId id, std::int64_t iteration) {
        Time start;
        for (std::size_t n = begins_[id]; n < begins_[id + 1u]; ++n) {
            if (const std::int64_t runs = runs_needed(program_, needs_[n], iteration); runs > 0) {
                start = std::max(start, end_of(needs_[n].before, runs - 1));
            }
        }
        const Time lasts = iteration == 0 ? times_.first[id] : times_.of_further_turns()[id];
        const std::size_t engine = engine_of(program_.operations[id]);
        if (engine < engine_count && lasts > Time(0)) {
            start = std::max(start, free_[engine]);
            free_[engine] = start + lasts;
        }
        end_of(id, iteration) = start + lasts;
        last_ = std::max(last_, start + lasts);
        return start;
    }

    /// By how much every operation ended later than in the turn before; nothing where that differs.
    std::optional<Time> turn(std::int64_t iteration) {
        bool multiplied = false;
        std::optional<Time> later;
        bool alike = iteration > 0;
        for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
            const Time before = iteration > 0 ? end_of(id, iteration - 1) : Time(0);
            const Time start = run(id, iteration);
            alike = alike && later.value_or(end_of(id, iteration) - before) == end_of(id, iteration) - before;
            later = end_of(id, iteration) - before;
            if (!multiplied && place(program_.operations[id]) == Place::core) {
                multiplied = true;
                last_begin_ = start;
                first_begin_ = first_begin_.value_or(start);
            }
        }
        return alike ? later : std::nullopt;
    }

    /// What follows a turn, as if it were the last.
    void skip(Time later, std::int64_t iteration) {
        for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
            const Time end = end_of(id, iteration) + later;
            const Time turn = end_of(id, iteration) - end_of(id, iteration - 1);
            for (std::int64_t back = 0; back < kept_; ++back) {
                end_of(id, program_.iterations - 1 - back) = end - turn * back;
            }
            const std::size_t engine = engine_of(program_.operations[id]);
            if (engine < engine_count) {
                free_[engine] = std::max(free_[engine], end);
            }
            last_ = std::max(last_, end);
        }
        last_begin_ = last_begin_ ? std::optional(*last_begin_ + later) : std::nullopt;
    }

    const Program& program_;
    const OperationTimes& times_;
    std::vector<Dependency> needs_;   ///< by the operation that waits
    std::vector<std::size_t> begins_; ///< of each operation's
    std::int64_t kept_ = 2;           ///< runs of an operation whose ends are remembered
    std::vector<Time> ends_;
    std::array<Time, engine_count> free_{};
    Time last_;
    std::optional<Time> first_begin_, last_begin_;
};

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
    if (program.loop_begin == 0 || program.iterations <= 1 || program.iterations > most_turns_followed) {
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

LoopTime loop_time(const Program& program, const OperationTimes& times,
                   const std::vector<Dependency>& needs) {
    if (follows_turns(program, times.first)) {
        return TurnByTurn(program, times, needs).follow();
    }
    const FirstPass pass = first_pass(program, times.first, needs);
    LoopTime result;
    result.prologue = first_multiplication(program, pass);
    result.epilogue = pass.last_end - result.prologue;
    result.steady = steady_time(program, times.of_further_turns(), needs);
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
