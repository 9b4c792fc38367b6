#include "core/estimate/estimate.h"

#include "core/estimate/closed_form.h"
#include "core/estimate/condensed.h"
#include "core/estimate/staged_contention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace meshslice {
namespace {

/// In the steady state a communication overlaps the multiplication of another iteration and hides behind
/// it as far as that reaches. In the first iteration (or the last) it has none to hide behind, unless a
/// multiplication before or after the loop stands in, and without a buffer to run ahead it never has one.
Time overlapped(const Program& program, const std::array<Time, engine_count>& of_one_iteration,
                Prefetch prefetch) {
    bool stands_in = false;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        stands_in = stands_in || (!program.in_loop(id) && place(program.operations[id]) == Place::core);
    }
    const bool loops = program.loop_begin != program.loop_end;
    const std::int64_t turns = loops ? program.iterations - (stands_in ? 0 : 1) : 0;
    const Time core = of_one_iteration[core_engine];
    Time hidden;
    for (std::size_t axis = 0; axis < core_engine; ++axis) {
        hidden += std::min(of_one_iteration[axis], core);
    }
    return prefetch.depth == 0 ? Time(0) : hidden * turns;
}

} // namespace

LinkTime& LinkTime::operator+=(const LinkTime& other) {
    launch += other.launch;
    sync += other.sync;
    transfer += other.transfer;
    copy += other.copy;
    return *this;
}

Error too_long(const GemmShape& shape, double seconds) {
    return {fmt::format("The GEMM {} could take {:.1e} s; times of up to a day are counted, so take more "
                        "chips, fewer slices or a smaller GEMM.",
                        text(shape), seconds)};
}

double longest_seconds(const Program& program, const Machine& hardware, const Schedule& schedule) {
    double sum = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Time once = longest_cost(program, program.operations[id], hardware, schedule).total();
        sum += in_seconds(once) * static_cast<double>(program.runs(id));
    }
    return sum;
}

Estimate estimate(const CondensedProgram& condensed, const LoopTime& loop, const Machine& hardware,
                  const Schedule& schedule) {
    const Program& program = condensed.program;
    Estimate result;
    result.prologue = loop.prologue;
    result.steady = loop.steady;
    result.epilogue = loop.epilogue;
    result.total = loop.total;
    std::array<Time, engine_count> of_one_iteration{};
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        const OperationCost cost = longest_cost(program, operation, hardware, schedule);
        const std::size_t engine = engine_of(operation);
        if (engine < core_engine) {
            result.links[engine] += link_time(condensed, id, cost) * program.runs(id);
        }
        if (engine < engine_count) {
            const Time once = engine == core_engine ? cost.total(condensed.times[id])
                                                    : link_time(condensed, id, cost).total();
            result.busy[engine] += once * program.runs(id);
            of_one_iteration[engine] += program.in_loop(id) ? once : Time(0);
        }
    }
    for (const LinkTime& part : result.links) {
        result.launch += part.launch;
        result.sync += part.sync;
        result.transfer += part.transfer;
        result.copy += part.copy;
    }
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        result.busy[engine] += loop.slowed[engine];
    }
    const Contention contention = staged_contention(program, loop.steady, hardware, schedule);
    result.steady += contention.each_turn;
    result.epilogue += contention.at_the_end;
    result.total += contention.each_turn * (program.iterations - 1) + contention.at_the_end;
    result.busy[core_engine] += contention.each_turn * (program.iterations - 1);
    result.compute = result.busy[core_engine];
    result.exposed = result.total - result.compute;
    result.overlapped = overlapped(program, of_one_iteration, schedule.prefetch) + contention.hidden;
    return result;
}

Estimate estimate(const Program& program, const Machine& hardware, const Schedule& schedule) {
    if (!program.fusions.empty() && !staged(schedule, hardware)) {
        // Nothing is fed where GEMMs are not made in stages: the collective waits for all of its GEMM.
        Program apart = program;
        apart.fusions.clear();
        return estimate(apart, hardware, schedule);
    }
    const CondensedProgram all = condensed(program);
    const LoopTime loop =
        loop_time(all, operation_times(all, hardware, schedule),
                  condensed_dependencies(all, schedule.prefetch), hardware, schedule, Waves::followed);
    return estimate(all, loop, hardware, schedule);
}

} // namespace meshslice
