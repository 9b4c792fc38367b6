// Which number of the machine matters: each twice and half as large, one after the other, for a step or for a
// plan that stays as it is.

#include "core/question/sensitivity.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/sweep.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* whose_key = "of";
constexpr const char* simulated_key = "simulate";

/// The question whose time is asked; null: the step of the scenario.
using OverPtr = std::shared_ptr<const Question>;

/// A ranking, and whether a plan was kept for it.
Result<Sensitivity> ranked_numbers(const OverPtr& over, const Asked& asked, const RunControl& control) {
    const Scenario& scenario = *asked.scenario;
    if (!over) {
        const Depth depth = asked.flag(simulated_key) ? Depth::simulate : Depth::estimate;
        if (depth == Depth::estimate && !scenario.assume.faults.none()) {
            return refuse(
                fmt::format("{} Add {}.", estimates_are_of_a_healthy_machine, asked.called(simulated_key)));
        }
        return sensitivity(scenario, time_of_step(depth, control), false, control);
    }
    if (!over->swept || !over->swept->kept) {
        return refuse(fmt::format("{} is {}; expected plan, which keeps its plan on other machines.",
                                  asked.called(whose_key), over->id));
    }
    return over->swept->kept(asked_over(asked, *over, {whose_key, simulated_key}), control)
        .and_then([&](const TimeOn& time) { return sensitivity(scenario, time, true, control); });
}

std::string about_numbers(const OverPtr& over, const Asked& asked, const Timed& now) {
    return now.expected
               ? say("{}, with the plan as it is, expected by measured runs", asked.scenario->hardware.title)
           : over ? say("{}, with the plan as it is, ideal", asked.scenario->hardware.title)
                  : say("{}, {}", asked.scenario->hardware.title,
                        asked.flag(simulated_key) ? said("by simulation") : said("by estimate"));
}

std::string effect_cell(const Sensitivity& found, const std::optional<Timed>& then) {
    if (!then) {
        return "-";
    }
    const std::string words = ratio_words(found.now, *then);
    return fmt::format("{} ({})", seconds_text(then->seconds),
                       then->fits == found.now.fits ? words
                       : then->fits                 ? said("fits")
                                                    : said("does not fit"));
}

/// What has no part in expected times; empty where the time is none.
std::string expected_note(const Sensitivity& found) {
    const auto ideal = [](const std::optional<Timed>& then) { return then && !then->expected; };
    const bool bounds = std::ranges::any_of(
        found.ranked, [&](const NumberEffect& one) { return ideal(one.twice) || ideal(one.half); });
    return !found.now.expected ? std::string()
           : bounds
               ? said("At least, at most: the ideal time, shorter than which nothing can be expected. Shares "
                      "that a machine says it reaches have a part in ideal times alone; --rank ideal has "
                      "all.") +
                     "\n"
               : said(
                     "Shares that a machine says it reaches have no part in expected times; --rank ideal has "
                     "them.") +
                     "\n";
}

std::string words_of_numbers(const Sensitivity& found, const std::string& of) {
    std::vector<std::vector<std::string>> rows = {{"number", "now", "x 2", "x 0.5"}};
    for (const NumberEffect& one : found.ranked) {
        rows.push_back({one.name, one.value, effect_cell(found, one.twice), effect_cell(found, one.half)});
    }
    std::string notes;
    for (const std::string& note : {no_effect_words(found), unanswered_words(found)}) {
        notes += note.empty() ? std::string() : (notes.empty() ? "\n" : "") + note + "\n";
    }
    return plain_spaces(fmt::format(
               "{}: {}\n{}.\n{}{}", of, seconds_text(found.now.seconds), sensitivity_finding(found),
               found.ranked.empty() ? std::string() : "\n" + text_table(rows, 1), notes)) +
           expected_note(found);
}

Tree values_of_numbers(const Sensitivity& found) {
    Tree numbers = Tree::array();
    for (const NumberEffect& one : found.ranked) {
        Tree its{{"number", one.name}, {"value", plain_spaces(one.value)}};
        const auto add = [&](const std::string& name, const std::optional<Timed>& then) {
            if (then) {
                its["time_" + name + "_s"] = then->seconds;
                its[name + "_over_now"] = then->seconds / found.now.seconds;
                its["fits_" + name] = then->fits;
                its["expected_" + name] = then->expected;
            }
        };
        add("twice", one.twice);
        add("half", one.half);
        numbers.push_back(std::move(its));
    }
    Tree unanswered = Tree::array();
    for (const UnansweredNumber& one : found.unanswered) {
        unanswered.push_back(Tree{{"number", one.name}, {"reason", one.reason}});
    }
    return {{"time_s", found.now.seconds},
            {"expected", found.now.expected},
            {"fits", found.now.fits},
            {"numbers", std::move(numbers)},
            {"no_effect", Tree(found.no_effect)},
            {"unanswered", std::move(unanswered)}};
}

Result<Answer> answer_sensitivity(const OverPtr& over, const Asked& asked, const RunControl& control) {
    return ranked_numbers(over, asked, control).map([&](const Sensitivity& found) {
        const std::string of = about_numbers(over, asked, found.now);
        Answer answer{values_of_numbers(found), sensitivity_finding(found), of};
        answer.words = {{words_of_numbers(found, of)}};
        answer.tables.push_back(NamedTable::of("sensitivity", sensitivity_table(found)));
        answer.charts.push_back({"tornado", sensitivity_chart(found, sensitivity_finding(found))});
        answer.fits = [fits = found.now.fits] { return fits; };
        for (const NumberEffect& one : found.ranked) {
            if (std::optional<Offer> offer = offer_of(one, found.now)) {
                answer.offers.push_back(*std::move(offer));
            }
        }
        return answer;
    });
}

Question sensitivity_over(const OverPtr& over) {
    Question question{"sensitivity",
                      "Sensitivity",
                      "",
                      "Ranks every number of the machine by what twice and half of it change",
                      {.machine = true, .work = true, .plan = true, .assumptions = true},
                      {text_flag("--of", "COMMAND: whose time it is, plan with its flags, whose best plan is "
                                         "then kept (default: the step)")}};
    if (over) {
        question.uses = over->uses;
        for (QuestionField field : over->fields) {
            question.fields.push_back(std::move(field));
        }
        question.scenario = over->scenario;
        question.kept = over->kept;
    } else {
        question.fields.push_back(switch_flag("--simulate", "Simulates every step instead of estimating it"));
    }
    question.numbers = [over](const Asked& asked, const RunControl& control) {
        return ranked_numbers(over, asked, control).map(values_of_numbers);
    };
    question.answer = [over](const Asked& asked, const RunControl& control) {
        return answer_sensitivity(over, asked, control);
    };
    question.files = {{AnswerFile::Of::chart, "tornado", "--svg",
                       "FILE.svg: draws the time at twice and at half of each number"}};
    return question;
}

} // namespace

Question sensitivity_question() {
    Question question = sensitivity_over(nullptr);
    question.over = [](const Question& other) {
        return sensitivity_over(std::make_shared<const Question>(other));
    };
    question.examples = {"--gemm 8192x8192x8192 --mesh 4x4",
                         "--model llama-3-8b --machine tpu-v5e --mesh 4x4 --batch 16",
                         "--of plan --model llama-3-70b --machine h100 --chips 64 --batch 64"};
    question.says_fit = true;
    return question;
}

} // namespace meshslice
