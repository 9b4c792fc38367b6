#pragma once

#include "core/base/run_control.h"
#include "core/evidence/expected_plan.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/plan/plan.h"
#include "core/plan/search/plan_question.h"
#include "core/question/answer.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// How long something takes, and whether a chip's memory holds it.
struct Timed {
    double seconds = 0;
    bool fits = true;
    std::string how = {};  ///< in which way, where that is another one than now: the plan
    bool expected = false; ///< by measured runs; else as the machine's numbers have it

    bool operator==(const Timed&) const = default;
};
/// The same work on the machine of another scenario.
using TimeOn = std::function<Result<Timed>(const Scenario& scenario)>;

/// A number of a machine at twice and at half its value, the others as they are.
struct NumberEffect {
    std::string name;       ///< "HBM bandwidth"
    std::string value = {}; ///< what it is now: "1.23 TB/s"
    /// None where the number cannot be twice or half as large, or nothing runs with it.
    std::optional<Timed> twice = {}, half = {};
    std::vector<FieldEdit> with_twice = {}, with_half = {}; ///< of the scenario
};

/// A number that could be changed, and whose other values nothing was answered for.
struct UnansweredNumber {
    std::string name;
    std::string reason; ///< a sentence
};

/// Every number of a machine by what it is worth.
struct Sensitivity {
    Timed now;
    /// The largest change of the time first, whichever way; those that only decide whether it fits come last.
    std::vector<NumberEffect> ranked = {};
    std::vector<std::string> no_effect =
        {}; ///< names of the numbers without one, in the order of the machine's table
    std::vector<UnansweredNumber> unanswered = {}; ///< neither: both values were refused
};

/// A change of less than this share of the time is none.
inline constexpr double least_effect = 0.005;

/// What the numbers of the scenario's machine are called, and the edits that make one so many times as large.
struct ScaledNumber {
    std::string name, value;
    /// Refuses where the number cannot be that large.
    std::function<Result<std::vector<FieldEdit>>(double times)> edits;
    bool counts = true; ///< else the scenario's own fields say that it has no effect on a step
    bool ports = false; ///< through which the bandwidth goes that is the number before
};
/// The numbers of the chip and of each level of its network; what is not known is left out, and so is how
/// many chips a pod has.
[[nodiscard]] std::vector<ScaledNumber> scaled_numbers(const Scenario& scenario);

/// Asks for the time with each number twice and half as large, one after the other. `all`: also of numbers
/// that a step on the mesh says it does not use, because something else is asked about. Ports that change
/// what the bandwidth of each changes are left out: they are the same bytes per second. Refuses where `time`
/// refuses the scenario as it is, or when stopped.
[[nodiscard]] Result<Sensitivity> sensitivity(const Scenario& scenario, const TimeOn& time, bool all = false,
                                              const RunControl& control = {});

/// The step of a scenario, simulated or estimated.
[[nodiscard]] TimeOn time_of_step(Depth depth, const RunControl& control = {});
/// Which of a plan's two times is meant.
struct PlanClock {
    bool expected = false; ///< by measured runs; else the ideal one
    double corrected = 1;  ///< so many times as long as expected, by a step that the user has timed

    /// The ideal time where less than that is expected, as on a machine that reaches less than the measured
    /// ones. Refuses where nothing is expected.
    [[nodiscard]] Result<Timed> of(const PlanQuestion& question, const RankedPlan& plan) const;
};
/// Of the time that stands in front of a plan: what is `expected` of it, corrected where the user has timed a
/// step, where plans are ranked by that and it is known.
[[nodiscard]] PlanClock clock_of(const PlanQuestion& question, const Plan& plan,
                                 const ExpectedStep& expected);
/// A plan that stays as it is.
[[nodiscard]] TimeOn time_of_plan(const Plan& plan, const PlanClock& clock);

/// "1.31x faster", "2.00x slower", "as fast"; "at least 2.00x slower" where the time now is expected, and
/// then the ideal one, shorter than which nothing can be expected.
[[nodiscard]] std::string ratio_words(const Timed& now, const Timed& then);
/// How much a number matters: the larger of the two changes, as the logarithm of the ratio.
[[nodiscard]] double weight(const NumberEffect& effect, const Timed& now);
/// The change that makes it faster, as something to do; none where neither does.
[[nodiscard]] std::optional<Offer> offer_of(const NumberEffect& effect, const Timed& now);

/// What there is most to gain from and most to lose from, as a sentence: they need not be one number.
[[nodiscard]] std::string sensitivity_finding(const Sensitivity& found);
/// "No effect: ..."; empty where all have one.
[[nodiscard]] std::string no_effect_words(const Sensitivity& found);
/// "Without an answer: ...", and why, once for each reason; empty where all have one.
[[nodiscard]] std::string unanswered_words(const Sensitivity& found);
/// A number a row, the time at twice and at half of it on both sides of the time now.
[[nodiscard]] Chart sensitivity_chart(const Sensitivity& found, const std::string& title);
[[nodiscard]] Table sensitivity_table(const Sensitivity& found);

} // namespace meshslice
