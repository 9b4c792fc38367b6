#include "core/lesson/lesson_schema.h"

#include "core/base/fields/field_schema.h"
#include "core/base/json/json_writer.h"
#include "core/base/language.h"
#include "core/lesson/lesson.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

using Json = Tree;

const Json any_text = {{"type", "string"}};
const Json any_number = {{"type", "number"}};
const Json any_flag = {{"type", "boolean"}};

template <class Words>
Json word_of(const Words& words) {
    Json all = Json::array();
    for (const std::string_view one : words) {
        all.push_back(one);
    }
    return {{"enum", std::move(all)}};
}

/// One text for everybody, or one for each language.
Json words_schema() {
    Json by_language = object_schema();
    add_key(by_language, "en", any_text, false);
    for (const std::string& code : languages()) {
        add_key(by_language, code, any_text, false);
    }
    by_language["minProperties"] = 1;
    return {{"anyOf", Json::array({any_text, std::move(by_language)})}};
}

/// Any fields of a scenario, none of which has to be there; numbers may be typed texts.
Json fields_schema() {
    Json fields = object_schema("Fields of the scenario, by their keys; the others stay as they are.");
    for (const Field<Scenario>& field : scenario_fields()) {
        if (field.stored) {
            FieldRow row = field;
            row.required = false;
            if (row.kind == FieldKind::part) {
                row.word.clear();
            }
            add_row(fields, row);
        } else if (!fields["properties"].contains(field.key)) {
            Json value = {{"type", Json::array({"string", "number"})}};
            if (!field.help.empty()) {
                value["description"] = field.help;
            }
            add_key(fields, field.key, std::move(value), false);
        }
    }
    const auto typed = [](Json& object) {
        for (Json& value : object["properties"].items()) {
            const bool number =
                value.contains("type") &&
                (value["type"] == "integer" || value["type"] == "number" || value["type"] == "array");
            if (number) {
                Json kept = value;
                kept.erase("description");
                Json both = {{"anyOf", Json::array({std::move(kept), any_text})}};
                if (value.contains("description")) {
                    both["description"] = value["description"];
                }
                value = std::move(both);
            } else if (value.contains("anyOf") && value["anyOf"].size() == 2) {
                value["anyOf"].push_back(any_text);
            }
        }
    };
    for (Json& value : fields["properties"].items()) {
        if (value.contains("properties")) {
            typed(value);
        }
    }
    typed(fields);
    return fields;
}

/// `kind` is the key that says what is asked.
Json asked_schema(const std::string& kind, Json what, bool over) {
    Json asked = object_schema();
    add_key(asked, kind, std::move(what));
    if (over) {
        add_key(asked, "over", {{"$ref", "#/$defs/divisor"}}, false);
    }
    return asked;
}

/// A number of a question: its first field under its name, then the others, and flags.
Json question_schema_of(const Question& question, bool over) {
    const auto typed = [](const QuestionField& field) {
        std::vector<std::string_view> words;
        if (field.row.kind == FieldKind::flag) {
            return any_flag;
        }
        if (field.row.kind == FieldKind::choice) {
            std::ranges::transform(field.row.choices, std::back_inserter(words), &FieldChoice::word);
        }
        return words.empty() ? any_text : word_of(words);
    };
    Json asked = asked_schema(question.key_in_files(),
                              question.fields.empty() ? any_flag : typed(question.fields.front()), over);
    if (!question.uses.none()) {
        add_key(asked, "with", {{"$ref", "#/$defs/fields"}}, false);
    }
    Json key = any_text;
    key["description"] = fmt::format("A number of {} --json by its place.", question.id);
    add_key(asked, "key", std::move(key));
    for (const QuestionField& field : question.fields) {
        if (&field != &question.fields.front()) {
            add_key(asked, field.row.key, typed(field), field.needed);
        }
        for (const FieldAlias& alias : field.aliases) {
            if (!alias.word.empty()) {
                add_key(asked, QuestionField::key_of(alias), any_flag, false);
            }
        }
    }
    return asked;
}

/// What the engine is asked; with `more`, keys of who asks.
std::vector<Json> asked_schemas(bool over) {
    Json run = asked_schema("run", any_text, over);
    run["properties"]["run"]["description"] = "A number of simulate --json by its place, such as time_s.";
    add_key(run, "with", {{"$ref", "#/$defs/fields"}}, false);
    std::vector<Json> all = {run};
    for (const Question& question : all_questions()) {
        all.push_back(question_schema_of(question, over));
    }
    return all;
}

