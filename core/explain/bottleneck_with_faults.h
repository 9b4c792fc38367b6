#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/scenario/scenario.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/bottleneck.h"
#include "core/step/training_step.h"
#include "core/torus/faults.h"

namespace meshslice {

/// What bounds a run on a machine with faults: simulated_bottleneck() with the faults in place. Links are
/// waited for as long as the critical path exposes them.
[[nodiscard]] Result<Bottleneck> bottleneck_with_faults(const GemmResult& result, const Algorithm& algorithm,
                                                        const Scenario& scenario,
                                                        const Conditions& conditions,
                                                        const CriticalPath& path, const RunControl& control,
                                                        unsigned threads);

} // namespace meshslice
