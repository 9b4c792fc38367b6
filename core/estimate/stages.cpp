#include "core/estimate/stages.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace meshslice {
namespace {

/// Adds a number of equal steps, in groups where there are many. `between`: the time without memory of all of
/// them together.
void add_alike(std::vector<Stage>& stages, std::int64_t steps, Time between, const Stage& step) {
    const std::int64_t groups = std::min(steps, most_steps_apart);
    for (std::int64_t group = 0; group < groups; ++group) {
        const auto part = [&](std::int64_t all) { return all * (group + 1) / groups - all * group / groups; };
        stages.push_back(
            {Time(part(between.value())), step.alone * part(steps), step.rate, step.weight, step.busier});
    }
}

bool is_on_line(const Program& program, const Operation& operation) {
    return !program.torus.wraps(static_cast<Axis>(place(operation)));
}

/// Of a gather or a scatter, as a chip in the middle of the line takes part in it: after its own chunks and
/// those that it passes on, others still pass theirs on to the ends. A scatter is a gather backwards.
void add_steps_on_line(std::vector<Stage>& stages, const Program& program, const Operation& operation,
                       const OperationCost& cost, const Machine& hardware) {
    const auto axis = static_cast<Axis>(place(operation));
    const double link = link_bandwidth(hardware.network, program.torus, axis).value();
    const double memory = hardware.hbm_bandwidth.value.value();
    const double bytes = in_seconds(cost.transfer[0]) * cost.rate[0].value();
    const std::int32_t chips = program.torus.size(axis);
    const std::int32_t before = (chips - 1) / 2; // Chips before it, and
    const std::int32_t behind = chips - 1 - before;
    const bool gathers = std::holds_alternative<AllGather>(operation);
    const auto weight = [&](std::int32_t step) {
        const std::int32_t k = gathers ? step : cost.steps - 1 - step;
        const int sends = (k <= before ? 1 : 0) + (before > 0 && k <= behind ? 1 : 0);
        const int receives = (k < before ? 1 : 0) + (k < behind ? 1 : 0);
        return static_cast<double>(gathers ? cost.reads * sends + receives : cost.reads * receives + sends);
    };
    // Of the chips that are passed at most; at the ends a chunk only leaves, or only arrives.
    const auto most = [&](std::int32_t step) {
        const std::int32_t at_ends = gathers ? cost.steps - 1 : 0;
        return std::max(weight(step), static_cast<double>(cost.reads + (step == at_ends ? 0 : 1)));
    };
    const std::size_t first = stages.size();
    for (std::int32_t begin = 0, end = 0; begin < cost.steps; begin = end) {
        const double here = weight(begin);
        while (end < cost.steps && weight(end) == here && most(end) == most(begin)) {
            ++end;
        }
        const double rate = std::min(link, memory / most(begin));
        add_alike(stages, end - begin, cost.sync * (end - begin),
                  {{}, seconds(bytes / rate), here > 0 ? rate : 0, here});
    }
    stages[first].before += cost.launch;
}

/// The steps of all launches, several together where there are many. `panels`: of a stream.
void add_steps(std::vector<Stage>& stages, const Program& program, const Operation& operation,
               const OperationCost& cost, const LinkTime& links, std::int64_t panels,
               const Machine& hardware) {
    const double rate = std::max(cost.rate[0].value(), cost.rate[1].value());
    const Time transfer = std::max(cost.transfer[0], cost.transfer[1]);
    const bool exchanges =
        std::holds_alternative<AllToAll>(operation); // in the middle of a line all the time
    if (is_on_line(program, operation) && !is_stream(operation) && !exchanges) {
        add_steps_on_line(stages, program, operation, cost, hardware);
        return;
    }
    std::int64_t steps = transfer > Time(0) ? links.transfer.value() / transfer.value() : 1;
    double weight = cost.memory_mean;
    if (is_stream(operation)) {
        // Its packets pass a chip one way, and are passed on a step after they came, if anyone does.
        const std::int64_t packets = steps;
        steps += cost.steps * panels > packets ? panels : 0;
        weight *= static_cast<double>(packets) / static_cast<double>(steps);
    }
    const bool launched_once = links.launch == cost.launch;
    const std::size_t first = stages.size();
    const double most = hardware.hbm_bandwidth.value.value() / std::max(rate, 1.0);
    add_alike(stages, steps, cost.sync * steps + (launched_once ? Time(0) : links.launch),
              {{}, transfer, rate, std::min(weight, most), std::min(cost.memory_each, most)});
    stages[first].before += launched_once ? links.launch : Time(0);
}

Stages stages_of(const CondensedProgram& condensed, OperationId id, const OperationTimes& times,
                 const Machine& hardware, const Schedule& schedule) {
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
    // On a line of three some panels are not passed on.
    const Time least = std::min({alone, times.first[id], times.of_further_turns()[id]});
    for (Stage& stage : found.stages) {
        const auto shortened = [&](Time time) {
            return Time(std::llround(static_cast<double>(time.value()) * ratio(least, alone)));
        };
        stage.before = shortened(stage.before);
        stage.alone = shortened(stage.alone);
    }
    found.wait = times.first[id] - least;
    found.further_wait = times.of_further_turns()[id] - least;
    if (engine != core_engine) {
        found.waiting = {{}, {}, std::max(cost.rate[0].value(), cost.rate[1].value()), 0, cost.memory_each};
        const Time transfer = std::max(cost.transfer[0], cost.transfer[1]);
        found.waiting_moves = ratio(transfer, cost.sync + transfer);
    }
    return found;
}

} // namespace

std::vector<Stages> stages(const CondensedProgram& condensed, const OperationTimes& times,
                           const Machine& hardware, const Schedule& schedule) {
    std::vector<Stages> all;
    all.reserve(condensed.times.size());
    for (OperationId id = 0; id < condensed.times.size(); ++id) {
        all.push_back(stages_of(condensed, id, times, hardware, schedule));
    }
    return all;
}

} // namespace meshslice
