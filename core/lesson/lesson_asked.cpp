// What a lesson file asks the engine.

#include "core/base/text.h"
#include "core/lesson/lesson_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// Reads the parts of one quantity; notes what is wrong in the reader of its object.
class QuantityReader {
  public:
    QuantityReader(JsonReader& reader, const std::string& origin) : reader_(reader), origin_(origin) {}

    /// The first field under the question's own name, what a flag says under the flag's.
    QuestionNumber number_of(const Question& question, const Scenario& scenario) {
        OwnTexts texts;
        if (question.fields.empty() && !reader_.flag(question.key_in_files())) {
            note(fmt::format("\"{}\" is true where it is asked", question.key_in_files()));
        }
        for (const QuestionField& field : question.fields) {
            const bool first = &field == &question.fields.front();
            const std::string& key = first ? question.key_in_files() : field.row.key;
            if (reader_.has(key)) {
                texts[field.row.key] = field.row.kind != FieldKind::flag ? reader_.text(key)
                                       : reader_.flag(key)               ? "on"
                                                                         : "off";
            }
            for (const FieldAlias& alias : field.aliases) {
                const std::string said = QuestionField::key_of(alias);
                if (!alias.word.empty() && reader_.has(said) && reader_.flag(said)) {
                    texts.try_emplace(field.row.key, alias.word);
                }
            }
        }
        QuestionNumber asked{question.id, {}, reader_.text("key")};
        const Result<Asked> read = asked_of(question, texts, Speech::file);
        if (!read) {
            note(read.error().sentence);
            return asked;
        }
        asked.own = read->own;
        if (!question.uses.none()) {
            asked.scenario = scenario;
            asked.another = reader_.has("with");
            if (asked.another) {
                read_lesson_fields(reader_, "with", origin_, *asked.scenario);
            }
        }
        if (asked.scenario || !reader_.ok() || origin_.starts_with(shipped_lessons)) {
            return asked; // a long answer waits until it is asked for
        }
        const Result<Tree> values = numbers_of(*read, {});
        if (!values) {
            note(values.error().sentence);
        } else if (value_at(*read, *values, asked.path) == nullptr) {
            note(fmt::format("there is no number \"{}\" of {}; there are {}", shortened(asked.path),
                             question.id, fmt::join(number_paths(*values), ", ")));
        }
        return asked;
    }

  private:
    void note(const std::string& sentence) {
        reader_.note({fmt::format("{}: {}{}", origin_, sentence, sentence.ends_with('.') ? "" : ".")});
    }
    JsonReader& reader_;
    const std::string& origin_;
};

} // namespace

std::optional<LessonQuantity> read_lesson_quantity(JsonReader& reader, const std::string& origin,
                                                   const Scenario& scenario, const Questions& questions) {
    const auto asks = [&](const Question& one) { return reader.has(one.key_in_files()); };
    // "plan" is a question, and a field of another one.
    const auto of = std::ranges::find_if(questions, [&](const Question& one) {
        return asks(one) && std::ranges::none_of(questions, [&](const Question& other) {
                   return other.id != one.id && asks(other) && other.field(one.key_in_files()) != nullptr;
               });
    });
    LessonQuantity quantity;
    if (reader.has("run")) {
        quantity.of = {"simulate", {}, reader.text("run"), scenario, reader.has("with")};
        if (quantity.of.another) {
            read_lesson_fields(reader, "with", origin, *quantity.of.scenario);
        }
        const std::string& compare = quantity.of.scenario->compare;
        if (quantity.of.path.starts_with("compared_with/") && !compare.empty()) {
            quantity.of.own["compare"] = compare;
        }
    } else if (of != questions.end()) {
        quantity.of = QuantityReader(reader, origin).number_of(*of, scenario);
    } else {
        std::vector<std::string> kinds = {"run"};
        std::ranges::transform(questions, std::back_inserter(kinds), &Question::key_in_files);
        reader.note({fmt::format("{} does not say what the engine is asked; expected \"{}\".", origin,
                                 fmt::join(kinds, "\", \""))});
        return std::nullopt;
    }
    if (reader.has("over") && reader.ok()) {
        JsonReader lower = reader.object("over");
        reader.expect(!lower.has("over"), "over", "is divided again; expected one division");
        if (reader.ok()) {
            if (std::optional<LessonQuantity> read =
                    read_lesson_quantity(lower, origin, scenario, questions)) {
                quantity.over.push_back(*std::move(read));
            }
            lower.no_other_keys();
        }
    }
    return reader.ok() ? std::optional(std::move(quantity)) : std::nullopt;
}

} // namespace meshslice
