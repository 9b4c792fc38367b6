#include "core/papers/t3/runs/simulated_case.h"

#include "core/gemm/algorithms.h"
#include "core/simulate/engine/simulate.h"

namespace meshslice {

Result<double> simulated_seconds(const SimulatedCase& one, const Machine& hardware, const Schedule& schedule,
                                 const RunControl& control) {
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    const Result<const Algorithm*> known = algorithm(one.algorithm);
    if (!known) {
        return refuse(known.error());
    }
    GemmOptions options;
    options.slices = one.slices;
    options.tile = hardware.output_tile.value;
    const Result<Program> program = (*known)->write(one.shape, Dataflow::LS, one.torus, options);
    if (!program) {
        return refuse(program.error());
    }
    return simulate(*program, hardware, schedule, {}, {control.stop, nullptr}).map([](const auto& timeline) {
        return in_seconds(timeline->end());
    });
}

SimulatedCase on_its_ring(const AllReducedGemm& gemm, std::string_view algorithm) {
    // `gemm.shape` is one chip's, whose depth is its share of the GEMM's.
    const GemmShape& own = gemm.shape;
    const auto chips = static_cast<std::int32_t>(gemm.chips);
    return {algorithm, {own.m, own.n, own.k * chips}, *Torus::create({TorusAxis{chips}})};
}

Result<double> fused_seconds(const AllReducedGemm& gemm, const Machine& hardware, MemoryPolicy policy,
                             const RunControl& control) {
    Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    schedule.arbitration = policy;
    return simulated_seconds(on_its_ring(gemm, "t3"), hardware, schedule, control);
}

Machine with_launches(const Machine& hardware, Time launch) {
    Machine launched = hardware;
    for (Sourced<Time>* one : launched.launch.all()) {
        one->value = launch;
    }
    return launched;
}

} // namespace meshslice
