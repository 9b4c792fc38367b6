#include "core/base/fields/field_schema.h"

#include "core/base/fields/field_file.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <utility>

namespace meshslice {
namespace {

using Json = Tree;

Json values_of(const FieldRow& row) {
    switch (row.kind) {
    case FieldKind::whole: {
        Json whole = whole_schema(row.least, row.most);
        if (!row.sides) {
            return whole;
        }
        Json both = {{"type", "string"}, {"pattern", "^[0-9]+x[0-9]+$"}};
        return {{"anyOf", Json::array({std::move(whole), std::move(both)})}};
    }
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
        for (const std::string& word : row.accepted) {
            words.push_back(word);
        }
        return {{"enum", std::move(words)}};
    }
    case FieldKind::text:
        return row.pattern.empty() ? Json{{"type", "string"}}
                                   : Json{{"type", "string"}, {"pattern", row.pattern}};
    case FieldKind::flag: return {{"type", "boolean"}};
    case FieldKind::whole_list: return list_schema(whole_schema(row.least, row.most));
    case FieldKind::flag_list: return list_schema({{"type", "boolean"}});
    case FieldKind::text_list: return list_schema({{"type", "string"}});
    case FieldKind::part: return {{"type", Json::array({"string", "object"})}};
    }
    return {};
}

} // namespace

Json object_schema(std::string_view description) {
    Json object;
    if (!description.empty()) {
        object["description"] = description;
    }
    object["type"] = "object";
    object["additionalProperties"] = false;
    object["required"] = Json::array();
    object["properties"] = Json::object();
    return object;
}

void add_key(Json& object, const std::string& key, Json value, bool required) {
    object["properties"][key] = std::move(value);
    if (required) {
        object["required"].push_back(key);
    }
}

Json list_schema(Json items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

Json whole_schema(std::int64_t least, std::int64_t most) {
    Json number = {{"type", "integer"}, {"minimum", least}};
    if (most != std::numeric_limits<std::int64_t>::max()) {
        number["maximum"] = most;
    }
    return number;
}

Json schema_of(const FieldRow& row) {
    Json value = values_of(row);
    if (!row.word.empty() && row.kind == FieldKind::choice) {
        value["enum"].push_back(row.word);
    } else if (!row.word.empty()) {
        value = {{"anyOf", Json::array({std::move(value), {{"const", row.word}}})}};
    }
    if (row.sourced) {
        Json sourced = object_schema();
        add_key(sourced, "value", std::move(value));
        add_key(sourced, "source", {{"type", "string"}, {"description", "Where the value is from."}});
        value = std::move(sourced);
    }
    if (!row.help.empty()) {
        value["description"] = row.help;
    }
    return value;
}

void add_row(Json& object, const FieldRow& row) {
    if (!row.stored) {
        return;
    }
    const auto [inner, key] = split_key(row.key);
    if (inner.empty()) {
        add_key(object, key, schema_of(row), row.required);
        return;
    }
    Json& part = object["properties"][inner];
    if (!part.contains("properties")) {
        part = object_schema();
    }
    add_key(part, key, schema_of(row), row.required);
}

} // namespace meshslice
