#pragma once

#include "core/question/answer.h"
#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace meshslice {

/// The scenario with what an offer stands for, in the order of the scenario's fields: hardware before its
/// numbers. Edits of a question's own fields are left alone. Refuses what the fields refuse.
[[nodiscard]] Result<Scenario> with_edits(const Scenario& scenario, const std::vector<FieldEdit>& edits);

/// What the edits change, in words: "HBM bandwidth x 2", "mesh 16x4".
[[nodiscard]] std::string name_of(const Scenario& scenario, const std::vector<FieldEdit>& edits);

} // namespace meshslice
