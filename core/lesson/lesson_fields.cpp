#include "core/base/fields/field_file.h"
#include "core/lesson/lesson_reader.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace meshslice {
namespace {

/// Kinds that are numbers in files and may be texts, as they are typed.
bool may_be_typed(const Field<Scenario>& field) {
    return !field.stored || field.kind == FieldKind::whole || field.kind == FieldKind::quantity ||
           field.kind == FieldKind::whole_list;
}

std::optional<FieldValue> field_value(JsonReader& place, const std::string& key, const Field<Scenario>& field,
                                      const std::string& origin) {
    if (!place.is_text(key) || !may_be_typed(field)) {
        return read_value(place, key, field, origin);
    }
    const Result<FieldValue> typed = parse(field, place.text(key), fmt::format("\"{}\"", field.key));
    if (!typed) {
        place.note({fmt::format("{}: {}", origin, typed.error().sentence)});
        return std::nullopt;
    }
    return *typed;
}

} // namespace

void read_lesson_fields(JsonReader& reader, const std::string& key, const std::string& origin,
                        Scenario& scenario) {
    JsonReader fields = reader.object(key);
    std::map<std::string, JsonReader> objects;
    for (const Field<Scenario>& field : scenario_fields()) {
        const auto [object, own] = split_key(field.key);
        if (!object.empty() && !fields.is_object(object)) {
            continue;
        }
        JsonReader& place =
            object.empty() ? fields : objects.try_emplace(object, fields.object(object)).first->second;
        // "gemm" is a text of one row, or an object with others.
        if (!place.has(own) || (!field.stored && place.is_object(own))) {
            continue;
        }
        const std::optional<FieldValue> value = field_value(place, own, field, origin);
        if (!value) {
            continue;
        }
        if (const Result<void> taken = field.set(scenario, *value); !taken) {
            reader.note({fmt::format("{}: {}", origin, taken.error().sentence)});
        }
    }
    for (auto& [name, object] : objects) {
        object.no_other_keys();
    }
    fields.no_other_keys();
    if (!reader.ok()) {
        return;
    }
    Result<Scenario> valid = checked(scenario);
    if (!valid) {
        reader.note({fmt::format("{}: {}", origin, valid.error().sentence)});
        return;
    }
    scenario = *std::move(valid);
}

} // namespace meshslice
