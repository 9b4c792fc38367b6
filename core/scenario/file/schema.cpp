#include "core/scenario/file/schema.h"

#include "core/base/fields/field_schema.h"
#include "core/base/json/json_writer.h"
#include "core/base/language.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/scenario/plan/plan_fields.h"
#include "core/scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <utility>

namespace meshslice {
namespace {

using Json = Tree;

Json version(int newest) {
    return {{"const", newest}};
}

/// The name of a preset, or one of the objects.
Json preset_or(const Json& described, std::initializer_list<Json> objects) {
    Json part;
    part["anyOf"] = Json::array({{{"type", "string"}, {"description", "The name of a preset."}}});
    for (const Json& object : objects) {
        part["anyOf"].push_back(object);
    }
    part["description"] = *described.find("description");
    return part;
}

Json scenario_schema() {
    Json file = object_schema("Everything about one variant that can be edited.");
    add_key(file, "meshslice_scenario", version(scenario_version()));
    add_rows(file, scenario_fields());
    Json& keys = file["properties"];
    const Json of_others = {{"type", "object"},
                            {"not", {{"required", Json::array({"meshslice_model"})}}},
                            {"description", "The config.json of a model at Hugging Face."}};
    keys["model"] = preset_or(keys["model"], {{{"$ref", "#/$defs/model"}}, of_others});
    keys["hardware"] = preset_or(keys["hardware"], {{{"$ref", "#/$defs/hardware"}}});
    keys["plan"] = {
        {"anyOf", Json::array({{{"type", "string"}, {"const", "none"}}, {{"$ref", "#/$defs/plan"}}})},
        {"description", "A plan that was chosen instead of the best that a search finds."}};
    keys["serving"] = {
        {"anyOf", Json::array({{{"type", "string"}, {"const", "none"}},
                               {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}})},
        {"description", "Fields of 'meshslice serve' by their names, such as \"batch\": \"64\", as they "
                        "are typed; what is left out is as it begins."}};
    return file;
}

Json named(const char* name, const char* key, Json other) {
    Json one = object_schema();
    add_key(one, name, {{"type", "string"}});
    add_key(one, key, std::move(other));
    return one;
}

} // namespace

std::string project_schema() {
    const InEnglish for_programs;
    const Json text = {{"type", "string"}};
    Json project = object_schema("One or several variants, and the moments that were marked.");
    project["required"] = {"meshslice_project", "current", "variants"};
    Json& keys = project["properties"];
    keys["meshslice_project"] = version(project_version());
    keys["current"] = text;
    keys["current"]["description"] = "The name of the variant that is edited.";
    keys["pinned"] = text;
    keys["pinned"]["description"] = "The name of the variant that it is compared with.";
    keys["task"] = {
        {"enum", {"training", "serving"}},
        {"description",
         "What is asked: the whole training run, or how the model is served; left out: one block or GEMM."}};
    keys["variants"] = list_schema(named("name", "scenario", {{"$ref", "#/$defs/scenario"}}));
    keys["variants"]["minItems"] = 1;
    keys["variants"]["maxItems"] = Project::most_variants;
    Json mark = named("name", "at_ps", whole_schema(0, Project::latest_mark));
    mark["properties"]["part"] = text;
    mark["properties"]["part"]["description"] =
        "Of a note: the core or link that it is on, such as \"3,5 east\".";
    mark["properties"]["run"] = text;
    mark["properties"]["run"]["description"] = "Of a note: the variant or algorithm whose run it is about.";
    keys["marks"] = list_schema(std::move(mark));
    keys["marks"]["maxItems"] = Project::most_marks;
    keys["marks"]["description"] = "Marked moments and notes, in picoseconds from the start of the run.";

    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "MeshSlice Explorer, a project or a scenario";
    schema["anyOf"] = Json::array({{{"$ref", "#/$defs/project"}}, {{"$ref", "#/$defs/scenario"}}});
    schema["$defs"]["project"] = std::move(project);
    schema["$defs"]["scenario"] = scenario_schema();
    schema["$defs"]["model"] = tree_of_json(transformer_schema());
    schema["$defs"]["hardware"] = tree_of_json(machine_schema());
    schema["$defs"]["plan"] = tree_of_json(plan_schema());
    return json_file(schema);
}

} // namespace meshslice
