#pragma once

#include "core/evidence/profiled_step.h"
#include "core/plan/plan.h"

#include <string>

namespace meshslice {

/// Where a measured step takes less than half or more than twice of what a plan says: that the two are
/// likely different runs, and by which numbers. Empty where they are nearer. `seconds`: of the plan's step.
[[nodiscard]] std::string far_off_words(const ProfiledStep& measured, double seconds,
                                        const PredictedParts& parts, const Plan& plan);

} // namespace meshslice
