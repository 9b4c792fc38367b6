#pragma once

#include "core/evidence/expected_plan.h"
#include "core/plan/search/plan_question.h"

#include <string>

namespace meshslice {

/// The answer in one sentence: the best plan, its time, utilization, memory and largest part; or that nothing
/// fits, and what would make it fit.
/// Where something is `expected` of the best plan, and plans are ranked by it, that is its time.
[[nodiscard]] std::string plan_finding(const PlanAnswer& answer, const ExpectedStep& expected = {});

/// The title of a picture of it, one line or two: "3.23 s a step at 45% of peak on 512 chips with 2D: dp 4 x
/// pp 16 x tp 2x8, ZeRO 1", and what makes it so where the batch is too small or fewer chips are taken.
/// Expected as in plan_finding().
[[nodiscard]] std::string plan_title(const PlanAnswer& answer, const ExpectedStep& expected = {});
/// Where the batch is too small for the chips: "Batch 64 leaves 256 chips a sample: with batch 4096 the same
/// plan would reach 41% of peak." Empty where it is not.
[[nodiscard]] std::string batch_finding(const PlanAnswer& answer);

/// The loaded plan of an answer that has one, and how it compares with the best that was found; by expected
/// times where something is expected of both.
[[nodiscard]] std::string loaded_finding(const PlanAnswer& answer, const ExpectedStep& expected = {},
                                         const ExpectedStep& expected_of_best = {});

/// The plans of another variant, to stand next to them.
struct PlansOfA {
    std::string name; ///< the variant's
    PlanAnswer answer;
    ExpectedStep expected = {}; ///< of its chosen plan
};
/// "B takes 12% less time a step than A (3.2 s against 3.6 s)."; where it is longer "A step of B takes 1.13
/// times as long as one of A (3.6 s against 3.2 s).": what B has loaded, or its best plan, against the same
/// of A; by token, where a step has not as many; by expected times where something is expected of both.
[[nodiscard]] std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a,
                                          const ExpectedStep& expected = {});

} // namespace meshslice
