#pragma once

#include "core/base/fields/field_table.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/tree.h"

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
void write_value(Tree& file, const FieldRow& row, const FieldValue& value);
void write_sourced(Tree& file, const FieldRow& row, const FieldValue& value, const std::string& source);

/// "schedule" and "ring" of "schedule.ring"; no object of "batch".
[[nodiscard]] std::pair<std::string, std::string> split_key(const std::string& key);

/// An objection to what a file has under the row's key, with the file and the key: `a.json: "/faults/parts":
/// The fault ...`. `pointer` is the JSON pointer of the object that has the key.
[[nodiscard]] Error in_file(const std::string& origin, const std::string& pointer, const FieldRow& row,
                            const Error& error);

/// check_fields() of a value that was read from a file's object.
template <class T>
[[nodiscard]] Result<void> check_read(const std::vector<Field<T>>& table, const T& value,
                                      const std::string& origin, const std::string& pointer = {}) {
    const std::optional<RowRefusal> refusal = first_refusal(table, value);
    return refusal ? Result<void>(refuse(in_file(origin, pointer, *refusal->row, refusal->error)))
                   : Result<void>();
}

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
        const auto take = [&](JsonReader& part, const std::string& at) {
            const std::optional<FieldValue> read = read_value(part, at, field, origin);
            if (const Result<void> taken = read ? field.set(value, *read) : Result<void>(); !taken) {
                if (std::holds_alternative<JsonPart>(*read)) {
                    part.note(taken.error()); // It is read with an origin of its own.
                } else {
                    part.object_to(at, taken.error());
                }
            }
        };
        if (field.sourced) {
            JsonReader part = place.object(key);
            take(part, "value");
            field.source(value) = part.text("source");
            part.no_other_keys();
        } else {
            take(place, key);
        }
    }
    for (auto& [name, object] : objects) {
        object.no_other_keys();
    }
    reader.no_other_keys();
}

/// Writes the stored rows of a table that are not left out, in their order.
template <class T>
void write_fields(Tree& file, const std::vector<Field<T>>& table, const T& value) {
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
