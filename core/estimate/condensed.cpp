#include "core/estimate/condensed.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/estimate/shared_memory.h"
#include "core/estimate/stages.h"
#include "core/estimate/stream_costs.h"
#include "core/estimate/stream_links.h"
#include "core/estimate/walk/chip_by_chip.h"
#include "core/program/writer.h"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// Whether two operations in a row are panels of one stream.
bool both_alike(const Operation& one, const Operation& next) {
    if (const auto* a = std::get_if<Broadcast>(&one)) {
        const auto* b = std::get_if<Broadcast>(&next);
        return b && a->source == b->source && a->result == b->result && a->axis == b->axis;
    }
    if (const auto* a = std::get_if<Reduce>(&one)) {
        const auto* b = std::get_if<Reduce>(&next);
        return b && a->source == b->source && a->target == b->target && a->axis == b->axis;
    }
    return false;
}

/// What an operation takes.
struct Takes {
    Time first;   ///< in the first turn of the loop, or outside it
    Time further; ///< in a further one
    Time least;   ///< on every chip, in any
};

/// How the panels of a stream that an operation stands for go round their ring.
struct Streaming {
    std::int64_t panels = 1;
    std::int64_t packets = 1;
    std::int64_t hops = 0; ///< after the first, of the longest way
    /// Steps from panel to panel: a chip passes on its last packet a step after it came.
    std::int64_t steps = 1;
    /// See late_steps(): in the first turn, and in all further ones.
    std::int64_t late_first = 0;
    std::int64_t late_further = 0;
    std::int64_t further_turns = 0;
};

/// How many steps later than the panels of one root the panels of all of them begin, `panels` of each. The
/// chip after the next root, which gets its packets, passes on those of the root before it, a step later than
/// that one; not so near the end of a line. On a line of three nobody passes on what the one in the middle
/// sends.
std::int64_t late_steps(std::int64_t chips, bool round, std::int64_t hops, std::int64_t panels) {
    if (round) {
        return hops < 2 ? 0 : chips - 1;
    }
    return chips > 3 ? chips - 4 : chips == 3 ? -panels : 0;
}

Streaming streaming(const CondensedProgram& condensed, OperationId id, const OperationCost& cost) {
    const Program& program = condensed.program;
    const Operation& operation = program.operations[id];
    const auto* broadcast = std::get_if<Broadcast>(&operation);
    const auto* reduce = std::get_if<Reduce>(&operation);
    const auto axis = static_cast<Axis>(place(operation));
    const std::int64_t chips = program.torus.size(axis);
    const bool round = program.torus.wraps(axis) && !program.torus.folded(axis);
    Streaming stream;
    stream.panels = condensed.times[id];
    stream.packets = broadcast ? broadcast->packets : reduce->packets;
    stream.hops = cost.steps - stream.packets;
    stream.steps = stream.packets + (stream.hops > 0 ? 1 : 0);
    stream.further_turns = program.runs(id) - 1;
    const std::int64_t all = broadcast ? broadcast->panels.count : reduce->panels.count;
    const std::int64_t late = late_steps(chips, round, stream.hops, all / chips);
    stream.late_first = all > 1 ? late * (stream.panels - 1) / (all - 1) : 0;
    stream.late_further = late - stream.late_first;
    return stream;
}

/// No more than `longest`.
Time at_most_longest(double picoseconds) {
    return picoseconds < static_cast<double>(OperationCost::longest.value())
               ? Time(static_cast<std::int64_t>(picoseconds))
               : OperationCost::longest;
}

Takes stream_time(const Streaming& stream, const OperationCost& cost) {
    const Time step = cost.sync + std::max(cost.transfer[0], cost.transfer[1]);
    const auto steps = static_cast<double>(stream.steps * stream.panels + cost.steps + stream.late_first +
                                           stream.late_further);
    const double in_all = static_cast<double>(step.value()) * steps +
                          static_cast<double>(cost.launch.value()) * static_cast<double>(stream.panels);
    if (in_all >= static_cast<double>(OperationCost::longest.value())) {
        return {OperationCost::longest, OperationCost::longest, OperationCost::longest};
    }
    const Time busy = (cost.launch + step * stream.steps) * stream.panels;
    return {busy + step * (stream.hops + stream.late_first - (stream.steps - stream.packets)),
            stream.further_turns == 0
                ? busy
                : busy + Time(step.value() * stream.late_further / stream.further_turns),
            (cost.launch + step * stream.packets) * stream.panels};
}

