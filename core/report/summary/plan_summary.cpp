#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/plan/step_parts.h"
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

std::string not_counted_of(const PlanQuestion& question) {
    std::vector<std::string> missing;
    if (!question.ends) {
        missing.push_back(said("embedding, output head and loss"));
    }
    if (!question.optimizer_step) {
        missing.push_back(said("the optimizer's step"));
    }
    if (question.split.experts != 1 && question.exchange.fullest == 1.0) {
        missing.push_back(said("uneven routing of tokens to experts"));
    }
    missing.push_back(said("input, checkpoints, failures and stragglers"));
    std::string words;
    for (const std::string& one : missing) {
        words += (words.empty() ? std::string() : said(", ")) + one;
    }
    return say("Left out: {}.", words);
}

} // namespace

Summary plan_summary(const PlanAnswer& answer) {
    const PlanQuestion& question = answer.question;
    const RankedPlan& plan = answer.chosen();
    Summary made;
    made.of = say("One step of training {} on {} chips of {}", question.model.title, question.chips,
                  short_title(question.machine));
    made.seconds = plan.reading.time.total;
    made.number = seconds_text(made.seconds);
    made.of_peak =
        say("{} of the peak of all chips, {} each in bf16; {}", percent_text(plan.reading.utilization),
            text(question.machine.peak_rate(DataType::bf16)), plan_name(plan.plan));
    const double peak = question.machine.peak_rate(multiplied(question.recipe)).value();
    if (question.recipe != NumberRecipe::bf16 && peak > 0) {
        // A share of the bf16 peak alone may be above one.
        const double bf16 = question.machine.peak_rate(DataType::bf16).value();
        made.of_peak =
            say("{} of the bf16 peak of all chips, {} each, and {} of the {} peak; {}",
                percent_text(plan.reading.utilization), text(question.machine.peak_rate(DataType::bf16)),
                percent_text(plan.reading.utilization * bf16 / peak), name(multiplied(question.recipe)),
                plan_name(plan.plan));
    }
    if (question.recipe != NumberRecipe::bf16) {
        made.warnings.push_back(
            say("GEMMs of the blocks multiply in {}; the rest stays in bf16.", title(question.recipe)));
    }
    for (const std::string& note : {edited_note(question.machine), assumed_note(question.machine)}) {
        if (!note.empty()) {
            made.warnings.push_back(note);
        }
    }
    made.not_counted = not_counted_of(question);
    made.parameters =
        static_cast<double>(layer_parameters(question.model) + embedding_parameters(question.model));
    made.chips = question.chips;
    made.fits = plan.reading.fits;
    made.capacity = answer.capacity;
    const std::string room =
        room_text(whole_bytes(plan.reading.memory.total()), whole_bytes(answer.capacity));
    made.fit = made.fits ? say("Fits: {} of a chip", room) : say("Does not fit: {} of a chip", room);
    made.memory = memory_summary(plan.reading.memory, false);
    made.time = time_of(plan);
    const auto largest = std::ranges::max_element(made.time, {}, &SummaryPart::amount);
    made.bound = largest == made.time.end() ? std::string() : say("the largest part is {}", largest->name);
    return made;
}

} // namespace meshslice
