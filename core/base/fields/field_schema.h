#pragma once

#include "core/base/fields/field_table.h"
#include "core/base/json/tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Parts of a JSON Schema (draft 2020-12) that are made from rows of field tables.

/// An object without keys so far; keys that are not added are refused.
[[nodiscard]] Tree object_schema(std::string_view description = {});
void add_key(Tree& object, const std::string& key, Tree value, bool required = true);
[[nodiscard]] Tree list_schema(Tree items);
/// A whole number; without an upper limit where `most` is the largest there is.
[[nodiscard]] Tree whole_schema(std::int64_t least, std::int64_t most);

/// What a file has of the row: its type, range, words and help; of a sourced row the value and its source.
[[nodiscard]] Tree schema_of(const FieldRow& row);
/// Adds a stored row, into the object that its key names.
void add_row(Tree& object, const FieldRow& row);

template <class T>
void add_rows(Tree& object, const std::vector<Field<T>>& table) {
    for (const Field<T>& field : table) {
        add_row(object, field);
    }
}

} // namespace meshslice
