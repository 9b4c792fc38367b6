// Lessons: what there is, and whether every step of one runs and says what is so.

#include "core/lesson/lesson.h"

#include "app/catalogues.h"
#include "core/base/embedded_resources.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/lesson/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

Answer list() {
    Answer answer{Tree::array()};
    Table table{"lessons", {"lesson", "title", "steps"}, {}};
    Paragraph lines{{}, {table.columns}, 2, false};
    for (const LessonTitle& one : lesson_titles()) {
        const std::string steps = std::to_string(one.steps);
        lines.lines.push_back({one.id, one.title.text(), steps});
        table.rows.push_back({one.id, one.title.text(), steps});
        answer.values.push_back({{"id", one.id},
                                 {"title", one.title.text()},
                                 {"needs", one.needs.plain()},
                                 {"steps", one.steps}});
    }
    answer.words = {std::move(lines),
                    {"\nmeshslice lesson NAME prints one and asks the engine whether it is right; the window "
                     "has them in the menu Lessons.\n"}};
    answer.tables.push_back(NamedTable::of("lessons", std::move(table)));
    return answer;
}

/// A question with what the engine answers.
Tree question_values(const LessonQuestion& question, const Result<double>& value) {
    Tree values = {{"ask", question.ask.plain()},
                   {"unit", question.unit},
                   {"tolerance", question.tolerance},
                   {"answer", value ? Tree(*value) : Tree()}};
    if (!question.choices.empty()) {
        values["choices"] = Tree::array();
        for (const LessonChoice& one : question.choices) {
            values["choices"].push_back(one.says.plain());
        }
    }
    return values;
}

std::string question_words(const char* what, const LessonQuestion& question, const Result<double>& value) {
    std::string words = fmt::format("{}: {}\n", what, question.ask.plain());
    if (value) {
        const auto choice = question.choice_of(*value);
        words += fmt::format("Answer: {}{}\n", answer_text(*value, question.unit),
                             choice ? fmt::format(", {}", question.choices[*choice].says.plain()) : "");
    }
    return words + (question.because.empty() ? "" : question.because.plain() + "\n");
}

/// A step in words and values, with what the engine says of it; adds a check.
void add_step(Answer& answer, std::size_t number, const LessonStep& step) {
    Tree values = {{"title", step.title.text()}, {"text", step.text.plain()}, {"view", step.view}};
    std::string words =
        fmt::format("\n{}. {}\n   (view {})\n{}\n", number, step.title.text(), step.view, step.text.plain());
    if (step.predict) {
        const Result<double> value = value_of(step.predict->answer);
        values["predict"] = question_values(*step.predict, value);
        words += question_words("Predict", *step.predict, value);
    }
    if (step.question) {
        const Result<double> value = value_of(step.question->answer);
        values["question"] = question_values(*step.question, value);
        words += question_words("Question", *step.question, value);
    }
    values["wrong"] = Tree::array();
    for (const std::string& fault : faults_of(step)) {
        values["wrong"].push_back(fault);
        words += fmt::format("WRONG in step {}: {}\n", number, fault);
        answer.checks.push_back({fault, false});
    }
    answer.values["steps"].push_back(std::move(values));
    answer.words.push_back({std::move(words)});
}

Answer answer_of(const Lesson& lesson, const RunControl& control) {
    Answer answer{{{"id", lesson.id}, {"title", lesson.title.text()}, {"needs", lesson.needs.plain()}}};
    answer.words.push_back({fmt::format("{}\nYou need: {}\n", lesson.title.text(), lesson.needs.plain())});
    for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
        add_step(answer, k + 1, lesson.steps[k]);
        if (control.progress != nullptr) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(lesson.steps.size()));
        }
    }
    if (!lesson.seen.empty()) {
        answer.values["seen"] = lesson.seen.plain();
        answer.words.push_back({fmt::format("\n{}\n", lesson.seen.plain())});
    }
    const std::size_t wrong = answer.checks.size();
    answer.words.push_back(
        {wrong == 0
             ? fmt::format("\nAll {} steps run, and what they claim is so.\n", lesson.steps.size())
             : fmt::format("\n{} thing{} wrong with this lesson.\n", wrong, wrong == 1 ? " is" : "s are")});
    return answer;
}

Result<Answer> answer_of(const Asked& asked, const RunControl& control) {
    if (const auto* part = std::get_if<JsonPart>(&asked.value("lesson"))) {
        return read_lesson(part->json, part->origin).map([&](const Lesson& read) {
            return answer_of(read, control);
        });
    }
    const std::string name = asked.text("lesson");
    if (name.empty()) {
        return list();
    }
    std::vector<std::string> ids;
    for (const LessonTitle& one : lesson_titles()) {
        ids.push_back(one.id);
    }
    if (const LessonPtr meant = lesson(resolved(name, ids))) {
        return answer_of(*meant, control);
    }
    return refuse(
        fmt::format("There is no lesson \"{}\"; {} A file's name has a dot or a slash, as in ./mine.json.",
                    shortened(name), suggestion(name, ids)));
}

} // namespace

Question lesson_question() {
    Question question{
        "lesson",
        "Lessons",
        {},
        "Lists the lessons, or runs every step of one: its text, its answers, and what is wrong with it"};
    question.fields.push_back(
        {.row = {.key = "lesson",
                 .name = "lesson",
                 .flag = "lesson",
                 .flag_help = "NAME|FILE.json: a lesson that comes with the program, or "
                              "one of your own (default: lists those that come with it)",
                 .kind = FieldKind::part}});
    for (const EmbeddedFile& one : embedded_lessons()) { // 07-slicing.json
        const std::string_view file = one.name.substr(0, one.name.find('.'));
        question.fields.back().row.choices.push_back({std::string(file.substr(file.find('-') + 1)), {}});
    }
    question.examples = {"", "slicing", "collectives --json"};
    question.answer = [](const Asked& asked, const RunControl& control) { return answer_of(asked, control); };
    return question;
}

} // namespace meshslice
