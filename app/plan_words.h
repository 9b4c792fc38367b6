#pragma once

#include "core/plan/plan_search.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// "1 sample", "4096 samples".
[[nodiscard]] std::string count_text(std::int64_t count, const char* one, const char* several);
/// "GPT-3 1T on 64 x b200-nvs8: 3.2 s a step of 4096 samples, 60% of peak".
[[nodiscard]] std::string plan_headline(const PlanModel& model, const RankedPlan& read);
/// Where its groups stand, and its time and memory by part, line by line.
[[nodiscard]] std::string plan_details(const PlanModel& model, const RankedPlan& read);
/// "Nothing fits: ...", with what would fit.
[[nodiscard]] std::string plan_misfit(const PlanModel& model, const RankedPlan& smallest,
                                      const std::vector<std::string>& ways);
/// The ranked plans, one a row.
[[nodiscard]] std::string ranked_plans(const PlanModel& model, const PlanSearch& found);

} // namespace meshslice
