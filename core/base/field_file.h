#pragma once

#include "core/base/field_table.h"
#include "core/base/json_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {

/// Reads what a file has under `key`, strictly, as a value that fits the row; notes in `reader` what is
/// wrong.
[[nodiscard]] std::optional<FieldValue> read_value(JsonReader& reader, const std::string& key,
                                                   const FieldRow& row, const std::string& origin);
/// Puts the value under the row's key, into the object that the key names.
void write_value(nlohmann::ordered_json& file, const FieldRow& row, const FieldValue& value);
void write_sourced(nlohmann::ordered_json& file, const FieldRow& row, const FieldValue& value,
                   const std::string& source);

/// "schedule" and "ring" of "schedule.ring"; no object of "batch".
[[nodiscard]] std::pair<std::string, std::string> split_key(const std::string& key);

/// Reads the stored rows of a table from an object; what a file may leave out stays as it is in `value`.
/// Refuses unknown keys, except where the caller has asked the reader for them.
template <class T>
void read_fields(JsonReader& reader, const std::vector<Field<T>>& table, const std::string& origin,
                 T& value) {
    std::map<std::string, JsonReader> objects;
    for (const Field<T>& field : table) {
        if (!field.stored) {
            continue;
        }
        const auto [object, key] = split_key(field.key);
        if (!object.empty() && !reader.has(object)) {
            continue;
        }
        JsonReader& place =
            object.empty() ? reader : objects.try_emplace(object, reader.object(object)).first->second;
        if (!place.has(key) && !field.required) {
            continue;
        }
        std::optional<FieldValue> read;
        if (field.sourced) {
            JsonReader part = place.object(key);
            read = read_value(part, "value", field, origin);
            field.source(value) = part.text("source");
            part.no_other_keys();
        } else {
            read = read_value(place, key, field, origin);
        }
        if (read) {
            if (const Result<void> taken = field.set(value, *read); !taken) {
                // A part is read with an origin of its own.
                const bool named = std::holds_alternative<JsonPart>(*read);
                reader.note({named ? taken.error().sentence : origin + ": " + taken.error().sentence});
            }
        }
    }
    for (auto& [name, object] : objects) {
        object.no_other_keys();
    }
    reader.no_other_keys();
}

/// Writes the stored rows of a table that are not left out, in their order.
template <class T>
void write_fields(nlohmann::ordered_json& file, const std::vector<Field<T>>& table, const T& value) {
    for (const Field<T>& field : table) {
        if (!field.stored || (field.omitted && field.omitted(value))) {
            continue;
        }
        if (field.sourced) {
            T copy = value;
            write_sourced(file, field, field.get(value), field.source(copy));
        } else {
            write_value(file, field, field.get(value));
        }
    }
}

} // namespace meshslice
