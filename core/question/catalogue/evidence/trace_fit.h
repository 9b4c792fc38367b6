#pragma once

#include "core/question/answer.h"
#include "core/question/catalogue/evidence/predicted_step.h"

namespace meshslice {

/// Fits the machine of a predicted step to a measured one, and adds to the answer what was fitted, the error
/// before and after, and the machine as a file. Refuses as fit_to_step() does.
[[nodiscard]] Result<void> add_fit(const ProfiledStep& measured, const PredictedStep& predicted,
                                   const Asked& asked, Answer& answer, const RunControl& control);

} // namespace meshslice
