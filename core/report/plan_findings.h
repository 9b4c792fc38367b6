#pragma once

#include "core/plan/search/plan_question.h"

#include <string>

namespace meshslice {

/// The answer in one sentence: the best plan, its time, utilization, memory and largest part; or that nothing
/// fits, and what would make it fit.
[[nodiscard]] std::string plan_finding(const PlanAnswer& answer);

/// The loaded plan of an answer that has one, and how it compares with the best that was found.
[[nodiscard]] std::string loaded_finding(const PlanAnswer& answer);

/// The plans of another variant, to stand next to them.
struct PlansOfA {
    std::string name; ///< the variant's
    PlanAnswer answer;
};
/// "B takes 12% less time a step than A (3.2 s against 3.6 s)."; where it is longer "A step of B takes 1.13
/// times as long as one of A (3.6 s against 3.2 s).": what B has loaded, or its best plan, against the same
/// of A; by token, where a step has not as many.
[[nodiscard]] std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a);

} // namespace meshslice
