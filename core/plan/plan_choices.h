#pragma once

#include "core/plan/plan.h"
#include "core/scenario/plan/plan_words.h"

#include <string>
#include <vector>

namespace meshslice {

/// The schedules that a plan's depth and micro-batches take.
[[nodiscard]] std::vector<PipelineSchedule> schedules_of(const PlanChoices& choices, const TrainingRun& run,
                                                         const Plan& plan);
/// The levels of ZeRO that differ: one where no other chip holds the same weights.
[[nodiscard]] std::vector<int> zero_levels_of(const PlanChoices& choices, const Plan& plan);
/// "1f1b or interleaved", as why no plan takes them.
[[nodiscard]] std::string schedules_text(const PlanChoices& choices);

} // namespace meshslice
