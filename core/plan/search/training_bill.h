#pragma once

#include "core/plan/search/plan_question.h"

namespace meshslice {

/// What a training comes to with steps of so many seconds, without failures, restarts, evaluations and
/// checkpoints.
struct TrainingBill {
    double days = 0;
    double chip_hours = 0;
    double energy = 0;     ///< J, of chips at their full power and what the data centre adds; 0: not known
    double cost = 0;       ///< of what has a price; 0: nothing has
    double token_rate = 0; ///< tokens/s of a chip

    bool operator==(const TrainingBill&) const = default;
};

/// Tokens that a bill is for: those of the question; where it says none a billion.
[[nodiscard]] double billed_tokens(const PlanQuestion& question);
[[nodiscard]] TrainingBill training_bill(const PlanQuestion& question, double step_s);

} // namespace meshslice
