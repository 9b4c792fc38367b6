#pragma once

#include "core/plan/search/plan_search.h"
#include "core/plan/simulate_plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace meshslice {

/// The first `count` of the plans, or all of fewer, pass by pass; or why one cannot be simulated.
[[nodiscard]] std::vector<Result<SimulatedTime>>
simulated_plans(const PlanModel& model, const std::vector<RankedPlan>& plans, std::size_t count);

/// They next to their estimates, as a table for a terminal.
[[nodiscard]] std::string simulated_text(const std::vector<RankedPlan>& plans,
                                         const std::vector<Result<SimulatedTime>>& simulated);

/// Writes the pipeline of a plan as Chrome trace event JSON (core/report/trace/chrome_trace.h), or the run
/// inside one of its bars (see open_path()); empty: none.
[[nodiscard]] Result<void> write_plan_trace(const PlanModel& model, const Plan& plan, const std::string& path,
                                            const std::string& open);

} // namespace meshslice
