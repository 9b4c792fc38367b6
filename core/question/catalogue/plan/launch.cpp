// The flags with which a framework runs a plan.

#include "core/report/launch.h"

#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/plan/plan.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/document/summarized.h"
#include "core/report/plan/astra_files.h"
#include "core/report/plan/step_graph.h"
#include "core/report/trace/chakra_table.h"
#include "core/report/trace/chakra_writer.h"

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
constexpr const char* folder_flag = "--out";

/// A simulator that reads a plan's tasks, where frameworks read its flags.
constexpr const char* astra_word = "astra-sim";

NamedText file_of_text(std::string name, std::string text) {
    return {std::move(name), [text = std::move(text)](std::ostream& out) {
                out << text;
                return Result<void>();
            }};
}

/// The traces of all chips, which are made as they are written.
void add_traces(const std::shared_ptr<const StepGraph>& graph, Answer& answer) {
    constexpr std::int64_t bytes_of_a_node = 120;
    const auto about = static_cast<std::int64_t>(graph->most_nodes()) * bytes_of_a_node;
    for (std::int64_t rank = 0; rank < graph->order().ranks(); ++rank) {
        answer.texts.push_back({fmt::format("plan.{}.et", rank),
                                [graph, rank](std::ostream& out) {
                                    ChakraWriter writer(out);
                                    for (const ChakraNode& node : graph->nodes(rank)) {
                                        writer.add(node);
                                    }
                                    return Result<void>();
                                },
                                about});
    }
}

/// `folder`: where the files are, as it was typed.
Result<Answer> answer_astra(const Answer& planned, const Summarized& found, const std::string& folder) {
    const Plan& plan = found.first_plan()->plan;
    Result<StepGraph> made = StepGraph::of(found.model, plan);
    if (!made) {
        return refuse(made.error());
    }
    const auto graph = std::make_shared<const StepGraph>(*std::move(made));
    const ChakraTrace first{{}, graph->nodes(0)};
    Answer answer{{{"framework", astra_word},
                   {"plan", text(plan)},
                   {"ranks", graph->order().ranks()},
                   {"groups", graph->groups().size()},
                   {"nodes", Tree::array()}},
                  planned.headline,
                  say("{} with {}", planned.about, "ASTRA-sim"),
                  Confidence::exact};
    const std::vector<std::pair<const char*, const char*>> flags = {
        {"--workload-configuration", "plan"},
        {"--comm-group-configuration", "comm_group.json"},
        {"--system-configuration", "system.json"},
        {"--network-configuration", "network.yml"},
        {"--remote-memory-configuration", "remote_memory.json"}};
    answer.words = {{answer.headline + "\n\n"}};
    std::string typed;
    for (const auto& [flag, value] : flags) {
        const std::string path = fmt::format("{}/{}", folder, value);
        answer.values["flags"][flag] = path;
        typed += fmt::format("{}{}={}", typed.empty() ? "" : " \\\n", flag, path);
    }
    answer.words.push_back({typed + "\n\n"});
    answer.words.push_back(
        {say("--out DIR writes these files: an execution trace of Chakra for each chip ({}), the "
             "groups of chips ({}), and what ASTRA-sim has to know of the machine.",
             graph->order().ranks(), graph->groups().size()) +
         "\n\n"});
    Table table = chakra_table(sums_of(first), answer.values["nodes"]);
    answer.words.push_back(chakra_lines(sums_of(first)));
    answer.words.push_back({"\n" + said("The nodes are those of chip 0.") + "\n"});
    answer.tables.push_back(NamedTable::of("nodes", std::move(table)));
    add_traces(graph, answer);
    answer.texts.push_back(file_of_text("comm_group.json", astra_groups(*graph)));
    answer.texts.push_back(file_of_text("network.yml", astra_network(*found.model, *graph)));
    answer.texts.push_back(file_of_text("system.json", astra_system(*found.model, *graph)));
    answer.texts.push_back(
        file_of_text("remote_memory.json", json_file({{"memory-type", "NO_MEMORY_EXPANSION"}})));
    answer.fits = planned.fits;
    return answer;
}

Result<Answer> answer_launch(const Question& over, const Asked& asked, const RunControl& control) {
    const bool astra = asked.text(framework_key) == astra_word;
    if (!astra && asked.said.has(folder_flag)) {
        return refuse(
            say("{} has no effect: what {} takes is printed.", folder_flag, asked.text(framework_key)));
    }
    const Result<Answer> planned = over.answer(asked_over(asked, over, {framework_key}), control);
    if (!planned) {
        return planned;
    }
    const Summarized* const found = plans_of(*planned);
    if (found == nullptr || found->first_plan() == nullptr) {
        return refuse(say("There is no plan to launch: {}", planned->headline));
    }
    if (astra) {
        return answer_astra(*planned, *found,
                            asked.said.has(folder_flag) ? asked.said.words(folder_flag) : "DIR");
    }
    const Framework framework = *std::ranges::find(frameworks, asked.text(framework_key),
                                                   [](Framework one) { return std::string(name(one)); });
    const Plan& plan = found->first_plan()->plan;
    const TrainingRun& run = found->model->run();
    const Result<Launch> launch = launch_of(framework, run, plan);
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
    words.emplace_back(astra_word);
    QuestionField framework = choice_flag("--framework", {}, words);
    framework.row.key = framework_key;
    framework.row.flag = "framework";
    framework.row.flag_help = "megatron|torchtitan|maxtext: the program that trains; or astra-sim, which "
                              "simulates";
    framework.needed = true;
    Question question{
        "launch",
        said("Launch flags"),
        "",
        "Prints the flags with which Megatron-LM, TorchTitan or MaxText runs the first plan, or "
        "writes what ASTRA-sim reads",
        over->uses,
        {std::move(framework)}};
    question.fields.insert(question.fields.end(), over->fields.begin(), over->fields.end());
    question.scenario = over->scenario;
    question.says_fit = over->says_fit;
    question.files = {
        {AnswerFile::Of::folder,
         {},
         folder_flag,
         "DIR: for astra-sim, writes an execution trace of Chakra for each chip there, and what "
         "belongs to them"}};
    question.answer = [over](const Asked& asked, const RunControl& control) {
        return answer_launch(*over, asked, control);
    };
    question.examples = {
        "megatron --model llama-3-70b --machine h100-nvs8 --chips 64 --batch 64",
        "torchtitan --model llama-3-8b --machine h100-nvs8 --chips 8 --batch 16 --strategy 1d",
        "maxtext --model llama-3-8b --machine tpu-v5p --chips 64 --batch 64",
        "astra-sim --model llama-3-8b --machine h100-nvs8 --chips 16 --batch 64 --out traces"};
    return question;
}

} // namespace meshslice