Takes time_of(const CondensedProgram& condensed, OperationId id, const OperationCost& cost) {
    if (is_stream(condensed.program.operations[id]) && cost.steps > 0) {
        return stream_time(streaming(condensed, id, cost), cost);
    }
    const Time time = cost.total(condensed.times[id]);
    return {time, time, time};
}

/// All that an operation stands for together. What no chip does takes no time.
Takes operation_time(const CondensedProgram& condensed, OperationId id, const Machine& hardware,
                     const Schedule& schedule) {
    const Operation& operation = condensed.program.operations[id];
    return engine_of(operation) >= engine_count
               ? Takes{}
               : time_of(condensed, id, longest_cost(condensed.program, operation, hardware, schedule));
}

/// The same of a stream, but no more than in any number of packets. u panels have h steps to go besides
/// those of their packets; in p packets each, of a p-th of the bytes, which last t, they take
///     (h + u p) (sync + t / p) = h sync + u t + u p sync + h t / p,
/// and the last two terms add up to at least twice the root of their product.
Takes least_stream_time(const CondensedProgram& condensed, OperationId id, const OperationCost& cost,
                        const Machine& hardware, const Schedule& schedule) {
    if (cost.steps == 0) {
        const Time time = cost.total(condensed.times[id]);
        return {time, time, time};
    }
    const Streaming stream = streaming(condensed, id, cost);
    const std::int64_t passed_on = (stream.steps - stream.packets) * (stream.panels - 1);
    const std::int64_t besides = stream.hops + stream.late_first + passed_on;
    // What halving and rounding may save is at most an element and half a picosecond a step.
    const auto axis = static_cast<Axis>(place(condensed.program.operations[id]));
    const Bandwidth rate = cost.rate[0].value() > 0
                               ? cost.rate[0]
                               : link_bandwidth(hardware.network, condensed.program.torus, axis);
    const Time rounding = Time(most_packets_tried + besides);
    const Time saved = Bytes(2 * element_bytes(schedule.type)) / rate + rounding;
    const Time t = std::max(Time(0), std::max(cost.transfer[0], cost.transfer[1]) - saved);
    const auto value = [](Time time) { return static_cast<double>(time.value()); };
    const auto panels = static_cast<double>(stream.panels);
    const double product = value(cost.sync) * value(t) * panels * static_cast<double>(besides);
    const double filling = std::max(panels * value(cost.sync), 2 * std::sqrt(product) - value(rounding));
    const double busy = panels * (value(cost.launch) + value(t));
    const double early = stream.further_turns == 0
                             ? 0
                             : static_cast<double>(std::min(std::int64_t{0}, stream.late_further)) /
                                   static_cast<double>(stream.further_turns);
    return {at_most_longest(busy + value(cost.sync) * static_cast<double>(besides) + filling),
            at_most_longest(busy + value(cost.sync) * (static_cast<double>(stream.steps) * panels + early)),
            at_most_longest(busy + value(cost.sync) * panels)};
}

/// Keeps the times of further turns only where they differ, and the least only where they are asked for: see
/// follows_streams().
void put(OperationTimes& times, OperationId id, const Takes& takes, Prefetch prefetch) {
    times.first[id] = takes.first;
    if (times.further.empty() && takes.first != takes.further) {
        times.further = times.first;
    }
    if (!times.further.empty()) {
        times.further[id] = takes.further;
    }
    if (prefetch.depth > 0) {
        return;
    }
    if (times.least.empty() && takes.first != takes.least) {
        times.least = times.first;
    }
    if (!times.least.empty()) {
        times.least[id] = takes.least;
    }
}

/// By what one chip that shares its memory takes more than one that does not.
LoopTime slowed(LoopTime time, const LoopTime& alone, const LoopTime& shared, std::int64_t iterations) {
    time.prologue += shared.prologue - alone.prologue;
    time.steady += shared.steady - alone.steady;
    time.total += shared.total - alone.total;
    time.epilogue = time.total - time.prologue - time.steady * (iterations - 1);
    time.slowed = shared.slowed;
    return time;
}

/// How many times as long the engines of that chip take for what they do.
Slower slower(const Program& program, const OperationTimes& times, const LoopTime& shared) {
    const std::vector<Time>& least = times.least.empty() ? times.first : times.least;
    std::array<Time, engine_count> work{};
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (const std::size_t engine = engine_of(program.operations[id]); engine < engine_count) {
            work[engine] += least[id] * program.runs(id);
        }
    }
    Slower slower{};
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        slower[engine] = work[engine] > Time(0) ? 1 + ratio(shared.slowed[engine], work[engine]) : 1;
    }
    return slower;
}

} // namespace

