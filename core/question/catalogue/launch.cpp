// The flags with which a framework runs a plan.

#include "core/report/launch.h"

#include "core/base/say.h"
#include "core/plan/plan.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* framework_key = "framework";

/// What an answer about plans says of its first plan.
struct FirstPlan {
    Plan plan;
    std::int64_t sequence = 0, batch = 0;
};

std::string words_at(const Tree& values, std::string_view path) {
    const Tree* const found = values.at(path);
    const std::string* const words = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
    return words == nullptr ? std::string() : *words;
}

Result<FirstPlan> first_plan(const Answer& answer) {
    const Tree& values = answer.values;
    const Tree* const planned = values.at("plans/0/plan");
    if (planned == nullptr) {
        return refuse(say("There is no plan to launch: {}", answer.headline));
    }
    const auto whole = [&](const std::string& path) {
        return static_cast<std::int64_t>(number_at(values, path).value_or(1));
    };
    FirstPlan first{{}, whole("run/sequence"), whole("run/batch")};
    Plan& plan = first.plan;
    const std::string strategy = words_at(*planned, "strategy");
    const auto known = std::ranges::find(all_tensor_strategies, strategy,
                                         [](TensorStrategy one) { return std::string(name(one)); });
    plan.strategy = known == all_tensor_strategies.end() ? TensorStrategy::of_algorithm : *known;
    const std::string grid = words_at(*planned, "tp");
    const std::size_t cross = grid.find('x');
    if (cross == std::string::npos) {
        return refuse(say("There is no plan to launch: {}", answer.headline));
    }
    plan.tensor1 = std::stoll(grid.substr(0, cross));
    plan.tensor2 = std::stoll(grid.substr(cross + 1));
    plan.data = whole("plans/0/plan/dp");
    plan.pipeline = whole("plans/0/plan/pp");
    plan.micro_batch = whole("plans/0/plan/micro_batch");
    plan.zero = static_cast<int>(number_at(values, "plans/0/plan/zero").value_or(0));
    const Tree* const placed = planned->find("placement");
    if (placed != nullptr && placed->is_list() && placed->size() >= 4) {
        plan.placement = {whole("plans/0/plan/placement/0"), whole("plans/0/plan/placement/1"),
                          whole("plans/0/plan/placement/2"), whole("plans/0/plan/placement/3")};
    } else { // of a torus all of it
        plan.placement = {plan.tensor1, plan.tensor2, plan.data, plan.pipeline};
    }
    const auto flag = [&](const char* key) {
        const Tree* const found = planned->find(key);
        const bool* const value = found == nullptr ? nullptr : std::get_if<bool>(&found->value());
        return value != nullptr && *value;
    };
    plan.tensor_overlap = flag("overlap_tensor");
    plan.data_overlap = flag("overlap_data");
    const Result<PipelineSchedule> schedule = parse_pipeline_schedule(words_at(*planned, "schedule"));
    const Result<Recompute> recompute = parse_recompute(words_at(*planned, "recompute"));
    if (!schedule || !recompute) {
        return refuse(schedule ? recompute.error() : schedule.error());
    }
    plan.schedule = *schedule;
    plan.recompute = *recompute;
    return first;
}

Result<Answer> answer_launch(const Question& over, const Asked& asked, const RunControl& control) {
    const Framework framework = *std::ranges::find(frameworks, asked.text(framework_key),
                                                   [](Framework one) { return std::string(name(one)); });
    const Result<Answer> planned = over.answer(asked_over(asked, over, {framework_key}), control);
    if (!planned) {
        return planned;
    }
    const Result<FirstPlan> first = first_plan(*planned);
    if (!first) {
        return refuse(first.error());
    }
    const Transformer& model = asked.scenario->model;
    const Result<Launch> launch = launch_of(framework, model, first->sequence, first->batch, first->plan);
    if (!launch) {
        return refuse(launch.error());
    }
    Answer answer{
        {{"framework", std::string(name(framework))}, {"plan", text(first->plan)}, {"flags", Tree::object()}},
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
