#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"
#include "core/report/summary/summary.h"
#include "core/report/words/block_words.h"
#include "core/report/words/machine_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

std::vector<SummaryPart> time_of(const RankedPlan& plan) {
    std::vector<SummaryPart> parts;
    const double all = plan.reading.time.total;
    for (const StepPart& part : step_parts) {
        const double amount = plan.reading.time.*part.time;
        const bool waits = part.time == &PlanTime::tensor || part.time == &PlanTime::data ||
                           part.time == &PlanTime::pipeline || part.time == &PlanTime::experts;
        if (amount > 0) {
            parts.push_back({part_name(part, plan.plan), amount, amount / all, part.role, waits});
        }
    }
    return parts;
}

std::vector<SummaryPart> time_of(const ExpectedStep& expected) {
    std::vector<SummaryPart> parts;
    for (const ExpectedPart& part : expected_parts(expected)) {
        if (part.seconds > 0) {
            parts.push_back(
                {part.name, part.seconds, part.seconds / expected.seconds, part.role, part.waits});
        }
    }
    return parts;
}

std::string not_counted_of(const PlanQuestion& question, const Plan& plan, bool ideal) {
    std::vector<std::string> missing;
    if (!question.ends) {
        missing.push_back(said("embedding, output head and loss"));
    }
    if (!question.optimizer_step) {
        missing.push_back(said("the optimizer's step"));
    }
    if (plan.experts > 1 && question.exchange.fullest == 1.0) {
        missing.push_back(said("uneven routing of tokens to experts"));
    }
    missing.push_back(ideal ? said("input, checkpoints, failures and stragglers")
                            : said("input, checkpoints and failures"));
    std::string words;
    for (const std::string& one : missing) {
        words += (words.empty() ? std::string() : said(", ")) + one;
    }
    return say("Left out: {}.", words);
}

double tokens_of(const PlanQuestion& question) {
    return static_cast<double>(question.batch) * static_cast<double>(question.sequence);
}

/// What the time is worth.
std::string throughput_formula(const PlanQuestion& question, double seconds) {
    const double tokens = tokens_of(question);
    const double chips = static_cast<double>(question.chips);
    return say("Throughput = {} sequences x {} tokens / {} = {} tokens/s, of a chip {}", question.batch,
               question.sequence, seconds_text(seconds), si_text(tokens / seconds, ""),
               si_text(tokens / seconds / chips, ""));
}

} // namespace

Summary plan_summary(const PlanAnswer& answer, const ExpectedStep& expected) {
    const PlanQuestion& question = answer.question;
    const RankedPlan& plan = answer.chosen();
    Summary made;
    made.of = say("One step of training {} on {} chips of {}", question.model.title, question.chips,
                  short_title(question.machine));
    const bool leads = leads_expected(question, plan, expected);
    const double utilization = leads ? expected_utilization(plan, expected) : plan.reading.utilization;
    made.seconds = leads ? expected.seconds : plan.reading.time.total;
    if (leads) {
        made.expected = say("expected; {}", interval_words(expected));
        made.ideal = say("ideal: {}, {} of the peak", seconds_text(plan.reading.time.total),
                         percent_text(plan.reading.utilization));
    }
    made.number = seconds_text(made.seconds);
    made.of_peak = say("{} of the peak of all chips, {} each in bf16; {}", percent_text(utilization),
                       text(question.machine.peak_rate(DataType::bf16)), plan_name(plan.plan));
    const double peak = question.machine.peak_rate(multiplied(question.recipe)).value();
    if (question.recipe != NumberRecipe::bf16 && peak > 0) {
        // A share of the bf16 peak alone may be above one.
        const double bf16 = question.machine.peak_rate(DataType::bf16).value();
        made.of_peak = say("{} of the bf16 peak of all chips, {} each, and {} of the {} peak; {}",
                           percent_text(utilization), text(question.machine.peak_rate(DataType::bf16)),
                           percent_text(utilization * bf16 / peak), name(multiplied(question.recipe)),
                           plan_name(plan.plan));
    }
    if (question.recipe != NumberRecipe::bf16) {
        made.warnings.push_back(
            say("GEMMs of the blocks multiply in {}; the rest stays in bf16.", title(question.recipe)));
    }
    for (const std::string& note :
         {edited_note(question.machine), assumed_note(question.machine, AssumedFor::plans)}) {
        if (!note.empty()) {
            made.warnings.push_back(note);
        }
    }
    made.not_counted = not_counted_of(question, plan.plan, !leads);
    made.parameters =
        static_cast<double>(layer_parameters(question.model) + embedding_parameters(question.model));
    made.chips = question.chips;
    made.fits = plan.reading.fits;
    made.capacity = answer.capacity;
    const std::string room =
        room_text(whole_bytes(plan.reading.memory.total()), whole_bytes(answer.capacity));
    made.fit = made.fits ? say("Fits: {} of a chip", room) : say("Does not fit: {} of a chip", room);
    made.memory = memory_summary(plan.reading.memory, false);
    made.time = leads ? time_of(expected) : time_of(plan);
    made.bound = largest_part_words(question, plan, expected);
    made.tokens_per_s = tokens_of(question) / made.seconds;
    made.formulas = {throughput_formula(question, made.seconds), memory_formula(made)};
    return made;
}

} // namespace meshslice
