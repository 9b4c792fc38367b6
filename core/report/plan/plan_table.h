#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/expected_plan.h"
#include "core/figure/table.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/search/plan_question.h"
#include "core/plan/search/plan_search.h"

#include <cstddef>
#include <string>
#include <vector>

namespace meshslice {

/// Ranked plans, one a row, with everything that is known of them and what was planned; times in seconds,
/// memory in bytes of the fullest chip; the days of a training on so many tokens where they are said. The
/// table of `meshslice plan --csv`.
[[nodiscard]] Table plan_table(const PlanModel& model, const std::vector<RankedPlan>& plans,
                               double tokens = 0);
/// The ranked plans of an answer.
[[nodiscard]] Table plan_table(const PlanAnswer& answer);

/// The same plans in words for a window, one a row. plan_table() is for programs. With what is expected of
/// each of PlanAnswer::plans(), where anything is; in the order of their places in `order`, or in their own.
[[nodiscard]] Table shown_plan_table(const PlanAnswer& answer, const std::vector<ExpectedStep>& expected = {},
                                     const std::vector<std::size_t>& order = {});
/// The ranked plans for a page of paper: how each is split in a cell, and last why it is behind.
[[nodiscard]] Table printed_plan_table(const PlanAnswer& answer,
                                       const std::vector<ExpectedStep>& expected = {});
/// What one plan takes its time and its memory for, a part a row.
[[nodiscard]] Table plan_parts_table(const RankedPlan& plan);

/// What dispatch and combine of a plan move across each level in a step, for the chip that has most of it;
/// no rows where no chips share experts.
[[nodiscard]] Table expert_traffic_table(const PlanModel& model, const Plan& plan);
/// "a fast domain".
[[nodiscard]] std::string level_name(const PlanModel& model, std::size_t level);

/// What came of simulating the first of some plans, in their order.
using SimulatedPlans = std::vector<Result<SimulatedTime>>;
/// One plan: its numbers, itself under "plan", what was planned under "run", and where it was
/// simulated what came of that under "simulated" (its waits_s is what stages wait for each other on average;
/// an estimate's bubble_s is to fill and drain the pipeline, without transfers), or the "objection" to it
/// there. Under "why" the largest part of its time, what saves and what costs time (shares of a sample's),
/// and of data- and tensor-parallel communication the seconds of a step, hidden or not, those that are
/// hidden, those that could be, and on a network how many times as slow they still are (null where that is
/// not known, or nothing is hidden).
[[nodiscard]] Tree plan_values(const PlanModel& model, const RankedPlan& plan,
                               const SimulatedPlans& simulated = {}, double tokens = 0);
/// What was planned, how many plans there were and how many fit, and the ranked ones as of plan_values(), the
/// first with its "why"; then the frontier of time against memory. Where none fits, the one that needs least
/// memory is under "smallest", and `would_fit` says what would fit.
[[nodiscard]] Tree plan_search_values(const PlanModel& model, const PlanSearch& search,
                                      const SimulatedPlans& simulated = {}, double tokens = 0,
                                      const std::vector<std::string>& would_fit = {});

} // namespace meshslice
