#include "core/base/fields/field_schema.h"
#include "core/base/json/json_writer.h"
#include "core/question/catalogue/study/study_check.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace meshslice {
namespace {

Tree described(Tree schema, const char* words) {
    schema["description"] = words;
    return schema;
}

Tree text_schema(const char* words) {
    return described({{"type", "string"}}, words);
}

Tree number_schema(const char* words) {
    return described({{"type", "number"}, {"minimum", 0}}, words);
}

Tree one_of_words(const char* words, std::initializer_list<const char*> choices) {
    Tree all = Tree::array();
    for (const char* const one : choices) {
        all.push_back(one);
    }
    return described({{"enum", std::move(all)}}, words);
}

/// Names of fields and what they are, as after a flag.
Tree names_and_words(const char* words) {
    return described({{"type", "object"},
                      {"additionalProperties", {{"type", Tree::array({"string", "number", "boolean"})}}}},
                     words);
}

Tree keyed(std::initializer_list<std::pair<const char*, Tree>> keys,
           std::initializer_list<const char*> required) {
    Tree schema = object_schema();
    schema["properties"] = Tree::object();
    for (const auto& [key, its] : keys) {
        schema["properties"][key] = its;
    }
    schema["required"] = Tree::array();
    for (const char* const key : required) {
        schema["required"].push_back(key);
    }
    return schema;
}

} // namespace

std::string study_file_schema() {
    const Tree statement = text_schema("What is said, in a sentence.");
    const Tree section = text_schema("Where it is said.");
    const Tree at = names_and_words("The point: a value of each field that varies.");
    const Tree number = text_schema("Path of a number of a point, such as time_s; else that of the study.");
    const Tree claim = keyed(
        {{"id", text_schema("Of this claim alone.")},
         {"statement", statement},
         {"section", section},
         {"kind", one_of_words("What the number is.", {"utilization", "speed-up", "loss", "bytes", "time",
                                                       "share", "count", "rate"})},
         {"value", number_schema("As published, in base units.")},
         {"at", at},
         {"over",
          names_and_words(
              "Ours is then the number here divided by that of \"at\": how many times as fast \"at\" is.")},
         {"number", number},
         {"within", number_schema("The share by which ours may differ; without it nothing is judged.")}},
        {"id", "statement", "kind", "value", "at"});
    const Tree ordering = keyed({{"id", text_schema("Of this ordering alone.")},
                                 {"statement", statement},
                                 {"section", section},
                                 {"shape", one_of_words("How the points follow each other.",
                                                        {"rises", "falls", "least-at", "most-at"})},
                                 {"at", at},
                                 {"number", number}},
                                {"id", "statement", "shape"});
    Tree scenario = described({}, "A scenario's file, or the text that share prints; else a new one.");
    scenario["type"] = Tree::array({"object", "string"});
    Tree schema = keyed(
        {{"meshslice_swept_study", described({{"const", 1}}, "The version of this format.")},
         {"name", text_schema("A short name, for files.")},
         {"title", text_schema("A line.")},
         {"question", text_schema("What the study asks, in a sentence.")},
         {"source", text_schema("Who published the numbers, and where.")},
         {"section", text_schema("Where in it the study is about: a chapter, a figure.")},
         {"note", text_schema("What is not as published, or is read in one of several ways.")},
         {"of", text_schema("The command that is asked at every point (default estimate).")},
         {"scenario", std::move(scenario)},
         {"set", names_and_words("Its flags without dashes, with their values.")},
         {"vary", described(list_schema({{"type", "string"}}), "One or two, as sweep --vary takes them.")},
         {"number", text_schema("Path of the number that pictures and statements are about.")},
         {"number_name", text_schema("What pictures and sentences call it (default its path).")},
         {"claims", list_schema(claim)},
         {"orderings", list_schema(ordering)}},
        {"meshslice_swept_study", "name", "title", "question", "vary"});
    schema["title"] = "A study of MeshSlice Explorer";
    return json_file(schema);
}

} // namespace meshslice
