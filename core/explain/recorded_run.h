#pragma once

#include "core/base/result.h"
#include "core/scenario/choices.h"
#include "core/step/run/step_run.h"

#include <cstddef>
#include <string>

namespace meshslice {

/// Runs that keep more intervals are not looked into, which would take more than 1.3 GB (see
/// critical_path_memory).
inline constexpr std::size_t most_explained_intervals = 20'000'000;

/// The conditions under which a GEMM of a step was simulated, for those who look into its
/// record; `algorithm` is empty for a plan of sharded matrices, whose faults are of its own torus. Refused
/// where it has no record, where its program is not known, where its GEMM was made in stages (see staged()),
/// whose waits are not followed, and where the record has more than `most_explained_intervals`.
[[nodiscard]] Result<Conditions> recorded_conditions(const GemmResult& gemm, const std::string& algorithm,
                                                     const StepConditions& made);

} // namespace meshslice
