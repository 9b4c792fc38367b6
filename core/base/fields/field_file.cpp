#include "core/base/fields/field_file.h"

#include "core/base/json/json_writer.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace meshslice {
namespace {

using Json = Tree;

struct ToJson {
    const FieldRow& row;

    Json operator()(std::monostate) const { return row.word; }
    Json operator()(const JsonPart& part) const { return tree_of_json(part.json); }
    Json operator()(Factor factor) const { return factor_text(factor.times); }
    Json operator()(const std::vector<std::int64_t>& list) const {
        return row.sides ? Json(text(row, list)) : Json(list);
    }
    template <class Value>
    Json operator()(const Value& value) const {
        return value;
    }
};

Json& place(Json& file, const FieldRow& row) {
    const auto [object, key] = split_key(row.key);
    return object.empty() ? file[key] : file[object][key];
}

Json written(const FieldRow& row, const FieldValue& value) {
    return std::visit(ToJson{row}, value);
}

} // namespace

std::pair<std::string, std::string> split_key(const std::string& key) {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::pair(std::string(), key)
                                    : std::pair(key.substr(0, dot), key.substr(dot + 1));
}

Error in_file(const std::string& origin, const std::string& pointer, const FieldRow& row,
              const Error& error) {
    const auto [object, key] = split_key(row.key);
    return {fmt::format("{}: \"{}{}{}/{}\": {}", origin, pointer, object.empty() ? "" : "/", object, key,
                        error.sentence)};
}

std::optional<FieldValue> read_value(JsonReader& reader, const std::string& key, const FieldRow& row,
                                     const std::string& origin) {
    FieldValue value;
    const auto expect_word = [&] {
        const std::string found = reader.text(key);
        reader.expect(found == row.word, key, fmt::format("is \"{}\"; expected {}", found, expectation(row)));
        return found == row.word;
    };
    switch (row.kind) {
    case FieldKind::whole:
        if (row.sides && reader.is_text(key)) {
            const Result<FieldValue> read = parse(row, reader.text(key), key);
            reader.expect(read.has_value(), key,
                          fmt::format("is \"{}\"; expected {}", reader.text(key), expectation(row)));
            return read ? std::optional(*read) : std::nullopt;
        }
        if (!row.word.empty() && reader.is_text(key)) {
            return expect_word() ? std::optional(value) : std::nullopt;
        }
        value = reader.whole(key, row.least, row.most);
        break;
    case FieldKind::quantity:
        if (!row.word.empty() && reader.is_text(key)) {
            return expect_word() ? std::optional(value) : std::nullopt;
        }
        value = reader.number(key, row.lowest, row.highest);
        break;
    case FieldKind::choice: {
        const std::string word = reader.text(key);
        if (!row.word.empty() && word == row.word) {
            return value;
        }
        value = word;
        if (!fits(row, value)) {
            reader.expect(false, key, fmt::format("is \"{}\"; expected {}", word, expectation(row)));
        }
        break;
    }
    case FieldKind::text: value = reader.text(key); break;
    case FieldKind::flag: value = reader.flag(key); break;
    case FieldKind::whole_list: value = reader.whole_list(key, row.least, row.most); break;
    case FieldKind::flag_list: value = reader.flag_list(key); break;
    case FieldKind::text_list: value = reader.text_list(key); break;
    case FieldKind::part:
        if (reader.is_object(key)) {
            value = JsonPart{reader.json_text(key), fmt::format("{} ({})", origin, key)};
        } else {
            value = reader.text(key);
        }
        break;
    }
    return reader.ok() ? std::optional(value) : std::nullopt;
}

void write_value(Json& file, const FieldRow& row, const FieldValue& value) {
    place(file, row) = written(row, value);
}

void write_sourced(Json& file, const FieldRow& row, const FieldValue& value, const std::string& source) {
    place(file, row) = Json{{"value", written(row, value)}, {"source", source}};
}

} // namespace meshslice
