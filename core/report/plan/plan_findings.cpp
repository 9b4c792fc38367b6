#include "core/report/plan/plan_findings.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace meshslice {
namespace {

std::string run_words(const PlanAnswer& answer) {
    return say("{} on {} chips of {}", answer.question.model.title, answer.question.chips,
               answer.question.machine.title);
}

/// ", 12.3 days for 1T tokens"; empty where no number of tokens is said.
std::string days_words(const PlanAnswer& answer, double step) {
    const std::optional<std::int64_t>& tokens = answer.question.tokens;
    if (!tokens) {
        return {};
    }
    const auto count = static_cast<double>(*tokens);
    return said(", ") +
           say("{} for {} tokens", days_text(days_of_training(answer, step)), si_text(count, ""));
}

/// A plan's step as it stands in front: as expected, or else ideal.
struct StepSaid {
    double seconds = 0, utilization = 0;
    std::string words; ///< "6.90 s a step expected, 6.20 s to 7.60 s in eight of ten"
};
StepSaid step_said(const PlanAnswer& answer, const RankedPlan& plan, const ExpectedStep& expected,
                   bool interval) {
    if (!leads_expected(answer.question, plan, expected)) {
        const double seconds = plan.reading.time.total;
        return {seconds, plan.reading.utilization, say("{} a step", seconds_text(seconds))};
    }
    const std::string step = say("{} a step expected", seconds_text(expected.seconds));
    return {expected.seconds, expected_utilization(plan, expected),
            interval ? step + said(", ") + interval_words(expected) : step};
}

} // namespace

std::string plan_finding(const PlanAnswer& answer, const ExpectedStep& expected) {
    const RankedPlan& best = answer.best();
    const std::string memory = memory_of_chip(best, answer.capacity);
    if (!answer.fits()) {
        const std::string nothing = say("Nothing fits: {} needs {} at least, with {}.", run_words(answer),
                                        memory, plan_name(best.plan));
        return answer.would_fit.empty()
                   ? nothing
                   : nothing + said(" ") + say("What would fit: {}.", listed(answer.would_fit, "or"));
    }
    const StepSaid step = step_said(answer, best, expected, true);
    return say("{}: {}{}, {} of peak, with {}; {}; {}.", run_words(answer), step.words,
               days_words(answer, step.seconds), percent_text(step.utilization), plan_name(best.plan), memory,
               largest_part_words(answer.question, best, expected));
}

std::string batch_finding(const PlanAnswer& answer) {
    const std::optional<LargerBatch>& larger = answer.larger_batch;
    if (!larger) {
        return {};
    }
    const std::string reached = percent_text(larger->utilization);
    return larger->chips_of_a_sample > 1
               ? say("Batch {} leaves {} chips a sample: with batch {} the same plan would reach {} of peak.",
                     answer.question.batch, number_text(larger->chips_of_a_sample), larger->batch, reached)
               : say("Batch {} leaves the pipeline idle for {} of a step: with batch {} the same plan would "
                     "reach {} of peak.",
                     answer.question.batch, percent_text(larger->bubble), larger->batch, reached);
}

std::string plan_title(const PlanAnswer& answer, const ExpectedStep& expected) {
    if (!answer.fits()) {
        return plan_finding(answer);
    }
    const RankedPlan& best = answer.best();
    const StepSaid step = step_said(answer, best, expected, false);
    std::string title =
        say("{}{} at {} of peak on {} chips with {}", step.words, days_words(answer, step.seconds),
            percent_text(step.utilization), answer.question.chips, split_name(best.plan));
    if (shares_weights(best.plan)) {
        title += said(", ") + say("ZeRO {}", best.plan.zero);
    }
    std::vector<std::string> more;
    if (std::string batch = batch_finding(answer); !batch.empty()) {
        more.push_back(std::move(batch));
    }
    if (answer.taken && answer.taken->taken != answer.taken->asked) {
        more.push_back(chips_taken_words(*answer.taken));
    }
    for (const std::string& one : more) {
        title += (&one == &more.front() ? said(".") : std::string()) + said(" ") + one;
    }
    return title;
}

std::string loaded_finding(const PlanAnswer& answer, const ExpectedStep& expected,
                           const ExpectedStep& expected_of_best) {
    const RankedPlan& loaded = answer.loaded.value();
    const std::string name = plan_name(loaded.plan);
    if (!loaded.reading.fits) {
        return say("Pinned: {}. It does not fit: {}.", name, memory_of_chip(loaded, answer.capacity));
    }
    const bool both = leads_expected(answer.question, loaded, expected) &&
                      (!answer.fits() || leads_expected(answer.question, answer.best(), expected_of_best));
    const ExpectedStep none;
    const StepSaid ours = step_said(answer, loaded, both ? expected : none, true);
    const std::string& time = ours.words;
    if (!answer.fits()) {
        return say("Pinned: {}. {}; no plan that is searched fits.", name, time);
    }
    const double best = step_said(answer, answer.best(), both ? expected_of_best : none, false).seconds;
    const double longer = ours.seconds / best - 1;
    return loaded.plan == answer.best().plan ? say("Pinned: {}. {}, the best found.", name, time)
           : longer == 0                     ? say("Pinned: {}. {}, as fast as the best found.", name, time)
           : longer > 0
               ? say("Pinned: {}. {}, {} slower than the best found.", name, time, percent_text(longer))
               : say("Pinned: {}. {}, {} faster than the best found.", name, time, percent_text(-longer));
}

std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a, const ExpectedStep& expected) {
    const auto tokens = [](const PlanAnswer& one) {
        return static_cast<double>(one.question.batch) * static_cast<double>(one.question.sequence);
    };
    const RankedPlan& ours = answer.chosen();
    const RankedPlan& its = of_a.answer.chosen();
    if (!ours.reading.fits || !its.reading.fits) {
        return !ours.reading.fits && !its.reading.fits ? said("Both plans, A's and B's, do not fit.")
               : ours.reading.fits                     ? said("B's plan fits and A's does not.")
                                                       : said("A's plan fits and B's does not.");
    }
    const bool same_work = tokens(answer) == tokens(of_a.answer);
    const bool both = leads_expected(answer.question, ours, expected) &&
                      leads_expected(of_a.answer.question, its, of_a.expected);
    const double of_b = both ? expected.seconds : ours.reading.time.total;
    const double of_other = both ? of_a.expected.seconds : its.reading.time.total;
    const double b = of_b / tokens(answer);
    const double a = of_other / tokens(of_a.answer);
    const std::string times = both
                                  ? say("{} against {}, expected", seconds_text(of_b), seconds_text(of_other))
                                  : say("{} against {}", seconds_text(of_b), seconds_text(of_other));
    const double less = 1 - b / a;
    if (less == 0) {
        return same_work ? say("B takes as long a step as A ({}).", times)
                         : say("B takes as long for a token as A (a step: {}).", times);
    }
    const std::string share = percent_text(std::abs(less));
    if (less > 0) {
        return same_work ? say("B takes {} less time a step than A ({}).", share, times)
                         : say("B takes {} less time for a token than A (a step: {}).", share, times);
    }
    const std::string longer = number_text(b / a);
    if (longer == number_text(1)) {
        return same_work ? say("B takes {} more time a step than A ({}).", share, times)
                         : say("B takes {} more time for a token than A (a step: {}).", share, times);
    }
    return same_work ? say("A step of B takes {} times as long as one of A ({}).", longer, times)
                     : say("A token takes {} times as long with B as with A (a step: {}).", longer, times);
}

} // namespace meshslice
