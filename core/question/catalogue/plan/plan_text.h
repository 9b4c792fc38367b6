#pragma once

#include "core/evidence/expected_plan.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/simulate_plan.h"

#include <string>
#include <vector>

namespace meshslice {

/// "GPT-3 1T on 64 x b200-nvs8: 3.2 s a step of 4096 samples of 2048 tokens, 60% of peak"; and the days of a
/// training on so many tokens where they are said.
[[nodiscard]] std::string plan_headline(const PlanModel& model, const RankedPlan& read, double tokens);
/// What the days assume, as a line; nothing where there are none.
[[nodiscard]] std::string days_note(const PlanModel& model, double tokens);
/// Where its groups stand, its time and memory by part, what bounds it, what would change that, and what its
/// peak is a part of, line by line.
[[nodiscard]] std::string plan_details(const PlanModel& model, const RankedPlan& read);
/// What the column of placements holds.
[[nodiscard]] std::string placements_text(const PlanModel& model);
/// "Nothing fits: ...", with what would fit.
[[nodiscard]] std::string plan_misfit(const PlanModel& model, const RankedPlan& smallest,
                                      const std::vector<std::string>& ways);
/// The ranked plans, one a row; with what is expected of each by measured runs, where anything is. The last
/// column, of this name, is why_behind() the first.
[[nodiscard]] std::string ranked_plans(const PlanModel& model, const PlanSearch& found,
                                       const std::vector<ExpectedStep>& expected, const char* behind);

/// Simulated plans next to their estimates; why others cannot be simulated.
[[nodiscard]] std::string simulated_text(const std::vector<RankedPlan>& plans,
                                         const std::vector<Result<SimulatedTime>>& simulated);

} // namespace meshslice
