#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/expected_plan.h"
#include "core/plan/search/plan_search.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// "Runs like it, measured, would take 8.41 s a step: 7.10 s to 9.95 s in eight of ten"; or why nothing is
/// known. A wide interval says why it is wide, and adapters whether measured runs train any.
[[nodiscard]] std::string expected_words(const ExpectedStep& expected);
/// Where its interval is cut, and by what; empty where it is not.
[[nodiscard]] std::string cut_words(const ExpectedStep& expected);
/// That no measured run is known to have come as close to its ideal time; empty where one did.
[[nodiscard]] std::string closest_words(const ExpectedStep& expected);
/// What makes an expectation worth less, each sentence after a space; empty where nothing does.
[[nodiscard]] std::string caveats(const ExpectedStep& expected);
/// "mpt-70b on 256 H100-SXM-80G, 512 x 2048 tokens, BF16 (llm-foundry): measured 15.8 s a step, expected 16.4
/// s (4% more)".
[[nodiscard]] std::string near_words(const MeasuredNearby& near);
/// The first `most` of them.
[[nodiscard]] std::vector<std::string> near_sentences(const std::vector<MeasuredNearby>& near,
                                                      std::size_t most);

/// The sentence and the nearest runs, a line each.
[[nodiscard]] std::string expected_lines(const ExpectedStep& expected);
/// The nearest runs alone, below a heading, which says what makes the expectation worth less too.
[[nodiscard]] std::string nearest_lines(const ExpectedStep& expected);
/// Adds what is expected to the values of an answer: `expected_s`, `time_low_s`, `time_high_s` and `nearest`,
/// what cut the interval and which measured run came closest to its ideal time where the words say these, or
/// `not_expected`, the reason.
void add_expected(Tree& values, const ExpectedStep& expected);

/// "By 829 pairs of measured runs in 41 groups that share the model, the chip and the software, the ratio of
/// two such times is off by at most 11% in eight of ten." And how much wider that is than pairs show, where
/// the nearest measured run is not just like them.
[[nodiscard]] std::string ratio_words(const StepRatio& ratio);
/// The same, or what is taken where too few pairs are known.
[[nodiscard]] std::string known_ratio_words(const KnownRatio& known);

/// Of several plans the one that is expected to be the fastest, and those that may_be_as_fast().
struct FastestExpected {
    std::size_t fastest = 0;
    std::vector<std::size_t> alike; ///< places of the others, ascending

    bool operator==(const FastestExpected&) const = default;
};
/// None where of fewer than two plans something is expected.
[[nodiscard]] std::optional<FastestExpected> fastest_expected(const std::vector<ExpectedStep>& ranked);
/// "By measured runs plan 6 is expected to be the fastest, 7.31 s; plans 1 and 9 may be as fast."
[[nodiscard]] std::string fastest_expected_words(const std::vector<ExpectedStep>& ranked);

/// Places of plans, those that fit and of which something is expected first, the fastest expected in front;
/// then the others that fit, then those that do not, each in their own order. `expected` has one for each.
[[nodiscard]] std::vector<std::size_t> by_expected_time(const std::vector<RankedPlan>& plans,
                                                        const std::vector<ExpectedStep>& expected);
/// How many of the first in that order cannot be distinguished: they may_be_as_fast() as the first. 0 where
/// of none that fits anything is expected.
[[nodiscard]] std::size_t alike_by_expected_time(const std::vector<RankedPlan>& plans,
                                                 const std::vector<ExpectedStep>& expected);
/// Of each split that fits the least time that is expected of it, as a search has them (expected_splits), by
/// the user's own measurement too: so many may_be_as_fast() as the first plan.
[[nodiscard]] std::size_t splits_alike(const std::vector<double>& splits,
                                       const std::vector<RankedPlan>& plans,
                                       const std::vector<ExpectedStep>& expected);
/// "By expected time plans 1 to 4 cannot be distinguished: ...", by their places in that order; and how many
/// of a search's `splits` that are not shown may be as fast, too.
[[nodiscard]] std::string by_expected_time_words(const std::vector<RankedPlan>& plans,
                                                 const std::vector<ExpectedStep>& expected,
                                                 const std::vector<double>& splits = {});
/// Why plans are ranked by ideal time where expected ones were asked for; else empty.
[[nodiscard]] std::string ideal_order_words(const PlanQuestion& question);
/// What the machine's numbers allow at best, and with which plan; empty where that is the first.
[[nodiscard]] std::string ideal_first_words(const RankedPlan& first, const PlanSearch& found,
                                            const PlanQuestion& question);

} // namespace meshslice
