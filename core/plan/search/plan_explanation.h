#pragma once

#include "core/plan/search/chosen_plan.h"

#include <string>
#include <vector>

namespace meshslice {

/// What computing hides of a plan's communication, a sentence for each kind of which it hides some: "Hidden:
/// 383 ms of 437 ms of data-parallel communication; compute could hide 1.47 s, so the network may be 2.62
/// times slower." Of a plan that PlanModel::check() lets through.
[[nodiscard]] std::vector<std::string> hidden_words(const PlanModel& model, const Plan& plan);

/// Its largest part, what would save time, which need not be that part: halved, it may bring to light what it
/// hid, and what would cost time, hidden or not.
[[nodiscard]] std::string bounds_words(const PlanModel& model, const RankedPlan& plan);

/// What of fast domains stays idle, where the chips together in one do not fill it; else nothing.
[[nodiscard]] std::string domains_words(const PlanModel& model, const Plan& plan);

/// All of these of a plan that a reader has chosen, a paragraph each. Refuses what read_chosen_plan()
/// refuses.
[[nodiscard]] Result<std::vector<std::string>> plan_explanation(const ChosenPlan& chosen);

} // namespace meshslice
