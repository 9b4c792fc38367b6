#include "core/report/plan/expected_parts.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/report/plan/plan_lines.h"

#include <algorithm>

namespace meshslice {

std::vector<ExpectedPart> expected_parts(const ExpectedStep& expected) {
    const StepSeconds& step = expected.parts;
    return {
        {said("compute, HBM and launches"), Role::compute, step.compute},
        {said("experts' GEMMs, dispatch and combine"), Role::backward, step.experts},
        {said("tensor- and context-parallel exchanges"), Role::transferHorizontal, step.exchanges, true},
        {said("gathers of weights and sums of gradients"), Role::transferThird, step.gathers + step.data,
         true},
        {said("transfers that fill and drain the pipeline"), Role::transferVertical, step.transfers, true},
        {said("pipeline bubble"), Role::sync, step.bubble, true},
        {said("output head"), Role::launch, step.head},
        {said("optimizer and adding up gradients"), Role::update, step.optimizer},
        {said("stragglers"), Role::exposed, step.stragglers}};
}

bool leads_expected(const PlanQuestion& question, const RankedPlan& plan, const ExpectedStep& expected) {
    return question.split.rank == PlanOrder::expected && plan.reading.fits && expected.known() &&
           expected.seconds > 0;
}

std::string largest_part_words(const PlanQuestion& question, const RankedPlan& plan,
                               const ExpectedStep& expected) {
    if (leads_expected(question, plan, expected)) {
        const std::vector<ExpectedPart> parts = expected_parts(expected);
        const auto largest = std::ranges::max_element(parts, {}, &ExpectedPart::seconds);
        return say("the largest part is {}, {} of the expected step", largest->name,
                   percent_text(largest->seconds / expected.seconds));
    }
    const std::vector<PlanPart> parts = time_parts(plan);
    const auto largest = std::ranges::max_element(parts, {}, &PlanPart::share);
    return say("the largest part is {}, {} of the ideal step", largest->name, percent_text(largest->share));
}

std::string why_behind_expected(const RankedPlan& first, const ExpectedStep& expected_of_first,
                                const RankedPlan& plan, const ExpectedStep& expected, double capacity) {
    if (!plan.reading.fits || !expected_of_first.known()) {
        return why_behind(first, plan, capacity);
    }
    if (!expected.known()) {
        return said("nothing is expected of it");
    }
    if (plan.plan == first.plan) {
        return {};
    }
    const std::vector<ExpectedPart> its = expected_parts(expected);
    const std::vector<ExpectedPart> best = expected_parts(expected_of_first);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < its.size(); ++k) {
        if (its[k].seconds - best[k].seconds > its[largest].seconds - best[largest].seconds) {
            largest = k;
        }
    }
    const double more = its[largest].seconds - best[largest].seconds;
    const std::string why = more > 0 ? say("expected {} more of {}", seconds_text(more), its[largest].name)
                                     : said("expected to be as fast");
    return may_be_as_fast(expected_of_first, expected) ? say("tied: {}", why) : why;
}

std::string interval_words(const ExpectedStep& expected) {
    return say("{} to {} in eight of ten", seconds_text(expected.low), seconds_text(expected.high));
}

} // namespace meshslice
