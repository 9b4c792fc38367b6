#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/own_step.h"
#include "core/plan/search/training_bill.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A number of a training, by ideal times and by expected ones.
struct BillRow {
    std::string name; ///< "days", in the reader's language
    std::string key;  ///< "days", of JSON
    double ideal = 0;
    double expected = 0; ///< 0: nothing is expected
    double low = 0, high = 0;
    std::string (*text)(double) = nullptr;
};
/// What a training on a question's tokens comes to with one plan.
struct PlanBill {
    PlanQuestion question;     ///< with the plan's chips
    std::vector<BillRow> rows; ///< what is not known, or has no price, is left out
};
/// Days, chip-hours, energy and cost, tokens per second and chip, and MFU as each convention counts FLOP.
/// What is expected is corrected by the user's own measured step. None where the question says neither tokens
/// nor a price.
[[nodiscard]] std::optional<PlanBill> plan_bill(const PlanQuestion& question, const RankedPlan& plan,
                                                const ExpectedStep& expected,
                                                const std::optional<OwnStep>& own);

/// A line for each, under what it is for: "Training on 15 T tokens"; empty of none.
[[nodiscard]] std::string bill_lines(const std::optional<PlanBill>& bill);
/// A sentence for each.
[[nodiscard]] std::vector<std::string> bill_sentences(const PlanBill& bill);
/// `ideal`, `expected`, `low` and `high` of each, and what they are for.
[[nodiscard]] Tree bill_values(const PlanBill& bill);

} // namespace meshslice