bool is_stream(const Operation& operation) {
    return std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
}

void set_packets(CondensedProgram& condensed, std::int64_t most) {
    Program& program = condensed.program;
    for (Operation& operation : program.operations) {
        if (auto* broadcast = std::get_if<Broadcast>(&operation)) {
            const std::int64_t panel = program.values[broadcast->result].elements() / broadcast->parts;
            broadcast->packets = stream_packets(panel, most);
        } else if (auto* reduce = std::get_if<Reduce>(&operation)) {
            const std::int64_t panel = program.values[reduce->source].elements() / reduce->parts;
            reduce->packets = stream_packets(panel, most);
        }
    }
}

CondensedProgram condensed(Program program) {
    CondensedProgram result;
    std::vector<Operation>& operations = program.operations;
    result.times.reserve(operations.size());
    OperationId kept = 0;
    const OperationId begin = program.loop_begin;
    const OperationId end = program.loop_end;
    for (std::size_t id = 0; id < operations.size(); ++id) {
        const bool region_starts = id == begin || id == end;
        if (region_starts) { // The loop's borders move with what is left out before them.
            (id == begin ? program.loop_begin : program.loop_end) = kept;
        }
        if (kept > 0 && !region_starts && both_alike(operations[kept - 1u], operations[id])) {
            ++result.times.back();
            continue;
        }
        if (kept != id) {
            operations[kept] = operations[id];
        }
        ++kept;
        result.times.push_back(1);
    }
    if (end == operations.size()) {
        program.loop_end = kept;
    }
    if (begin == operations.size()) {
        program.loop_begin = kept;
    }
    operations.erase(operations.begin() + kept, operations.end());
    result.program = std::move(program);
    return result;
}

OperationTimes operation_times(const CondensedProgram& condensed, const Machine& hardware,
                               const Schedule& schedule) {
    OperationTimes times{std::vector<Time>(condensed.times.size()), {}, {}};
    for (OperationId id = 0; id < condensed.times.size(); ++id) {
        put(times, id, operation_time(condensed, id, hardware, schedule), schedule.prefetch);
    }
    return times;
}

void cut_streams(CondensedProgram& condensed, std::int64_t most, StreamCosts& costs, OperationTimes& times) {
    for (OperationId id = 0; id < condensed.times.size(); ++id) {
        if (is_stream(condensed.program.operations[id])) {
            const OperationCost& cost = costs.cut(condensed, id, most);
            put(times, id, time_of(condensed, id, cost), costs.schedule().prefetch);
        }
    }
}

OperationTimes least_times_of_any_packets(CondensedProgram& condensed, StreamCosts& costs) {
    const Machine& hardware = costs.hardware();
    const Schedule& schedule = costs.schedule();
    OperationTimes times{std::vector<Time>(condensed.times.size()), {}, {}};
    for (OperationId id = 0; id < condensed.times.size(); ++id) {
        put(times, id,
            is_stream(condensed.program.operations[id])
                ? least_stream_time(condensed, id, costs.cut(condensed, id, 1), hardware, schedule)
                : operation_time(condensed, id, hardware, schedule),
            schedule.prefetch);
    }
    return times;
}

LinkTime link_time(const CondensedProgram& condensed, OperationId id, const OperationCost& cost) {
    if (is_stream(condensed.program.operations[id]) && cost.steps > 0) {
        const Streaming stream = streaming(condensed, id, cost);
        const std::int64_t packets = stream.panels * stream.packets;
        return {cost.launch * stream.panels, cost.sync * packets,
                std::max(cost.transfer[0], cost.transfer[1]) * packets, Time(0)};
    }
    return LinkTime{cost.all_launch(), cost.all_sync(), cost.all_transfer(), cost.all_copying()} *
           condensed.times[id];
}

double longest_seconds(const CondensedProgram& condensed, const OperationTimes& times) {
    double sum = 0;
    for (OperationId id = 0; id < times.first.size(); ++id) {
        sum += in_seconds(times.first[id]) * static_cast<double>(condensed.program.runs(id));
    }
    return sum;
}

