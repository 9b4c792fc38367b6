#include "core/estimate/stages.h"

#include "core/cost/operation_cost.h"

#include <algorithm>
#include <variant>

namespace meshslice {
namespace {

bool is_stream(const Operation& operation) {
    return std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
}

/// Bytes of the memory for each byte that a link of the faster direction carries.
double memory_weight(const Operation& operation, const OperationCost& cost, double rate) {
    if (is_stream(operation)) { // Its packets pass a chip one way.
        return static_cast<double>(cost.reads + 1);
    }
    return rate > 0 ? cost.memory_per_second() / rate : 1;
}

/// The steps of all launches, several together where there are many.
void add_steps(std::vector<Stage>& stages, const Operation& operation, const OperationCost& cost,
               const LinkTime& links) {
    const double rate = std::max(cost.rate[0].value(), cost.rate[1].value());
    const double weight = memory_weight(operation, cost, rate);
    const Time transfer = std::max(cost.transfer[0], cost.transfer[1]);
    const std::int64_t steps = transfer > Time(0) ? links.transfer.value() / transfer.value() : 1;
    const std::int64_t groups = std::min(steps, most_steps_apart);
    const bool launched_once = links.launch == cost.launch;
    const Time between = launched_once ? links.sync : links.sync + links.launch;
    for (std::int64_t group = 0; group < groups; ++group) {
        const auto part = [&](Time all) {
            return Time(all.value() * (group + 1) / groups - all.value() * group / groups);
        };
        const Time launch = launched_once && group == 0 ? links.launch : Time(0);
        const std::int64_t together = steps * (group + 1) / groups - steps * group / groups;
        stages.push_back({launch + part(between), transfer * together, rate, weight});
    }
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
        add_steps(found.stages, operation, cost, link_time(condensed, id, cost));
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
