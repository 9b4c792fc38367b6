#pragma once

#include "core/question/question.h"

#include <vector>

namespace meshslice {

/// --experts, --top and --ep.
[[nodiscard]] std::vector<QuestionField> expert_layer_fields();

/// A layer of experts on real matrices: every routing with so many seeds, on the torus that --mesh says, in a
/// domain of --ep chips, or on both. Refuses experts that do not divide by the chips.
[[nodiscard]] Result<Answer> verified_experts(const Asked& asked, const Scenario& scenario,
                                              const RunControl& control);

} // namespace meshslice