Json any_of(std::vector<Json> all) {
    Json list = Json::array();
    for (Json& one : all) {
        list.push_back(std::move(one));
    }
    return {{"anyOf", std::move(list)}};
}

Json question_schema() {
    Json asked = object_schema("A question with a number, which the engine works out.");
    const Json words = {{"$ref", "#/$defs/words"}};
    add_key(asked, "ask", words);
    Json choice = object_schema();
    add_key(choice, "says", words);
    add_key(choice, "below", any_number, false);
    Json choices = list_schema(std::move(choice));
    choices["minItems"] = 2;
    choices["maxItems"] = 5;
    choices["description"] = "Answers to choose from, from the smallest number on; without them it is typed.";
    add_key(asked, "choices", std::move(choices), false);
    Json hint = words;
    hint["description"] = "Needed where the answer is typed.";
    add_key(asked, "hint", std::move(hint), false);
    add_key(asked, "because", words, false);
    add_key(asked, "unit", word_of(lesson_units));
    add_key(asked, "tolerance", {{"type", "number"}, {"minimum", 0}, {"maximum", 0.5}}, false);
    add_key(asked, "answer", {{"$ref", "#/$defs/asked"}});
    return asked;
}

Json claim_schema() {
    std::vector<Json> claims = asked_schemas(true);
    for (Json& one : claims) {
        add_key(one, "says", any_text);
        add_key(one, "least", any_number, false);
        add_key(one, "most", any_number, false);
    }
    return any_of(std::move(claims));
}

/// One for each page.
std::vector<Json> lab_schemas() {
    std::vector<Json> all;
    for (const LessonLabPage& page : lesson_lab_pages()) {
        Json lab = object_schema("What the lab shows.");
        add_key(lab, "page", {{"const", page.name}}, !all.empty());
        for (std::size_t k = 0; k < page.fields.size(); ++k) {
            const LessonLabField& field = page.fields[k];
            add_key(lab, std::string(field.name), field.words.empty() ? any_text : word_of(field.words),
                    k < page.needed);
        }
        all.push_back(std::move(lab));
    }
    return all;
}

Json step_schema() {
    const Json words = {{"$ref", "#/$defs/words"}};
    Json step = object_schema();
    add_key(step, "title", words);
    add_key(step, "text", words);
    add_key(step, "scenario", {{"$ref", "#/$defs/fields"}}, false);
    add_key(step, "view", word_of(lesson_views));
    add_key(step, "lab", any_of(lab_schemas()), false);
    Json highlight =
        object_schema("What the step points at: a field of the form, a view, or a field of the lab.");
    add_key(highlight, "field", any_text, false);
    add_key(highlight, "view", word_of(lesson_views), false);
    add_key(highlight, "lab", any_text, false);
    highlight["maxProperties"] = 1;
    add_key(step, "highlight", std::move(highlight), false);
    Json predict = {{"$ref", "#/$defs/question"}};
    predict["description"] = "Asked before the step is shown; not in the first one.";
    add_key(step, "predict", std::move(predict), false);
    add_key(step, "question", {{"$ref", "#/$defs/question"}}, false);
    Json claims = list_schema({{"$ref", "#/$defs/claim"}});
    claims["description"] = "What the text says, for the engine to check.";
    add_key(step, "claims", std::move(claims), false);
    return step;
}

} // namespace

std::string lesson_schema() {
    const InEnglish for_programs;
    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "MeshSlice Explorer, a lesson";
    schema.update(object_schema("A guided tour, step by step."));
    add_key(schema, "meshslice_lesson", {{"const", lesson_version}});
    add_key(schema, "id", {{"type", "string"}, {"pattern", "^[a-z0-9-]+$"}});
    add_key(schema, "title", {{"$ref", "#/$defs/words"}});
    add_key(schema, "needs", {{"$ref", "#/$defs/words"}});
    add_key(schema, "seen", {{"$ref", "#/$defs/words"}}, false);
    Json steps = list_schema({{"$ref", "#/$defs/step"}});
    steps["minItems"] = 1;
    steps["maxItems"] = Lesson::most_steps;
    add_key(schema, "steps", std::move(steps));
    Json& parts = schema["$defs"];
    parts["words"] = words_schema();
    parts["fields"] = fields_schema();
    parts["asked"] = any_of(asked_schemas(true));
    parts["divisor"] = any_of(asked_schemas(false));
    parts["question"] = question_schema();
    parts["claim"] = claim_schema();
    parts["step"] = step_schema();
    return json_file(schema);
}

} // namespace meshslice
