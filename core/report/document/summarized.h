#pragma once

#include "core/base/run_control.h"
#include "core/question/answer.h"
#include "core/report/summary/findings.h"
#include "core/report/summary/summary.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace meshslice {

/// What an answer about a step or a plan can also say, when a report asks for it.
class Summarized final : public Detail {
  public:
    std::function<Summary()> summary;
    std::function<std::vector<std::string>()> trust; ///< what measured runs say to it
    std::function<Result<std::vector<Finding>>(std::size_t most, const RunControl& control)> findings;
    std::function<Result<Sensitivity>(const RunControl& control)> sensitivity;
    /// Of plans: what was found, and what read them; null of a step.
    std::shared_ptr<const PlanAnswer> plans = {};
    std::shared_ptr<const PlanModel> model = {};

    /// The plan that stands first; null of a step, and where none was found.
    [[nodiscard]] const RankedPlan* first_plan() const {
        return plans && !plans->search.ranked.empty() ? &plans->search.ranked.front() : nullptr;
    }
};
/// The plans that an answer found; null where it is about something else.
[[nodiscard]] const Summarized* plans_of(const Answer& answer);
/// Of the plan that is chosen.
[[nodiscard]] std::shared_ptr<const Summarized>
summarized_plan(const Scenario& scenario, const PlanAnswer& shown, const PlanModel& model);

} // namespace meshslice
