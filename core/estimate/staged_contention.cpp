#include "core/estimate/staged_contention.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/cost/workgroup_product.h"
#include "core/estimate/all_reduced_gemm.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <optional>

namespace meshslice {
namespace {

/// Seconds of the whole memory that one turn of the loop's collectives takes where no GEMM feeds them.
double links_in_memory(const Program& program, const Machine& hardware, const Schedule& schedule) {
    double bytes = 0;
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const Operation& operation = program.operations[id];
        const auto moves = communication(program, operation, schedule.ring);
        if (!moves || program.fusion_of(id) != nullptr) {
            continue;
        }
        const auto [sends, receives] = staged_accesses(operation, *moves, hardware, schedule);
        for (const Direction direction : both_directions) {
            bytes += (sends + receives) *
                     static_cast<double>(moves->step_bytes(direction, schedule.type).value()) *
                     moves->sending_steps(direction, 0).count() * moves->repeats;
        }
        bytes +=
            static_cast<double>(operation_cost(program, operation, hardware, schedule).copied[1].value());
    }
    return bytes / hardware.hbm_bandwidth.value.value();
}

/// A GEMM whose memory is `left` to it and its ring, of 1.
double gemm_with(double left, const Multiply& multiply, const Machine& hardware, const Schedule& schedule) {
    const WorkgroupProduct product =
        workgroup_product(multiply.shape, hardware, schedule.type, schedule.units_for_communication);
    const double memory = hardware.hbm_bandwidth.value.value();
    const double alone =
        std::max(product.compute, product.read_bytes / memory) + product.written_bytes / memory;
    switch (schedule.arbitration) {
    case MemoryPolicy::ideal: return alone;
    case MemoryPolicy::round_robin: return alone / left; // It stands still for the links' share.
    case MemoryPolicy::communication_aware:
    case MemoryPolicy::compute_first: break;
    }
    return std::max(product.compute, product.read_bytes / (memory * left)) +
           product.written_bytes / (memory * left);
}

/// The hardware as one ring of it, along `axis`, with so much of its memory and without these units.
Machine as_a_ring(const Machine& hardware, const Torus& torus, Axis axis, double left,
                  std::int64_t units_taken) {
    Machine ring = hardware;
    ring.cores.value -= units_taken;
    for (Sourced<FlopRate>& peak : ring.peak.of) {
        peak.value = FlopRate(peak.value.value() * static_cast<double>(ring.cores.value) /
                              static_cast<double>(hardware.cores.value));
    }
    TorusLinks links = hardware.network.torus_links(0);
    links.bandwidth.value = link_bandwidth(hardware.network, torus, axis);
    ring.network = torus_network(1, links);
    ring.hbm_bandwidth.value = Bandwidth(left * hardware.hbm_bandwidth.value.value());
    return ring;
}

/// A GEMM and the collective that it feeds, in seconds.
struct Fed {
    double gemm = 0; ///< while the ring uses its memory
    double ring = 0; ///< while the GEMM does
    double end = 0;  ///< of both
};

std::optional<Fed> fed_with(double left, const Program& program, const Fusion& fusion,
                            const Machine& hardware, const Schedule& schedule) {
    const auto axis = static_cast<Axis>(place(program.operations[fusion.collective]));
    const Machine ring = as_a_ring(hardware, program.torus, axis, left, schedule.units_for_communication);
    const AllReducedGemm gemm{std::get<Multiply>(program.operations[fusion.producer]).shape,
                              program.torus.size(axis), schedule.type, fusion.order};
    const auto times = all_reduce_times(gemm, ring);
    const auto together = fused_time(gemm, ring, schedule.arbitration);
    const auto made = feeding_gemm_time(gemm, ring, schedule.arbitration);
    if (!times || !together || !made) {
        return std::nullopt;
    }
    // Under round robin it stands still for the links' share of the time, too.
    const double stands =
        schedule.arbitration == MemoryPolicy::round_robin ? times->compute * (1 / left - 1) : 0;
    // Under compute first the ring does while the GEMM writes.
    const double writes = schedule.arbitration == MemoryPolicy::compute_first ? *made - times->compute : 0;
    return Fed{*made + stands, times->scatter_near_memory + writes, *together - times->gather + stands};
}

/// What links leave of the memory when a turn takes so long; some of it always.
double left_by_links(double in_memory, double turn, MemoryPolicy policy) {
    constexpr double least = 0.1;
    return policy == MemoryPolicy::ideal || turn <= 0 ? 1.0 : std::max(least, 1 - in_memory / turn);
}

} // namespace

Contention staged_contention(const Program& program, Time steady, const Machine& hardware,
                             const Schedule& schedule) {
    Contention sum;
    if (!staged(schedule, hardware)) {
        return sum;
    }
    const bool loops = program.iterations > 1 && program.loop_begin != program.loop_end;
    const double in_memory = loops ? links_in_memory(program, hardware, schedule) : 0;
    const double before = in_seconds(steady);
    double made_in_a_turn = 0; // by all GEMMs of the loop
    double longest_ring = 0;
    // A slower GEMM leaves links more time, so that they take less of its memory: a few rounds find both.
    for (int round = 0; loops && round < 20; ++round) {
        const double left = left_by_links(in_memory, std::max(before, made_in_a_turn), schedule.arbitration);
        made_in_a_turn = 0;
        for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
            const auto* const multiply = std::get_if<Multiply>(&program.operations[id]);
            if (multiply == nullptr) {
                continue;
            }
            const Fusion* const fusion = program.fusion_of(id);
            const auto fed = fusion != nullptr ? fed_with(left, program, *fusion, hardware, schedule)
                                               : std::optional<Fed>();
            made_in_a_turn += fed ? fed->gemm : gemm_with(left, *multiply, hardware, schedule);
            longest_ring = fed ? fed->ring : 0;
        }
    }
    sum.each_turn = seconds(std::max(0.0, std::max(made_in_a_turn, longest_ring) - before));
    for (const Fusion& fusion : program.fusions) {
        const Time making =
            operation_cost(program, program.operations[fusion.producer], hardware, schedule).total();
        const Time moving =
            operation_cost(program, program.operations[fusion.collective], hardware, schedule).total();
        if (const auto fed = fed_with(1, program, fusion, hardware, schedule)) {
            const Time end = seconds(fed->end);
            sum.at_the_end += end - std::max(making, moving);
            sum.hidden += std::min(moving, end) * program.runs(fusion.collective);
        }
    }
    return sum;
}

} // namespace meshslice
