#pragma once

#include "core/base/run_control.h"
#include "core/plan/search/plan_question.h"
#include "core/question/answer.h"
#include "core/question/sensitivity.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace meshslice {

/// Something that would change the answer, tried out: who takes the offer finds this time.
struct Finding {
    Offer offer; ///< its sentence says what changes, by how much, and both times
    Timed then;
    double gain = 0; ///< the share of the time that it saves, for as much work
};

/// The changes with most effect, at most `most`, the largest first. Where it does not fit, what
/// would make it fit comes before what is faster.
///
/// Of a step: other meshes, algorithms and slice counts, what is fixed and could be open, and twice or half
/// the batch; where these are few, the numbers of the machine that matter most. They are simulated where the
/// step was. Refused only when stopped.
[[nodiscard]] Result<std::vector<Finding>> findings_of_step(const Scenario& scenario,
                                                            const TrainingStep& step, std::size_t most,
                                                            const RunControl& control = {});
/// Of a plan: the best that was found, where another one is loaded; what is fixed and could be open, twice
/// the batch, and twice the chips; where these are few, the machine's numbers, with the plan as it is. With
/// the same `groups` as the search that answered.
[[nodiscard]] Result<std::vector<Finding>> findings_of_plan(const Scenario& scenario,
                                                            const PlanAnswer& answer, std::size_t most,
                                                            const std::shared_ptr<TunedGroups>& groups = {},
                                                            const RunControl& control = {});

/// The numbers of the machine by what they are worth to a plan that stays as it is: each offer loads it.
[[nodiscard]] Result<Sensitivity> sensitivity_of_plan(const Scenario& scenario, const PlanAnswer& answer,
                                                      const RunControl& control = {});
/// Of a step: simulated where that is quick, else estimated; a machine with faults is simulated. Which says
/// `depth_of_sensitivity`.
[[nodiscard]] Depth depth_of_sensitivity(const Scenario& scenario, const TrainingStep& step);
[[nodiscard]] Result<Sensitivity> sensitivity_of_step(const Scenario& scenario, const TrainingStep& step,
                                                      const RunControl& control = {});

} // namespace meshslice
