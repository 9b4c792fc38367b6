#pragma once

#include "core/plan/evaluate/evaluate.h"
#include "core/plan/search/space.h"
#include "core/question/question.h"
#include "core/work/work.h"

#include <vector>

namespace meshslice {

/// What a scenario does not say: which plan, how many of them, and what is counted.
[[nodiscard]] std::vector<QuestionField> plan_question_fields();

/// What --placement says: "8,1,1,1", or level by level "2,1,1,1/8,1,1,1". Of what was not said, nothing.
[[nodiscard]] Result<Placed> placement_asked(const Asked& asked);

/// Of the run that is asked: its scenario's, by the rules and with what counts as flags say.
[[nodiscard]] Result<PlanModel> model_of_run(const Asked& asked, const Workload& workload);

} // namespace meshslice
