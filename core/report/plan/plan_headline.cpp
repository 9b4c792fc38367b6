#include "core/report/plan/plan_headline.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

/// Differences of a smaller share of the step are not said.
constexpr double least_difference = 0.001;

std::string amount_words(const PlanPart& part, std::string (*amount)(double)) {
    return fmt::format("{}: {}, {}", part.name, amount(part.amount), percent_text(part.share));
}

std::vector<std::string> part_lines(std::vector<PlanPart> parts, std::string (*amount)(double)) {
    std::ranges::stable_sort(parts, std::ranges::greater{}, &PlanPart::amount);
    std::vector<std::string> lines;
    for (const PlanPart& part : parts) {
        lines.push_back(amount_words(part, amount));
    }
    return lines;
}

PlanSection why_section(const PlanAnswer& answer, const RankedPlan& plan, const ExpectedStep& expected) {
    PlanSection why{said("Why"), {}};
    if (!plan.reading.fits) {
        why.lines.push_back(say("Does not fit: {}.", memory_of_chip(plan, answer.capacity)));
    }
    why.lines.push_back(say("Where the time goes: {}.", largest_part_words(answer.question, plan, expected)));
    if (const std::string behind = why_behind(answer.best(), plan, answer.capacity); !behind.empty()) {
        why.lines.push_back(leads_expected(answer.question, plan, expected)
                                ? say("Against the best plan, by ideal times: {}.", behind)
                                : say("Against the best plan: {}.", behind));
    }
    if (plan.plan == answer.best().plan) {
        if (std::string batch = batch_finding(answer); !batch.empty()) {
            why.lines.push_back(std::move(batch));
        }
    }
    return why;
}

} // namespace

PlanHeadline plan_headline(const PlanAnswer& answer, const std::optional<PlansOfA>& of_a,
                           const ExpectedStep& expected) {
    const RankedPlan& plan = answer.chosen();
    const PlanReading& reading = plan.reading;
    const bool leads = leads_expected(answer.question, plan, expected);
    const double seconds = leads ? expected.seconds : reading.time.total;
    const double utilization = leads ? expected_utilization(plan, expected) : reading.utilization;
    const std::string step =
        leads ? say("{} a step expected", seconds_text(seconds)) : say("{} a step", seconds_text(seconds));
    const std::string memory = memory_of_chip(plan, answer.capacity);
    PlanHeadline made;
    made.fits = reading.fits;
    made.big = reading.fits ? step : say("does not fit: {}", memory);
    std::vector<std::string> more;
    if (!reading.fits) {
        more.push_back(step);
    }
    if (leads) {
        more.push_back(interval_words(expected));
        more.push_back(say("ideal: {}", seconds_text(reading.time.total)));
    }
    const std::string share = percent_text(utilization);
    const NumberRecipe recipe = answer.question.recipe;
    // Of what the recipe multiplies in too: a share of the bf16 peak alone may be above one.
    const Machine& machine = answer.question.machine;
    const double peak = machine.peak_rate(multiplied(recipe)).value();
    more.push_back(recipe == NumberRecipe::bf16 || !(peak > 0)
                       ? say("{} of peak (MFU)", share)
                       : say("{} of the bf16 peak (MFU), {} of the {} peak", share,
                             percent_text(utilization * machine.peak_rate(DataType::bf16).value() / peak),
                             name(multiplied(recipe))));
    if (recipe != NumberRecipe::bf16) {
        more.push_back(say("GEMMs in {}", title(recipe)));
    }
    if (reading.fits) {
        more.push_back(memory);
    }
    more.push_back(say("{} chips", answer.question.chips));
    if (const std::optional<std::int64_t>& tokens = answer.question.tokens) {
        more.push_back(say("{} for {} tokens", days_text(days_of_training(answer, seconds)),
                           si_text(static_cast<double>(*tokens), "")));
    }
    more.push_back(plan_name(plan.plan));
    made.small = fmt::format("{}", fmt::join(more, said("; ")));
    if (of_a) {
        made.findings.push_back(plan_difference(answer, *of_a, expected));
    }
    if (std::string batch = plan.plan == answer.best().plan ? batch_finding(answer) : std::string();
        !batch.empty()) {
        made.findings.push_back(std::move(batch));
    }
    if (answer.taken && answer.taken->taken != answer.taken->asked) {
        made.findings.push_back(chips_taken_words(*answer.taken));
    }
    return made;
}

std::string text(const PlanHeadline& headline) {
    std::string all = headline.big + said("; ") + headline.small + said(".");
    for (const std::string& one : headline.findings) {
        all += said(" ") + one;
    }
    return all;
}

std::vector<std::string> part_differences(const RankedPlan& plan, const RankedPlan& other) {
    std::vector<std::pair<double, std::string>> parts;
    for (const StepPart& part : step_parts) {
        const double more = plan.reading.time.*part.time - other.reading.time.*part.time;
        if (std::abs(more) >= least_difference * other.reading.time.total) {
            const std::string name = part_name(part, plan.plan);
            parts.emplace_back(std::abs(more), more > 0 ? say("{} more {}", seconds_text(more), name)
                                                        : say("{} less {}", seconds_text(-more), name));
        }
    }
    std::ranges::stable_sort(parts, std::ranges::greater{}, &std::pair<double, std::string>::first);
    std::vector<std::string> lines;
    std::ranges::transform(parts, std::back_inserter(lines), &std::pair<double, std::string>::second);
    return lines;
}

std::vector<PlanSection> plan_sections(const PlanAnswer& answer, const RankedPlan& plan,
                                       const std::optional<PlansOfA>& of_a, const ExpectedStep& expected) {
    const bool leads = leads_expected(answer.question, plan, expected);
    std::vector<PlanSection> all = {why_section(answer, plan, expected)};
    if (of_a) {
        PlanSection differs{leads ? said("Against A, by ideal times") : said("Against A"),
                            part_differences(plan, of_a->answer.chosen())};
        if (!differs.lines.empty()) {
            all.push_back(std::move(differs));
        }
    }
    if (leads) {
        std::vector<PlanPart> parts;
        for (const ExpectedPart& part : expected_parts(expected)) {
            if (part.seconds > 0) {
                parts.push_back({part.name, part.seconds, part.seconds / expected.seconds});
            }
        }
        all.push_back({say("Expected step: {}, {}", seconds_text(expected.seconds), interval_words(expected)),
                       part_lines(std::move(parts), seconds_text)});
    }
    all.push_back({leads ? say("Ideal step: {}", seconds_text(plan.reading.time.total))
                         : say("Time of a step: {}", seconds_text(plan.reading.time.total)),
                   part_lines(time_parts(plan), seconds_text)});
    all.push_back({say("Memory of a chip: {} of {}", bytes_text(plan.reading.memory.total()),
                       bytes_text(answer.capacity)),
                   part_lines(memory_parts(plan.reading), bytes_text)});
    all.push_back(
        {said("The plan"),
         {split_name(plan.plan), further_words(plan.plan),
          say("schedule {}; recomputation {}; {}", text(plan.plan.schedule), said(name(plan.plan.recompute)),
              micro_batches_words(plan.reading.micro_batches)),
          plan.plan.axes == TorusAxes{} ? say("in a fast domain {}", placement_text(plan.plan))
                                        : say("along the axes of the torus {}", placement_text(plan.plan))}});
    return all;
}

} // namespace meshslice
