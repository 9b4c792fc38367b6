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
};
/// Of the plan that is chosen.
[[nodiscard]] std::shared_ptr<const Summarized> summarized_plan(const Scenario& scenario,
                                                                const PlanAnswer& shown);

} // namespace meshslice
