#include "core/scenario/schema.h"

#include "core/base/field_file.h"
#include "core/base/json_writer.h"
#include "core/base/language.h"
#include "core/scenario/fields.h"
#include "core/scenario/project.h"
#include "core/scenario/scenario.h"

#include <nlohmann/json.hpp>

namespace meshslice {
namespace {

using Json = nlohmann::ordered_json;

Json whole(std::int64_t least, std::int64_t most) {
    Json number = {{"type", "integer"}, {"minimum", least}};
    if (most != std::numeric_limits<std::int64_t>::max()) {
        number["maximum"] = most;
    }
    return number;
}

Json list_of(Json items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

Json values_of(const FieldRow& row) {
    switch (row.kind) {
    case FieldKind::whole: return whole(row.least, row.most);
    case FieldKind::quantity: {
        Json number = {{"type", "number"}, {"minimum", row.lowest}};
        if (row.highest != std::numeric_limits<double>::max()) {
            number["maximum"] = row.highest;
        }
        return number;
    }
    case FieldKind::choice: {
        Json words = Json::array();
        for (const FieldChoice& choice : row.choices) {
            words.push_back(choice.word);
        }
        return {{"enum", std::move(words)}};
    }
    case FieldKind::text: return {{"type", "string"}};
    case FieldKind::flag: return {{"type", "boolean"}};
    case FieldKind::whole_list: return list_of(whole(row.least, row.most));
    case FieldKind::flag_list: return list_of({{"type", "boolean"}});
    case FieldKind::text_list: return list_of({{"type", "string"}});
    case FieldKind::part: return {{"type", Json::array({"string", "object"})}};
    }
    return {};
}

/// A value of the row, or its word for none.
Json schema_of(const FieldRow& row) {
    Json value = values_of(row);
    if (!row.word.empty() && row.kind == FieldKind::choice) {
        value["enum"].push_back(row.word);
    } else if (!row.word.empty()) {
        value = {{"anyOf", Json::array({std::move(value), {{"const", row.word}}})}};
    }
    if (!row.help.empty()) {
        value["description"] = row.help;
    }
    return value;
}

Json object(std::string_view description) {
    return {{"description", description},
            {"type", "object"},
            {"additionalProperties", false},
            {"required", Json::array()},
            {"properties", Json::object()}};
}

Json version(int newest) {
    return {{"const", newest}};
}

Json scenario_schema() {
    Json file = object("Everything about one variant that can be edited.");
    file["properties"]["meshslice_scenario"] = version(scenario_version());
    file["required"].push_back("meshslice_scenario");
    for (const Field<Scenario>& row : scenario_fields()) {
        if (!row.stored) {
            continue;
        }
        const auto [inner, key] = split_key(row.key);
        Json* place = &file;
        if (!inner.empty()) {
            Json& part = file["properties"][inner];
            if (!part.contains("properties")) {
                part = object("");
                part.erase("description");
            }
            place = &part;
        }
        (*place)["properties"][key] = schema_of(row);
        if (row.required) {
            (*place)["required"].push_back(key);
        }
    }
    return file;
}

Json named(const char* name, const char* key, Json other) {
    Json one = object("");
    one.erase("description");
    one["required"] = {name, key};
    one["properties"] = {{name, {{"type", "string"}}}, {key, std::move(other)}};
    return one;
}

} // namespace

std::string project_schema() {
    const InEnglish for_programs;
    const Json text = {{"type", "string"}};
    Json project = object("One or several variants, and the moments that were marked.");
    project["required"] = {"meshslice_project", "current", "variants"};
    Json& keys = project["properties"];
    keys["meshslice_project"] = version(project_version());
    keys["current"] = text;
    keys["current"]["description"] = "The name of the variant that is edited.";
    keys["pinned"] = text;
    keys["pinned"]["description"] = "The name of the variant that it is compared with.";
    keys["variants"] = list_of(named("name", "scenario", {{"$ref", "#/$defs/scenario"}}));
    keys["variants"]["minItems"] = 1;
    keys["variants"]["maxItems"] = Project::most_variants;
    keys["marks"] = list_of(named("name", "at_ps", whole(0, Project::latest_mark)));
    keys["marks"]["maxItems"] = Project::most_marks;
    keys["marks"]["description"] = "Marked moments, in picoseconds from the start of the run.";

    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "MeshSlice Explorer, a project or a scenario";
    schema["anyOf"] = Json::array({{{"$ref", "#/$defs/project"}}, {{"$ref", "#/$defs/scenario"}}});
    schema["$defs"]["project"] = std::move(project);
    schema["$defs"]["scenario"] = scenario_schema();
    return json_file(schema);
}

} // namespace meshslice
