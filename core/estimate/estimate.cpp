#include "core/estimate/estimate.h"

#include "core/cost/contention.h"
#include "core/estimate/closed_form.h"
#include "core/program/dependencies.h"

#include <algorithm>
#include <array>
#include <vector>

namespace meshslice {
namespace {

/// When the first multiplication of the loop (or, without a loop, of all) may start.
Time first_multiplication(const Program& program, const FirstPass& pass) {
    const OperationId from = program.loop_begin;
    for (OperationId id = from; id < program.operations.size(); ++id) {
        if (place(program.operations[id]) == Place::core) {
            return pass.start[id];
        }
    }
    return pass.last_end;
}

/// In the steady state a communication runs beside the multiplication of another iteration and hides behind
/// it as far as that reaches. In the first iteration (or the last) it has none to hide behind, unless a
/// multiplication before or after the loop stands in; nor has it without a buffer to run ahead.
Time overlapped(const Program& program, const std::vector<OperationCost>& costs, Prefetch prefetch) {
    std::array<Time, engine_count> of_one_iteration{};
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        if (engine_of(program.operations[id]) < engine_count) {
            of_one_iteration[engine_of(program.operations[id])] += costs[id].total();
        }
    }
    bool stands_in = false;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        stands_in = stands_in || (!program.in_loop(id) && place(program.operations[id]) == Place::core);
    }
    const bool loops = program.loop_begin != program.loop_end;
    const std::int64_t times = loops ? program.iterations - (stands_in ? 0 : 1) : 0;
    const Time core = of_one_iteration[core_engine];
    Time hidden;
    for (std::size_t axis = 0; axis < core_engine; ++axis) {
        hidden += std::min(of_one_iteration[axis], core);
    }
    return prefetch.depth == 0 ? Time(0) : hidden * times;
}

} // namespace

double longest_seconds(const Program& program, const Hardware& hardware, const Schedule& schedule) {
    double sum = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Time once = longest_cost(program, program.operations[id], hardware, schedule).total();
        sum += in_seconds(once) * static_cast<double>(program.runs(id));
    }
    return sum;
}

Estimate estimate(const Program& program, const Hardware& hardware, const Schedule& schedule) {
    Estimate result;
    std::vector<OperationCost> costs;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        costs.push_back(longest_cost(program, operation, hardware, schedule));
        const OperationCost& cost = costs.back();
        const std::int64_t runs = program.runs(id);
        if (engine_of(operation) < engine_count) {
            result.busy[engine_of(operation)] += cost.total() * runs;
        }
        if (place(operation) == Place::core) {
            result.compute += cost.total() * runs;
        } else {
            result.launch += cost.all_launch() * runs;
            result.sync += cost.all_sync() * runs;
            result.transfer += cost.all_transfer() * runs;
            result.copy += cost.all_copying() * runs;
        }
    }
    std::vector<Time> times;
    for (const OperationCost& cost : costs) {
        times.push_back(cost.total());
    }
    const std::vector<Dependency> needs = dependencies(program, schedule.prefetch);
    const FirstPass pass = first_pass(program, times, needs);
    if (program.iterations > 1) {
        std::vector<Time> slowed = times;
        if (schedule.prefetch.depth > 0) {
            const std::vector<Time> slower = contention(program, costs, {}, hardware);
            for (std::size_t id = 0; id < slower.size(); ++id) {
                slowed[id] += slower[id];
                result.compute += slower[id] * (program.iterations - 1);
                result.busy[core_engine] += slower[id] * (program.iterations - 1);
            }
        }
        result.steady = steady_time(program, slowed, needs);
    }
    result.prologue = first_multiplication(program, pass);
    result.epilogue = pass.last_end - result.prologue;
    result.total = pass.last_end + result.steady * (program.iterations - 1);
    result.exposed = result.total - result.compute;
    result.overlapped = overlapped(program, costs, schedule.prefetch);
    return result;
}

} // namespace meshslice
