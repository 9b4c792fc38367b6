// A scenario, or all variants of a file, as one text.

#include "core/base/say.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/file/project.h"
#include "core/scenario/file/shared_text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr const char* shared_file_key = "file";

/// The whole file where one is named, else the scenario that the flags say.
Result<Project> project_to_share(const Asked& asked) {
    const auto* const file = std::get_if<JsonPart>(&asked.value(shared_file_key));
    if (file == nullptr) {
        return project_of(*asked.scenario);
    }
    if (asked.said.file) {
        return refuse(say("{} and {} say the same in two ways; give one of them.",
                          asked.called(shared_file_key), "--scenario"));
    }
    for (const auto& [flag, words] : asked.said.flags) {
        if (flag != asked.called(shared_file_key)) {
            return refuse(
                say("{} has no effect: {} is shared as it is; after --scenario other flags override "
                    "it.",
                    flag, file->origin));
        }
    }
    return read_project(file->json, file->origin);
}

Result<Answer> answer_share(const Asked& asked, const RunControl& /*control*/) {
    const Result<Project> project = project_to_share(asked);
    if (!project) {
        return refuse(project.error());
    }
    const std::string text = shared_text(*project);
    Answer answer{{{"text", text},
                   {"letters", static_cast<std::int64_t>(text.size())},
                   {"variants", static_cast<std::int64_t>(project->variants.size())}},
                  say("{} variants in {} letters.", project->variants.size(), text.size()),
                  {},
                  Confidence::exact};
    answer.words = {{text + "\n"}};
    answer.tables.push_back(NamedTable::of(
        "text",
        Table{said("Shared text"), {"letters", "text"}, {{static_cast<std::int64_t>(text.size()), text}}}));
    return answer;
}

} // namespace

Question share_question() {
    QuestionField file = file_flag("--file", {});
    file.row.key = shared_file_key;
    file.row.flag = "file";
    file.row.flag_help =
        "FILE: a scenario or project, which is shared with all its variants; without one the "
        "scenario that the flags say";
    Question question{
        "share",
        said("Shared text"),
        "",
        said("Prints a scenario as one text for a message, which --scenario takes in place of a "
             "file"),
        {true, true, true, true},
        {std::move(file)}};
    question.answer = answer_share;
    question.examples = {"run.meshslice.json", "--model llama-3-8b --mesh 4x4 --batch 64",
                         "--scenario run.json --batch 128"};
    return question;
}

} // namespace meshslice
