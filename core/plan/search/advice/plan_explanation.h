#pragma once

#include "core/plan/search/chosen_plan.h"
#include "core/plan/search/plan_search.h"

#include <string>
#include <vector>

namespace meshslice {

/// What computing hides of a plan's communication, for each kind of which it hides some: "Hidden: 383 ms of
/// 437 ms of data-parallel communication; compute could hide 1.47 s." And how much longer these transfers may
/// take, with all others as they are, until more than the same share of them is exposed. Of a plan that
/// PlanModel::check() lets through.
[[nodiscard]] std::vector<std::string> hidden_words(const PlanModel& model, const Plan& plan);

/// Its largest part, what would save time, which need not be that part: halved, it may bring to light what it
/// hid, and what would cost time, hidden or not.
[[nodiscard]] std::string bounds_words(const PlanModel& model, const RankedPlan& plan);

/// Seconds of a step that making numbers of few bits takes, in passes of its own; 0 in bf16.
[[nodiscard]] double cast_seconds(const PlanModel& model, const Plan& plan);
/// In which numbers GEMMs multiply and at which rate, what making these takes, and what stays in bf16, where
/// the run has a recipe; else nothing.
[[nodiscard]] std::vector<std::string> recipe_words(const PlanModel& model, const Plan& plan);

/// What of fast domains stays idle, where the chips together in one do not fill it; else nothing.
[[nodiscard]] std::string domains_words(const PlanModel& model, const Plan& plan);

/// What the plan's tensor-parallel group takes of a step where it is looked at alone, what computing again
/// adds, and what is left: "A step of 6.36 s: 4.52 s in the blocks of its tensor-parallel group, 1.20 s to
/// compute them again, 640 ms for the rest." Empty of a group of one chip, and where the group is all of it.
[[nodiscard]] std::string group_words(const PlanModel& model, const RankedPlan& plan);

/// What a chosen plan takes its time and memory for, and what is said about it.
struct PlanLimits {
    RankedPlan plan;
    double capacity = 0;                  ///< bytes of a chip's memory
    std::vector<std::string> explanation; ///< all of the above, a paragraph each
};
/// Refuses what read_chosen_plan() refuses.
[[nodiscard]] Result<PlanLimits> plan_limits(const ChosenPlan& chosen);

} // namespace meshslice
