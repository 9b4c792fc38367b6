#pragma once

#include "core/evidence/expected_plan.h"
#include "core/figure/role.h"

#include <string>
#include <vector>

namespace meshslice {

/// A part of an expected step as bars and sentences show it.
struct ExpectedPart {
    std::string name;
    Role role = Role::compute;
    double seconds = 0;
    bool waits = false; ///< the chip waits meanwhile for others
};
/// All parts, which add up to the step; in the order and the colours of an ideal step's, as far as these have
/// them. Laws of measured runs cut a step otherwise than ideal ones do, so that only the pipeline's bubble,
/// which is the same of both, has the same name. A sum of zero is a part, too.
[[nodiscard]] std::vector<ExpectedPart> expected_parts(const ExpectedStep& expected);

/// Whether what is expected of a plan that was read stands in front of its ideal time: where the question has
/// that order, the plan fits, and something is expected. `expected`: an empty one where nothing was asked.
[[nodiscard]] bool leads_expected(const PlanQuestion& question, const RankedPlan& plan,
                                  const ExpectedStep& expected);
/// "the largest part is compute, 61% of the expected step"; of the ideal one where that stands in front.
[[nodiscard]] std::string largest_part_words(const PlanQuestion& question, const RankedPlan& plan,
                                             const ExpectedStep& expected);
/// Why a plan is behind the first in that order: "expected 1.20 s more of pipeline bubble", after "tied: "
/// where the two cannot be distinguished; of one that does not fit, and of one of which nothing is expected,
/// that.
[[nodiscard]] std::string why_behind_expected(const RankedPlan& first, const ExpectedStep& expected_of_first,
                                              const RankedPlan& plan, const ExpectedStep& expected,
                                              double capacity);
/// "6.90 s to 8.20 s in eight of ten".
[[nodiscard]] std::string interval_words(const ExpectedStep& expected);

} // namespace meshslice
