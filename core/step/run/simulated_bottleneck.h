#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/scenario.h"
#include "core/step/bottleneck.h"
#include "core/step/training_step.h"
#include "core/torus/faults.h"

#include <stop_token>
#include <vector>

namespace meshslice {

/// The same experiment as bottleneck(), each part twice as fast, but simulated: for machines with faults,
/// which the closed form does not know, and for GEMMs made in stages, from which it is too far. One
/// simulation for each part that the torus has, with the GEMM's `options_with_twice`. A part that cannot be
/// simulated twice as fast, because memory would then slow links, saves what the closed form says. `result`
/// is the run as it is, with its usage; `links_busy` is left at 0. `control` reaches the simulations,
/// `threads` of which run at a time (0: one per core).
[[nodiscard]] Result<Bottleneck> simulated_bottleneck(const GemmResult& result, const Algorithm& algorithm,
                                                      const Scenario& scenario, const Conditions& conditions,
                                                      const RunControl& control, unsigned threads);

/// Gives the GEMMs of a simulated step that are made in stages what bounds them by simulation instead of by
/// the closed form, on a healthy machine, so that the headline is the answer of the experiment. `threads`: 0
/// is one per core.
[[nodiscard]] Result<void> find_bottlenecks(std::vector<GemmResult>& gemms, const Algorithm& algorithm,
                                            const Scenario& scenario, const Conditions& conditions,
                                            const std::stop_token& stop, unsigned threads);

} // namespace meshslice
