#include "core/report/plan/plan_findings.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/plan/search/advice/plan_levers.h"
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

} // namespace

std::string plan_finding(const PlanAnswer& answer) {
    const RankedPlan& best = answer.best();
    const std::string memory = memory_of_chip(best, answer.capacity);
    if (!answer.fits()) {
        const std::string nothing = say("Nothing fits: {} needs {} at least, with {}.", run_words(answer),
                                        memory, plan_name(best.plan));
        return answer.would_fit.empty()
                   ? nothing
                   : nothing + said(" ") + say("What would fit: {}.", listed(answer.would_fit, "or"));
    }
    const std::vector<PlanPart> parts = time_parts(best);
    const auto largest = std::ranges::max_element(parts, {}, &PlanPart::share);
    return say("{}: {} a step{}, {} of peak, with {}; {}; the largest part is {}, {} of the time.",
               run_words(answer), seconds_text(best.reading.time.total),
               days_words(answer, best.reading.time.total), percent_text(best.reading.utilization),
               plan_name(best.plan), memory, largest->name, percent_text(largest->share));
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

std::string plan_title(const PlanAnswer& answer) {
    if (!answer.fits()) {
        return plan_finding(answer);
    }
    const RankedPlan& best = answer.best();
    std::string title =
        say("{} a step{} at {} of peak on {} chips with {}", seconds_text(best.reading.time.total),
            days_words(answer, best.reading.time.total), percent_text(best.reading.utilization),
            answer.question.chips, split_name(best.plan));
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

std::string loaded_finding(const PlanAnswer& answer) {
    const RankedPlan& loaded = answer.loaded.value();
    const std::string name = plan_name(loaded.plan);
    if (!loaded.reading.fits) {
        return say("Pinned: {}. It does not fit: {}.", name, memory_of_chip(loaded, answer.capacity));
    }
    const std::string time = seconds_text(loaded.reading.time.total);
    if (!answer.fits()) {
        return say("Pinned: {}. {} a step; no plan that is searched fits.", name, time);
    }
    const double best = answer.best().reading.time.total;
    const double longer = loaded.reading.time.total / best - 1;
    return loaded.plan == answer.best().plan ? say("Pinned: {}. {} a step, the best found.", name, time)
           : longer == 0 ? say("Pinned: {}. {} a step, as fast as the best found.", name, time)
           : longer > 0  ? say("Pinned: {}. {} a step, {} slower than the best found.", name, time,
                               percent_text(longer))
                         : say("Pinned: {}. {} a step, {} faster than the best found.", name, time,
                               percent_text(-longer));
}

std::string plan_difference(const PlanAnswer& answer, const PlansOfA& of_a) {
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
    const double b = ours.reading.time.total / tokens(answer);
    const double a = its.reading.time.total / tokens(of_a.answer);
    const std::string times =
        say("{} against {}", seconds_text(ours.reading.time.total), seconds_text(its.reading.time.total));
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
