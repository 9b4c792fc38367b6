#pragma once

#include "core/step/training_step.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// Simulates the GEMMs of a step whose programs are written, several at a time, on `threads` threads (0: one
/// per core), and gives each its timeline, usage and time. `planned` are the intervals that each will record
/// (see planned_intervals()). Each result has its own place, so the order of the threads leaves no trace. All
/// timelines are kept, so more busy intervals than `most` are refused, all GEMMs together.
[[nodiscard]] Result<void> simulate_gemms(std::vector<GemmResult>& gemms,
                                          const std::vector<std::int64_t>& planned, const Scenario& scenario,
                                          const Conditions& conditions, const RunControl& control,
                                          unsigned threads, std::int64_t most);

} // namespace meshslice
