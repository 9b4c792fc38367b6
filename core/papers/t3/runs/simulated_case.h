#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/cost/schedule.h"
#include "core/estimate/all_reduced_gemm.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"
#include "core/program/program.h"

#include <cstdint>
#include <string_view>

namespace meshslice {

/// A GEMM whose simulation a study asks for.
struct SimulatedCase {
    std::string_view algorithm; ///< by id
    GemmShape shape;            ///< of all chips together
    Torus torus;
    std::int64_t slices = 1;
};

/// How long a run takes, in seconds. Left stationary, with tiles as large as the hardware's work-groups make.
/// Refused where the GEMM does not fit, and when it is stopped.
[[nodiscard]] Result<double> simulated_seconds(const SimulatedCase& one, const Machine& hardware,
                                               const Schedule& schedule, const RunControl& control);

/// A GEMM that ends in an all-reduce, on its ring.
[[nodiscard]] SimulatedCase on_its_ring(const AllReducedGemm& gemm, std::string_view algorithm);

/// Fused with its ring reduce-scatter (t3), then its all-gather.
[[nodiscard]] Result<double> fused_seconds(const AllReducedGemm& gemm, const Machine& hardware,
                                           MemoryPolicy policy, const RunControl& control);

/// The hardware with all launches, of GEMMs and collectives, as long as this.
[[nodiscard]] Machine with_launches(const Machine& hardware, Time launch);

} // namespace meshslice
