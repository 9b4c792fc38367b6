#include "core/estimate/estimate.h"

#include "core/estimate/all_reduced_gemm.h"
#include "core/estimate/closed_form.h"
#include "core/estimate/condensed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace meshslice {
namespace {

/// In the steady state a communication overlaps the multiplication of another iteration and hides behind
/// it as far as that reaches. In the first iteration (or the last) it has none to hide behind, unless a
/// multiplication before or after the loop stands in; nor has it without a buffer to run ahead.
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

/// What GEMMs do to the collectives that they feed.
struct Feeding {
    Time later;  ///< than the longer of the two by itself; below 0 where tiles leave before a chunk is made
    Time hidden; ///< of the collectives, by the GEMMs, at most
};

/// By the closed forms of fused_time(). No more hides than the collective, or than the GEMM as the ring
/// stretches it.
Feeding feeding(const Program& program, const Hardware& hardware, const Schedule& schedule) {
    Feeding sum;
    for (const Fusion& fusion : program.fusions) {
        const Operation& producer = program.operations[fusion.producer];
        const Operation& collective = program.operations[fusion.collective];
        const Time making = operation_cost(program, producer, hardware, schedule).total();
        const Time moving = operation_cost(program, collective, hardware, schedule).total();
        const std::int64_t runs = program.runs(fusion.collective);
        const AllReducedGemm gemm{std::get<Multiply>(producer).shape,
                                  program.torus.size(static_cast<Axis>(place(collective))), schedule.type};
        const auto times = all_reduce_times(gemm, hardware);
        const auto together = fused_time(gemm, hardware, schedule.arbitration);
        if (times && together) {
            const Time end = seconds(*together - times->gather);
            sum.later += (end - std::max(making, moving)) * runs;
            sum.hidden += std::min(moving, end) * runs;
        }
    }
    return sum;
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

double longest_seconds(const Program& program, const Hardware& hardware, const Schedule& schedule) {
    double sum = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Time once = longest_cost(program, program.operations[id], hardware, schedule).total();
        sum += in_seconds(once) * static_cast<double>(program.runs(id));
    }
    return sum;
}

Estimate estimate(const CondensedProgram& condensed, const LoopTime& loop, const Hardware& hardware,
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
    const Feeding fed = feeding(program, hardware, schedule);
    result.epilogue += fed.later;
    result.total += fed.later;
    result.compute = result.busy[core_engine];
    result.exposed = result.total - result.compute;
    result.overlapped = overlapped(program, of_one_iteration, schedule.prefetch) + fed.hidden;
    return result;
}

Estimate estimate(const Program& program, const Hardware& hardware, const Schedule& schedule) {
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
