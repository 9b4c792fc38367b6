#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/printable.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr std::size_t most_serving_texts = 100;    // more than the question has fields
constexpr std::size_t longest_serving_text = 4096; // that a file may have
constexpr const char* nothing_set = "none";

Tree serving_tree(const ServingTexts& texts) {
    Tree tree = Tree::object();
    for (const auto& [key, words] : texts) {
        tree[key] = words;
    }
    return tree;
}

/// Which fields there are, and what each may hold, is for the question to say.
Result<ServingTexts> serving_texts(const JsonPart& part) {
    const Result<nlohmann::json> parsed = parse_json(part.json, part.origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, part.origin);
    ServingTexts made;
    for (const auto& [key, value] : parsed->items()) {
        made[key] = reader.text(key);
    }
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    return made;
}

} // namespace

Field<Scenario> serving_row() {
    Field<Scenario> row{
        {.key = "serving", .required = false, .name = "serving fields", .kind = FieldKind::part},
        [](const Scenario& scenario) -> FieldValue {
            return scenario.serving.empty()
                       ? FieldValue(std::string(nothing_set))
                       : FieldValue(JsonPart{json_line(serving_tree(scenario.serving)), "serving"});
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* part = std::get_if<JsonPart>(&value);
            if (part == nullptr) {
                const auto& word = std::get<std::string>(value);
                if (word != nothing_set) {
                    return refuse(say("The fields of serving are \"{}\"; expected none or an object.",
                                      shortened(word)));
                }
                scenario.serving.clear();
                return {};
            }
            Result<ServingTexts> texts = serving_texts(*part);
            if (!texts) {
                return refuse(texts.error());
            }
            scenario.serving = *std::move(texts);
            return {};
        },
        {},
        [](const Scenario& scenario) { return scenario.serving.empty(); }};
    row.check = [](const Scenario& scenario) -> Result<void> {
        if (scenario.serving.size() > most_serving_texts) {
            return refuse(say("{} fields of serving are set; expected at most {}.", scenario.serving.size(),
                              most_serving_texts));
        }
        for (const auto& [key, words] : scenario.serving) {
            if (words.size() > longest_serving_text) {
                return refuse(say("The field \"{}\" of serving has {} letters; expected at most {}.",
                                  shortened(key), words.size(), longest_serving_text));
            }
            if (const std::string hidden = hidden_character(words); !hidden.empty()) {
                return refuse(say("The field \"{}\" of serving has the character {}, which does not show.",
                                  shortened(key), hidden));
            }
        }
        return {};
    };
    return row;
}

} // namespace meshslice
