#include "core/estimate/stages.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"

#include <algorithm>
#include <variant>

namespace meshslice {
namespace {

bool is_stream(const Operation& operation) {
    return std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
}

/// Several steps, between them so much in all.
void add_alike(std::vector<Stage>& stages, std::int64_t steps, Time between, const Stage& step) {
    const std::int64_t groups = std::min(steps, most_steps_apart);
    for (std::int64_t group = 0; group < groups; ++group) {
        const auto part = [&](std::int64_t all) { return all * (group + 1) / groups - all * group / groups; };
        stages.push_back({Time(part(between.value())), step.alone * part(steps), step.rate, step.weight});
    }
}

bool is_on_line(const Program& program, const Operation& operation) {
    return !program.torus.wraps(static_cast<Axis>(place(operation)));
}

/// Of a gather or a scatter.
void add_steps_on_line(std::vector<Stage>& stages, const Program& program, const Operation& operation,
                       const OperationCost& cost, const Hardware& hardware) {
    const auto axis = static_cast<Axis>(place(operation));
    const double link = link_bandwidth(hardware.network, program.torus, axis).value();
    const double memory = hardware.hbm_bandwidth.value.value();
    const double bytes = in_seconds(cost.transfer[0]) * cost.rate[0].value();
    const std::int32_t both_ways = steps_both_ways(program.torus.size(axis));
    const std::size_t first = stages.size();
    const auto add = [&](std::int64_t steps, std::int64_t ways) {
        const auto weight = static_cast<double>(ways * (cost.reads + 1));
        const double rate = std::min(link, memory / weight);
        // The chips in the middle have nothing to do while chunks go one way, near the ends.
        const bool here = ways == 2 || both_ways == 0;
        add_alike(stages, steps, cost.sync * steps,
                  {{}, seconds(bytes / rate), here ? rate : 0, here ? weight : 0});
    };
    const bool gathers = std::holds_alternative<AllGather>(operation);
    add(gathers ? both_ways : cost.steps - both_ways, gathers ? 2 : 1);
    add(gathers ? cost.steps - both_ways : both_ways, gathers ? 1 : 2);
    stages[first].before += cost.launch;
}

/// The steps of all launches, several together where there are many. `panels`: of a stream.
void add_steps(std::vector<Stage>& stages, const Program& program, const Operation& operation,
               const OperationCost& cost, const LinkTime& links, std::int64_t panels,
               const Hardware& hardware) {
    const double rate = std::max(cost.rate[0].value(), cost.rate[1].value());
    const Time transfer = std::max(cost.transfer[0], cost.transfer[1]);
    if (is_on_line(program, operation) && !is_stream(operation)) {
        add_steps_on_line(stages, program, operation, cost, hardware);
        return;
    }
    std::int64_t steps = transfer > Time(0) ? links.transfer.value() / transfer.value() : 1;
    // Bytes of the memory for each byte that a link carries.
    double weight = rate > 0 ? cost.memory_per_second() / rate : 1;
    if (is_stream(operation)) {
        // Its packets pass a chip one way, and are passed on a step after they came.
        const std::int64_t packets = steps;
        steps += cost.steps * panels > packets ? panels : 0;
        weight = static_cast<double>((cost.reads + 1) * packets) / static_cast<double>(steps);
    }
    const bool launched_once = links.launch == cost.launch;
    const std::size_t first = stages.size();
    add_alike(stages, steps, cost.sync * steps + (launched_once ? Time(0) : links.launch),
              {{}, transfer, rate, weight});
    stages[first].before += launched_once ? links.launch : Time(0);
}

Stages stages_of(const CondensedProgram& condensed, OperationId id, const OperationTimes& times,
                 const Hardware& hardware, const Schedule& schedule) {
    const Operation& operation = condensed.program.operations[id];
    Stages found;
    const std::size_t engine = engine_of(operation);
    if (engine >= engine_count || times.first[id] == Time(0)) {
        return found;
    }
    const OperationCost cost = longest_cost(condensed.program, operation, hardware, schedule);
    if (engine == core_engine) {
        const double seconds = in_seconds(std::max(cost.compute, Time(1)));
        found.stages.push_back(
            {cost.launch, cost.compute, static_cast<double>(cost.memory.value()) / seconds, 1});
    } else {
        const auto copy = [&](std::size_t side) {
            if (cost.copying[side] > Time(0)) {
                found.stages.push_back(
                    {Time(0), cost.copying[side], hardware.hbm_bandwidth.value.value(), 1});
            }
        };
        copy(0);
        add_steps(found.stages, condensed.program, operation, cost, link_time(condensed, id, cost),
                  condensed.times[id], hardware);
        copy(1);
    }
    Time alone;
    for (const Stage& stage : found.stages) {
        alone += stage.before + stage.alone;
    }
    found.wait = std::max(Time(0), times.first[id] - alone);
    found.further_wait = std::max(Time(0), times.of_further_turns()[id] - alone);
    return found;
}

} // namespace

std::vector<Stages> stages(const CondensedProgram& condensed, const OperationTimes& times,
                           const Hardware& hardware, const Schedule& schedule) {
    std::vector<Stages> all;
    all.reserve(condensed.times.size());
    for (OperationId id = 0; id < condensed.times.size(); ++id) {
        all.push_back(stages_of(condensed, id, times, hardware, schedule));
    }
    return all;
}

} // namespace meshslice
