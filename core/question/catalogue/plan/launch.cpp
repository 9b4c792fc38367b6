// The flags with which a framework runs a plan.

#include "core/report/launch.h"

#include "core/base/say.h"
#include "core/plan/plan.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/document/summarized.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* framework_key = "framework";

Result<Answer> answer_launch(const Question& over, const Asked& asked, const RunControl& control) {
    const Framework framework = *std::ranges::find(frameworks, asked.text(framework_key),
                                                   [](Framework one) { return std::string(name(one)); });
    const Result<Answer> planned = over.answer(asked_over(asked, over, {framework_key}), control);
    if (!planned) {
        return planned;
    }
    const Summarized* const found = plans_of(*planned);
    if (found == nullptr || found->first_plan() == nullptr) {
        return refuse(say("There is no plan to launch: {}", planned->headline));
    }
    const Plan& plan = found->first_plan()->plan;
    const TrainingRun& run = found->model->run();
    const Result<Launch> launch = launch_of(framework, run.model, run.sequence, run.batch, plan);
    if (!launch) {
        return refuse(launch.error());
    }
    Answer answer{
        {{"framework", std::string(name(framework))}, {"plan", text(plan)}, {"flags", Tree::object()}},
        planned->headline,
        say("{} with {}", planned->about, title(framework)),
        Confidence::exact};
    Table table{said("Flags"), {"flag", "value"}, {}};
    for (const LaunchFlag& flag : launch->flags) {
        answer.values["flags"][flag.name] = flag.value.empty() ? Tree(true) : Tree(flag.value);
        table.rows.push_back({flag.name, flag.value});
    }
    answer.values["differs"] = launch->differs;
    answer.words = {{answer.headline + "\n\n"}, {launch_text(framework, *launch)}};
    if (!launch->differs.empty()) {
        answer.words.push_back({"\n"});
        for (const std::string& sentence : launch->differs) {
            answer.words.push_back({sentence + "\n"});
        }
    }
    answer.tables.push_back(NamedTable::of("flags", std::move(table)));
    answer.fits = planned->fits;
    return answer;
}

} // namespace

Question launch_question() {
    const auto over = std::make_shared<const Question>(plan_question());
    std::vector<std::string> words;
    for (const Framework one : frameworks) {
        words.emplace_back(name(one));
    }
    QuestionField framework = choice_flag("--framework", {}, words);
    framework.row.key = framework_key;
    framework.row.flag = "framework";
    framework.row.flag_help = "megatron|torchtitan|maxtext: the program that trains";
    framework.needed = true;
    Question question{
        "launch",   said("Launch flags"),
        "",         "Prints the flags with which Megatron-LM, TorchTitan or MaxText runs the first plan",
        over->uses, {std::move(framework)}};
    question.fields.insert(question.fields.end(), over->fields.begin(), over->fields.end());
    question.scenario = over->scenario;
    question.says_fit = over->says_fit;
    question.answer = [over](const Asked& asked, const RunControl& control) {
        return answer_launch(*over, asked, control);
    };
    question.examples = {
        "megatron --model llama-3-70b --machine h100-nvs8 --chips 64 --batch 64",
        "torchtitan --model llama-3-8b --machine h100-nvs8 --chips 8 --batch 16 --strategy 1d",
        "maxtext --model llama-3-8b --machine tpu-v5p --chips 64 --batch 64"};
    return question;
}

} // namespace meshslice
