#pragma once

#include "core/plan/search/plan_search.h"

#include <string>
#include <vector>

namespace meshslice {

/// What a way to exchange keys and values of a split sequence costs a plan.
struct ContextExchangeCost {
    ContextExchange exchange = ContextExchange::gather;
    double bytes = 0;           ///< that a chip sends in a step
    double whole = 0;           ///< s of a step, on a network that nothing else uses
    double exposed = 0;         ///< s of these that attention does not hide
    PlanReading reading = {};   ///< of the plan with it
    std::string objection = {}; ///< why the plan cannot have it; empty where it can
};
/// Each way, in the order of all_context_exchanges; none of a plan that splits no sequence. Of a plan that
/// PlanModel::check() lets through.
[[nodiscard]] std::vector<ContextExchangeCost> context_exchange_costs(const PlanModel& model,
                                                                      const Plan& plan);
/// A sentence for each, the plan's own first.
[[nodiscard]] std::vector<std::string> context_words(const PlanModel& model, const Plan& plan);

/// Who shares weights and what the groups that do exchange, where not all copies do; else nothing.
[[nodiscard]] std::string shard_words(const PlanModel& model, const Plan& plan);
/// What of the activations waits in the host's memory, and how much of the way there is hidden; else nothing.
[[nodiscard]] std::string offload_words(const PlanModel& model, const Plan& plan);

} // namespace meshslice
