#pragma once

#include "core/evidence/step_fit.h"

#include <string>
#include <vector>

namespace meshslice {

/// "Fitted to this step, the prediction goes from 1.20 s to 1.31 s of 1.31 s measured: its error was -8.4%
/// and is 0.0%."
[[nodiscard]] std::string fit_finding(const ProfiledStep& measured, const StepFit& fit);
/// What could not be fitted, in sentences; and that the fit is of this step.
[[nodiscard]] std::vector<std::string> fit_limits(const ProfiledStep& measured, const StepFit& fit);

} // namespace meshslice