Time least_total_time(const CondensedProgram& condensed, const OperationTimes& times, Prefetch prefetch) {
    const Program& program = condensed.program;
    if (prefetch.depth == 0 && follows_streams(condensed)) {
        // A chip multiplies and streams by turns.
        const std::vector<Time>& least = times.least.empty() ? times.first : times.least;
        std::array<Time, engine_count> work{};
        for (OperationId id = 0; id < program.operations.size(); ++id) {
            if (const std::size_t engine = engine_of(program.operations[id]); engine < engine_count) {
                work[engine] += least[id] * program.runs(id);
            }
        }
        return work[core_engine] + *std::max_element(work.begin(), work.begin() + core_engine);
    }
    if (differs_by_chip(program)) {
        // Links are alone for half of what they take among others, and one of two skews is as long as both.
        std::array<Time, engine_count> work{};
        for (OperationId id = 0; id < program.operations.size(); ++id) {
            if (const std::size_t engine = engine_of(program.operations[id]); engine < engine_count) {
                work[engine] += times.first[id] * program.runs(id);
            }
        }
        const Time links = *std::max_element(work.begin(), work.begin() + core_engine);
        return std::max(work[core_engine], Time(links.value() / 2));
    }
    boost::container::small_vector<Time, 16> there(
        program.values.size()); // When what is written of a value so far is there.
    Engines engines;
    // What an engine works in all, from when it can begin.
    std::array<Time, engine_count> busy{};
    std::array<bool, engine_count> begun{};
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        Time start;
        for (const ValueId value : reads(operation)) {
            start = std::max(start, there[value]);
        }
        start = engines.run(operation, times.first[id], start);
        const Time end = start + times.first[id];
        if (const std::size_t engine = engine_of(operation); engine < engine_count) {
            busy[engine] += begun[engine] ? Time(0) : start;
            busy[engine] += times.first[id] + times.of_further_turns()[id] * (program.runs(id) - 1);
            begun[engine] = true;
        }
        Time& written = there[writes(operation)];
        written = writes_a_part(operation) ? std::max(written, end) : end;
    }
    if (follows_turns(program, times.first)) {
        return std::max(engines.last(), *std::ranges::max_element(busy));
    }
    return engines.last() + busiest_in_loop(program, times.of_further_turns()) * (program.iterations - 1);
}

std::vector<Dependency> condensed_dependencies(const CondensedProgram& condensed, Prefetch prefetch) {
    const bool joined = std::any_of(condensed.times.begin(), condensed.times.end(),
                                    [](std::int64_t times) { return times > 1; });
    if (!joined) {
        return dependencies(condensed.program, prefetch);
    }
    Program whole = condensed.program;
    for (Operation& operation : whole.operations) {
        if (auto* broadcast = std::get_if<Broadcast>(&operation)) {
            broadcast->parts = 1; // All its parts together write the whole value.
        }
    }
    return dependencies(whole, prefetch);
}

LoopTime loop_time(const CondensedProgram& condensed, const OperationTimes& times,
                   const std::vector<Dependency>& needs, const Machine& hardware, const Schedule& schedule,
                   Waves waves) {
    return *loop_time_within(condensed, times, needs, hardware, schedule, waves, OperationCost::longest);
}

std::optional<LoopTime> loop_time_within(const CondensedProgram& condensed, const OperationTimes& times,
                                         const std::vector<Dependency>& needs, const Machine& hardware,
                                         const Schedule& schedule, Waves waves, Time most) {
    const Program& program = condensed.program;
    std::optional<LoopTime> shared;
    if (tiled(schedule, hardware)) {
        const Bandwidth memory = hardware.hbm_bandwidth.value;
        const std::vector<Stages> all = stages(condensed, times, hardware, schedule);
        if (shares_memory(program, all, memory)) {
            shared = run_sharing_memory(program, all, needs, memory);
        }
    }
    if (follows_streams(condensed) && (waves == Waves::followed || schedule.prefetch.depth == 0)) {
        // Waves are those of what the memory has slowed.
        std::optional<LoopTime> walked = loop_time_of_streams(
            condensed, hardware, schedule, needs, shared ? slower(program, times, *shared) : Slower{}, most);
        if (walked && shared) {
            walked->slowed = shared->slowed;
        }
        return walked;
    }
    if (!differs_by_chip(program)) {
        return shared ? *shared : loop_time(program, times, needs);
    }
    const LoopTime walked = loop_time_chip_by_chip(condensed, hardware, schedule, needs);
    return shared ? slowed(walked, loop_time(program, times, needs), *shared, program.iterations) : walked;
}

} // namespace meshslice
