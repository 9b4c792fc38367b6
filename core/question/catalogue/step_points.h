#pragma once

#include "core/question/sweep.h"
#include "core/step/training_step.h"

#include <memory>
#include <vector>

namespace meshslice {

/// How a step is swept, estimated or simulated, without what takes longer than it: why, GEMM by GEMM.
[[nodiscard]] std::shared_ptr<const SweptQuestion> step_points(Depth depth);
/// A sweep over the step of a scenario.
[[nodiscard]] Sweep sweep_of_steps(const Scenario& scenario, std::vector<Vary> fields,
                                   Depth depth = Depth::estimate);

} // namespace meshslice
