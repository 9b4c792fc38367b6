#include "core/estimate/condensed.h"

#include "core/cost/contention.h"
#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/program/writer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// Whether two operations in a row are panels of one stream.
bool alike(const Operation& one, const Operation& next) {
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

bool streams(const Operation& operation) {
    return std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
}

/// All that an operation stands for together. What is done by nobody takes no time.
Time operation_time(const CondensedProgram& condensed, OperationId id, const Hardware& hardware,
                    const Schedule& schedule) {
    const Operation& operation = condensed.program.operations[id];
    return engine_of(operation) >= engine_count
               ? Time(0)
               : longest_cost(condensed.program, operation, hardware, schedule).total(condensed.times[id]);
}

/// The same of a stream, but no more than in any number of packets. Written in one packet it takes L steps;
/// in p it takes L + p - 1, each of a p-th of the bytes, which together last t:
///     (L + p - 1) (sync + t / p) = (L - 1) sync + t + p sync + (L - 1) t / p,
/// and the last two terms add up to at least twice the root of their product.
Time least_stream_time(const CondensedProgram& condensed, OperationId id, const Hardware& hardware,
                       const Schedule& schedule) {
    const OperationCost cost =
        longest_cost(condensed.program, condensed.program.operations[id], hardware, schedule);
    if (cost.steps == 0) {
        return cost.total(condensed.times[id]);
    }
    // What halving and rounding may save is at most an element, twice where a ring is folded, and half a
    // picosecond a step.
    const auto axis = static_cast<Axis>(place(condensed.program.operations[id]));
    const Bandwidth rate = cost.rate[0].value() > 0
                               ? cost.rate[0]
                               : link_bandwidth(hardware.network, condensed.program.torus, axis);
    const Time rounding = Time(most_packets_tried + cost.steps);
    const Time saved = Bytes(2 * element_bytes(schedule.type)) / rate + rounding;
    const Time t = std::max(Time(0), std::max(cost.transfer[0], cost.transfer[1]) - saved);
    const std::int64_t further = cost.steps - 1;
    const double product = static_cast<double>(cost.sync.value()) * static_cast<double>(t.value()) *
                           static_cast<double>(further);
    const Time filling =
        std::max(cost.sync, Time(static_cast<std::int64_t>(2 * std::sqrt(product))) - rounding);
    const Time least = cost.launch + cost.sync * further + t + filling;
    const auto times = static_cast<double>(condensed.times[id]);
    return static_cast<double>(least.value()) * times < static_cast<double>(OperationCost::longest.value())
               ? least * condensed.times[id]
               : OperationCost::longest;
}

} // namespace

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
        if (kept > 0 && !region_starts && alike(operations[kept - 1u], operations[id])) {
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

std::vector<Time> operation_times(const CondensedProgram& condensed, const Hardware& hardware,
                                  const Schedule& schedule) {
    std::vector<Time> times(condensed.times.size());
    for (OperationId id = 0; id < times.size(); ++id) {
        times[id] = operation_time(condensed, id, hardware, schedule);
    }
    return times;
}

void renew_stream_times(const CondensedProgram& condensed, const Hardware& hardware, const Schedule& schedule,
                        std::vector<Time>& times) {
    for (OperationId id = 0; id < times.size(); ++id) {
        if (streams(condensed.program.operations[id])) {
            times[id] = operation_time(condensed, id, hardware, schedule);
        }
    }
}

std::vector<Time> least_times_of_any_packets(const CondensedProgram& condensed, const Hardware& hardware,
                                             const Schedule& schedule) {
    std::vector<Time> times(condensed.times.size());
    for (OperationId id = 0; id < times.size(); ++id) {
        times[id] = streams(condensed.program.operations[id])
                        ? least_stream_time(condensed, id, hardware, schedule)
                        : operation_time(condensed, id, hardware, schedule);
    }
    return times;
}

double longest_seconds(const CondensedProgram& condensed, const std::vector<Time>& times) {
    double sum = 0;
    for (OperationId id = 0; id < times.size(); ++id) {
        sum += in_seconds(times[id]) * static_cast<double>(condensed.program.runs(id));
    }
    return sum;
}

Time least_total_time(const CondensedProgram& condensed, const std::vector<Time>& times) {
    const Program& program = condensed.program;
    std::vector<Time> there(program.values.size()); // When what is written of a value so far is there.
    Engines engines;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        Time start;
        for (const ValueId value : reads(operation)) {
            start = std::max(start, there[value]);
        }
        const Time end = engines.run(operation, times[id], start) + times[id];
        Time& written = there[writes(operation)];
        written = writes_a_part(operation) ? std::max(written, end) : end;
    }
    return engines.last() + busiest_in_loop(program, times) * (program.iterations - 1);
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

std::vector<Time> slower_times(const CondensedProgram& condensed, const Hardware& hardware,
                               const Schedule& schedule) {
    if (!tiled(schedule, hardware) || schedule.prefetch.depth == 0) {
        return {};
    }
    std::vector<OperationCost> costs;
    for (const Operation& operation : condensed.program.operations) {
        costs.push_back(longest_cost(condensed.program, operation, hardware, schedule));
    }
    return contention(condensed.program, costs, condensed.times, hardware);
}

} // namespace meshslice
