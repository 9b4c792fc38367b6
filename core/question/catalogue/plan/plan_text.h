#pragma once

#include "core/evidence/expected_plan.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/search/plan_search.h"

#include <string>
#include <vector>

namespace meshslice {

/// "GPT-3 1T on 64 x b200-nvs8: 3.2 s a step of 4096 samples of 2048 tokens, 60% of peak"; and the days of a
/// training on so many tokens where they are said.
[[nodiscard]] std::string plan_headline(const PlanModel& model, const RankedPlan& read, double tokens);
/// What the days assume, as a line; nothing where there are none.
[[nodiscard]] std::string days_note(const PlanModel& model, double tokens);
/// Where its groups stand, its time and memory by part, what bounds it, what would change that, and what its
/// peak is a part of, line by line. `expected`: what stands in front of the ideal time; none: nothing does.
[[nodiscard]] std::string plan_details(const PlanModel& model, const RankedPlan& read,
                                       const ExpectedStep* expected);
/// What the column of placements holds.
[[nodiscard]] std::string placements_text(const PlanModel& model);
/// "Nothing fits: ...", with what would fit.
[[nodiscard]] std::string plan_misfit(const PlanModel& model, const RankedPlan& smallest,
                                      const std::vector<std::string>& ways);
/// The same by what is expected of it, and the ideal time in a line of its own: "GPT-3 1T on 64 x
/// b200-nvs8: 5.1 s a step of 4096 samples of 2048 tokens expected, 4.8 s to 5.5 s in eight of ten, 38% of
/// peak".
[[nodiscard]] std::string expected_headline(const PlanModel& model, const RankedPlan& read,
                                            const ExpectedStep& expected, double tokens);
[[nodiscard]] std::string ideal_line(const RankedPlan& read);
/// The ranked plans, one a row; with what is expected of each by measured runs, where anything is, before the
/// ideal time where they are ranked by it. The last column says why each is behind the first.
[[nodiscard]] std::string ranked_plans(const PlanModel& model, const PlanSearch& found,
                                       const std::vector<ExpectedStep>& expected, bool by_expected);

/// Simulated plans next to their estimates; why others cannot be simulated.
[[nodiscard]] std::string simulated_text(const std::vector<RankedPlan>& plans,
                                         const std::vector<Result<SimulatedTime>>& simulated);

} // namespace meshslice
